#include "answer/compare.h"
#include "cli/commands.h"
#include "report/comparison.h"

/* The measures that are asked for, or a few; 0 or -1. */
static int compare_select(const struct compare_question *question,
                          const struct comparison *comparison, struct selection *selection,
                          struct err *err)
{
    *selection = (struct selection){0};
    if (question->metrics)
        return selection_parse(selection, question->metrics, err) < 0
                   ? err_prepend_option(err, "metrics")
                   : 0;
    if (comparison)
        *selection = comparison_selection(comparison);
    return 0;
}

static int cli_compare_check(const void *question, struct err *err)
{
    struct selection selection;
    return compare_select(question, NULL, &selection, err);
}

static int cli_compare_print(const void *values, const void *found, struct err *err)
{
    const struct compare_question *question = values;
    const struct compare_answer *answer = found;
    struct selection selection;
    if (compare_select(question, &answer->comparison, &selection, err) < 0)
        return -1;
    if (question->asking.csv)
        comparison_csv(&answer->comparison, &selection, stdout);
    else if (comparison_print(&answer->comparison, &selection, terminal_colour(stdout), stdout) < 0)
        return err_memory(err);
    return 0;
}

static int cli_compare_draw(const void *question, const void *found, struct picture *picture,
                            struct err *err)
{
    const struct compare_answer *answer = found;
    struct selection selection;
    if (compare_select(question, &answer->comparison, &selection, err) < 0)
        return -1;
    return comparison_draw(&answer->comparison, &selection, picture, err);
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare strategies over many runs, with intervals",
    .question = &compare_asking,
    .details = "A family is one of 'weir generate --list', with its parameters after a colon: "
               "synthetic:pressure=0.9. Every strategy runs the same workloads, so differences are "
               "paired. Intervals are 95 % intervals of the mean. '~' marks a difference that is "
               "not significant.",
    .example = "weir compare synthetic --seeds 200 --sweep bandwidth=1x,2x,4x --plot out.svg",
    .check = cli_compare_check,
    .print = cli_compare_print,
    .draw = cli_compare_draw,
};
