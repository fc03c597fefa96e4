#include "paper/report.h"
#include "paper/cells.h"
#include "report/csv.h"
#include <math.h>

/* A number as tables show it: five significant digits are enough to compare. */
static void report_number(double value, FILE *out)
{
    if (isnan(value))
        fputs("-", out);
    else
        fprintf(out, "%.5g", value);
}

/* Long runs of places are thinned out: the CSV has all of them. */
enum { REPORT_MOST_PLACES = 20 };

static const char *report_x(const struct experiment *experiment, const struct chart *chart)
{
    return chart->x ? chart->x : experiment->x ? experiment->x : "";
}

/* A place along x, by its name if it has one. */
static void report_place(const struct experiment *experiment, double place, FILE *out)
{
    if (experiment->places)
        fputs(experiment->places[(size_t)place], out);
    else if (experiment->x)
        report_number(place, out);
}

/* A mean, with its 95 % interval if that is wanted and known. */
static void report_mean(const struct summary *summary, bool interval, FILE *out)
{
    double margin = summary_margin(summary);
    report_number(summary_mean(summary), out);
    if (interval && !isnan(margin))
        fprintf(out, " ± %.2g", margin);
}

/* Two means for each series and place that has them. */
static void report_pairs(const struct chart_cells *cells, const struct chart *chart,
                         const struct experiment *experiment, FILE *out)
{
    fprintf(out, "\n%s: means of %s and %s\n\n| | %s | %s |\n|---|---|---|\n", chart->title,
            experiment->columns[chart->across], experiment->columns[chart->column],
            experiment->columns[chart->across], experiment->columns[chart->column]);
    for (size_t s = 0; s < cells->series_count; s++)
        for (size_t p = 0; p < cells->place_count; p++) {
            const struct chart_cell *cell = chart_cell(cells, p, s);
            if (cell->summary.count == 0)
                continue;
            fprintf(out, "| %s | ", experiment->series[cells->series[s]]);
            report_mean(&cell->across, chart->intervals, out);
            fputs(" | ", out);
            report_mean(&cell->summary, chart->intervals, out);
            fputs(" |\n", out);
        }
}

static void report_table(const struct chart_cells *cells, const struct chart *chart,
                         const struct experiment *experiment, FILE *out)
{
    size_t step = (cells->place_count + REPORT_MOST_PLACES - 1) / REPORT_MOST_PLACES;
    fprintf(out, "\n%s: mean of %s\n\n| %s |", chart->title, experiment->columns[chart->column],
            report_x(experiment, chart));
    for (size_t s = 0; s < cells->series_count; s++)
        fprintf(out, " %s |", experiment->series[cells->series[s]]);
    fputs("\n|---|", out);
    for (size_t s = 0; s < cells->series_count; s++)
        fputs("---|", out);
    for (size_t p = 0; p < cells->place_count; p += step) {
        fputs("\n| ", out);
        report_place(experiment, cells->places[p], out);
        fputs(" |", out);
        for (size_t s = 0; s < cells->series_count; s++) {
            fputs(" ", out);
            report_mean(&chart_cell(cells, p, s)->summary, chart->intervals, out);
            fputs(" |", out);
        }
    }
    fputs("\n", out);
}

/* The same with a line for each series that has samples. */
static void report_table_by_series(const struct chart_cells *cells, const struct chart *chart,
                                   const struct experiment *experiment, FILE *out)
{
    fprintf(out, "\n%s: mean of %s\n\n| |", chart->title, experiment->columns[chart->column]);
    for (size_t p = 0; p < cells->place_count; p++) {
        fputs(" ", out);
        report_place(experiment, cells->places[p], out);
        fputs(" |", out);
    }
    fputs("\n|---|", out);
    for (size_t p = 0; p < cells->place_count; p++)
        fputs("---|", out);
    for (size_t s = 0; s < cells->series_count; s++) {
        if (chart_cell(cells, 0, s)->summary.count == 0)
            continue;
        fprintf(out, "\n| %s |", experiment->series[cells->series[s]]);
        for (size_t p = 0; p < cells->place_count; p++) {
            fputs(" ", out);
            report_mean(&chart_cell(cells, p, s)->summary, chart->intervals, out);
            fputs(" |", out);
        }
    }
    fputs("\n", out);
}

/* The numbers of a chart; a sentence if a quick run has none. */
static void report_chart(const struct chart_cells *cells, const struct chart *chart,
                         const struct experiment *experiment, FILE *out)
{
    if (cells->place_count == 0)
        fprintf(out, "\n%s: only the full run has samples of this.\n", chart->title);
    else if (chart->kind == CHART_MEANS)
        report_pairs(cells, chart, experiment, out);
    else if (chart->by_series)
        report_table_by_series(cells, chart, experiment, out);
    else
        report_table(cells, chart, experiment, out);
}

static void report_printed(const struct result *result, const struct printed *printed,
                           const struct samples *samples, FILE *out)
{
    const struct experiment *experiment = experiments[result->experiment];
    const char *theirs = result_is_finding(result) ? "recorded" : "published";
    fprintf(out,
            "\n%s (%s: %s)\n\n| group | %s "
            "| series | %s | ours | difference | margin | "
            "|\n|---|---|---|---|---|---|---|---|\n",
            printed->text, theirs, relation_names[printed->relation],
            experiment->x ? experiment->x : "", theirs);
    for (size_t i = 0; i < printed->count; i++) {
        const struct printed_number *number = &printed->list[i];
        struct printed_match match = printed_match(printed, i, experiment, samples);
        fprintf(out, "| %s | ", experiment->groups[number->group]);
        report_place(experiment, number->x, out);
        fprintf(out, " | %s | %g | ", experiment->series[number->series], number->value);
        report_number(match.ours, out);
        fputs(" | ", out);
        report_number(match.ours - number->value, out);
        fputs(" | ", out);
        report_number(match.margin, out);
        fprintf(out, " | %s |\n", match.agrees ? "" : "!");
    }
}

/* What is said, and where: the paper's own words where there are some. */
static void report_saying(const char *text, const struct claim_source *source, FILE *out)
{
    fprintf(out, "| %s", text);
    if (source->quote)
        fprintf(out, " (\"%s\", %s)", source->quote, source->at);
    else if (source->at)
        fprintf(out, " (%s)", source->at);
    fputs(" | ", out);
}

static void report_verdict(const struct judgement *judgement, FILE *out)
{
    fprintf(out, " %s%s |", verdict_names[judgement->verdict],
            judgement->expected ? "" : " (not as recorded)");
    fprintf(out, " %s |\n", judgement->reason ? judgement->reason : "");
}

static void report_claims(const struct result *result, const struct samples *samples, bool quick,
                          FILE *out)
{
    const struct experiment *experiment = experiments[result->experiment];
    fputs(result_is_finding(result) ? "\n| we say" : "\n| they say", out);
    fputs(" | measured | expected | ours | difference | verdict | reason |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (const struct printed *printed = result->printed; printed && printed->text; printed++) {
        struct judgement judgement = printed_judge(printed, experiment, samples, quick);
        report_saying(printed->text, &printed->source, out);
        fprintf(out, "numbers that agree | %zu | %g | %g |", printed->count, judgement.ours,
                judgement.difference);
        report_verdict(&judgement, out);
    }
    for (const struct claim *claim = result->claims; claim && claim->text; claim++) {
        struct judgement judgement = claim_judge(claim, experiment, samples, quick);
        report_saying(claim->text, &claim->source, out);
        fprintf(out, "%s | %s %g", claim->measured, relation_names[claim->relation], claim->bound);
        if (claim->tolerance > 0)
            fprintf(out, " +- %g", claim->tolerance);
        fputs(" | ", out);
        report_number(judgement.ours, out);
        fputs(" | ", out);
        report_number(judgement.difference, out);
        fputs(" |", out);
        report_verdict(&judgement, out);
    }
}

static int report_charts(const struct chart *charts, const struct experiment *experiment,
                         const struct samples *samples, FILE *out, struct err *err)
{
    for (const struct chart *chart = charts; chart && chart->title; chart++) {
        struct chart_cells cells;
        int status = chart_cells_init(&cells, chart, experiment, samples, err);
        if (status == 0)
            report_chart(&cells, chart, experiment, out);
        chart_cells_fini(&cells);
        if (status < 0)
            return -1;
    }
    return 0;
}

int report_write_charts(const struct result *result, const struct experiment *experiment,
                        const struct samples *samples, FILE *out, struct err *err)
{
    if (report_charts(result->charts, experiment, samples, out, err) < 0)
        return -1;
    return report_charts(result->tables, experiment, samples, out, err);
}

int report_write(const struct result *result, const struct samples *samples, bool quick,
                 const char *picture, FILE *out, struct err *err)
{
    const struct experiment *experiment = experiments[result->experiment];
    fprintf(out, "## %s: %s\n\n", result->name, result->title);
    if (result_is_finding(result))
        fprintf(out, "%s\n\nShown by `weir reproduce %s`. Runs: %s.\n", result->note, result->name,
                experiment->workloads);
    else
        fprintf(out, "%s. Runs: %s.%s%s\n", result->source, experiment->workloads,
                result->note ? " " : "", result->note ? result->note : "");
    report_claims(result, samples, quick, out);
    if (picture)
        fprintf(out, "\n![%s](%s)\n", result->title, picture);
    for (const struct printed *printed = result->printed; printed && printed->text; printed++)
        report_printed(result, printed, samples, out);
    if (report_write_charts(result, experiment, samples, out, err) < 0)
        return -1;
    fputs("\n", out);
    return 0;
}

/* --- contradictions ------------------------------------------------------------------------- */

/* One line; only the words that differ from row to row are printed between. */
static void report_contradiction(const struct result *result, const char *text,
                                 const struct claim_source *source, FILE *out)
{
    fprintf(out, "| %s ", result->name);
    report_saying(text, source, out);
}

/* The columns of published tables, then the statements. */
static void report_differing(const struct result *result, const struct samples *samples, bool quick,
                             FILE *out)
{
    const struct experiment *experiment = experiments[result->experiment];
    for (const struct printed *printed = result->printed; printed && printed->text; printed++) {
        struct judgement judgement = printed_judge(printed, experiment, samples, quick);
        if (judgement.verdict != VERDICT_DIFFERS)
            continue;
        report_contradiction(result, printed->text, &printed->source, out);
        fprintf(out, "numbers that agree | %zu | %g | %s |\n", printed->count, judgement.ours,
                judgement.reason ? judgement.reason : "");
    }
    for (const struct claim *claim = result->claims; claim && claim->text; claim++) {
        struct judgement judgement = claim_judge(claim, experiment, samples, quick);
        if (judgement.verdict != VERDICT_DIFFERS)
            continue;
        report_contradiction(result, claim->text, &claim->source, out);
        fprintf(out, "%s | %s %g | %.5g | %s |\n", claim->measured, relation_names[claim->relation],
                claim->bound, judgement.ours, judgement.reason ? judgement.reason : "");
    }
}

void report_write_statements(const struct results *results,
                             const struct samples samples[EXPERIMENT_COUNT], bool quick, FILE *out)
{
    int verdicts[VERDICTS] = {0};
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        struct result_score score = result_score(result, &samples[result->experiment], quick);
        for (int k = 0; k < VERDICTS && !result_is_finding(result); k++)
            verdicts[k] += score.verdicts[k];
    }
    fprintf(
        out,
        "## Where the papers contradict themselves\n\nOf the papers' statements and columns of "
        "published numbers %d agree with our runs. %d contradict the same paper's numbers or "
        "definitions; these are the rows below, with the passage and how it is shown. %d cannot "
        "be compared: theirs was measured on a machine, or the workload or a definition is not "
        "published. %d are open. [reproduction.md](reproduction.md) has all of "
        "them.\n\n| result | they say | measured | expected | ours | how it is shown "
        "|\n|---|---|---|---|---|---|\n",
        verdicts[VERDICT_AGREES], verdicts[VERDICT_DIFFERS], verdicts[VERDICT_INCOMPARABLE],
        verdicts[VERDICT_OPEN]);
    for (size_t i = 0; i < results->count; i++)
        if (!result_is_finding(&results->list[i]))
            report_differing(&results->list[i], &samples[results->list[i].experiment], quick, out);
    fputs("\n", out);
}

/* --- CSV ------------------------------------------------------------------------------------ */

static void report_csv_cells(const struct chart_cells *cells, const struct chart *chart,
                             const struct experiment *experiment, FILE *out)
{
    for (size_t p = 0; p < cells->place_count; p++)
        for (size_t s = 0; s < cells->series_count; s++) {
            const struct chart_cell *cell = chart_cell(cells, p, s);
            const struct quantiles *quantiles = &cell->quantiles;
            csv_text(chart->title, out);
            fputs(",", out);
            csv_text(experiment->columns[chart->column], out);
            csv_number(cells->places[p], out);
            fputs(",", out);
            csv_text(experiment->series[cells->series[s]], out);
            fprintf(out, ",%zu", cell->summary.count);
            csv_number(summary_mean(&cell->summary), out);
            csv_number(summary_deviation(&cell->summary), out);
            csv_number(quantiles->p10, out);
            csv_number(quantiles->p25, out);
            csv_number(quantiles->p50, out);
            csv_number(quantiles->p75, out);
            csv_number(quantiles->p90, out);
            fputs("\n", out);
        }
}

static int report_csv_charts(const struct chart *charts, const struct experiment *experiment,
                             const struct samples *samples, FILE *out, struct err *err)
{
    for (const struct chart *chart = charts; chart && chart->title; chart++) {
        struct chart_cells cells;
        int status = chart_cells_init(&cells, chart, experiment, samples, err);
        if (status == 0)
            report_csv_cells(&cells, chart, experiment, out);
        chart_cells_fini(&cells);
        if (status < 0)
            return -1;
    }
    return 0;
}

int report_write_csv(const struct result *result, const struct samples *samples, FILE *out,
                     struct err *err)
{
    const struct experiment *experiment = experiments[result->experiment];
    fputs("chart,measure,x,series,count,mean,sd,p10,p25,p50,p75,p90\n", out);
    if (report_csv_charts(result->charts, experiment, samples, out, err) < 0)
        return -1;
    return report_csv_charts(result->tables, experiment, samples, out, err);
}
