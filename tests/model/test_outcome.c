#include "base/mem.h"
#include "model/outcome.h"
#include "model/timeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_outcome_starts_zeroed(void **state)
{
    (void)state;
    struct outcome *outcome = outcome_new(3);
    assert_int_equal(outcome->count, 3);
    assert_true(outcome->apps[2].lost == 0 && outcome->spans[2].work == 0);
    outcome_free(outcome);
    outcome_free(NULL);
}

static void a_timeline_keeps_segments_in_order(void **state)
{
    (void)state;
    struct timeline timeline = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        struct segment segment = {.start = i, .end = i + 1, .app = i};
        assert_int_equal(timeline_add(&timeline, segment), 0);
    }
    assert_int_equal(timeline.count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(timeline.segments[i].app, i);
    timeline_fini(&timeline);
    assert_null(timeline.segments);
}

static void running_out_of_memory_loses_nothing_that_was_there(void **state)
{
    (void)state;
    struct timeline timeline = {0};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(timeline_add(&timeline, (struct segment){.app = i}), 0);
    mem_fail_after(0);
    assert_int_equal(timeline_add(&timeline, (struct segment){.app = 8}), -1);
    mem_fail_after(-1);
    assert_int_equal(timeline.count, 8);
    assert_int_equal(timeline.segments[7].app, 7);
    timeline_fini(&timeline);
    for (int n = 0; n < 3; n++) {
        mem_fail_after(n);
        assert_null(outcome_new(10));
        mem_fail_after(-1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outcome_starts_zeroed),
        cmocka_unit_test(a_timeline_keeps_segments_in_order),
        cmocka_unit_test(running_out_of_memory_loses_nothing_that_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
