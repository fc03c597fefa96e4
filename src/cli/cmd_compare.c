#include "answer/study.h"
#include "base/arena.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "compare/compare.h"
#include "figure/figure.h"
#include "report/comparison.h"
#include <stdlib.h>
#include <string.h>

enum { USUAL_SEEDS = 30, USUAL_ENSEMBLE = 20, MOST_JOBS = 1024 };
static const size_t last_seed = 1000000000000000; /* that can be the first */

struct compare_values {
    struct words operands; /* scenarios and families */
    struct words policies, sweeps;
    const char *baseline, *window, *metrics, *plot;
    struct whole seeds, first_seed, ensemble, jobs;
    struct study_knowledge knowledge;
    bool json, csv;
};

/* Everything between the options and what is printed. */
struct contest {
    const struct compare_values *options;
    struct compare_source *sources;
    size_t opened;
    struct sweep sweeps[COMPARE_MOST_SWEEPS];
    struct window window;
    struct policies policies;
    struct selection selection;
    struct comparison comparison;
    struct picture picture;
    struct arena arena;
};

/* --- the question ---------------------------------------------------------------------------- */

/* Files whose scenarios have the same name go by what the user has written. */
static void contest_tell_apart(struct contest *contest)
{
    struct compare_source *sources = contest->sources;
    for (size_t i = 0; i < contest->opened; i++) {
        const char *name = sources[i].name;
        bool again = false;
        for (size_t k = i + 1; k < contest->opened; k++)
            if (strcmp(sources[k].name, name) == 0) {
                sources[k].name = contest->options->operands.list[k];
                again = true;
            }
        if (again)
            sources[i].name = contest->options->operands.list[i];
    }
}

static int contest_open_sources(struct contest *contest, struct err *err)
{
    const struct words *operands = &contest->options->operands;
    contest->sources = mem_alloc(operands->count, sizeof *contest->sources);
    if (!contest->sources)
        return err_memory(err);
    while (contest->opened < operands->count) {
        size_t i = contest->opened++;
        if (compare_source_open(&contest->sources[i], operands->list[i], err) < 0)
            return -1;
        const struct scenario *scenario = contest->sources[i].scenario;
        if (scenario && scenario->warning)
            fprintf(stderr, "weir: warning: %s: %s\n", operands->list[i], scenario->warning);
    }
    contest_tell_apart(contest);
    return 0;
}

/* Whether an option fixes what a sweep varies. */
static int contest_check_sweep(const struct contest *contest, const char *path, struct err *err)
{
    const struct study_knowledge *knowledge = &contest->options->knowledge;
    if (strcmp(path, "knowledge") == 0 && knowledge->volumes)
        return err_option(err, "--sweep knowledge and --knowledge exclude each other");
    if (strcmp(path, "progress_age") == 0 && knowledge->age.given)
        return err_option(err, "--sweep progress_age and --progress-age exclude each other");
    return 0;
}

static int contest_read_sweeps(struct contest *contest, struct err *err)
{
    const struct words *sweeps = &contest->options->sweeps;
    if (sweeps->count > COMPARE_MOST_SWEEPS)
        return err_option(err, "--sweep: expected at most %d", COMPARE_MOST_SWEEPS);
    for (size_t i = 0; i < sweeps->count; i++) {
        if (sweep_parse(&contest->sweeps[i], sweeps->list[i], &contest->arena, err) < 0)
            return err_prepend_option(err, "sweep");
        if (contest_check_sweep(contest, contest->sweeps[i].path, err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            if (strcmp(contest->sweeps[i].path, contest->sweeps[k].path) == 0)
                return err_option(err, "--sweep: '%s' is given twice", contest->sweeps[i].path);
    }
    return 0;
}

/* The index of the strategy that the others are compared with; -1 with err. */
static int contest_find_baseline(const struct contest *contest, struct err *err)
{
    const char *name = contest->options->baseline;
    for (size_t i = 0; i < contest->policies.count; i++)
        if (!name || strcmp(contest->policies.list[i]->name, name) == 0)
            return (int)i;
    return err_option(err, "--baseline: '%s' is not among the strategies", name);
}

/* Replaces the default in `count`, if the option is given. */
static int contest_read_count(const struct whole *given, const char *option, size_t most,
                              size_t *count, struct err *err)
{
    if (!given->given)
        return 0;
    if (given->value < 1 || given->value > most)
        return err_option(err, "--%s: expected 1 to %zu", option, most);
    *count = (size_t)given->value;
    return 0;
}

static int contest_check_output(struct contest *contest, struct err *err)
{
    const struct compare_values *options = contest->options;
    if (options->json && options->csv)
        return err_option(err, "--json and --csv exclude each other");
    if (output_is_stdout(options->plot) && (options->json || options->csv))
        return err_set(err, "standard output can hold only one of --plot and --%s",
                       options->json ? "json" : "csv");
    if (options->metrics && selection_parse(&contest->selection, options->metrics, err) < 0)
        return err_prepend_option(err, "metrics");
    return 0;
}

static int contest_ask(struct contest *contest, struct err *err)
{
    const struct compare_values *options = contest->options;
    size_t first_seed = 1;
    struct compare_question asked = {.sweeps = contest->sweeps,
                                     .sweep_count = options->sweeps.count,
                                     .seeds = USUAL_SEEDS,
                                     .ensemble = USUAL_ENSEMBLE,
                                     .window = options->window ? &contest->window : NULL};
    if (contest_check_output(contest, err) < 0 ||
        contest_read_count(&options->seeds, "seeds", COMPARE_MOST_RUNS, &asked.seeds, err) < 0 ||
        contest_read_count(&options->first_seed, "first-seed", last_seed, &first_seed, err) < 0 ||
        contest_read_count(&options->ensemble, "ensemble", COMPARE_MOST_RUNS, &asked.ensemble,
                           err) < 0 ||
        study_parse_knowledge(&options->knowledge, &asked.knowledge, err) < 0 ||
        policies_open(&contest->policies, &options->policies, err) < 0 ||
        contest_read_sweeps(contest, err) < 0 ||
        (options->window && study_parse_window(options->window, &contest->window, err) < 0))
        return -1;
    int baseline = contest_find_baseline(contest, err);
    if (baseline < 0 || contest_open_sources(contest, err) < 0)
        return -1;
    asked.baseline = (size_t)baseline;
    asked.first_seed = first_seed;
    asked.sources = contest->sources;
    asked.source_count = contest->opened;
    asked.policies = contest->policies.list;
    asked.policy_count = contest->policies.count;
    if (compare_init(&contest->comparison, &asked, err) < 0)
        return -1;
    if (*contest->comparison.warning)
        fprintf(stderr, "weir: warning: %s\n", contest->comparison.warning);
    return 0;
}

/* --- the answer ------------------------------------------------------------------------------ */

static int contest_run(struct contest *contest, size_t jobs, struct err *err)
{
    const struct compare_options options = {.jobs = jobs, .progress = progress_show};
    char stage[64];
    snprintf(stage, sizeof stage, "%zu runs",
             contest->comparison.members * contest->policies.count);
    progress_begin("compare", stage);
    int status = compare_run(&contest->comparison, &options, err);
    progress_end();
    return status;
}

static int contest_print(struct contest *contest, struct err *err)
{
    const struct compare_values *options = contest->options;
    const struct comparison *comparison = &contest->comparison;
    if (options->json)
        comparison_json(comparison, &(struct json){.out = stdout, .pretty = true});
    else if (options->csv)
        comparison_csv(comparison, &contest->selection, stdout);
    else if (!output_is_stdout(options->plot) &&
             comparison_print(comparison, &contest->selection, terminal_colour(stdout), stdout) < 0)
        return err_memory(err);
    fflush(stdout); /* what was computed is there, whatever becomes of the figure */
    return options->plot ? comparison_draw(comparison, &contest->selection, &contest->picture, err)
                         : 0;
}

static int contest_open_plot(struct contest *contest, struct err *err)
{
    const char *path = contest->options->plot;
    if (!path)
        return 0;
    return figure_check(err) < 0 ? -1 : picture_open(&contest->picture, path, err);
}

static int contest_do(struct contest *contest, struct err *err)
{
    size_t jobs = parallel_processors();
    if (contest_read_count(&contest->options->jobs, "jobs", MOST_JOBS, &jobs, err) < 0 ||
        contest_ask(contest, err) < 0 || contest_open_plot(contest, err) < 0)
        return STATUS_MISUSE;
    if (!contest->selection.chosen)
        contest->selection = comparison_selection(&contest->comparison);
    if (contest_run(contest, jobs, err) < 0 || contest_print(contest, err) < 0)
        return STATUS_FAILED;
    return STATUS_DONE;
}

static int cli_compare_run(const void *values, struct err *err)
{
    struct contest contest = {.options = values};
    int status = contest_do(&contest, err);
    picture_discard(&contest.picture);
    compare_fini(&contest.comparison);
    for (size_t i = 0; i < contest.opened; i++)
        compare_source_fini(&contest.sources[i]);
    free(contest.sources);
    policies_fini(&contest.policies);
    arena_fini(&contest.arena);
    return status;
}

#define AT(member) offsetof(struct compare_values, member)
static const struct option options[] = {
    STUDY_POLICY_OPTION(struct compare_values, policies),
    {"baseline", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(baseline),
     "the strategy that the others are compared with; default the first"},
    {"seeds", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(seeds),
     "draw everything random with N seeds; default 30"},
    {"first-seed", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(first_seed),
     "the first of them, the others follow; default 1; fresh ones confirm what was found"},
    {"ensemble", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(ensemble),
     "run what is not random N times, with lengths and volumes that differ by 1e-9; default 20"},
    {"sweep", 0, OPTION_WORDS, UNIT_NONE, "PATH=VALUE,...", AT(sweeps),
     "vary a value of the scenarios, such as bandwidth=1x,2x or applications.cfd.work=1h,2h; may "
     "be repeated"},
    {"window", 0, OPTION_TEXT, UNIT_NONE, "auto|none|START:END", AT(window),
     "measure inside this window, instead of the scenarios' own"},
    STUDY_KNOWLEDGE_OPTIONS(struct compare_values, knowledge),
    {"metrics", 0, OPTION_TEXT, UNIT_NONE, "MEASURE,...", AT(metrics),
     "measures to show in tables, CSV and figure"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "simulate in N threads; default one per processor; the results do not depend on it"},
    {"plot", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(plot),
     "draw means and intervals" PICTURE_KINDS "; needs gnuplot"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print all measures as JSON"},
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(csv),
     "print one line per case, strategy and measure as CSV"},
    {.name = NULL},
};
#undef AT

const struct command command_compare = {
    .name = "compare",
    .summary = "compare strategies over many runs, with intervals",
    .operands = "SCENARIO|FAMILY...",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .details = "A family is one of 'weir generate --list', with its parameters after a colon: "
               "synthetic:pressure=0.9. Every strategy runs the same workloads, so differences are "
               "paired. Intervals are 95 % intervals of the mean. '~' marks a difference that is "
               "not significant.",
    .example = "weir compare synthetic --seeds 200 --sweep bandwidth=1x,2x,4x --plot out.svg",
    .size = sizeof(struct compare_values),
    .run = cli_compare_run,
};
