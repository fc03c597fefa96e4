#include "policy/slot.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Every 10 s: work from -2, I/O [-1, 1) and [2, 3); work from 3, I/O [5, 6). */
static struct plan_piece pieces[] = {{-1, 1, 4}, {2, 3, 2}, {5, 6, 1}};
static struct plan_instance instances[] = {{-2, 0, 2}, {3, 2, 1}};
static struct plan_app apps[] = {{0, 2}};
static const struct plan plan = {.period = 10,
                                 .count = 1,
                                 .apps = apps,
                                 .instances = instances,
                                 .pieces = pieces,
                                 .instance_count = 2,
                                 .piece_count = 3};
static const struct slots slots = {.plan = &plan, .app = 0};

static void expect_from(double time, double round, size_t index)
{
    struct slot slot = slot_from(slots, time);
    if (slot.round != round || slot.index != index)
        fail_msg("%g: %g, %zu", time, slot.round, slot.index);
    assert_true(slot_time(slots, slot) >= time);
}

static void a_slot_is_found_by_its_time(void **state)
{
    (void)state;
    /* I/Os begin at -1, 5, 9, 15, ... and at -5, -11, ... */
    expect_from(-1, 0, 0);
    expect_from(-0.5, 0, 1);
    expect_from(5, 0, 1);
    expect_from(5.5, 1, 0);
    expect_from(9, 1, 0);
    expect_from(-1.5, 0, 0);
    expect_from(-5.5, -1, 1);
    expect_from(-11, -1, 0);
    expect_from(1e9, 1e8, 1);
}

static void the_slots_of_one_period_follow_those_of_another(void **state)
{
    (void)state;
    struct slot slot = {0, 0};
    const double times[] = {-1, 5, 9, 15, 19}, works[] = {-2, 3, 8, 13, 18};
    for (int i = 0; i < 5; i++) {
        assert_true(slot_time(slots, slot) == times[i] && slot_work(slots, slot) == works[i]);
        struct slot after = slot_after(slots, slot);
        assert_true(slot_before(slot, after));
        assert_false(slot_before(after, slot) || slot_before(slot, slot));
        slot = after;
    }
}

static void pieces_are_passed_as_they_end(void **state)
{
    (void)state;
    struct slot second = {1, 0};
    struct plan_piece piece;
    size_t at = 0;
    /* [9, 11) and [12, 13) */
    assert_true(slot_piece(slots, second, 0, &at, &piece));
    assert_true(at == 0 && piece.start == 9 && piece.end == 11 && piece.rate == 4);
    assert_true(slot_piece(slots, second, 10.5, &at, &piece) && at == 0);
    assert_true(slot_piece(slots, second, 11, &at, &piece));
    assert_true(at == 1 && piece.start == 12 && piece.end == 13 && piece.rate == 2);
    assert_false(slot_piece(slots, second, 13, &at, &piece));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_is_found_by_its_time),
        cmocka_unit_test(the_slots_of_one_period_follow_those_of_another),
        cmocka_unit_test(pieces_are_passed_as_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
