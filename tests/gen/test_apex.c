/* The APEX families: what their schedules hold, and what is cut out of them. */
#include "gen/apex.h"
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double months = 30 * 86400.0;

static const struct {
    const struct family *family;
    const struct apex_workload *workload;
} both[] = {{&family_apex_trilab, &apex_trilab}, {&family_apex_nersc, &apex_nersc}};

static struct schedule *make_schedule(const struct family *family, const char *const *params,
                                      uint64_t seed, double values[FAMILY_MOST_PARAMS])
{
    family_defaults(family, values);
    for (; *params; params++)
        assert_int_equal(family_set(family, *params, values, NULL), 0);
    struct schedule *schedule = family_schedule(family, values, seed, NULL);
    assert_non_null(schedule);
    return schedule;
}

static const char *const as_used[] = {"data=paper", NULL};
static const char *const as_reported[] = {NULL};

/* By hand from the two tables: percent of the hours, hours, nodes = cores / 16 rounded up. */
static const double expected[2][2][APEX_MOST_CLASSES][3] = {
    {{{20, 262.4, 1024},
      {2, 64, 256},
      {5, 128, 2048},
      {3, 157.2, 1875},
      {3, 100, 512},
      {3, 100, 256}},
     {{20, 262.4, 1024},
      {2, 64, 256},
      {5, 128, 2048},
      {3, 157.2, 1875},
      {3, 100, 512},
      {3, 100, 256}}},
    {{{.1, .5, 7},
      {6, 240, 500},
      {6, 48, 1032},
      {.1, 4, 60},
      {19, 41.7, 150},
      {11, 6, 256},
      {6, 4, 2}},
     {{.1, 4, 7},
      {6, 240, 500},
      {6, 48, 1032},
      {.1, 4, 60},
      {19, 41.7, 150},
      {11, 6, 256},
      {6, 8, 24}}},
};

/* Jobs of each class = share / (sum of shares) * 8894 * 90 d / (hours * nodes), rounded, of which
 * at least 90 % are placed, and no more than all, since a class that lacks none is not drawn. */
static void every_class_has_its_share_of_the_jobs_to_within_10_percent(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++)
        for (int data = 0; data < 2; data++) {
            double values[FAMILY_MOST_PARAMS], total = 0, count[APEX_MOST_CLASSES] = {0};
            struct schedule *schedule =
                make_schedule(both[w].family, data ? as_used : as_reported, 1, values);
            for (size_t i = 0; i < schedule->count; i++)
                count[schedule->jobs[i].kind]++;
            for (uint32_t k = 0; k < both[w].workload->count; k++)
                total += expected[w][data][k][0];
            for (uint32_t k = 0; k < both[w].workload->count; k++) {
                const double *row = expected[w][data][k];
                double goal = row[0] / total * 8894 * 90 * 24 / (row[1] * row[2]);
                assert_true(count[k] >= 0.9 * round(goal));
                assert_true(count[k] <= round(goal));
            }
            schedule_free(schedule);
        }
}

/* A factor max(.95, 1 + .1 Z) has the mean .95 P(Z < -.5) + P(Z > -.5) + .1 phi(.5) =
 * .95 * .30854 + .69146 + .1 * .35207 = 1.01978; its variance is .0055, so the mean of the 12,000
 * jobs of SkySurvey and their like is known to 7e-4. Nodes are rounded, so large jobs are looked
 * at.
 */
static void lengths_and_nodes_are_noisy_but_never_much_shorter(void **state)
{
    (void)state;
    double values[FAMILY_MOST_PARAMS], lengths = 0, nodes = 0, large = 0;
    struct schedule *schedule = make_schedule(&family_apex_nersc, as_used, 3, values);
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_job *job = &schedule->jobs[i];
        const double *row = expected[1][1][job->kind];
        double factor = (job->end - job->start) / (3600 * row[1]);
        assert_true(factor > .95 - 1e-9 && factor < 1.6);
        assert_true(job->nodes >= round(.95 * row[2]) && job->nodes < 1.6 * row[2]);
        lengths += factor / (double)schedule->count;
        if (row[2] >= 100) {
            nodes += job->nodes / row[2];
            large++;
        }
    }
    assert_true(fabs(lengths - 1.01978) < 3 * 7e-4);
    assert_true(fabs(nodes / large - 1.01978) < 3 * sqrt(.0055 / large));
    schedule_free(schedule);
}

static int ignore(const struct schedule_place *place, void *context)
{
    (void)place;
    (void)context;
    return 0;
}

static void a_schedule_fits_on_the_machine_and_lasts_three_to_six_months(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            double values[FAMILY_MOST_PARAMS];
            struct schedule *schedule = make_schedule(both[w].family, as_used, seed, values);
            assert_true(schedule->platform.nodes == 8894);
            assert_int_equal(schedule_assign(schedule, ignore, NULL, NULL), 0);
            assert_true(schedule_end(schedule) >= 3 * months);
            assert_true(schedule_end(schedule) <= 6 * months);
            assert_true(schedule_utilization(schedule) > 0.9);
            schedule_free(schedule);
        }
}

/* 2^.1 = 1.0717735, and 2^1 / 10 = .2. */
static void later_machines_have_more_nodes_and_less_bandwidth_for_each(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        double nodes, gib_per_s;
    } cases[] = {
        {"machine=0", 8894, 200}, {"machine=1", 9532, 214.354693}, {"machine=10", 17788, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double values[FAMILY_MOST_PARAMS];
        const char *params[] = {cases[i].machine, NULL};
        struct schedule *schedule = make_schedule(&family_apex_trilab, params, 1, values);
        assert_true(schedule->platform.nodes == cases[i].nodes);
        assert_true(fabs(schedule->platform.bandwidth / 0x1p30 - cases[i].gib_per_s) < 1e-5);
        assert_true(schedule->platform.node_bandwidth == 1.2 * 0x1p30);
        schedule_free(schedule);
    }
}

/* 206 jobs, of which the first to end is LAP's, after .95 * 64 h: the smallest factor is common.
 * Any other machine must come to the same, to the last bit. */
static void a_seed_gives_the_same_schedule_everywhere(void **state)
{
    (void)state;
    double values[FAMILY_MOST_PARAMS], ends = 0;
    struct span windows[SCHEDULE_WINDOWS];
    struct schedule *schedule = make_schedule(&family_apex_trilab, as_reported, 1, values);
    assert_int_equal(schedule->count, 206);
    assert_int_equal(schedule_find_windows(schedule, windows, NULL), 20);
    assert_true(windows[0].start == 0 && windows[0].end == 0.95 * 64 * 3600);
    for (size_t i = 0; i < schedule->count; i++)
        ends += schedule->jobs[i].end * schedule->jobs[i].nodes;
    assert_true(ends == 516954100405.38538);
    schedule_free(schedule);
}

/* The job that an application of a window was, by its name "EAP-12"; both come in the same order,
 * so the search goes on behind the last one. */
static const struct schedule_job *find_job(const struct schedule *schedule, const char *name,
                                           size_t *from)
{
    const char *dash = strrchr(name, '-');
    assert_non_null(dash);
    while (*from < schedule->count) {
        const struct schedule_job *job = &schedule->jobs[(*from)++];
        const char *kind = schedule->kinds[job->kind];
        if (strlen(kind) == (size_t)(dash - name) &&
            strncmp(kind, name, (size_t)(dash - name)) == 0 &&
            job->number == strtoul(dash + 1, NULL, 10))
            return job;
    }
    fail_msg("%s is no job", name);
    return NULL;
}

/* Alone, every application would go on until the end of the window, and most of what it does in the
 * middle is known: an hour of work, and a checkpoint. Checkpoints end at whole periods after the
 * job's input, wherever the window, which begins `before` seconds after the job, cuts the first. */
static void check_app(const struct app_spec *app, const struct scenario *scenario,
                      const struct apex_class *class, double before)
{
    double bmax = platform_bmax(&scenario->platform, app->nodes);
    double memory = class->cores * 2 * 0x1p30 * app->nodes / apex_nodes(class), length = 0;
    double input = class->input * memory / bmax, checkpoint = class->checkpoint * memory;
    for (uint32_t k = 0; k < app->iterations; k++) {
        const struct iteration *it = &app->explicit_iterations[k];
        length += it->work + it->volume / bmax;
        if (k < 2 || k + 1 >= app->iterations)
            continue;
        assert_true(it->work == 3600);
        assert_true(fabs(it->volume / checkpoint - 1) < 1e-12);
        double periods = (before + length - input) / (3600 + checkpoint / bmax);
        assert_true(fabs(periods - round(periods)) < 1e-6);
    }
    assert_true(length >= scenario->window.end * (1 - 1e-9));
    assert_true(app->release == 0 && app->progress == 0);
}

static void check_window(const struct schedule *schedule, const struct scenario *scenario,
                         const struct apex_class *classes, const struct span *window)
{
    uint32_t running = 0;
    size_t from = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_job *job = &schedule->jobs[i];
        assert_false(job->start > window->start && job->start < window->end);
        assert_false(job->end > window->start && job->end < window->end);
        running += job->start <= window->start && job->end >= window->end;
    }
    assert_int_equal(scenario->count, running);
    assert_true(scenario->window.start == 0);
    assert_true(scenario->window.end == window->end - window->start);
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct schedule_job *job = find_job(schedule, scenario->apps[i].name, &from);
        assert_true(scenario->apps[i].nodes == job->nodes);
        check_app(&scenario->apps[i], scenario, &classes[job->kind], window->start - job->start);
    }
}

static void the_twenty_scenarios_are_the_longest_windows_of_the_schedule(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        double values[FAMILY_MOST_PARAMS];
        struct span windows[SCHEDULE_WINDOWS];
        struct schedule *schedule = make_schedule(both[w].family, as_reported, 7, values);
        assert_int_equal(schedule_find_windows(schedule, windows, NULL), 20);
        for (int set = 1; set <= 20; set++) {
            struct err err;
            values[0] = set;
            struct scenario *scenario = family_cut(both[w].family, schedule, values, 7, &err);
            assert_non_null(scenario);
            assert_int_equal(scenario_validate(scenario, &err), 0);
            assert_null(scenario->warning);
            check_window(schedule, scenario, both[w].workload->report, &windows[set - 1]);
            assert_true(set == 1 || windows[set - 1].end - windows[set - 1].start <=
                                        windows[set - 2].end - windows[set - 2].start);
            scenario_free(scenario);
        }
        schedule_free(schedule);
    }
}

/* The first jobs all start at 0, and so does some window: there they read their input first. */
static void a_job_begins_with_its_input_and_ends_with_its_output(void **state)
{
    (void)state;
    double values[FAMILY_MOST_PARAMS];
    struct span windows[SCHEDULE_WINDOWS];
    struct schedule *schedule = make_schedule(&family_apex_trilab, as_reported, 1, values);
    assert_int_equal(schedule_find_windows(schedule, windows, NULL), 20);
    int inputs = 0, outputs = 0;
    for (int set = 1; set <= 20; set++) {
        values[0] = set;
        struct scenario *scenario = family_cut(&family_apex_trilab, schedule, values, 1, NULL);
        size_t from = 0;
        for (uint32_t i = 0; i < scenario->count; i++) {
            const struct app_spec *app = &scenario->apps[i];
            const struct schedule_job *job = find_job(schedule, app->name, &from);
            const struct apex_class *class = &apex_trilab.report[job->kind];
            double memory = class->cores * 2 * 0x1p30 * job->nodes / apex_nodes(class);
            const struct iteration *first = &app->explicit_iterations[0];
            const struct iteration *last = &app->explicit_iterations[app->iterations - 1];
            if (job->start == windows[set - 1].start && class->input > 0) {
                inputs++;
                assert_true(first->work == 0);
                assert_true(fabs(first->volume / (class->input * memory) - 1) < 1e-9);
            }
            if (job->end == windows[set - 1].end) {
                outputs++;
                assert_true(fabs(last->volume / (class->output * memory) - 1) < 1e-9);
            }
        }
        scenario_free(scenario);
    }
    assert_true(inputs > 5 && outputs > 5);
    schedule_free(schedule);
}

static double length_of(const struct app_spec *app, const struct platform *platform)
{
    double length = 0, bmax = platform_bmax(platform, app->nodes);
    for (uint32_t k = 0; k < app->iterations; k++)
        length += app->explicit_iterations[k].work + app->explicit_iterations[k].volume / bmax;
    return length;
}

/* Every application posts an I/O in the window, lasts until its end, and none is in step: an hour
 * of work is exchanged with checkpoints of minutes. */
static void check_as_program(const struct scenario *scenario, uint32_t *moved)
{
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        double before = app->explicit_iterations[0].work;
        uint32_t first = 0;
        while (app->explicit_iterations[first].volume == 0)
            before += app->explicit_iterations[++first].work;
        assert_true(before < scenario->window.end);
        assert_true(length_of(app, &scenario->platform) >= scenario->window.end * (1 - 1e-9));
        for (uint32_t k = 2; k + 1 < app->iterations; k++) {
            double work = app->explicit_iterations[k].work;
            assert_true(work > 0 && app->explicit_iterations[k].volume >= 0);
            *moved += fabs(work - 3600) > 1;
        }
    }
}

static void windows_of_the_paper_are_those_of_its_program(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        double values[FAMILY_MOST_PARAMS];
        struct span windows[SCHEDULE_WINDOWS];
        struct schedule *schedule = make_schedule(both[w].family, as_used, 2, values);
        assert_int_equal(schedule_find_windows(schedule, windows, NULL), 20);
        uint32_t kept = 0, running = 0, moved = 0;
        for (int set = 1; set <= 20; set++) {
            values[0] = set;
            struct scenario *scenario = family_cut(both[w].family, schedule, values, 2, NULL);
            assert_non_null(scenario);
            check_as_program(scenario, &moved);
            kept += scenario->count;
            for (size_t i = 0; i < schedule->count; i++)
                running += schedule->jobs[i].start <= windows[set - 1].start &&
                           schedule->jobs[i].end >= windows[set - 1].end;
            scenario_free(scenario);
        }
        /* Many of NERSC's jobs do no I/O in a window; TRILAB's checkpoint every hour. */
        assert_true(w == 0 ? kept == running : kept < 0.9 * running);
        assert_true(w == 1 || moved > 100);
        schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_has_its_share_of_the_jobs_to_within_10_percent),
        cmocka_unit_test(lengths_and_nodes_are_noisy_but_never_much_shorter),
        cmocka_unit_test(a_schedule_fits_on_the_machine_and_lasts_three_to_six_months),
        cmocka_unit_test(a_seed_gives_the_same_schedule_everywhere),
        cmocka_unit_test(later_machines_have_more_nodes_and_less_bandwidth_for_each),
        cmocka_unit_test(the_twenty_scenarios_are_the_longest_windows_of_the_schedule),
        cmocka_unit_test(a_job_begins_with_its_input_and_ends_with_its_output),
        cmocka_unit_test(windows_of_the_paper_are_those_of_its_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
