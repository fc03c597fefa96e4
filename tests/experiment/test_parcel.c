/* A result is the same after it was sent. */
#include "base/mem.h"
#include "experiment/parcel.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct weir_app_metrics apps[2];

static struct run_result make(void)
{
    apps[0] = (struct weir_app_metrics){.name = "a", .nodes = 3, .yield = 1.0 / 3};
    apps[1] = (struct weir_app_metrics){.name = "", .nodes = NAN, .stretch = INFINITY};
    struct run_result result = {.identity = 77, .parameters = "{}", .platform = "mira"};
    result.row.made.version = "1";
    result.row.made.scenario = "quickstart";
    result.row.made.seed = UINT64_MAX;
    result.row.made.platform.bandwidth = 1e9;
    result.row.hash = 5;
    result.row.window = (struct window){WINDOW_FIXED, 1, 2};
    result.row.policy = "fcfs";
    result.row.metrics.min_yield = 0.1;
    result.row.apps = apps;
    result.row.count = 2;
    return result;
}

static void what_is_unpacked_is_what_was_packed(void **state)
{
    (void)state;
    struct run_result before = make(), after;
    struct err err;
    size_t size;
    char *data = parcel_pack(&before, &size, &err);
    assert_non_null(data);
    assert_int_equal(parcel_unpack(data, size, &after, &err), 0);
    free(data);
    assert_true(after.identity == 77 && after.row.hash == 5 && after.row.made.seed == UINT64_MAX);
    assert_null(after.family);
    assert_null(after.error);
    assert_string_equal(after.platform, "mira");
    assert_string_equal(after.row.made.scenario, "quickstart");
    assert_memory_equal(&after.row.metrics, &before.row.metrics, sizeof before.row.metrics);
    assert_memory_equal(&after.row.window, &before.row.window, sizeof before.row.window);
    assert_int_equal(after.row.count, 2);
    assert_string_equal(after.row.apps[0].name, "a");
    assert_string_equal(after.row.apps[1].name, "");
    assert_true(after.row.apps[0].yield == 1.0 / 3 && isinf(after.row.apps[1].stretch));
    result_fini(&after);
}

static void a_torn_or_longer_parcel_is_refused(void **state)
{
    (void)state;
    struct run_result before = make(), after;
    struct err err;
    size_t size;
    char *data = parcel_pack(&before, &size, &err);
    for (size_t kept = 0; kept < size; kept++)
        assert_int_equal(parcel_unpack(data, kept, &after, &err), -1);
    char *longer = realloc(data, size + 1);
    longer[size] = 0;
    assert_int_equal(parcel_unpack(longer, size + 1, &after, &err), -1);
    free(longer);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    struct run_result before = make(), after;
    struct err err;
    size_t size;
    int status = -1;
    for (long n = 0; status < 0 && n < 100; n++) {
        mem_fail_after(n);
        char *data = parcel_pack(&before, &size, &err);
        status = data ? parcel_unpack(data, size, &after, &err) : -1;
        mem_fail_after(-1);
        free(data);
    }
    assert_int_equal(status, 0);
    result_fini(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unpacked_is_what_was_packed),
        cmocka_unit_test(a_torn_or_longer_parcel_is_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
