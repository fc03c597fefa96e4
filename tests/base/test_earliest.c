/* The slot with the earliest time: an agenda, where most slots have one, and timers, where few do.
 * Both keep the same promises. */
#include "base/agenda.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/timers.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct queue {
    struct agenda agenda;
    struct timers timers;
};

/* What both can do. */
struct kind {
    int (*init)(struct queue *queue, uint32_t slots);
    void (*fini)(struct queue *queue);
    void (*set)(struct queue *queue, uint32_t slot, double time);
    void (*clear)(struct queue *queue, uint32_t slot);
    uint32_t (*first)(const struct queue *queue);
    double (*time)(const struct queue *queue);
};

#define FORWARD(kind)                                                                              \
    static int kind##_begin(struct queue *queue, uint32_t slots)                                   \
    {                                                                                              \
        return kind##_init(&queue->kind, slots);                                                   \
    }                                                                                              \
    static void kind##_end(struct queue *queue)                                                    \
    {                                                                                              \
        kind##_fini(&queue->kind);                                                                 \
    }                                                                                              \
    static void kind##_give(struct queue *queue, uint32_t slot, double time)                       \
    {                                                                                              \
        kind##_set(&queue->kind, slot, time);                                                      \
    }                                                                                              \
    static uint32_t kind##_slot(const struct queue *queue)                                         \
    {                                                                                              \
        return kind##_first(&queue->kind);                                                         \
    }                                                                                              \
    static double kind##_earliest(const struct queue *queue)                                       \
    {                                                                                              \
        return kind##_time(&queue->kind);                                                          \
    }
FORWARD(agenda)
FORWARD(timers)

static void agenda_take(struct queue *queue, uint32_t slot)
{
    if (slot == agenda_first(&queue->agenda))
        assert_int_equal(agenda_pop(&queue->agenda), slot);
    else
        agenda_set(&queue->agenda, slot, INFINITY);
}

static void timers_take(struct queue *queue, uint32_t slot)
{
    timers_clear(&queue->timers, slot);
}

#define KIND(kind)                                                                                 \
    {                                                                                              \
        kind##_begin, kind##_end, kind##_give, kind##_take, kind##_slot, kind##_earliest           \
    }
static const struct kind kinds[] = {KIND(agenda), KIND(timers)};

#define EACH_KIND(kind)                                                                            \
    for (const struct kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)

static void an_empty_one_has_no_time(void **state)
{
    (void)state;
    EACH_KIND(kind)
    {
        struct queue queue;
        assert_int_equal(kind->init(&queue, 5), 0);
        assert_true(kind->time(&queue) == INFINITY);
        assert_true(kind->first(&queue) < 5);
        kind->fini(&queue);
    }
}

static void one_slot_is_enough(void **state)
{
    (void)state;
    EACH_KIND(kind)
    {
        struct queue queue;
        assert_int_equal(kind->init(&queue, 1), 0);
        kind->set(&queue, 0, 3);
        assert_int_equal(kind->first(&queue), 0);
        assert_true(kind->time(&queue) == 3);
        kind->set(&queue, 0, INFINITY);
        assert_true(kind->time(&queue) == INFINITY);
        kind->fini(&queue);
    }
}

static void equal_times_go_to_the_lower_slot(void **state)
{
    (void)state;
    EACH_KIND(kind)
    {
        struct queue queue;
        assert_int_equal(kind->init(&queue, 6), 0);
        kind->set(&queue, 5, 1);
        assert_int_equal(kind->first(&queue), 5);
        kind->set(&queue, 2, 1);
        assert_int_equal(kind->first(&queue), 2);
        kind->set(&queue, 3, 1);
        assert_int_equal(kind->first(&queue), 2);
        kind->set(&queue, 2, 2);
        assert_int_equal(kind->first(&queue), 3);
        kind->fini(&queue);
    }
}

/* Few distinct times, so that ties are common, and every kind of change: earlier, later, away. */
static void compare_with_a_search(const struct kind *kind, uint32_t slots)
{
    struct queue queue;
    double times[70];
    struct random random = random_at(1, slots, 0);
    assert_int_equal(kind->init(&queue, slots), 0);
    for (uint32_t i = 0; i < slots; i++)
        times[i] = INFINITY;
    for (int step = 0; step < 5000; step++) {
        uint32_t slot = random_below(&random, slots), time = random_below(&random, 12);
        times[slot] = time == 0 ? INFINITY : (double)time - 1;
        if (time == 0 && random_below(&random, 2))
            kind->clear(&queue, slot);
        else
            kind->set(&queue, slot, times[slot]);
        uint32_t first = 0;
        for (uint32_t i = 1; i < slots; i++)
            first = times[i] < times[first] ? i : first;
        assert_true(kind->time(&queue) == times[first]);
        if (times[first] < INFINITY)
            assert_int_equal(kind->first(&queue), first);
    }
    kind->fini(&queue);
}

static void the_first_is_always_what_a_search_finds(void **state)
{
    (void)state;
    EACH_KIND(kind)
    for (uint32_t slots = 1; slots <= 70; slots++)
        compare_with_a_search(kind, slots);
}

static void running_out_of_memory_leaves_nothing(void **state)
{
    (void)state;
    EACH_KIND(kind)
    {
        struct queue queue;
        int n = 0, result;
        do {
            mem_fail_after(n++);
            result = kind->init(&queue, 100);
        } while (result != 0 && n < 10);
        mem_fail_after(-1);
        assert_int_equal(n, 3); /* two allocations, so the third try succeeds */
        kind->fini(&queue);
    }
    struct agenda agenda;
    assert_int_equal(agenda_init(&agenda, UINT32_MAX), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_has_no_time),
        cmocka_unit_test(one_slot_is_enough),
        cmocka_unit_test(equal_times_go_to_the_lower_slot),
        cmocka_unit_test(the_first_is_always_what_a_search_finds),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
