#include "answer/study.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/culprits.h"
#include "cli/notes.h"
#include "figure/figure.h"
#include "format/import.h"
#include "report/blame_figure.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

struct blame_options {
    struct words operands; /* the scenario or the journal */
    struct study_source source;
    const char *policy, *by, *plot, *store;
    struct whole top;
    bool journal, json;
};

static const char *const blame_keys[] = {"user", "account", "application"}; /* culprits.by */

enum { TOP = 20, LABEL = 64 };

struct blame_inquiry {
    const struct blame_options *options;
    struct study study;
    struct policy *policy;
    struct plan *plan; /* if the strategy follows one */
    struct culprits culprits;
    uint32_t shown; /* the first of them */
    struct picture picture;
};

/* --- reading ------------------------------------------------------------------------------- */

static int blame_load(struct blame_inquiry *inquiry, struct err *err)
{
    const struct blame_options *options = inquiry->options;
    const char *path = options->operands.list[0];
    if (!options->journal)
        return study_load(&inquiry->study, &options->source, path, NULL, err);
    const struct import_source source = {.paths = &path, .count = 1};
    const struct import_options how = {.platform = options->source.platform,
                                       .store = options->store};
    struct window window;
    char *notes = NULL;
    size_t length;
    FILE *stream;
    if (options->source.window && study_parse_window(options->source.window, &window, err) < 0)
        return -1;
    if (!(stream = open_memstream(&notes, &length)))
        return err_memory(err);
    struct scenario *scenario =
        import_files(import_find("journal", err), &source, &how, stream, err);
    if (fclose(stream) == 0 && scenario)
        notes_tell(notes);
    free(notes);
    return study_init(&inquiry->study, scenario, options->source.window ? &window : NULL, err);
}

/* --- results ------------------------------------------------------------------------------- */

/* 'own' is of users and accounts only, 'without' of applications. */
enum { CAUSED, OWN, SHARE, SUFFERED, WITHOUT, COLUMNS };

/* The part of all that is charged to one, in percent: what its own applications lose included, so
 * that all parts, and that of free bandwidth, add up to 100. */
static double blame_share(const struct blame_inquiry *inquiry, const struct culprit *culprit)
{
    return 100 * (culprit->account.caused + culprit->account.own) / inquiry->culprits.lost;
}

static int blame_print_table(const struct blame_inquiry *inquiry)
{
    const struct culprits *culprits = &inquiry->culprits;
    static const struct table_column all[COLUMNS] = {
        {"caused", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"to_itself", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"share_(%)", UNIT_NONE, METRIC_INFO, 3, false},
        {"suffered", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"gain_without", UNIT_SECONDS, METRIC_INFO, 4, false}};
    int unused = culprits->by == CULPRITS_APPLICATIONS ? OWN : WITHOUT;
    struct table_column columns[COLUMNS];
    const char **names = mem_alloc(inquiry->shown, sizeof *names);
    double *values = mem_alloc(inquiry->shown, sizeof *values * COLUMNS);
    size_t count = 0;
    for (int k = 0; k < COLUMNS; k++)
        if (k != unused)
            columns[count++] = all[k];
    for (uint32_t i = 0; names && values && i < inquiry->shown; i++) {
        const struct culprit *culprit = &culprits->list[i];
        double row[COLUMNS] = {[CAUSED] = culprit->account.caused,
                               [OWN] = culprit->account.own,
                               [SHARE] = blame_share(inquiry, culprit),
                               [SUFFERED] = culprit->account.suffered,
                               [WITHOUT] = culprit->without};
        names[i] = culprit->name;
        for (int k = 0, place = 0; k < COLUMNS; k++)
            if (k != unused)
                values[i * count + (size_t)place++] = row[k];
    }
    int status = names && values ? 0 : -1;
    if (status == 0)
        table_print(&(struct table){.corner = blame_keys[culprits->by],
                                    .names = names,
                                    .rows = inquiry->shown,
                                    .columns = columns,
                                    .count = count,
                                    .values = values,
                                    .colour = terminal_colour(stdout)},
                    stdout);
    free(names);
    free(values);
    return status;
}

/* "from 100.02 d to 100.07 d": as many digits as tell the two apart. */
static void blame_print_span(double start, double end)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    int unit = 0, digits;
    while (unit < 3 && end < units[unit].seconds)
        unit++;
    double length = (end - start) / units[unit].seconds;
    digits = length > 0 ? (int)fmin(9, fmax(0, 2 - floor(log10(length)))) : 3;
    printf("worst from %.*f %s to %.*f %s", digits, start / units[unit].seconds, units[unit].name,
           digits, end / units[unit].seconds, units[unit].name);
}

static void blame_print_rest(const struct blame_inquiry *inquiry)
{
    const struct culprits *culprits = &inquiry->culprits;
    double share = 0;
    for (uint32_t i = inquiry->shown; i < culprits->count; i++)
        share += blame_share(inquiry, &culprits->list[i]);
    if (inquiry->shown < culprits->count)
        printf("(%u more with %.3g %%; --top shows them)\n",
               (unsigned)(culprits->count - inquiry->shown), share);
}

static int blame_print(const struct blame_inquiry *inquiry)
{
    const struct culprits *culprits = &inquiry->culprits;
    const struct study *study = &inquiry->study;
    char text[LABEL];
    printf("%s under %s: the applications lose %s in all\n", study->workload->name,
           inquiry->policy->name, units_print(culprits->lost, UNIT_SECONDS, text, sizeof text));
    ask_print_window(&study->workload->window);
    if (!(culprits->lost > 0))
        return 0;
    putchar('\n');
    if (blame_print_table(inquiry) < 0)
        return -1;
    blame_print_rest(inquiry);
    putchar('\n');
    if (culprits->idle > 1e-6 * culprits->lost)
        printf(
            "%s of it (%.3g %%) is lost while bandwidth is free: that is the strategy's choice\n",
            units_print(culprits->idle, UNIT_SECONDS, text, sizeof text),
            100 * culprits->idle / culprits->lost);
    blame_print_span(culprits->worst.start, culprits->worst.end);
    printf(": %s lost", units_print(culprits->worst.lost, UNIT_SECONDS, text, sizeof text));
    if (culprits->worst.charged > 0) {
        double share = 100 * culprits->worst.charged / culprits->worst.lost;
        const char *what = culprits->by == CULPRITS_APPLICATIONS ? "" : blame_keys[culprits->by];
        printf(", %s%.0f %% of it because of %s%s%s", share < 1 ? "less than " : "",
               share < 1 ? 1 : share, what, *what ? " " : "", culprits->worst.name);
    }
    putchar('\n');
    return 0;
}

static int blame_plot(struct blame_inquiry *inquiry, struct err *err)
{
    const struct culprits *culprits = &inquiry->culprits;
    struct blame_bar *bars = mem_alloc(inquiry->shown, sizeof *bars);
    if (!bars)
        return err_memory(err);
    for (uint32_t i = 0; i < inquiry->shown; i++) {
        const struct culprit *culprit = &culprits->list[i];
        bars[i] =
            (struct blame_bar){culprit->name, culprit->account.caused, culprit->account.suffered};
    }
    int status = blame_draw(&(struct blame_figure){.what = blame_keys[culprits->by],
                                                   .bars = bars,
                                                   .count = inquiry->shown,
                                                   .lost = culprits->parts,
                                                   .parts = CULPRITS_PARTS,
                                                   .start = culprits->outcome->start,
                                                   .end = culprits->outcome->end},
                            &inquiry->picture, err);
    free(bars);
    return status;
}

static void blame_print_json(const struct blame_inquiry *inquiry)
{
    const struct culprits *culprits = &inquiry->culprits;
    const struct provenance made = study_provenance(&inquiry->study);
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    provenance_json(&made, &json);
    json_string(&json, "policy", inquiry->policy->name);
    json_string(&json, "by", blame_keys[culprits->by]);
    json_number(&json, "lost", culprits->lost);
    json_number(&json, "idle", culprits->idle);
    json_begin_object(&json, "worst");
    json_number(&json, "start", culprits->worst.start);
    json_number(&json, "end", culprits->worst.end);
    json_number(&json, "lost", culprits->worst.lost);
    json_string(&json, "name", culprits->worst.charged > 0 ? culprits->worst.name : NULL);
    json_number(&json, "charged", culprits->worst.charged);
    json_end_object(&json);
    json_begin_array(&json, "list");
    for (uint32_t i = 0; i < culprits->count; i++) {
        const struct culprit *culprit = &culprits->list[i];
        json_begin_object(&json, NULL);
        json_string(&json, "name", culprit->name);
        json_number(&json, "caused", culprit->account.caused);
        json_number(&json, "own", culprit->account.own);
        json_number(&json, "suffered", culprit->account.suffered);
        json_number(&json, "idle", culprit->account.idle);
        json_number(&json, "gain_without", culprit->without);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

static int blame_check(const struct blame_options *options, struct err *err)
{
    if (options->top.given && options->top.value == 0)
        return err_option(err, "--top: expected at least 1");
    if ((options->json && output_is_stdout(options->plot)
             ? err_set(err, "standard output can hold only one of --plot and --json")
             : 0) < 0)
        return -1;
    if (options->store && !options->journal)
        return err_option(err, "--store needs --journal");
    if (options->journal && options->source.format)
        return err_option(err, "--journal and --format exclude each other");
    if (options->journal && options->source.seed.given)
        return err_option(err, "--seed: a journal has nothing random");
    return 0;
}

/* Reads everything, and finds what is wrong with it before anything runs. 0, or -1 with err. */
static int blame_prepare(struct blame_inquiry *inquiry, struct err *err)
{
    const struct blame_options *options = inquiry->options;
    inquiry->culprits.by =
        options->by ? option_choose("by", options->by, blame_keys, 3, err) : CULPRITS_APPLICATIONS;
    if (inquiry->culprits.by < 0 || blame_check(options, err) < 0 ||
        !(inquiry->policy = study_file_system(options->policy, err)) ||
        blame_load(inquiry, err) < 0 || workload_check_io(inquiry->study.workload, err) < 0)
        return -1;
    const struct workload *workload = inquiry->study.workload;
    if (workload->count < 2)
        return err_set(err, "%s: one application delays no other: expected at least two",
                       workload->name);
    if (inquiry->culprits.by != CULPRITS_APPLICATIONS &&
        workload->parties[inquiry->culprits.by].count == 0)
        return err_option(err,
                          "--by %s: no application has the key '%s': add it to the scenario, or "
                          "import a log that has it",
                          options->by, options->by);
    if (inquiry->policy->ops->flags & WEIR_NEEDS_PLAN &&
        !(inquiry->plan = study_plan(&inquiry->study, inquiry->policy, err)))
        return -1;
    if (!options->plot)
        return 0;
    return figure_check(err) < 0 ? -1 : picture_open(&inquiry->picture, options->plot, err);
}

static int blame_show(struct blame_inquiry *inquiry, struct err *err)
{
    const struct blame_options *options = inquiry->options;
    if (options->plot && blame_plot(inquiry, err) < 0)
        return -1;
    if (options->json)
        blame_print_json(inquiry);
    else if (!output_is_stdout(options->plot) && blame_print(inquiry) < 0)
        return err_memory(err);
    return 0;
}

static int blame_inquire(struct blame_inquiry *inquiry, struct err *err)
{
    const struct blame_options *options = inquiry->options;
    struct culprits *culprits = &inquiry->culprits;
    if (blame_prepare(inquiry, err) < 0)
        return STATUS_MISUSE;
    if (culprits_find(culprits, &inquiry->study, inquiry->policy, inquiry->plan, err) < 0)
        return STATUS_FAILED;
    if (!culprits_see_any(culprits, &inquiry->study)) {
        err_set(err, "%s: no application runs in the window", inquiry->study.workload->name);
        return STATUS_MISUSE;
    }
    uint64_t top = options->top.given ? options->top.value : TOP;
    inquiry->shown = culprits->count < top ? culprits->count : (uint32_t)top;
    if (culprits_try_without(culprits, &inquiry->study, inquiry->policy, inquiry->shown, err) < 0)
        return STATUS_FAILED;
    return blame_show(inquiry, err) < 0 ? STATUS_FAILED : STATUS_DONE;
}

static int cli_blame_run(const void *values, struct err *err)
{
    struct blame_inquiry inquiry = {.options = values};
    int status = blame_inquire(&inquiry, err);
    picture_discard(&inquiry.picture);
    study_fini(&inquiry.study);
    policy_free(inquiry.policy);
    plan_free(inquiry.plan);
    culprits_fini(&inquiry.culprits);
    return status;
}

#define AT(member) offsetof(struct blame_options, member)
static const struct option options[] = {
    STUDY_FILE_SYSTEM_OPTION(struct blame_options, policy),
    {"by", 0, OPTION_TEXT, UNIT_NONE, "application|user|account", AT(by),
     "whom to charge; default application"},
    {"top", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(top), "how many to show; default 20"},
    {"journal", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(journal),
     "FILE is the journal of a controller: what happened is simulated under the strategy"},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store),
     "with --journal: what happened on this store; default the first"},
    {"plot", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(plot),
     "draw what each causes and suffers, and what is lost over time" PICTURE_KINDS
     "; needs gnuplot"},
    STUDY_WINDOW_OPTION(struct blame_options, source),
    STUDY_SOURCE_OPTIONS(struct blame_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_blame = {
    .name = "blame",
    .summary = "show which applications, users or accounts make others wait",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Every second that an application loses is charged to those that hold the bandwidth at "
        "that time ('caused'); together these charges are all that is lost. 'gain without' is how "
        "much less the others lose in a run without the application.",
    .example = "weir blame examples/quickstart.yaml --policy fcfs",
    .size = sizeof(struct blame_options),
    .run = cli_blame_run,
};
