#include "answer/compare.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/comparison.h"
#include <string.h>

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

/* "0.5:1". 0 or -1. */
static int compare_read_range(const char *text, struct comparison_look *look, struct err *err)
{
    const char *at = text, *end = text + strcspn(text, ":");
    bool right = text_number(&at, end, &look->from) == 0 && at == end && *end == ':';
    at = end + 1;
    if (right) {
        end = at + strlen(at);
        right = text_number(&at, end, &look->to) == 0 && at == end && look->from < look->to;
    }
    return right ? 0 : err_option(err, "--range: '%s' is not FROM:TO, such as 0.5:1", text);
}

static int compare_look(const struct compare_question *question, struct comparison_look *look,
                        struct err *err)
{
    static const char *const logs[] = {"none", "x", "y", "xy"};
    static const char *const sizes[] = {"usual", "column", "page"};
    int log = option_choose("log", question->log, logs, 4, err);
    int size = option_choose("size", question->size, sizes, 3, err);
    *look = (struct comparison_look){.title = question->title,
                                     .x_label = question->x_label,
                                     .y_label = question->y_label,
                                     .log_x = log & 1,
                                     .log_y = log > 1,
                                     .columns = (unsigned)size};
    if (log < 0 || size < 0)
        return -1;
    return question->range ? compare_read_range(question->range, look, err) : 0;
}

static int cli_compare_check(const void *question, struct err *err)
{
    struct selection selection;
    struct comparison_look look;
    return compare_look(question, &look, err) < 0 ? -1
                                                  : compare_select(question, NULL, &selection, err);
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
    struct comparison_look look;
    if (compare_select(question, &answer->comparison, &selection, err) < 0 ||
        compare_look(question, &look, err) < 0)
        return -1;
    return comparison_draw(&answer->comparison, &selection, &look, picture, err);
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare strategies over many runs, with intervals",
    .question = &compare_asking,
    .details = "A family is one of 'weir generate --list', with its parameters after a colon: "
               "synthetic:pressure=0.9; a program of "
               "your own that prints scenarios is one too: './make.py --seed {seed}'. A database "
               "of a campaign, or of --db, is compared without a simulation. Every strategy runs "
               "the same workloads, so differences are "
               "paired. Intervals are 95 % intervals of the mean. '~' marks a difference that is "
               "not significant.",
    .example = "weir compare synthetic --seeds 200 --sweep bandwidth=1x,2x,4x --plot out.svg",
    .check = cli_compare_check,
    .print = cli_compare_print,
    .draw = cli_compare_draw,
};
