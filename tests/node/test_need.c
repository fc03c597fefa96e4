/* How much bandwidth programs can use, from looks every millisecond. Bytes are in MB. */
#include "node/need.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ALONE 100e6

/* Processes that repeat: `inside` ms in a call that moves `bytes`, `outside` ms without; each one
 * begins `shift` ms after the one before. */
struct habit {
    int processes, inside, outside, shift;
    double bytes, rate;
};

/* `waits`: its calls wait for the grant. */
static double find(const struct habit *habit, int milliseconds, bool waits)
{
    struct need_state need;
    struct need_process processes[8] = {0};
    struct need_look look = {.rate = habit->rate, .alone = ALONE, .waits = waits};
    int cycle = habit->inside + habit->outside;
    need_init(&need);
    need_begin(&need, 0, 0);
    for (int t = 1; t <= milliseconds; t++) {
        for (int p = 0; p < habit->processes; p++) {
            int at = (t + p * habit->shift) % cycle;
            processes[p].inside = at < habit->inside;
            if (at == habit->inside % cycle) {
                processes[p].count += (uint64_t)habit->bytes;
                look.moved += habit->bytes;
            }
        }
        need_see(&need, 1e-3 * t, &look, processes, (size_t)habit->processes);
    }
    return need.rate / ALONE;
}

static void assert_finds(struct habit habit, double part)
{
    double found = find(&habit, 3000, false);
    bool right = part == INFINITY ? found == INFINITY : fabs(found - part) < 0.02;
    if (!right)
        print_error("found %.3f\n", found);
    assert_true(right);
}

static void gaps_between_calls_show_what_a_program_can_use(void **state)
{
    (void)state;
    /* 0.4 MB take 4 ms alone, then 6 ms of work. */
    assert_finds((struct habit){1, 4, 6, 0, 0.4e6, ALONE}, 0.4);
    /* A store that others use takes twice as long, and so does a grant: it would still be 40 %. */
    assert_finds((struct habit){1, 8, 6, 0, 0.4e6, ALONE}, 0.4);
    assert_finds((struct habit){1, 16, 6, 0, 0.4e6, 0.2 * ALONE}, 0.4);
}

static void one_that_never_leaves_its_calls_needs_all(void **state)
{
    (void)state;
    assert_finds((struct habit){1, 10, 0, 0, 1e6, ALONE}, INFINITY);
    assert_finds((struct habit){1, 10, 0, 0, 0.5e6, ALONE}, INFINITY);       /* a slow store */
    assert_finds((struct habit){1, 10, 0, 0, 0.1e6, 0.1 * ALONE}, INFINITY); /* a low grant */
}

static void calls_that_are_slow_by_themselves_need_little(void **state)
{
    (void)state;
    /* 10 ms for what takes 0.4 ms: of the 9.6 ms a fourth counts. */
    assert_finds((struct habit){1, 10, 0, 0, 0.04e6, ALONE}, 0.4 / 2.4);
}

static void processes_add_up(void **state)
{
    (void)state;
    /* Eight, each 1 ms of 16 inside: one or the other nearly always is, but they use 1 / 2. */
    assert_finds((struct habit){8, 1, 15, 2, 0.1e6, ALONE}, 0.5);
}

static void pauses_of_what_takes_long_do_not_count(void **state)
{
    (void)state;
    assert_finds((struct habit){1, 20, 40, 0, 2e6, ALONE}, INFINITY);
    assert_finds((struct habit){1, 10, 30, 0, 1e6, ALONE}, 0.25);
}

static void one_whose_calls_wait_needs_twice_as_much(void **state)
{
    (void)state;
    const struct habit habit = {1, 4, 6, 0, 0.4e6, ALONE};
    assert_true(find(&habit, 1000, false) < 0.5);
    assert_true(find(&habit, 1000, true) > 0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_between_calls_show_what_a_program_can_use),
        cmocka_unit_test(one_that_never_leaves_its_calls_needs_all),
        cmocka_unit_test(calls_that_are_slow_by_themselves_need_little),
        cmocka_unit_test(processes_add_up),
        cmocka_unit_test(pauses_of_what_takes_long_do_not_count),
        cmocka_unit_test(one_whose_calls_wait_needs_twice_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
