#include "answer/blame.h"
#include "base/mem.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "report/blame_figure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 64 };

static bool blame_has_applications(const struct blame_answer *answer)
{
    return strcmp(answer->by, "application") == 0;
}

/* "from 100.02 d to 100.07 d": as many digits as tell the two apart; or from date to date. */
static void blame_print_span(const struct calendar *calendar, double start, double end)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    int unit = 0, digits;
    char from[MOMENT_SIZE], to[MOMENT_SIZE];
    if (calendar->start > 0) {
        printf("worst from %s to %s", calendar_print(calendar, start, from),
               calendar_print(calendar, end, to));
        return;
    }
    while (unit < 3 && end < units[unit].seconds)
        unit++;
    double length = (end - start) / units[unit].seconds;
    digits = length > 0 ? (int)fmin(9, fmax(0, 2 - floor(log10(length)))) : 3;
    printf("worst from %.*f %s to %.*f %s", digits, start / units[unit].seconds, units[unit].name,
           digits, end / units[unit].seconds, units[unit].name);
}

static void blame_print_rest(const struct blame_answer *answer)
{
    double share = 0;
    for (size_t i = answer->shown; i < answer->list_count; i++)
        share += answer->list[i].share;
    if (answer->shown < answer->list_count)
        printf("(%zu more with %.3g %%; --top shows them)\n", answer->list_count - answer->shown,
               share);
}

static void blame_print_worst(const struct blame_answer *answer)
{
    const struct blame_worst *worst = &answer->worst;
    char text[LABEL];
    blame_print_span(&answer->study.workload->calendar, worst->start, worst->end);
    printf(": %s lost", units_print(worst->lost, UNIT_SECONDS, text, sizeof text));
    if (worst->name) {
        double share = 100 * worst->charged / worst->lost;
        const char *what = blame_has_applications(answer) ? "" : answer->by;
        printf(", %s%.0f %% of it because of %s%s%s", share < 1 ? "less than " : "",
               share < 1 ? 1 : share, what, *what ? " " : "", worst->name);
    }
    putchar('\n');
}

static int blame_print_pairs(const struct blame_answer *answer, struct err *err)
{
    const struct ask_table table = {.corner = "pair",
                                    .fields = blame_couple_fields,
                                    .list = answer->pairs,
                                    .count = answer->pairs_count,
                                    .size = sizeof *answer->pairs};
    if (answer->culprits.most_pairs == 0)
        return 0;
    putchar('\n');
    if (answer->pairs_count > 0 && ask_print_table(&table, err) < 0)
        return -1;
    if (answer->pairs_count < answer->culprits.pairs_met)
        printf("(%zu of %zu pairs that met; --pairs N shows more)\n", answer->pairs_count,
               answer->culprits.pairs_met);
    return 0;
}

static int blame_print(const void *question, const void *found, struct err *err)
{
    const struct blame_answer *answer = found;
    char text[LABEL];
    (void)question;
    printf("%s under %s: the applications lose %s in all\n", answer->made.scenario, answer->policy,
           units_print(answer->lost, UNIT_SECONDS, text, sizeof text));
    ask_print_window(answer->study.workload);
    if (!(answer->lost > 0))
        return 0;
    putchar('\n');
    /* 'own' is of users and accounts only, 'without' of applications. */
    const struct ask_table table = {.corner = answer->by,
                                    .fields = blame_line_fields,
                                    .list = answer->list,
                                    .count = answer->shown,
                                    .size = sizeof *answer->list,
                                    .without =
                                        blame_has_applications(answer) ? "own" : "gain_without"};
    if (ask_print_table(&table, err) < 0)
        return -1;
    blame_print_rest(answer);
    putchar('\n');
    if (answer->idle > 1e-6 * answer->lost)
        printf(
            "%s of it (%.3g %%) is lost while bandwidth is free: that is the strategy's choice\n",
            units_print(answer->idle, UNIT_SECONDS, text, sizeof text),
            100 * answer->idle / answer->lost);
    blame_print_worst(answer);
    return blame_print_pairs(answer, err);
}

static int blame_plot(const void *question, const void *found, struct picture *picture,
                      struct err *err)
{
    const struct blame_answer *answer = found;
    struct blame_bar *bars = mem_alloc(answer->shown, sizeof *bars);
    (void)question;
    if (!bars)
        return err_memory(err);
    for (size_t i = 0; i < answer->shown; i++)
        bars[i] = (struct blame_bar){answer->list[i].name, answer->list[i].caused,
                                     answer->list[i].suffered};
    int status = blame_draw(&(struct blame_figure){.what = answer->by,
                                                   .bars = bars,
                                                   .count = (uint32_t)answer->shown,
                                                   .lost = answer->culprits.parts,
                                                   .parts = CULPRITS_PARTS,
                                                   .start = answer->culprits.outcome->start,
                                                   .end = answer->culprits.outcome->end},
                            picture, err);
    free(bars);
    return status;
}

const struct command command_blame = {
    .name = "blame",
    .summary = "show which applications, users or accounts make others wait",
    .question = &blame_asking,
    .details =
        "Every second that an application loses is charged to those that hold the bandwidth at "
        "that time ('caused'); together these charges are all that is lost. 'gain without' is how "
        "much less the others lose in a run without the application.",
    .example = "weir blame examples/quickstart.yaml --policy fcfs",
    .print = blame_print,
    .draw = blame_plot,
};
