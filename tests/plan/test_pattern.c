/* Patterns of the published rules, instance by instance: what the authors' program fills in. */
#include "plan/pattern.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 10 };

/* Applications of one node bandwidth, so that nodes are also bmax, on a file system of 300. */
struct published_pattern {
    double period;
    uint32_t count;
    struct {
        double work, volume, nodes;
        uint32_t instances;
    } apps[MOST];
};

static void compare(const struct published_pattern *published)
{
    struct task list[MOST];
    struct tasks tasks = {.list = list, .count = published->count, .bandwidth = 300, .nodes = 640};
    for (uint32_t i = 0; i < published->count; i++) {
        double volume = published->apps[i].volume, nodes = published->apps[i].nodes;
        list[i] =
            (struct task){"app", nodes, published->apps[i].work, volume, nodes, volume / nodes, 0};
    }
    struct pattern pattern;
    assert_int_equal(pattern_init(&pattern, &tasks), 0);
    assert_int_equal(pattern_fill(&pattern, (struct pattern_rules){.period = published->period}),
                     0);
    assert_true(pattern.overlapping);
    for (uint32_t i = 0; i < published->count; i++)
        assert_int_equal(pattern.apps[i].instances, published->apps[i].instances);
    /* With room for all work it is another pattern. */
    struct pattern_rules valid = {.period = published->period, .valid = true};
    assert_int_equal(pattern_fill(&pattern, valid), 0);
    assert_false(pattern.overlapping);
    pattern_fini(&pattern);
}

static void a_transfer_that_reaches_into_its_own_work_ends_with_the_slot_there(void **state)
{
    (void)state;
    compare(&(struct published_pattern){92561.04,
                                        6,
                                        {{36490.3488, 2921779.4, 64, 2},
                                         {41810.0672, 2125688.5, 128, 1},
                                         {6761.5296, 1513116.4, 64, 2},
                                         {19617.76, 3004054.6, 64, 1},
                                         {42276.2368, 3325174.7, 128, 1},
                                         {42510.8352, 1169449.0, 192, 1}}});
}

static void that_slot_may_be_cut_by_others_later(void **state)
{
    (void)state;
    compare(&(struct published_pattern){158836.337,
                                        10,
                                        {{49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 1},
                                         {49146.1184, 3481553.8, 64, 2},
                                         {49146.1184, 3481553.8, 64, 1}}});
}

static void what_has_no_room_to_work_begins_no_slot(void **state)
{
    (void)state;
    compare(&(struct published_pattern){71274.29,
                                        4,
                                        {{42308.16, 592349.9, 128, 1},
                                         {32281.248, 3344794.1, 128, 1},
                                         {37834.9632, 3186915.4, 192, 1},
                                         {37429.9328, 2383995.7, 192, 1}}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transfer_that_reaches_into_its_own_work_ends_with_the_slot_there),
        cmocka_unit_test(that_slot_may_be_cut_by_others_later),
        cmocka_unit_test(what_has_no_room_to_work_begins_no_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
