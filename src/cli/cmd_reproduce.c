#include "base/mem.h"
#include "base/output.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "terminal/progress.h"
#include "figure/figure.h"
#include "paper/report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPRODUCE_MOST_JOBS = 256 };

struct reproduce_options {
    struct words operands; /* names of results, "findings" or "all"; none = the list */
    const char *output;
    struct whole jobs;
    bool quick, list, json;
};

/* Everything between the options and what is written. */
struct reproduction {
    const struct reproduce_options *options;
    struct results results;
    bool *chosen;    /* as results */
    size_t count;    /* of those that are chosen */
    bool statements; /* what the papers say is collected among the findings */
    bool wanted[EXPERIMENT_COUNT];
    struct samples samples[EXPERIMENT_COUNT];
    struct output report, findings; /* of the papers, of our own */
    bool draws;                     /* there is gnuplot */
    size_t finished;                /* results, of those that are chosen */
};

/* What a result's name or the name of a group stands for. */
static bool reproduce_names(const char *name, const struct result *result)
{
    return strcmp(name, "all") == 0 || strcmp(name, result->name) == 0 ||
           (strcmp(name, "findings") == 0 && result_is_finding(result));
}

static bool reproduce_is_group(const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, "findings") == 0;
}

static void reproduce_choose_one(struct reproduction *reproduction, size_t i)
{
    reproduction->count += !reproduction->chosen[i];
    reproduction->chosen[i] = true;
    reproduction->wanted[reproduction->results.list[i].experiment] = true;
}

static int reproduce_choose(struct reproduction *reproduction, struct err *err)
{
    const struct words *names = &reproduction->options->operands;
    for (size_t i = 0; i < names->count; i++) {
        if (!reproduce_is_group(names->list[i]) &&
            !result_find(&reproduction->results, names->list[i], err))
            return -1;
        reproduction->statements |= reproduce_is_group(names->list[i]);
    }
    for (size_t i = 0; i < reproduction->results.count; i++) {
        bool chosen = false;
        for (size_t k = 0; k < names->count; k++)
            chosen |= reproduce_names(names->list[k], &reproduction->results.list[i]);
        if (chosen)
            reproduce_choose_one(reproduction, i);
    }
    for (int id = 0; id < EXPERIMENT_COUNT; id++)
        reproduction->wanted[id] |= reproduction->statements;
    return 0;
}

/* --- list ---------------------------------------------------------------------------------- */

static void reproduce_print_time(double seconds)
{
    if (seconds < 1)
        printf("   < 1 s");
    else if (seconds < 100)
        printf(" %5.0f s", seconds);
    else
        printf(" %3.0f min", seconds / 60);
}

/* The time is that of the runs, which results of one experiment share. */
static void reproduce_list(const struct reproduction *reproduction)
{
    printf("%-20s %7s %7s  %s\n", "name", "quick", "full", "what");
    for (size_t i = 0; i < reproduction->results.count; i++) {
        const struct experiment *experiment = experiments[reproduction->results.list[i].experiment];
        printf("%-20s", reproduction->results.list[i].name);
        reproduce_print_time(experiment->quick_time);
        reproduce_print_time(experiment->full_time);
        printf("  ");
        char text[256];
        snprintf(text, sizeof text, "%s (%s)", reproduction->results.list[i].title,
                 result_source(&reproduction->results.list[i]));
        help_wrap(stdout, text, 38, 38);
    }
    double quick = 0, full = 0;
    for (int i = 0; i < EXPERIMENT_COUNT; i++) {
        quick += experiments[i]->quick_time;
        full += experiments[i]->full_time;
    }
    static const char *const groups[][2] = {
        {"findings", "those of our own, and where the papers contradict themselves"},
        {"all", "everything; several results share their runs"}};
    for (int i = 0; i < 2; i++) {
        printf("%-20s", groups[i][0]);
        reproduce_print_time(quick);
        reproduce_print_time(full);
        printf("  ");
        help_wrap(stdout, groups[i][1], 38, 38);
    }
    puts("");
    help_wrap(
        stdout,
        "Times are on two cores. 'weir reproduce NAME...' runs results, 'weir reproduce all -o "
        "DIR' all of them into files; with --quick each has few runs.",
        0, 0);
}

/* --- files --------------------------------------------------------------------------------- */

/* A file of the result in the directory; NULL when memory is out. free() frees. */
static char *reproduce_place(const struct reproduction *reproduction, const char *name,
                             const char *ending)
{
    const char *directory = reproduction->options->output;
    size_t size = strlen(directory) + strlen(name) + strlen(ending) + 2;
    char *path = mem_alloc(size, 1);
    if (path)
        snprintf(path, size, "%s/%s%s", directory, name, ending);
    return path;
}

/* Whether results of the papers are chosen, or of our own. */
static bool reproduce_has(const struct reproduction *reproduction, bool findings)
{
    for (size_t i = 0; i < reproduction->results.count; i++)
        if (reproduction->chosen[i] &&
            result_is_finding(&reproduction->results.list[i]) == findings)
            return true;
    return false;
}

static int reproduce_open_file(const struct reproduction *reproduction, const char *name,
                               struct output *output, struct err *err)
{
    char *path = reproduce_place(reproduction, name, ".md");
    int status = path ? output_open(output, path, err) : err_memory(err);
    free(path);
    return status;
}

/* Opens the reports before anything is computed. */
static int reproduce_open(struct reproduction *reproduction, struct err *err)
{
    const char *directory = reproduction->options->output;
    struct err why = {0};
    if (!directory)
        return 0;
    if (mkdir(directory, 0777) < 0 && errno != EEXIST)
        return err_set(err, "cannot create directory '%s': %s", directory, strerror(errno));
    reproduction->draws = figure_check(&why) == 0;
    if (!reproduction->draws)
        fprintf(stderr, "weir: %s; the tables are written without figures\n", why.text);
    if (reproduce_has(reproduction, false) &&
        reproduce_open_file(reproduction, "report", &reproduction->report, err) < 0)
        return -1;
    if (reproduce_has(reproduction, true))
        return reproduce_open_file(reproduction, "findings", &reproduction->findings, err);
    return 0;
}

static int reproduce_write_csv(const struct reproduction *reproduction, const struct result *result,
                               struct err *err)
{
    struct output output = {0};
    char *path = reproduce_place(reproduction, result->name, ".csv");
    int status = path ? output_open(&output, path, err) : err_memory(err);
    if (status == 0)
        status =
            report_write_csv(result, &reproduction->samples[result->experiment], output.file, err);
    if (status == 0)
        status = output_commit(&output, err);
    output_discard(&output);
    free(path);
    return status;
}

static int reproduce_write_figure(const struct reproduction *reproduction,
                                  const struct result *result, struct err *err)
{
    if (!report_has_figure(result, &reproduction->samples[result->experiment]))
        return 0;
    char *path = reproduce_place(reproduction, result->name, ".svg");
    int status = path ? report_draw(result, &reproduction->samples[result->experiment], path, err)
                      : err_memory(err);
    free(path);
    return status;
}

static int reproduce_write(const struct reproduction *reproduction, const struct result *result,
                           struct err *err)
{
    const struct samples *samples = &reproduction->samples[result->experiment];
    bool quick = reproduction->options->quick;
    char picture[64];
    if (!reproduction->options->output)
        return report_write(result, samples, quick, NULL, stdout, err);
    snprintf(picture, sizeof picture, "%s.svg", result->name);
    if (reproduce_write_csv(reproduction, result, err) < 0)
        return -1;
    bool drawn = reproduction->draws && report_has_figure(result, samples);
    return report_write(
        result, samples, quick, drawn ? picture : NULL,
        (result_is_finding(result) ? &reproduction->findings : &reproduction->report)->file, err);
}

/* --- summary ------------------------------------------------------------------------------- */

static void reproduce_summarise_one(const struct reproduction *reproduction,
                                    const struct result *result, FILE *out, const char *format)
{
    struct result_score score = result_score(result, &reproduction->samples[result->experiment],
                                             reproduction->options->quick);
    char counts[VERDICTS][16];
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        snprintf(counts[verdict], sizeof counts[verdict], "%d", score.verdicts[verdict]);
    fprintf(out, format, result->name, counts[VERDICT_AGREES], counts[VERDICT_DIFFERS],
            counts[VERDICT_INCOMPARABLE], counts[VERDICT_OPEN], result_source(result));
}

enum reproduce_kind { REPRODUCE_PAPERS, REPRODUCE_FINDINGS, REPRODUCE_BOTH };

/* How the results came out: for the terminal, and as the first table of a report. */
static void reproduce_summarise(const struct reproduction *reproduction, enum reproduce_kind kind,
                                FILE *out)
{
    bool plain = kind == REPRODUCE_BOTH;
    const char *format =
        plain ? "%-20s %6s %7s %14s %4s  %s\n" : "| %s | %s | %s | %s | %s | %s |\n";
    fprintf(out, format, "result", "agrees", "differs", "not comparable", "open", "source");
    fputs(plain ? "" : "|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < reproduction->results.count; i++)
        if (reproduction->chosen[i] &&
            (plain ||
             result_is_finding(&reproduction->results.list[i]) == (kind == REPRODUCE_FINDINGS)))
            reproduce_summarise_one(reproduction, &reproduction->results.list[i], out, format);
}

/* Verdicts that are not as recorded. */
static int reproduce_unexpected(const struct reproduction *reproduction)
{
    int unexpected = 0;
    for (size_t i = 0; i < reproduction->results.count; i++)
        if (reproduction->chosen[i])
            unexpected +=
                result_score(&reproduction->results.list[i],
                             &reproduction->samples[reproduction->results.list[i].experiment],
                             reproduction->options->quick)
                    .unexpected;
    return unexpected;
}

static void reproduce_head(const struct reproduction *reproduction)
{
    FILE *out = reproduction->report.file;
    if (!out)
        return;
    fprintf(
        out,
        "# Reproduction of the papers\n\nMade by `weir reproduce all%s -o DIR`. Each statement of "
        "a paper is compared with our runs. It *agrees*; it *differs*, if it contradicts the "
        "paper's own numbers or definitions, which the reason shows; it is *not comparable*, if "
        "ours is another number but theirs was measured on a machine, or the workload or a "
        "definition is not published; or it is *open*, because a quick run has too few samples or "
        "the number is too near to the limit. \"Better\" and \"worse\" mean by more than 1e-4. "
        "'(ours)' marks statements of our own.\n\n",
        reproduction->options->quick ? " --quick" : "");
    reproduce_summarise(reproduction, REPRODUCE_PAPERS, out);
    fputs("\n", out);
}

static void reproduce_head_findings(const struct reproduction *reproduction)
{
    FILE *out = reproduction->findings.file;
    if (!out)
        return;
    fprintf(out,
            "# Findings\n\nMade by `weir reproduce findings%s -o DIR`: what we found with our own "
            "strategies and bounds. Each finding has the command that shows it, its workloads and "
            "seeds, statements that are checked whenever it runs, a figure, and tables of means "
            "with 95 %% intervals. What the strategies do is in "
            "[strategies.md](../docs/reference/strategies.md), "
            "what the bounds prove in [bounds.md](../docs/explanation/bounds.md).\n\n",
            reproduction->options->quick ? " --quick" : "");
    reproduce_summarise(reproduction, REPRODUCE_FINDINGS, out);
    fputs("\n", out);
}

static int reproduce_commit(struct output *output, struct err *err)
{
    return output->file ? output_commit(output, err) : 0;
}

static int reproduce_each(const struct reproduction *reproduction, const char *stage,
                          int (*write)(const struct reproduction *, const struct result *,
                                       struct err *),
                          struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < reproduction->results.count && status == 0; i++) {
        if (!reproduction->chosen[i])
            continue;
        progress_begin(reproduction->results.list[i].name, stage);
        status = write(reproduction, &reproduction->results.list[i], err);
        progress_end();
    }
    return status;
}

/* Texts and numbers first: a figure that fails costs only itself. */
static int reproduce_write_files(struct reproduction *reproduction, struct err *err)
{
    reproduce_head(reproduction);
    reproduce_head_findings(reproduction);
    if (reproduce_each(reproduction, "writing", reproduce_write, err) < 0)
        return -1;
    if (reproduction->statements)
        report_write_statements(&reproduction->results, reproduction->samples,
                                reproduction->options->quick, reproduction->findings.file);
    if (reproduce_commit(&reproduction->report, err) < 0 ||
        reproduce_commit(&reproduction->findings, err) < 0)
        return -1;
    if (reproduction->draws)
        return reproduce_each(reproduction, "drawing", reproduce_write_figure, err);
    return 0;
}

static void reproduce_print_json(const struct reproduction *reproduction)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", WEIR_VERSION);
    json_bool(&json, "quick", reproduction->options->quick);
    json_begin_array(&json, "results");
    for (size_t i = 0; i < reproduction->results.count; i++)
        if (reproduction->chosen[i])
            report_write_json(&reproduction->results.list[i],
                              &reproduction->samples[reproduction->results.list[i].experiment],
                              reproduction->options->quick, &json);
    json_end_array(&json);
    json_end_object(&json);
}

/* A single result is printed in full, several as a summary. */
static int reproduce_tell(struct reproduction *reproduction, struct err *err)
{
    if (reproduction->options->output && reproduce_write_files(reproduction, err) < 0)
        return -1;
    if (reproduction->options->json) {
        reproduce_print_json(reproduction);
        return 0;
    }
    if (reproduction->options->output || reproduction->count > 1) {
        reproduce_summarise(reproduction, REPRODUCE_BOTH, stdout);
        return 0;
    }
    return reproduce_each(reproduction, "writing", reproduce_write, err);
}

/* --- command ------------------------------------------------------------------------------- */

/* Where nobody watches a line that changes, a log gets one for each result whose runs are done. */
static void reproduce_note(void *context, enum experiment_id id)
{
    struct reproduction *reproduction = context;
    for (size_t i = 0; i < reproduction->results.count; i++)
        if (reproduction->chosen[i] && reproduction->results.list[i].experiment == id)
            fprintf(stderr, "weir: %s: runs done, %zu of %zu results\n",
                    reproduction->results.list[i].name, ++reproduction->finished,
                    reproduction->count);
}

static int reproduce_compute(struct reproduction *reproduction, struct err *err)
{
    const struct reproduce_options *options = reproduction->options;
    const struct experiment_options run = {
        .quick = options->quick,
        .jobs =
            (unsigned)(options->jobs.given ? (size_t)options->jobs.value : parallel_processors()),
        .progress = progress_show,
        .finished = reproduction->count > 1 && !terminal_is_able(stderr) ? reproduce_note : NULL,
        .context = reproduction,
    };
    progress_begin("reproduce", options->quick ? "quick runs" : "runs");
    int status = experiments_run(reproduction->wanted, &run, reproduction->samples, err);
    progress_end();
    return status;
}

static int reproduce_all(struct reproduction *reproduction, struct err *err)
{
    if (reproduce_choose(reproduction, err) < 0 || reproduce_open(reproduction, err) < 0)
        return STATUS_MISUSE;
    if (reproduce_compute(reproduction, err) < 0 || reproduce_tell(reproduction, err) < 0)
        return STATUS_FAILED;
    int unexpected = reproduce_unexpected(reproduction);
    if (unexpected == 0)
        return STATUS_DONE;
    err_set(err, "reproduce: %d verdict%s not as recorded, marked in the report", unexpected,
            unexpected == 1 ? " is" : "s are");
    return STATUS_FAILED;
}

/* With the results read. */
static int reproduce_with(struct reproduction *reproduction, struct err *err)
{
    const struct reproduce_options *options = reproduction->options;
    if (options->list || options->operands.count == 0) {
        reproduce_list(reproduction);
        return STATUS_DONE;
    }
    if (options->jobs.given &&
        (options->jobs.value < 1 || options->jobs.value > REPRODUCE_MOST_JOBS)) {
        err_option(err, "--jobs: %llu, expected 1 to %d", (unsigned long long)options->jobs.value,
                   REPRODUCE_MOST_JOBS);
        return STATUS_MISUSE;
    }
    reproduction->chosen = mem_alloc(reproduction->results.count, sizeof(bool));
    if (reproduction->chosen)
        return reproduce_all(reproduction, err);
    err_memory(err);
    return STATUS_FAILED;
}

static int reproduce_run(const void *values, struct err *err)
{
    struct reproduction reproduction = {.options = values};
    int status = STATUS_FAILED;
    if (results_load(&reproduction.results, err) == 0)
        status = reproduce_with(&reproduction, err);
    output_discard(&reproduction.report);
    output_discard(&reproduction.findings);
    for (int i = 0; i < EXPERIMENT_COUNT; i++)
        samples_fini(&reproduction.samples[i]);
    free(reproduction.chosen);
    results_fini(&reproduction.results);
    return status;
}

#define AT(member) offsetof(struct reproduce_options, member)
static const struct option options[] = {
    {"quick", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(quick),
     "few runs, seconds for each result; what needs more stays open"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "DIR", AT(output),
     "write report.md, or findings.md for our own findings, and for each result its numbers as "
     ".csv "
     "and its figure as .svg"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "number of threads, which changes nothing but processor times (benoit-10); default one per "
     "core"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print the verdicts as JSON"},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list),
     "list the results and how long they take, as without a NAME"},
    {.name = NULL},
};
#undef AT

const struct command command_reproduce = {
    .name = "reproduce",
    .summary = "run the experiments of the papers and compare what they say",
    .operands = "[NAME...|findings|all]",
    .least = 0,
    .most = 64,
    .options = options,
    .details = "Each table and figure is a result: its workloads are drawn and run, and every "
               "published number and statement gets a verdict. 'findings' are results of our own, "
               "and where the papers contradict themselves. Exits with 1 if a verdict "
               "differs from the recorded one, for better or worse.",
    .example = "weir reproduce benoit-2 --quick",
    .size = sizeof(struct reproduce_options),
    .run = reproduce_run,
};
