/* Work that takes a little more or less, and volumes that are a little more or less. */
#include "gen/gen.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static struct workload *shake(double seconds, uint64_t seed)
{
    struct err err;
    struct workload *shaken = workload_jitter(&small.workload, seconds, seed, &err);
    assert_non_null(shaken);
    return shaken;
}

static void work_changes_by_at_most_the_jitter_and_io_does_not(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v5 x50");
    small_add(&small, 10, "w2 v7 x50");
    struct workload *shaken = shake(0.1, 1);
    double low = INFINITY, high = -INFINITY, total = 0;
    for (uint32_t id = 0; id < 2; id++)
        for (uint32_t k = 0; k < 50; k++) {
            struct iteration old = app_iteration(&small.apps[id], k);
            struct iteration new = app_iteration(&shaken->apps[id], k);
            double change = new.work - old.work;
            assert_true(fabs(change) <= 0.1 && new.volume == old.volume);
            low = fmin(low, change);
            high = fmax(high, change);
            total += change;
        }
    /* Of 100 draws from [-0.1, 0.1] some come near both ends, and their mean, of which the standard
     * deviation is 0.1 / sqrt(3) / 10, near 0. */
    assert_true(low < -0.08 && high > 0.08 && fabs(total / 100) < 0.03);
    expect_near(shaken->apps[0].facts.total_work + shaken->apps[1].facts.total_work, 150 + total,
                1e-9);
    workload_free(shaken);
}

static void work_is_never_negative(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w0.01 v5 x50");
    struct workload *shaken = shake(1, 1);
    for (uint32_t k = 0; k < 50; k++)
        assert_true(app_iteration(&shaken->apps[0], k).work >= 0);
    workload_free(shaken);
}

static void another_seed_shakes_otherwise(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v5");
    struct workload *first = shake(0.1, 1), *again = shake(0.1, 1), *other = shake(0.1, 2);
    double work = app_iteration(&first->apps[0], 0).work;
    assert_true(app_iteration(&again->apps[0], 0).work == work);
    assert_true(app_iteration(&other->apps[0], 0).work != work);
    workload_free(first);
    workload_free(again);
    workload_free(other);
}

static void a_perturbation_changes_work_and_volume_by_its_part_and_keeps_the_window(void **state)
{
    (void)state;
    struct err err;
    small_init(&small, 10);
    small_add(&small, 10, "w100 v5 x50");
    small.workload.window = (struct window){.kind = WINDOW_FIXED, .start = 10, .end = 500};
    struct workload *moved = workload_perturb(&small.workload, 0.01, 1, &err);
    assert_non_null(moved);
    double work = 0, volume = 0;
    for (uint32_t k = 0; k < 50; k++) {
        struct iteration iteration = app_iteration(&moved->apps[0], k);
        work = fmax(work, fabs(iteration.work / 100 - 1));
        volume = fmax(volume, fabs(iteration.volume / 5 - 1));
    }
    assert_true(work <= 0.01 && work > 0.008 && volume <= 0.01 && volume > 0.008);
    assert_true(moved->window.kind == WINDOW_FIXED && moved->window.start == 10 &&
                moved->window.end == 500);
    workload_free(moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_changes_by_at_most_the_jitter_and_io_does_not),
        cmocka_unit_test(work_is_never_negative),
        cmocka_unit_test(another_seed_shakes_otherwise),
        cmocka_unit_test(a_perturbation_changes_work_and_volume_by_its_part_and_keeps_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
