#include "answer/capacity.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include <math.h>
#include <string.h>

enum { SCREEN = 80 };

static void capacity_print_title(const struct capacity_answer *answer)
{
    const struct scenario *scenario = answer->study.scenario;
    bool lower = capacity_measures[answer->asked.measure]->sense == METRIC_LOWER;
    printf("%s: how many of %s before %s %s %g\n", answer->made.scenario, answer->application,
           answer->measure, lower ? "exceeds" : "falls below", answer->limit);
    if (!isnan(answer->room))
        printf("%.15g nodes have room for %.0f%s\n", scenario->platform.nodes, answer->room,
               scenario->count > 1 ? " beside the others" : "");
    ask_print_window(answer->study.workload);
    putchar('\n');
}

/* What limits all that are not limited by the measure: the same for each of them. */
static void capacity_print_end(const struct capacity_answer *answer)
{
    const char *end = "limit";
    for (size_t i = 0; i < answer->strategies_count; i++)
        if (strcmp(answer->strategies[i].limited_by, "limit") != 0)
            end = answer->strategies[i].limited_by;
    if (strcmp(end, "nodes") == 0)
        puts("\n- limited by the nodes, not by I/O: no more were tried");
    else if (strcmp(end, "most") == 0)
        printf("\n- at most %llu were tried, see --most\n", (unsigned long long)answer->most);
}

static void capacity_print_remarks(const struct capacity_answer *answer)
{
    const char *before = "\n";
    for (size_t i = 0; i < answer->strategies_count; i++) {
        const struct capacity_strategy *strategy = &answer->strategies[i];
        if (strategy->overdrawn)
            printf("%s%s: the other applications alone exceed the limit\n", before,
                   strategy->policy);
        else if (!isnan(strategy->again))
            printf("%s%s: %.0f are within the limit again\n", before, strategy->policy,
                   strategy->again);
        before = strategy->overdrawn || !isnan(strategy->again) ? "" : before;
    }
}

static int cli_capacity_print(const void *question, const void *found, struct err *err)
{
    const struct capacity_answer *answer = found;
    (void)question;
    capacity_print_title(answer);
    const struct ask_table table = {.corner = "strategy",
                                    .fields = capacity_strategy_fields,
                                    .list = answer->strategies,
                                    .count = answer->strategies_count,
                                    .size = sizeof *answer->strategies,
                                    .renamed = "value",
                                    .heading = answer->measure,
                                    .width = SCREEN,
                                    .legend = true};
    if (ask_print_table(&table, err) < 0)
        return -1;
    capacity_print_end(answer);
    capacity_print_remarks(answer);
    return 0;
}

const struct command command_capacity = {
    .name = "capacity",
    .summary = "find how many copies of an application can run together",
    .question = &capacity_asking,
    .details = "The copies are released together, the other applications stay as they are, and the "
               "limit applies to all of them. The number found is within the limit, and one more "
               "is not; both are simulated. More copies are usually worse, but not always: all "
               "numbers up to seven, and the four numbers below the result, are simulated too. If "
               "a larger number nearby is within the limit again, the report says so.",
    .example = "weir capacity examples/jupiter1.yaml --application turbulence2 --max-stretch 2",
    .print = cli_capacity_print,
};
