#include "base/mem.h"
#include "report/comparison.h"
#include "report/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_MEASURES = 2, NAME_SIZE = 128, COMPARISON_COLUMNS = 5, WIDTH = 80, DIGITS = 5 };

struct selection comparison_selection(const struct comparison *comparison)
{
    bool windowed = false;
    for (size_t i = 0; i < comparison->count; i++)
        windowed |= comparison->cases[i].windowed;
    const struct window window = {.kind = windowed ? WINDOW_FIXED : WINDOW_NONE};
    struct selection selection = selection_default(&window);
    selection.count = selection.count < USUAL_MEASURES ? selection.count : USUAL_MEASURES;
    return selection;
}

/* What tables are made of, one after the other. */
struct comparison_lines {
    char (*labels)[NAME_SIZE];
    const char **names;
    double *values;
    bool marked; /* a difference is not significant */
};

static bool comparison_is_indistinct(const struct compare_cell *cell)
{
    return paired_judge(&cell->difference) == PAIRED_INDISTINCT;
}

/* Shown as 0 if it is so small beside the mean that the decimals of the column cannot show it. */
static double comparison_show(double value, double mean)
{
    return fabs(value) < 1e-6 * fabs(mean) ? 0 : value;
}

static void comparison_fill(const struct comparison *comparison, size_t number, size_t policy,
                            const struct measure *measure, struct comparison_lines *lines)
{
    struct compare_cell cell = compare_measure(comparison, number, policy, measure);
    bool baseline = policy == comparison->asked.baseline;
    bool marked = !baseline && comparison_is_indistinct(&cell);
    bool rated = measure->sense != METRIC_INFO && !baseline;
    const char *mark = baseline ? " (baseline)" : marked ? " ~" : "";
    double wins = 100 * paired_win_rate(&cell.difference, measure->sense == METRIC_HIGHER);
    const struct summary *difference = &cell.difference.difference;
    double mean = summary_mean(&cell.value);
    const double values[COMPARISON_COLUMNS] = {
        mean, comparison_show(summary_margin(&cell.value), mean),
        baseline ? NAN : comparison_show(summary_mean(difference), mean),
        baseline ? NAN : comparison_show(summary_margin(difference), mean), rated ? wins : NAN};
    memcpy(&lines->values[policy * COMPARISON_COLUMNS], values, sizeof values);
    snprintf(lines->labels[policy], NAME_SIZE, "%s%s", comparison->asked.policies[policy]->name,
             mark);
    lines->names[policy] = lines->labels[policy];
    lines->marked |= marked;
}

/* The table of lines that are filled in; returns whether it marks the best. */
static bool comparison_print_lines(const struct comparison_lines *lines, size_t count,
                                   const struct measure *measure, bool colour, FILE *out)
{
    const struct table_column columns[COMPARISON_COLUMNS] = {
        {"mean", measure->unit, measure->sense, DIGITS, false},
        {"\u00b1 95 %", measure->unit, METRIC_INFO, DIGITS, false},
        {"difference", measure->unit, METRIC_INFO, DIGITS, false},
        {"\u00b1 95 %", measure->unit, METRIC_INFO, DIGITS, false},
        {"better in_% of runs", UNIT_NONE, METRIC_INFO, 3, true}};
    fputc('\n', out);
    const struct table table = {.corner = measure->name,
                                .names = lines->names,
                                .rows = count,
                                .columns = columns,
                                .count = COMPARISON_COLUMNS,
                                .values = lines->values,
                                .width = WIDTH,
                                .colour = colour};
    return table_print(&table, out).marked;
}

static void comparison_print_title(const struct comparison *comparison, size_t number, FILE *out)
{
    const struct compare_case *of = &comparison->cases[number];
    char label[512];
    bool one = of->members == 1;
    fprintf(out, "%s%s: %zu %s", number ? "\n" : "",
            compare_label(comparison, number, false, label, sizeof label), of->members,
            of->joined     ? one ? "run" : "runs"
            : of->ensemble ? one ? "run that differs by 1e-9 in the input"
                                 : "runs that differ by 1e-9 in the input"
            : one          ? "seed"
                           : "seeds");
    if (comparison->asked.first_seed != 1 && !of->ensemble && !of->joined)
        fprintf(out, " from %llu on", (unsigned long long)comparison->asked.first_seed);
    fputc('\n', out);
    if (*knowledge_describe(&comparison->asked.knowledge, label, sizeof label))
        fprintf(out, "%s\n", label);
}

int comparison_print(const struct comparison *comparison, const struct selection *selection,
                     bool colour, FILE *out)
{
    size_t count = comparison->asked.policy_count;
    struct comparison_lines lines = {
        .labels = mem_alloc(count, NAME_SIZE),
        .names = mem_alloc(count, sizeof *lines.names),
        .values = mem_alloc(count, sizeof *lines.values * COMPARISON_COLUMNS)};
    int status = lines.labels && lines.names && lines.values ? 0 : -1;
    bool starred = false;
    for (size_t i = 0; status == 0 && i < comparison->count; i++) {
        comparison_print_title(comparison, i, out);
        for (size_t k = 0; k < selection->count; k++) {
            for (size_t p = 0; p < count; p++)
                comparison_fill(comparison, i, p, selection->measures[k], &lines);
            starred |= comparison_print_lines(&lines, count, selection->measures[k], colour, out);
        }
    }
    if (status == 0 && count > 1 && (starred || lines.marked))
        fputc('\n', out);
    if (starred)
        fputs("* best mean\n", out);
    if (lines.marked)
        fputs("~ not significant: the 95 % interval of the difference includes 0\n", out);
    free(lines.labels);
    free(lines.names);
    free(lines.values);
    return status;
}
