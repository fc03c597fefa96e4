#include "gen/apex.h"
#include "base/random.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- data ------------------------------------------------------------------------------------ */

/* APEX Workflows (LANL, NERSC, SNL, March 2016), Figure 3, in the order of its columns: input and
 * output are the sums of the input and analysis data that are kept temporarily, for a campaign and
 * forever; what is kept out of core is read at the start and written at the end. A temporary
 * checkpoint holds three data sets, so one checkpoint is a third of it. (pF3D, R15 and R20 have no
 * data there.) */
static const char *const trilab_names[] = {"EAP",     "LAP",     "Silverton", "VPIC",
                                           "DakotaA", "DakotaS", NULL};
static const struct apex_class trilab_report[] = {
    {20, 262.4, 16384, 0.03, 0.80 + 0.25, 0.30 / 3},
    {2, 64, 4096, 0.05, 0.70 + 2.50, 0.75 / 3},
    {5, 128, 32768, 0.70, 0.05 + 0.30 + 0.08, 2.10 / 3},
    {3, 157.2, 30000, 0.05 + 0.05, 2.00 + 0.60 + 0.10, 0.1875 / 3},
    {3, 100, 8192, 0.03, 0.02 + 0.0085, 0.0002 / 3},
    {3, 100, 4096, 0.005, 0.0204, 0.30 / 3},
};
static const char *const nersc_names[] = {"ALS",       "CESM", "GTS",       "HipMer",
                                          "Materials", "MILC", "SkySurvey", NULL};
static const struct apex_class nersc_report[] = {
    {0.1, 0.5, 100, 0.2110 + 0.1055, 1.2657 + 0.2110 + 1.0629, 0},
    {6, 240, 8000, 0, 10.2796, 0.0032 / 3},
    {6, 48, 16512, 0, 0.1478, 0.0067 / 3},
    {0.1, 4, 960, 0.6583, 0.3434 + 0.0036, 0},
    {19, 41.7, 2400, 0, 0.0417 + 0.2292, 0},
    {11, 6, 4096, 0.0008 + 0.7328, 0.0044 + 0.0008 + 0.7328, 0},
    {6, 4, 24, 0.0879, 0.0216 + 0.0062, 0},
};

/* What the program of 002 used: several short pipelines of ALS and of SkySurvey make one job, the
 * checkpoints of CESM and GTS are 100 times too large, that of DakotaA 10 times, that of Materials
 * has no source, and the input of Silverton is missing. */
static const struct apex_class trilab_paper[] = {
    {20, 262.4, 16384, 0.03, 1.05, 0.3}, {2, 64, 4096, 0.05, 3.2, 0.75},
    {5, 128, 32768, 0, 0.43, 2.1},       {3, 157.2, 30000, 0.05, 2.7, 0.1875},
    {3, 100, 8192, 0.05, 0.085, 0.002},  {3, 100, 4096, 0.005, 0.0204, 0.3},
};
static const struct apex_class nersc_paper[] = {
    {0.1, 4, 100, 0.3165, 1.0629, 0}, {6, 240, 8000, 0, 10.2795, 0.32},
    {6, 48, 16512, 0, 0.1478, 0.67},  {0.1, 4, 960, 0.6583, 0.3434, 0},
    {19, 41.7, 2400, 0, 0.2708, 0.5}, {11, 6, 4096, 0.7388, 0.7388, 0},
    {6, 8, 384, 0.0879, 0.0269, 0},
};

const struct apex_workload apex_trilab = {"apex-trilab", trilab_names, 6, trilab_report,
                                          trilab_paper};
const struct apex_workload apex_nersc = {"apex-nersc", nersc_names, 7, nersc_report, nersc_paper};

/* --- a job in a window ----------------------------------------------------------------------- */

static const double memory_per_core = 0x1p31, work_between_checkpoints = 3600;

/* A job as it goes alone, and what is kept of it. */
struct tape {
    double time; /* at which its next phase begins */
    double from; /* what is before is not kept */
    double bmax;
    struct iteration *iterations;
    uint32_t count;
};

/* A work phase and the I/O after it; of one in which `from` lies the rest is kept. */
static void apex_play(struct tape *tape, double work, double volume)
{
    double posted = tape->time + work, done = posted + volume / tape->bmax;
    if (tape->time < tape->from) {
        work = fmax(fmin(work, posted - tape->from), 0);
        volume = fmin(volume, (done - tape->from) * tape->bmax);
    }
    tape->time = done;
    if (done > tape->from)
        tape->iterations[tape->count++] = (struct iteration){work, volume};
}

/* What a job reads, writes each time, and writes in the end. */
struct volumes {
    double input, checkpoint, output;
};

static struct volumes volumes_of(const struct apex_class *class, const struct schedule_job *job)
{
    double memory = class->cores * memory_per_core * job->nodes / apex_nodes(class);
    return (struct volumes){class->input * memory, class->checkpoint * memory,
                            class->output * memory};
}

/* Its input; an hour of work and a checkpoint again and again; and its output, so that it ends when
 * the schedule ends it. Plays until a time. */
static void play_job(struct tape *tape, const struct volumes *volumes,
                     const struct schedule_job *job, double until)
{
    double last = job->end - volumes->output / tape->bmax; /* then the output is posted */
    double period = work_between_checkpoints + volumes->checkpoint / tape->bmax;
    tape->time = job->start;
    apex_play(tape, 0, volumes->input);
    if (volumes->checkpoint > 0) {
        double before = fmin(tape->from, last) - tape->time;
        tape->time += fmax(floor(before / period), 0) * period;
        while (tape->time + period <= last && tape->time < until)
            apex_play(tape, work_between_checkpoints, volumes->checkpoint);
    }
    if (tape->time < until)
        apex_play(tape, fmax(last - tape->time, 0), volumes->output);
}

/* --- a window as a scenario ------------------------------------------------------------------ */

struct cut {
    const struct schedule *schedule;
    const struct apex_class *classes;
    struct span window;
    bool as_program; /* what the program of 002 does to windows and the paper does not say */
    int number;      /* of the window */
};

/* Moves some time between two neighbouring phases: 10 % of the shorter one, times a draw. */
static double apex_exchange(struct random *random, double one, double other)
{
    double shorter = fmin(one, other);
    return fmax(fmin(0.1 * random_normal(random), 1), -1) * shorter;
}

/* Each phase with the one after it, so that hourly checkpoints do not stay in step. */
static void apex_add_noise(const struct tape *tape, struct random random)
{
    for (uint32_t k = 0; k < tape->count; k++) {
        struct iteration *it = &tape->iterations[k];
        double moved = apex_exchange(&random, it->work, it->volume / tape->bmax);
        it->work += moved;
        it->volume -= moved * tape->bmax;
        if (k + 1 == tape->count)
            return;
        moved = apex_exchange(&random, it->volume / tape->bmax, it[1].work);
        it->volume += moved * tape->bmax;
        it[1].work -= moved;
    }
}

/* Whether it posts an I/O before the window ends, if it goes alone. */
static bool apex_does_io(const struct app_spec *app, double end)
{
    double time = 0;
    for (uint32_t k = 0; k < app->iterations; k++) {
        const struct iteration *it = &app->explicit_iterations[k];
        time += it->work; /* what came before moved nothing */
        if (time >= end || it->volume > 0)
            return time < end;
    }
    return false;
}

/* Leaves out the applications that do no I/O in the window; where none does any, all stay. */
static void apex_drop_idle(struct scenario *scenario)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        if (apex_does_io(&scenario->apps[i], scenario->window.end))
            scenario->apps[kept++] = scenario->apps[i];
    }
    scenario->count = kept > 0 ? kept : scenario->count;
}

static bool runs_throughout(const struct schedule_job *job, const struct span *window)
{
    return job->start <= window->start && job->end >= window->end;
}

static int apex_fill_app(struct scenario *scenario, struct app_spec *app, const struct cut *cut,
                         const struct schedule_job *job)
{
    const struct platform *platform = &scenario->platform;
    struct volumes volumes = volumes_of(&cut->classes[job->kind], job);
    struct tape tape = {.from = cut->window.start, .bmax = platform_bmax(platform, job->nodes)};
    /* Besides whole periods: input, output, and the periods in which the window begins and ends. */
    double most = scenario->window.end / work_between_checkpoints + 5;
    char name[32];
    snprintf(name, sizeof name, "%s-%u", cut->schedule->kinds[job->kind], job->number);
    app->name = arena_strndup(&scenario->arena, name, strlen(name));
    tape.iterations = arena_alloc(&scenario->arena, (size_t)most, sizeof *tape.iterations);
    if (!app->name || !tape.iterations)
        return -1;
    play_job(&tape, &volumes, job, cut->window.end);
    if (cut->as_program)
        apex_add_noise(&tape, random_at(scenario->seed, (uint32_t)(job - cut->schedule->jobs),
                                        (uint32_t)cut->number));
    app->nodes = job->nodes;
    app->explicit_iterations = tape.iterations;
    app->iterations = tape.count;
    return 0;
}

/* "We then assume that each application joined the system at the window start." */
static struct scenario *apex_make_scenario(const struct cut *cut, uint64_t seed)
{
    const struct schedule *schedule = cut->schedule;
    uint32_t count = 0;
    char name[96];
    for (size_t i = 0; i < schedule->count; i++)
        count += runs_throughout(&schedule->jobs[i], &cut->window);
    snprintf(name, sizeof name, "%s-%d", schedule->name, cut->number);
    struct scenario *scenario = scenario_new(name, count);
    if (!scenario)
        return NULL;
    struct app_spec *app = scenario->apps;
    scenario->platform = schedule->platform;
    scenario->seed = seed;
    scenario->window =
        (struct window){.kind = WINDOW_FIXED, .end = cut->window.end - cut->window.start};
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_job *job = &schedule->jobs[i];
        if (!runs_throughout(job, &cut->window))
            continue;
        if (apex_fill_app(scenario, app++, cut, job) != 0) {
            scenario_free(scenario);
            return NULL;
        }
    }
    if (cut->as_program)
        apex_drop_idle(scenario);
    return scenario;
}

/* --- the families ---------------------------------------------------------------------------- */

enum param { PARAM_SET, PARAM_MACHINE, PARAM_DATA, PARAM_MONTHS };

static const struct apex_class *classes_of(const struct apex_workload *workload,
                                           const double *values)
{
    return values[PARAM_DATA] > 0 ? workload->paper : workload->report;
}

static struct apex_request request_of(const struct apex_workload *workload, const double *values,
                                      uint64_t seed)
{
    static const double month = 30 * 86400.0;
    return (struct apex_request){.workload = workload,
                                 .classes = classes_of(workload, values),
                                 .machine = (int)values[PARAM_MACHINE],
                                 .horizon = values[PARAM_MONTHS] * month,
                                 .seed = seed};
}

static struct scenario *apex_cut(const struct apex_class *classes, const struct schedule *schedule,
                                 int number, uint64_t seed, struct err *err)
{
    struct span windows[SCHEDULE_WINDOWS];
    int count = schedule_find_windows(schedule, windows, err);
    if (count < 0)
        return NULL;
    if (number > count) {
        err_set(err, "%s has only %d windows", schedule->name, count);
        return NULL;
    }
    const struct cut cut = {schedule, classes, windows[number - 1],
                            classes == trilab_paper || classes == nersc_paper, number};
    struct scenario *scenario = apex_make_scenario(&cut, seed);
    if (!scenario)
        err_memory(err);
    return scenario;
}

/* The functions of a family's table know whose they are only by their names. */
#define FUNCTIONS(workload)                                                                        \
    static struct schedule *schedule_##workload(const double *values, uint64_t seed,               \
                                                struct err *err)                                   \
    {                                                                                              \
        struct apex_request request = request_of(&apex_##workload, values, seed);                  \
        return apex_schedule(&request, err);                                                       \
    }                                                                                              \
    static struct scenario *cut_##workload(const struct schedule *schedule, const double *values,  \
                                           uint64_t seed, struct err *err)                         \
    {                                                                                              \
        return apex_cut(classes_of(&apex_##workload, values), schedule, (int)values[PARAM_SET],    \
                        seed, err);                                                                \
    }
FUNCTIONS(trilab)
FUNCTIONS(nersc)
#undef FUNCTIONS

static const char *const data_sets[] = {"report", "paper", NULL};

static const struct family_param params[] = {
    [PARAM_SET] = {"set", "which of the longest windows of the schedule, 1 = the longest", 1,
                   SCHEDULE_WINDOWS, 1, true, NULL},
    [PARAM_MACHINE] = {"machine",
                       "0 = Cielo; t = with 2^(t/10) times its nodes and 2^(t/10)/t times its "
                       "bandwidth",
                       0, 10, 0, true, NULL},
    [PARAM_DATA] = {"data", "as the APEX report says, or as the paper used it", 0, 1, 0, true,
                    data_sets},
    [PARAM_MONTHS] = {"months", "of 30 days that are filled at least, and at most twice as many", 1,
                      12, 3, false, NULL},
    {.name = NULL},
};

const struct family family_apex_trilab = {
    .name = "apex-trilab",
    .summary = "steady-state windows of a machine with few long jobs that checkpoint",
    .paper = "Benoit et al. 2024, section 6.3",
    .params = params,
    .random = true,
    .sets = SCHEDULE_WINDOWS,
    .schedule = schedule_trilab,
    .cut = cut_trilab,
};

const struct family family_apex_nersc = {
    .name = "apex-nersc",
    .summary = "steady-state windows of a machine with many short jobs",
    .paper = "Benoit et al. 2024, section 6.3",
    .params = params,
    .random = true,
    .sets = SCHEDULE_WINDOWS,
    .schedule = schedule_nersc,
    .cut = cut_nersc,
};
