#include "base/mem.h"
#include "plan/hrr.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_JOBS = 5 };

/* Uniform jobs on a file system of 2 bytes/s. */
struct set {
    struct task list[MOST_JOBS];
    struct tasks tasks;
};

static void set_up(struct set *set, double work, double io, const uint32_t *iterations,
                   uint32_t count)
{
    static const char *const names[MOST_JOBS] = {"J1", "J2", "J3", "J4", "J5"};
    *set = (struct set){.tasks = {.count = count, .bandwidth = 2, .nodes = count}};
    set->tasks.list = set->list;
    for (uint32_t i = 0; i < count; i++)
        set->list[i] = (struct task){.name = names[i],
                                     .nodes = 1,
                                     .work = work,
                                     .volume = 2 * io,
                                     .bmax = 2,
                                     .io = io,
                                     .iterations = iterations[i]};
}

/* --- exhaustive search ---------------------------------------------------------------------- */

/* A schedule up to some I/O. Every order of the I/Os is tried, each I/O as early as the order
 * permits: also those in which the file system waits for a job though another is ready. */
struct search {
    double work, io, best;
    uint32_t count;
    uint32_t left[MOST_JOBS];
    double ready[MOST_JOBS];
};

/* No way of going on ends before this: the file system must serve all that is left, and each job
 * must do what it has left. */
static double bound(const struct search *search, double time)
{
    double total = 0, bound = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        double left = search->left[i];
        total += left;
        if (left > 0)
            bound = fmax(bound, search->ready[i] + left * search->io + (left - 1) * search->work);
    }
    return fmax(bound, time + total * search->io);
}

/* Whether an earlier job is in the same state, so that serving this one would lead to nothing else
 * than serving that. */
static int has_twin(const struct search *search, uint32_t job)
{
    for (uint32_t i = 0; i < job; i++)
        if (search->left[i] == search->left[job] && search->ready[i] == search->ready[job])
            return 1;
    return 0;
}

static void go_on(struct search *search, double time)
{
    uint32_t idle = 0;
    if (bound(search, time) > search->best - 1e-9)
        return;
    for (uint32_t i = 0; i < search->count; i++) {
        double ready = search->ready[i], end = fmax(time, ready) + search->io;
        if (search->left[i] == 0 || has_twin(search, i)) {
            idle += search->left[i] == 0;
            continue;
        }
        search->left[i]--;
        search->ready[i] = end + search->work;
        go_on(search, end);
        search->left[i]++;
        search->ready[i] = ready;
    }
    if (idle == search->count)
        search->best = time;
}

static double optimum(double work, double io, const uint32_t *iterations, uint32_t count)
{
    struct search search = {.work = work, .io = io, .best = INFINITY, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        search.left[i] = iterations[i];
        search.ready[i] = work;
    }
    go_on(&search, 0);
    return search.best;
}

/* (2, 1)^2 and (2, 1)^1. If the short job goes first: I/O 2-3, then the long one at 3-4 and
 * 6-7. If the long one goes first: 2-3, the short one 3-4, the long one 5-6. */
static void the_search_finds_that_the_long_job_goes_first(void **state)
{
    (void)state;
    assert_true(optimum(2, 1, (const uint32_t[]){1, 2}, 2) == 6);
}

/* --- the algorithm -------------------------------------------------------------------------- */

static void check_set(double work, const uint32_t *iterations, uint32_t count)
{
    double best = optimum(work, 1, iterations, count);
    struct err err;
    struct set set;
    set_up(&set, work, 1, iterations, count);
    struct plan *plan = hrr_plan(&set.tasks, &err);
    assert_non_null(plan);
    assert_int_equal(plan_validate(plan, &set.tasks, &err), 0);
    assert_true(fabs(hrr_makespan(work, 1, iterations, count) - best) < 1e-9);
    assert_true(fabs(plan->period - best) < 1e-9);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(plan->apps[i].count, iterations[i]);
    plan_free(plan);
}

/* Runs over all numbers of iterations from 1 to 4; 0 when there are no more. */
static int next_set(uint32_t *iterations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (++iterations[i] <= 4)
            return 1;
        iterations[i] = 1;
    }
    return 0;
}

/* All instances with at most 4 jobs of at most 4 iterations, in every order. */
static void on_all_small_instances_plan_and_closed_form_are_optimal(void **state)
{
    (void)state;
    static const double works[] = {0, 0.3, 1, 1.5, 2.5, 3.7};
    for (size_t w = 0; w < sizeof(works) / sizeof(*works); w++)
        for (uint32_t count = 1; count <= 4; count++) {
            uint32_t iterations[] = {1, 1, 1, 1};
            do
                check_set(works[w], iterations, count);
            while (next_set(iterations, count));
        }
}

/* Thesis Figure II.3: a = 2.5, b = 1, iterations 4, 4, 2, 2, 1. Of 13 I/Os 2 are in the first
 * block, and 11 = 3 * 3 + 2 in the three others: 4, 4 and 3. J3 gets blocks 2 and 3, J4 block 4
 * and, going round, block 2, J5 block 3; within a block the last one dealt comes first. The
 * makespan is 2.5 + 2 + 4 + 4 + 3.5 = 16: in the last block J2 is ready at 11.5 + 2.5 = 14 only. */
static void the_example_of_the_thesis_is_scheduled_as_in_its_figure(void **state)
{
    (void)state;
    static const uint32_t iterations[] = {4, 4, 2, 2, 1};
    static const double starts[][4] = {
        {3.5, 7.5, 11.5, 15}, {2.5, 6.5, 10.5, 14}, {5.5, 9.5}, {4.5, 12.5}, {8.5}};
    struct set set;
    set_up(&set, 2.5, 1, iterations, 5);
    struct plan *plan = hrr_plan(&set.tasks, NULL);
    assert_int_equal(plan_validate(plan, &set.tasks, NULL), 0);
    assert_true(plan->period == 16);
    assert_true(hrr_makespan(2.5, 1, iterations, 5) == 16);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < iterations[i]; j++) {
            size_t instance = plan->apps[i].first + j;
            const struct plan_piece *piece = &plan->pieces[plan->instances[instance].first];
            assert_true(piece->start == starts[i][j]);
            assert_true(piece->end == starts[i][j] + 1);
            assert_true(piece->rate == 2);
            assert_true(plan->instances[instance].start == (j ? starts[i][j - 1] + 1 : 0));
        }
    plan_free(plan);
}

/* n = 1000, l = 1, 1000 + 999 + 500 + 3 I/Os: 2501 = 2 * 999 + 503. With a = 1 and b = 1 a block of
 * two takes 2 and one of three 3, so 1 + 1 + 496 * 2 + 503 * 3 = 2503. */
static void many_iterations_are_dealt_out_evenly(void **state)
{
    (void)state;
    static const uint32_t iterations[] = {3, 999, 1000, 500};
    struct set set;
    set_up(&set, 1, 1, iterations, 4);
    struct plan *plan = hrr_plan(&set.tasks, NULL);
    assert_int_equal(plan_validate(plan, &set.tasks, NULL), 0);
    assert_true(plan->period == 2503);
    assert_true(hrr_makespan(1, 1, iterations, 4) == 2503);
    plan_free(plan);
}

static void the_first_job_that_is_not_uniform_is_named(void **state)
{
    (void)state;
    static const uint32_t iterations[] = {2, 2, 2};
    struct err err;
    struct set set;
    set_up(&set, 2.5, 1, iterations, 3);
    set.list[2].io = 1.5;
    assert_null(hrr_plan(&set.tasks, &err));
    assert_string_equal(err.text,
                        "expected uniform applications, but I/O of 'J3' takes 1.5 s, of 'J1' 1 s");
    set.list[1].work = 2;
    assert_null(hrr_plan(&set.tasks, &err));
    assert_string_equal(err.text,
                        "expected uniform applications, but work of 'J2' takes 2 s, of 'J1' 2.5 s");
}

/* As the mean of the same length taken several times may. */
static void lengths_that_differ_by_rounding_are_uniform(void **state)
{
    (void)state;
    static const uint32_t iterations[] = {3, 3};
    struct set set;
    set_up(&set, 1.1, 1, iterations, 2);
    set.list[1].work = nextafter(1.1, 2);
    struct plan *plan = hrr_plan(&set.tasks, NULL);
    assert_non_null(plan);
    assert_int_equal(plan_validate(plan, &set.tasks, NULL), 0);
    plan_free(plan);
}

static void jobs_without_end_or_with_too_many_iterations_are_refused(void **state)
{
    (void)state;
    struct err err;
    struct set set;
    set_up(&set, 1, 1, (const uint32_t[]){2, 0}, 2);
    assert_null(hrr_plan(&set.tasks, &err));
    assert_string_equal(err.text, "'J2' has no number of iterations, expected at least 1");
    set_up(&set, 1, 1, (const uint32_t[]){UINT32_MAX, UINT32_MAX}, 2);
    assert_null(hrr_plan(&set.tasks, &err));
    assert_string_equal(err.text, "8589934590 iterations in all, expected at most 10000000");
}

static void running_out_of_memory_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    static const uint32_t iterations[] = {40, 40, 2};
    struct set set;
    struct plan *plan = NULL;
    int n = 0;
    set_up(&set, 1, 1, iterations, 3);
    for (; !plan && n < 1000; n++) {
        struct err err = {0};
        mem_fail_after(n);
        plan = hrr_plan(&set.tasks, &err);
        mem_fail_after(-1);
        assert_true(plan || strcmp(err.text, "out of memory") == 0);
    }
    assert_true(n > 6);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_finds_that_the_long_job_goes_first),
        cmocka_unit_test(on_all_small_instances_plan_and_closed_form_are_optimal),
        cmocka_unit_test(the_example_of_the_thesis_is_scheduled_as_in_its_figure),
        cmocka_unit_test(many_iterations_are_dealt_out_evenly),
        cmocka_unit_test(the_first_job_that_is_not_uniform_is_named),
        cmocka_unit_test(lengths_that_differ_by_rounding_are_uniform),
        cmocka_unit_test(jobs_without_end_or_with_too_many_iterations_are_refused),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
