/* Lists, with and without backfilling, against their definitions written plainly: what fits when is
 * found by trying every time, and whether somebody may overtake by trying what becomes of the
 * first.
 */
#include "common.h"
#include <math.h>

static struct bench bench;

/* Jobs that have been given a start behind the one I/O node. */
struct plan {
    double start[MOST_JOBS]; /* INFINITY = none yet */
};

static double end_of(const struct plan *plan, uint32_t job)
{
    return plan->start[job] + bench.list[job].ideal + bench.late[job];
}

static bool runs(const struct plan *plan, uint32_t job, double now)
{
    return plan->start[job] <= now && end_of(plan, job) > now;
}

/* When a job that runs is foreseen to end: what is overdue ends any moment. */
static double foreseen(const struct plan *plan, uint32_t job, double now)
{
    return fmax(now, plan->start[job] + bench.list[job].ideal);
}

/* Whether a job fits beside those that run now and, if that is later, are foreseen to run at `time`.
 */
static bool fits(const struct plan *plan, uint32_t job, double now, double time)
{
    double nodes = bench.list[job].nodes, rate = map_job_rate(&bench.list[job]);
    for (uint32_t i = 0; i < bench.jobs.count; i++)
        if (runs(plan, i, now) && foreseen(plan, i, now) > time) {
            nodes += bench.list[i].nodes;
            rate += map_job_rate(&bench.list[i]);
        }
    return nodes <= bench.jobs.nodes && rate <= bench.jobs.bandwidth + 1e-9;
}

static bool fits_now(const struct plan *plan, uint32_t job, double now)
{
    return fits(plan, job, now, -INFINITY);
}

/* The first time from `now` on at which the job is foreseen to fit if nobody else starts: that is
 * now, or when another ends. */
static double first_time(const struct plan *plan, uint32_t job, double now)
{
    double best = fits_now(plan, job, now) ? now : INFINITY;
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        double end = foreseen(plan, i, now);
        if (runs(plan, i, now) && end < best && fits(plan, job, now, end))
            best = end;
    }
    return best;
}

static void clear(struct plan *plan)
{
    for (uint32_t i = 0; i < bench.jobs.count; i++)
        plan->start[i] = INFINITY;
}

static void expect(const struct plan *plan, bool backfill)
{
    static struct bench_run run;
    const struct map_rules rules = {
        .method = MAP_METHOD_LIST, .sensitivity = 1, .backfill = backfill, .io_nodes = 1};
    bench_map(&bench, &run, &rules);
    for (uint32_t i = 0; i < bench.jobs.count; i++)
        assert_true(run.start[i] == plan->start[i]);
}

/* Jobs whose order is that of their arrival; with some that take longer than foreseen. */
static void draw(uint64_t seed, bool late)
{
    bench_draw(&bench, 22, seed, MAP_ORDER_ARRIVAL);
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        bench.list[i].release = seed % 3 == 0 ? i * (double)(seed % 4) : 0;
        bench.late[i] = late && (i + seed) % 3 != 0 ? (double)((7 * i + seed) % 20) : 0;
    }
    map_jobs_order(&bench.jobs, MAP_ORDER_ARRIVAL, NULL);
}

/* No job starts before the one before it. */
static void a_list_starts_each_job_at_the_first_date_at_which_it_fits(void **state)
{
    (void)state;
    static struct plan plan;
    for (uint64_t seed = 0; seed < 400; seed++) {
        double last = 0;
        draw(seed, false);
        clear(&plan);
        for (uint32_t i = 0; i < bench.jobs.count; i++)
            last = plan.start[i] = first_time(&plan, i, fmax(last, bench.list[i].release));
        expect(&plan, false);
    }
}

/* Starts what may start now: the first that waits if it fits; else the first of the others after
 * whose start it could begin no later than before. */
static bool start_one(struct plan *plan, double now)
{
    double time = INFINITY;
    uint32_t first = bench.jobs.count;
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        if (plan->start[i] < INFINITY || bench.list[i].release > now)
            continue;
        if (first == bench.jobs.count) {
            first = i;
            time = first_time(plan, first, now);
        }
        if (!fits_now(plan, i, now))
            continue;
        plan->start[i] = now;
        if (i == first || first_time(plan, first, now) <= time)
            return true;
        plan->start[i] = INFINITY;
    }
    return false;
}

static double next_change(const struct plan *plan, double now)
{
    double next = INFINITY;
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        if (bench.list[i].release > now)
            next = fmin(next, bench.list[i].release);
        if (plan->start[i] < INFINITY && end_of(plan, i) > now)
            next = fmin(next, end_of(plan, i));
    }
    return next;
}

static void backfilling_starts_those_that_do_not_delay_the_first(void **state)
{
    (void)state;
    static struct plan plan;
    for (uint64_t seed = 0; seed < 800; seed++) {
        draw(seed, seed >= 400);
        clear(&plan);
        for (double now = 0; now < INFINITY; now = next_change(&plan, now))
            while (start_one(&plan, now)) {
            }
        expect(&plan, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_starts_each_job_at_the_first_date_at_which_it_fits),
        cmocka_unit_test(backfilling_starts_those_that_do_not_delay_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
