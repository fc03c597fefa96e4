#include "cli/plan_request.h"
#include "base/output.h"
#include "cli/picture.h"
#include "format/plan_file.h"
#include <string.h>

/* In the order of enum plan_search and enum plan_list. */
static const char *const searches[] = {"best", "paper", NULL};
static const char *const exports[] = {"csv", "ior", NULL};
enum { OBJECTIVES = 2, MOST_JOBS = 1024 };

/* A plan from a file was made already, and hrr has nothing to choose. */
static int check_together(const struct plan_options *options, struct err *err)
{
    bool search = options->objective || options->search || options->min_period > 0 ||
                  options->max_factor > 0 || options->epsilon > 0 || options->time_limit > 0 ||
                  options->jobs.given;
    bool hrr = options->method && strcmp(options->method, plan_methods[METHOD_HRR]) == 0;
    if (options->check && (search || options->method || options->output))
        return err_set(err, "--check reads a plan: no option on how to make one goes with it");
    if (hrr && search)
        return err_set(err, "--method hrr has no search: no option on it goes with it");
    if (options->json && options->export)
        return err_set(err, "--json and --export exclude each other");
    if (output_is_stdout(options->output) + output_is_stdout(options->gantt) + options->json +
            (options->export != NULL) >
        1)
        return err_set(err, "standard output can hold only one of --output, --gantt, --json and "
                            "--export");
    return 0;
}

static int check_amounts(const struct plan_options *options, struct err *err)
{
    if (options->max_factor > 0 && !(options->max_factor >= 1 && options->max_factor <= 1000))
        return err_set(err, "--max-period-factor: %g is not from 1 to 1000", options->max_factor);
    if (options->epsilon > 0 && !(options->epsilon >= 1e-4 && options->epsilon <= 1))
        return err_set(err, "--epsilon: %g is not from 0.0001 to 1", options->epsilon);
    if (options->jobs.given && (options->jobs.value < 1 || options->jobs.value > MOST_JOBS))
        return err_set(err, "--jobs: '%llu' is not from 1 to %d",
                       (unsigned long long)options->jobs.value, MOST_JOBS);
    return 0;
}

int plan_request_read(const struct plan_options *options, struct plan_request *request,
                      struct err *err)
{
    *request = (struct plan_request){.persched = persched_defaults,
                                     .list = -1,
                                     .taken = output_is_stdout(options->output) ||
                                              output_is_stdout(options->gantt)};
    struct persched *persched = &request->persched;
    if (check_together(options, err) < 0 || check_amounts(options, err) < 0)
        return -1;
    int method = option_choose("method", options->method, plan_methods, METHOD_HRR + 1, err);
    int objective =
        option_choose("objective", options->objective, plan_objectives, OBJECTIVES, err);
    int search = option_choose("search", options->search, searches, 2, err);
    int list = option_choose("export", options->export, exports, 2, err);
    if (method < 0 || objective < 0 || search < 0 || list < 0)
        return -1;
    request->method = (enum plan_method)method;
    persched->objective = (enum plan_objective)objective;
    persched->search = (enum plan_search)search;
    persched->min_period = options->min_period;
    if (options->export)
        request->list = list;
    if (options->max_factor > 0)
        persched->max_factor = options->max_factor;
    if (options->epsilon > 0)
        persched->epsilon = options->epsilon;
    if (options->jobs.given)
        persched->jobs = (unsigned)options->jobs.value;
    return 0;
}

#define AT(member) offsetof(struct plan_options, member)
const struct option plan_option_table[] = {
    {"method", 0, OPTION_TEXT, UNIT_NONE, "persched|hrr", AT(method),
     "how to plan: a pattern that is repeated (the default), or the shortest schedule of uniform "
     "jobs"},
    {"objective", 0, OPTION_TEXT, UNIT_NONE, "sys-efficiency|dilation", AT(objective),
     "what the pattern should be best in; default sys-efficiency"},
    {"search", 0, OPTION_TEXT, UNIT_NONE, "best|paper", AT(search),
     "for the pattern: ours (the default), or exactly the published one"},
    {"min-period", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(min_period),
     "the shortest period tried; default the longest work and I/O of an application"},
    {"max-period-factor", 0, OPTION_AMOUNT, UNIT_NONE, "K", AT(max_factor),
     "the longest period tried is K times the shortest; default 10"},
    {"epsilon", 0, OPTION_AMOUNT, UNIT_RATIO, "E", AT(epsilon),
     "each period tried is this much longer than the one before; default 0.01"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "threads; the plan does not depend on their number; default 1"},
    {"time-limit", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(time_limit),
     "stop the search for a better plan after this time"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE.json", AT(output),
     "write the plan with its schedule"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(gantt), "draw one period" PICTURE_KINDS},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "the result as JSON, without the schedule"},
    {"export", 0, OPTION_TEXT, UNIT_NONE, "csv|ior", AT(export),
     "print when each application may transfer and how fast: as one table, or as a list for each"},
    {"check", 0, OPTION_TEXT, UNIT_NONE, "FILE.json", AT(check),
     "read a plan instead of making one, and verify that the scenario can follow it"},
    {"detect", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(detect),
     "plan the periods of I/O that phases listed one by one show, instead of their means"},
    STUDY_SOURCE_OPTIONS(struct plan_options, source),
    {.name = NULL},
};
#undef AT
