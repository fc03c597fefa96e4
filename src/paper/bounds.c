/* Instances for the lower bounds on competitive ratios (Benoit et al. 2024, Table 2). b = B = 1.
 *
 * In each example m applications play against a strategy; a schedule that is better is known, so
 * the ratio of the two is a lower bound. In examples 2 and 5 the adversary waits for the order in
 * which the strategy serves I/Os that nothing tells apart, and then chooses what each application
 * does next. */
#include "base/mem.h"
#include "gen/gen.h"
#include "paper/benoit.h"
#include "paper/experiment.h"
#include "paper/run.h"
#include <math.h>
#include <stdlib.h>

enum { BEST_EFFORT = FLOOR + 1, MIN_DILATION, LIST_FIFO, LIST_SHORTEST, BOUNDS_SERIES };
static const char *const bounds_series[] = {
    [FAIR_SHARE] = "fair-share",
    [FCFS] = "fcfs",
    [SET_10] = "set-10",
    [GREEDY_YIELD] = "greedy-yield",
    [GREEDY_COM] = "greedy-com",
    [LOOK_AHEAD] = "look-ahead-greedy-yield",
    [PERIODIC] = "periodic-greedy-yield:delta=0.01",
    [BEST_NEXT] = "best-next-event",
    [FLOOR] = "floor",
    [BEST_EFFORT] = "best-effort",
    [MIN_DILATION] = "min-dilation",
    [LIST_FIFO] = "list:order=fifo",
    [LIST_SHORTEST] = "list:order=shortest-io",
    NULL,
};

/* The strategy's value / that of the better schedule: the inverse of the ratio, which may be
 * infinite. */
static const char *const bounds_columns[] = {"MinYield / better", "Efficiency / better",
                                             "Utilization / better", NULL};
enum { BY_MIN_YIELD, BY_EFFICIENCY, BY_UTILIZATION };

/* --- the examples
 * --------------------------------------------------------------------------------- */

/* An application at time 0, and what it does then. */
struct bounds_app {
    double age, progress, waiting;
    struct iteration first[3]; /* the last one is repeated */
    uint32_t count, repeats;
};

struct bounds_example {
    const char *name;
    double (*window)(double m);
    /* The index-th of m, one of those that the adversary chooses or not. */
    void (*fill)(double m, uint32_t index, bool chosen, struct bounds_app *app);
    double (*part)(double m); /* how many are chosen */
    enum { CHOOSE_FIRST, CHOOSE_SERVED, CHOOSE_LATE } choose;
    const char *better; /* the strategy of the better schedule */
    bool better_last;   /* there the chosen ones are the last of the list, else the first */
    double sizes[2];    /* m, 0 = none */
};

static double bounds_one(double m)
{
    (void)m;
    return 1;
}

static double bounds_two(double m)
{
    (void)m;
    return 2;
}

static double bounds_half(double m)
{
    return m / 2;
}

/* 1: the chosen one is fresh, the others are old and have lost nothing. */
static void bounds_fill_1(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    (void)m;
    (void)index;
    double age = chosen ? 0 : 1e6;
    *app = (struct bounds_app){age, age, 0, {{0, 1}}, 1, 0};
}

/* 2: the chosen ones work for next to nothing after their first I/O, the others for long. */
#define BOUNDS_EPSILON 1e-4
static void bounds_fill_2(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    (void)index;
    double alpha = BOUNDS_EPSILON / (m / 2 - 1);
    *app = (struct bounds_app){.first = {{0, 2 / m}, {chosen ? alpha : 1, chosen}}, .count = 2};
}

/* 3: the chosen one is old, has made no progress and has posted a long I/O first. */
static void bounds_fill_3(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    (void)index;
    if (chosen)
        *app = (struct bounds_app){m * m, 0, m * m, {{0, 2}}, 1, 0};
    else
        *app = (struct bounds_app){1, 1, 0, {{0, 1e-4 / m}, {2, 0}}, 2, 0};
}

/* 4: all are alike, and their I/Os come together for ever if they are served alike. */
enum { BOUNDS_PERIODS = 20 };
static double bounds_window_4(double m)
{
    return BOUNDS_PERIODS * (2 * m - 1);
}
static void bounds_fill_4(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    (void)index;
    (void)chosen;
    *app = (struct bounds_app){
        .first = {{0, 1}, {m - 1, 1}}, .count = 2, .repeats = 2 * BOUNDS_PERIODS};
}

/* 5: with l m late ones, of which those are the last served. The (1 - l) m that complete their I/O
 * first then work; the others work for m, post an I/O of 1/l, and then work. In a window of (3 - l)
 * m those have had time for m of progress and little more. Served first they would have finished
 * their second I/O by about 2 m. So the ratio is (2 - l) m / (m + 1 + 1/l) or more: 3/2 for l =
 * 1/2, and 2 for l towards 0 and m l large. */
static double bounds_late(double m)
{
    return m >= 1000 ? 0.04 * m : m / 2;
}
static double bounds_window_5(double m)
{
    return 3 * m - bounds_late(m);
}
static void bounds_fill_5(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    (void)index;
    double window = bounds_window_5(m);
    if (chosen)
        *app = (struct bounds_app){.first = {{0, 1}, {m, m / bounds_late(m)}, {window, 0}},
                                   .count = 3};
    else
        *app = (struct bounds_app){.first = {{0, 1}, {window, 0}}, .count = 2};
}

/* 6: two applications in antiphase, always about to complete something short, and m - 2 victims. */
static double bounds_window_6(double m)
{
    return m - 2;
}
static void bounds_fill_6(double m, uint32_t index, bool chosen, struct bounds_app *app)
{
    double epsilon = 1.0 / 500;
    if (!chosen) {
        *app = (struct bounds_app){.first = {{1, 0.01}, {m, 0}}, .count = 2};
        return;
    }
    *app = (struct bounds_app){.first = {{index == 0 ? 0 : epsilon, epsilon}, {epsilon, epsilon}},
                               .count = 2,
                               .repeats = (uint32_t)(250 * m)};
}

enum {
    EXAMPLE_1,
    EXAMPLE_2,
    EXAMPLE_2_SHARED,
    EXAMPLE_3,
    EXAMPLE_4,
    EXAMPLE_5,
    EXAMPLE_6,
    BOUNDS_EXAMPLES
};
static const char *const bounds_groups[] = {"example 1", "example 2", "example 2, shared",
                                            "example 3", "example 4", "example 5",
                                            "example 6", NULL};
static const struct bounds_example bounds_examples[] = {
    [EXAMPLE_1] = {"1",
                   bounds_one,
                   bounds_fill_1,
                   bounds_one,
                   CHOOSE_FIRST,
                   "greedy-yield",
                   false,
                   {10, 100}},
    [EXAMPLE_2] =
        {"2", bounds_one, bounds_fill_2, bounds_half, CHOOSE_SERVED, "fcfs", true, {10, 100}},
    [EXAMPLE_2_SHARED] =
        {"2", bounds_one, bounds_fill_2, bounds_half, CHOOSE_SERVED, "fair-share", true, {10, 100}},
    [EXAMPLE_3] =
        {"3", bounds_one, bounds_fill_3, bounds_one, CHOOSE_FIRST, "greedy-com", false, {10, 100}},
    [EXAMPLE_4] =
        {"4", bounds_window_4, bounds_fill_4, bounds_one, CHOOSE_FIRST, "fcfs", false, {10, 40}},
    [EXAMPLE_5] =
        {"5", bounds_window_5, bounds_fill_5, bounds_late, CHOOSE_LATE, "fcfs", false, {100, 1000}},
    [EXAMPLE_6] = {"6",
                   bounds_window_6,
                   bounds_fill_6,
                   bounds_two,
                   CHOOSE_FIRST,
                   "greedy-yield",
                   false,
                   {10, 40}},
};

/* --- playing
 * -------------------------------------------------------------------------------------- */

static int bounds_set(struct scenario *scenario, uint32_t index, const struct bounds_app *what)
{
    uint32_t count = what->count + what->repeats;
    struct iteration *list = arena_alloc(&scenario->arena, count, sizeof *list);
    struct app_spec *app = &scenario->apps[index];
    if (!list)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        list[i] = what->first[i < what->count ? i : what->count - 1];
    app->bandwidth = 1;
    app->nodes = 1;
    app->release = -what->age;
    app->progress = what->progress;
    app->waiting = what->waiting;
    app->explicit_iterations = list;
    app->iterations = count;
    return family_name_app(scenario, index);
}

/* Without the list of those that are chosen: what all have in common, their first I/O, to the end.
 */
static struct scenario *bounds_scenario(const struct bounds_example *example, uint32_t m,
                                        const bool *chosen, struct err *err)
{
    struct scenario *scenario = scenario_new("example", m);
    bool fine = scenario != NULL;
    for (uint32_t i = 0; fine && i < m; i++) {
        struct bounds_app app;
        example->fill(m, i, chosen && chosen[i], &app);
        if (!chosen)
            app.count = 1;
        fine = bounds_set(scenario, i, &app) == 0;
    }
    if (!fine) {
        err_memory(err);
        scenario_free(scenario);
        return NULL;
    }
    scenario->platform = (struct platform){.nodes = m, .node_bandwidth = 1, .bandwidth = 1};
    if (chosen)
        scenario->window = (struct window){.kind = WINDOW_FIXED, .end = example->window(m)};
    return scenario;
}

static int bounds_play(const struct bounds_example *example, uint32_t m, const bool *chosen,
                       const char *strategy, struct row *row, struct err *err)
{
    struct subject_workload subject = {0};
    *row = (struct row){0};
    int status = subject_take(&subject, bounds_scenario(example, m, chosen, err), err);
    if (status == 0)
        status = paper_try(subject.workload, strategy, NULL, row, err);
    subject_fini(&subject);
    return status;
}

/* How many complete their first I/O before this one, if all have one I/O and nothing else. */
static uint32_t bounds_place(const struct row *row, uint32_t index)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        double other = row->apps[i].completion, own = row->apps[index].completion;
        place += other < own || (other == own && i < index);
    }
    return place;
}

/* Those that complete their first I/O in the window, if the adversary chooses those that do: what
 * happens before an application completes it does not depend on what it would do later. */
static int bounds_choose_served(const struct bounds_example *example, uint32_t m,
                                const char *strategy, bool *chosen, struct err *err)
{
    struct row row;
    struct bounds_app app;
    for (uint32_t i = 0; i < m; i++)
        chosen[i] = true;
    int status = bounds_play(example, m, chosen, strategy, &row, err);
    for (uint32_t i = 0; i < m && status == 0; i++) {
        example->fill(m, i, true, &app);
        chosen[i] = row.apps[i].yield * example->window(m) > app.first[0].volume * (1 + 1e-6);
    }
    row_fini(&row);
    return status;
}

/* Those that complete it last, if all have one I/O and nothing else. */
static int bounds_choose_late(const struct bounds_example *example, uint32_t m,
                              const char *strategy, bool *chosen, struct err *err)
{
    struct row row;
    int status = bounds_play(example, m, NULL, strategy, &row, err);
    for (uint32_t i = 0; i < m && status == 0; i++)
        chosen[i] = bounds_place(&row, i) >= m - (uint32_t)example->part(m);
    row_fini(&row);
    return status;
}

static int bounds_choose(const struct bounds_example *example, uint32_t m, const char *strategy,
                         bool *chosen, struct err *err)
{
    if (example->choose == CHOOSE_SERVED)
        return bounds_choose_served(example, m, strategy, chosen, err);
    if (example->choose == CHOOSE_LATE)
        return bounds_choose_late(example, m, strategy, chosen, err);
    for (uint32_t i = 0; i < m; i++)
        chosen[i] = i < (uint32_t)example->part(m);
    return 0;
}

static int bounds_compare(const struct bounds_example *example, uint32_t m, const char *strategy,
                          bool *chosen, double *values, struct err *err)
{
    struct row played = {0}, better = {0};
    uint32_t part = (uint32_t)example->part(m);
    int status = bounds_choose(example, m, strategy, chosen, err);
    if (status == 0)
        status = bounds_play(example, m, chosen, strategy, &played, err);
    for (uint32_t i = 0; i < m; i++)
        chosen[i] = example->better_last ? i >= m - part : i < part;
    if (status == 0)
        status = bounds_play(example, m, chosen, example->better, &better, err);
    values[BY_MIN_YIELD] = played.metrics.min_yield / better.metrics.min_yield;
    values[BY_EFFICIENCY] = played.metrics.efficiency / better.metrics.efficiency;
    values[BY_UTILIZATION] = played.metrics.utilization / better.metrics.utilization;
    row_fini(&played);
    row_fini(&better);
    return status;
}

static uint32_t bounds_units(bool quick)
{
    (void)quick;
    return BOUNDS_EXAMPLES * BOUNDS_SERIES * 2;
}

/* Those that consider every application for every other take long for m = 1,000. */
static bool bounds_is_slow(uint16_t series)
{
    return series == LOOK_AHEAD || series == PERIODIC || series == BEST_NEXT;
}

static int bounds_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    const struct bounds_example *example = &bounds_examples[unit / 2 / BOUNDS_SERIES];
    uint16_t series = (uint16_t)(unit / 2 % BOUNDS_SERIES);
    double m = example->sizes[unit % 2];
    struct sample sample = {(uint16_t)(unit / 2 / BOUNDS_SERIES), series, m, {0}};
    if (m >= 1000 && bounds_is_slow(series))
        return 0;
    bool *chosen = mem_alloc((size_t)m, sizeof *chosen);
    if (!chosen)
        return err_memory(err);
    int status =
        bounds_compare(example, (uint32_t)m, bounds_series[series], chosen, sample.values, err);
    free(chosen);
    return status == 0 ? samples_add(samples, &sample, err) : -1;
}

const struct experiment experiment_bounds = {
    .workloads = "the examples of the paper and of its report, m applications with b = B = 1",
    .series = bounds_series,
    .columns = bounds_columns,
    .groups = bounds_groups,
    .x = "applications m",
    .quick_time = 0.3,
    .full_time = 0.3,
    .units = bounds_units,
    .run = bounds_run,
};
