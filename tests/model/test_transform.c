/* Copies of a workload with other phases. */
#include "base/mem.h"
#include "model/workload.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

/* Work by application and iteration, and twice the volume. */
static struct iteration change(void *context, uint32_t app, uint32_t k, struct iteration iteration)
{
    ++*(uint32_t *)context;
    return (struct iteration){10.0 * app + k, 2 * iteration.volume};
}

static void a_copy_has_the_changed_phases_and_the_original_its_own(void **state)
{
    (void)state;
    struct err err;
    uint32_t calls = 0;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v5 w2 v6 w3");
    small_repeat(small_add(&small, 5, "w4 v10"), 3); /* stored once */
    struct workload *copy = workload_transform(&small.workload, change, &calls, &err);
    assert_non_null(copy);
    assert_int_equal(calls, 3 + 3);
    assert_true(app_iteration(&copy->apps[0], 1).work == 1);
    assert_true(app_iteration(&copy->apps[0], 1).volume == 12);
    assert_true(app_iteration(&copy->apps[1], 2).work == 12);
    assert_true(app_iteration(&copy->apps[1], 2).volume == 20);
    assert_true(copy->apps[1].facts.total_work == 10 + 11 + 12);
    assert_true(copy->apps[1].facts.total_io == 3 * 20 / 5.0);
    assert_true(app_iteration(&small.apps[1], 2).work == 4);
    workload_free(copy);
}

static void a_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    struct err err;
    uint32_t calls = 0;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v5");
    struct workload *copy = NULL;
    for (long n = 0; !copy; n++) {
        mem_fail_after(n);
        copy = workload_transform(&small.workload, change, &calls, &err);
        mem_fail_after(-1);
        assert_true(n < 20);
    }
    workload_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_has_the_changed_phases_and_the_original_its_own),
        cmocka_unit_test(a_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
