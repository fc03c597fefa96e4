#include "answer/bound.h"
#include "base/mem.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "report/runs.h"
#include "report/table.h"
#include <math.h>
#include <stdlib.h>

/* How far a value is from the bound, in percent of that. */
static double bound_gap(const struct measure *measure, double value, double bound)
{
    double gap = measure->sense == METRIC_HIGHER ? bound - value : value - bound;
    return bound > 0 ? 100 * fmax(0, gap) / bound : NAN;
}

/* One line of the table: each measure and its gap. */
static void bound_fill_line(const struct bound_answer *answer, const struct bound_run *run,
                            double *values)
{
    for (int i = 0; i < BOUNDED; i++) {
        *values++ = run->room[i].value;
        *values++ = bound_gap(answer->measures[i], run->room[i].value, answer->limit.room[i].value);
    }
}

static int bound_print_table(const struct bound_answer *answer)
{
    struct table_column columns[2 * BOUNDED];
    const char **names = mem_alloc(answer->runs_count + 1, sizeof *names);
    double *values = mem_alloc(answer->runs_count + 1, sizeof *values * 2 * BOUNDED);
    int status = names && values ? 0 : -1;
    for (int i = 0; i < BOUNDED; i++) {
        const struct measure *measure = answer->measures[i];
        columns[2 * i] = (struct table_column){measure->name, measure->unit, measure->sense, 5, 0};
        columns[2 * i + 1] = (struct table_column){"gap_(%)", UNIT_NONE, METRIC_INFO, 3, false};
    }
    for (size_t k = 0; status == 0 && k <= answer->runs_count; k++) {
        bool last = k == answer->runs_count;
        names[k] = last ? RUNS_BOUND : answer->runs[k].policy;
        bound_fill_line(answer, last ? &answer->limit : &answer->runs[k], &values[k * 2 * BOUNDED]);
    }
    if (status == 0)
        table_print(&(struct table){.corner = "strategy",
                                    .names = names,
                                    .rows = answer->runs_count + 1,
                                    .bounds = 1,
                                    .columns = columns,
                                    .count = 2 * BOUNDED,
                                    .values = values,
                                    .colour = terminal_colour(stdout),
                                    .legend = true},
                    stdout);
    free(names);
    free(values);
    return status;
}

/* What the search for the best schedule has found. */
static void bound_print_optimum(const struct bound_answer *answer)
{
    const struct bound_optimum *optimum = &answer->optimum;
    bool window = answer->windowed;
    const char *measure = measures[window ? MEASURE_min_yield : MEASURE_max_stretch].name;
    double reached = window ? optimum->reached : 1 / optimum->reached;
    double bound = window ? optimum->bound : 1 / optimum->bound;
    if (!answer->searched)
        return;
    if (optimum->proved)
        printf("\nthe best schedule has a %s of %.4g, proved by %llu decisions\n", measure, bound,
               (unsigned long long)optimum->decisions);
    else
        printf("\na schedule has a %s of %.4g, none passes %.4g; %llu decisions prove no more\n",
               measure, reached, bound, (unsigned long long)optimum->decisions);
}

static int bound_print(const void *question, const void *found, struct err *err)
{
    const struct bound_answer *answer = found;
    const struct bound_given *given = &answer->given;
    (void)question;
    printf("%s: limits that no schedule can beat, and how near strategies come\n",
           answer->made.scenario);
    ask_print_window(&answer->study.workload->window);
    putchar('\n');
    if (bound_print_table(answer) < 0)
        return err_memory(err);
    if (answer->has_given && isnan(given->efficiency))
        printf("\nno schedule has a min_yield of at least %g\n", given->min_yield);
    else if (answer->has_given)
        printf("\nwith a min_yield of at least %g, efficiency is at most %.5g\n", given->min_yield,
               given->efficiency);
    bound_print_optimum(answer);
    return 0;
}

const struct command command_bound = {
    .name = "bound",
    .summary = "show limits that no schedule can beat, and how near they are",
    .question = &bound_asking,
    .details = "In a window: bounds on min_yield and efficiency. Of a whole run: on makespan and "
               "max_stretch. They hold for any schedule, even one that knows the future; the best "
               "schedule may be worse than they are.",
    .example = "weir bound examples/quickstart.yaml --window auto --policy critical-yield",
    .print = bound_print,
};
