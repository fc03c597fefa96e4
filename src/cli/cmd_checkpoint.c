#include "answer/checkpoint.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "report/interval_figure.h"

enum { LABEL = 64 };

static int checkpoint_print_table(const struct checkpoint_answer *answer, struct err *err)
{
    const struct ask_table table = {.corner = answer->all ? "application" : "",
                                    .fields = checkpoint_line_fields,
                                    .list = answer->intervals,
                                    .count = answer->intervals_count,
                                    .size = sizeof *answer->intervals,
                                    .without = answer->all ? "others_delayed" : "interval_alone",
                                    .bounds = answer->all ? answer->intervals_count : 0};
    return ask_print_table(&table, err);
}

static int checkpoint_print(const void *values, const void *found, struct err *err)
{
    const struct checkpoint_question *question = values;
    const struct checkpoint_answer *answer = found;
    char a[LABEL], b[LABEL], c[LABEL];
    if (answer->all)
        printf("%s under %s: intervals that waste the least node time\n\n", answer->made.scenario,
               answer->policy);
    else
        printf("%s: checkpoints of %s under %s, a failure every %s\n\n", answer->made.scenario,
               question->application, answer->policy,
               units_print(answer->between, UNIT_SECONDS, a, sizeof a));
    if (checkpoint_print_table(answer, err) < 0)
        return -1;
    if (answer->all)
        printf("\n%.4g node hours wasted, %.4g with each as if alone\n", answer->wasted / 3600,
               answer->wasted_as_if_alone / 3600);
    else
        printf("\nalone, a checkpoint takes %s; Young's interval is %s, Daly's %s\n",
               units_print(answer->alone, UNIT_SECONDS, a, sizeof a),
               units_print(answer->young, UNIT_SECONDS, b, sizeof b),
               units_print(answer->daly, UNIT_SECONDS, c, sizeof c));
    return 0;
}

static int checkpoint_plot(const void *values, const void *found, struct picture *picture,
                           struct err *err)
{
    const struct checkpoint_question *question = values;
    const struct checkpoint_answer *answer = found;
    const struct advice_list *curve = &answer->advice.curve;
    struct interval_cost costs[INTERVALS_FINE];
    for (uint32_t i = 0; i < curve->count; i++)
        costs[i] = (struct interval_cost){curve->lines[i].interval, curve->lines[i].overhead,
                                          curve->lines[i].others};
    return interval_draw(&(struct interval_figure){.application = question->application,
                                                   .costs = costs,
                                                   .count = curve->count,
                                                   .best = curve->best},
                         picture, err);
}

const struct command command_checkpoint = {
    .name = "checkpoint",
    .summary = "find how often applications should write checkpoints",
    .question = &checkpoint_asking,
    .details = "The I/O of an application counts as its checkpoints. Its work stays the same and "
               "is cut into other parts. Short intervals cost more checkpoints, which take longer "
               "the more others write; long ones cost more work that is done twice.",
    .example = "weir checkpoint examples/quickstart.yaml --application climate --mtbf 2h",
    .print = checkpoint_print,
    .draw = checkpoint_plot,
};
