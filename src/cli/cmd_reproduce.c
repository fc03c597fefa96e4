#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/study.h"
#include "gen/gen.h"
#include "plan/bound.h"
#include "plan/persched.h"
#include <math.h>
#include <string.h>

struct reproduce_options {
    struct words operands; /* what */
};

/* --- Table 4 of Aupy et al. (2017) ---------------------------------------------------------- */

enum { SETS = 10 };

enum cell {
    MIN_DILATION,
    UPPER_BOUND,
    PERSCHED_DILATION,
    PERSCHED_EFFICIENCY,
    ONLINE_DILATION,
    ONLINE_EFFICIENCY,
    CELLS
};

/* As printed, and the start period of the published program. */
static const struct {
    double printed[CELLS];
    double min_period;
} table4[SETS] = {
    {{1.777, .172, 1.896, .0973, 2.091, .0825}, 900},
    {{1.422, .334, 1.429, .290, 1.658, .271}, 16000},
    {{1.079, .495, 1.087, .480, 1.291, .442}, 16000},
    {{1.014, .656, 1.014, .647, 1.029, .640}, 16000},
    {{1.010, .816, 1.024, .815, 1.039, .810}, 495000},
    {{1.005, .818, 1.005, .814, 1.035, .761}, 16000},
    {{1.007, .827, 1.007, .824, 1.012, .818}, 4544},
    {{1.005, .977, 1.005, .976, 1.005, .976}, 495000},
    {{1.000, .979, 1.000, .979, 1.004, .978}, 16000},
    {{1.009, .988, 1.009, .986, 1.015, .985}, 16000},
};

/* Numbers below 0.1 are printed with a digit more. A unit of the last one is allowed, since the
 * paper rounds up now and then: its program gives set 2 a Dilation of 1.42833, it prints 1.429. */
static int reproduce_decimals(double printed)
{
    return printed < 0.1 ? 4 : 3;
}

static bool reproduce_agrees(double printed, double ours)
{
    return fabs(ours - printed) <= pow(10, -reproduce_decimals(printed));
}

/* The online strategies of the paper, with the key that the slides print. */
static const char *const online[] = {
    "min-dilation",
    "min-dilation:priority",
    "max-syseff:key=slides",
    "max-syseff:key=slides,priority",
    "min-max:gamma=0.25,key=slides",
    "min-max:gamma=0.25,key=slides,priority",
    "min-max:gamma=0.5,key=slides",
    "min-max:gamma=0.5,key=slides,priority",
    "min-max:gamma=0.75,key=slides",
    "min-max:gamma=0.75,key=slides,priority",
};

static int reproduce_run_online(struct study *study, double *cells, struct err *err)
{
    struct policies policies = {0};
    int status = 0;
    for (size_t i = 0; i < sizeof online / sizeof *online && status == 0; i++)
        status = policies_add(&policies, online[i], err);
    for (size_t i = 0; i < policies.count && status == 0; i++)
        status = study_run(study, policies.list[i], false, NULL, err);
    cells[ONLINE_DILATION] = INFINITY;
    cells[ONLINE_EFFICIENCY] = 0;
    for (size_t i = 0; i < study->runs.count; i++) {
        const struct metrics *metrics = &study->runs.list[i].metrics;
        cells[ONLINE_DILATION] = fmin(cells[ONLINE_DILATION], metrics->dilation);
        cells[ONLINE_EFFICIENCY] = fmax(cells[ONLINE_EFFICIENCY], metrics->sys_efficiency);
    }
    policies_fini(&policies);
    return status;
}

/* The published search, for one of the objectives. */
static int reproduce_run_persched(const struct tasks *tasks, const struct persched *options,
                                  double *dilation, double *efficiency, struct err *err)
{
    struct plan *plan = persched_plan(tasks, options, err);
    if (!plan)
        return -1;
    *dilation = plan_max_dilation(plan, tasks);
    *efficiency = plan_sys_efficiency(plan, tasks);
    plan_free(plan);
    return 0;
}

static int reproduce_run_planned(const struct tasks *tasks, double min_period, double *cells,
                                 struct err *err)
{
    struct persched options = persched_defaults;
    struct plan_bounds bounds;
    double unused;
    if (bounds_compute(tasks, &bounds) < 0)
        return err_memory(err);
    cells[UPPER_BOUND] = bounds.sys_efficiency;
    options.search = PLAN_SEARCH_PAPER;
    options.min_period = min_period;
    options.objective = PLAN_DILATION;
    if (reproduce_run_persched(tasks, &options, &cells[MIN_DILATION], &unused, err) < 0)
        return -1;
    options.objective = PLAN_SYS_EFFICIENCY;
    return reproduce_run_persched(tasks, &options, &cells[PERSCHED_DILATION],
                                  &cells[PERSCHED_EFFICIENCY], err);
}

static int reproduce_run_set(int set, double *cells, struct err *err)
{
    struct study study;
    struct tasks tasks = {0};
    int status = study_init(&study, gen_jupiter(set, err), NULL, err);
    if (status == 0)
        status = tasks_init(&tasks, study.workload, err);
    progress_begin(study.workload ? study.workload->name : "", "planning");
    if (status == 0)
        status = reproduce_run_planned(&tasks, table4[set - 1].min_period, cells, err);
    progress_end();
    if (status == 0)
        status = reproduce_run_online(&study, cells, err);
    tasks_fini(&tasks);
    study_fini(&study);
    return status;
}

/* Two columns: what the paper prints, and what we get. */
static void reproduce_print_pair(double printed, double ours, bool compared)
{
    bool off = compared && !reproduce_agrees(printed, ours);
    printf("  %6.*f %c%8.6f", reproduce_decimals(printed), printed, off ? '!' : ' ', ours);
}

/* A few measures side by side. */
static void reproduce_print_block(const char *heading, const enum cell *columns, int count,
                                  double ours[SETS][CELLS])
{
    puts(heading);
    printf("set");
    for (int i = 0; i < count; i++)
        printf("   paper      ours");
    putchar('\n');
    for (int set = 0; set < SETS; set++) {
        printf("%3d", set + 1);
        for (int i = 0; i < count; i++) {
            enum cell cell = columns[i];
            reproduce_print_pair(table4[set].printed[cell], ours[set][cell],
                                 cell == PERSCHED_DILATION || cell == PERSCHED_EFFICIENCY);
        }
        putchar('\n');
    }
    putchar('\n');
}

static void reproduce_print_table4(double ours[SETS][CELLS])
{
    static const enum cell planned[] = {PERSCHED_DILATION, PERSCHED_EFFICIENCY, UPPER_BOUND};
    static const enum cell others[] = {MIN_DILATION, ONLINE_DILATION, ONLINE_EFFICIENCY};
    puts("Table 4 of Aupy et al., Periodic I/O scheduling for super-computers (2017): ten\n"
         "sets of applications on Jupiter\n");
    reproduce_print_block("      PerSched           PerSched           upper bound of\n"
                          "      Dilation           SysEfficiency      SysEfficiency",
                          planned, 3, ours);
    reproduce_print_block("      minimal            online,            online,\n"
                          "      Dilation           Dilation           SysEfficiency",
                          others, 3, ours);
}

static void reproduce_explain(void)
{
    help_wrap(stdout,
              "The PerSched columns are checked: ours are those of 'weir plan --search paper' with "
              "the start periods of the published program, and may differ by one unit of the last "
              "printed digit.",
              0, 0);
    putchar('\n');
    help_wrap(
        stdout,
        "The other columns are only shown. The paper does not state how its minimal Dilation was "
        "found; ours comes from the same search for Dilation. Its online columns cannot be "
        "reproduced: on set 6 they contradict the definitions (SysEfficiency is at least its bound "
        "/ Dilation = 0.790, but 0.761 is printed), on set 1 their Dilation is worse than that of "
        "plain fair sharing, and sets 1 to 3 come close only if an application is granted its full "
        "bandwidth or nothing. Ours are the best of the same strategies.",
        0, 0);
}

static int reproduce_table4(struct err *err)
{
    double ours[SETS][CELLS];
    int wrong = 0;
    for (int set = 1; set <= SETS; set++)
        if (reproduce_run_set(set, ours[set - 1], err) < 0)
            return STATUS_FAILED;
    reproduce_print_table4(ours);
    reproduce_explain();
    for (int set = 0; set < SETS; set++)
        for (int cell = PERSCHED_DILATION; cell <= PERSCHED_EFFICIENCY; cell++)
            wrong += !reproduce_agrees(table4[set].printed[cell], ours[set][cell]);
    if (wrong == 0)
        return STATUS_DONE;
    err_set(err, "table4: PerSched differs in %d of %d cells, marked '!'", wrong, 2 * SETS);
    return STATUS_FAILED;
}

/* --- all of them ---------------------------------------------------------------------------- */

static const struct entry entries[] = {
    {"table4", "PerSched and online strategies on ten sets (Aupy et al. 2017)"},
    {NULL, NULL},
};
static int (*const results[])(struct err *err) = {reproduce_table4};

static int reproduce_run(const void *values, struct err *err)
{
    const struct reproduce_options *options = values;
    const char *wanted = options->operands.list[0];
    for (size_t i = 0; entries[i].name; i++)
        if (strcmp(entries[i].name, wanted) == 0)
            return results[i](err);
    err_set(err, "reproduce: unknown result '%s'; 'weir reproduce --help' lists them", wanted);
    return STATUS_MISUSE;
}

const struct command command_reproduce = {
    .name = "reproduce",
    .summary = "compute a published table and compare it",
    .operands = "RESULT",
    .least = 1,
    .most = 1,
    .details = "Exits with 1 if a checked cell differs. The results:",
    .entries = entries,
    .example = "weir reproduce table4",
    .size = sizeof(struct reproduce_options),
    .run = reproduce_run,
};
