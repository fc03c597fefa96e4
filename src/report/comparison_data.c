#include "report/comparison.h"
#include "report/csv.h"
#include "report/runs.h"
#include <math.h>

static void comparison_csv_line(const struct comparison *comparison, size_t number, size_t policy,
                                const struct measure *measure, FILE *out)
{
    const struct compare_case *of = &comparison->cases[number];
    struct compare_cell cell = compare_measure(comparison, number, policy, measure);
    const struct summary *difference = &cell.difference.difference;
    enum paired_verdict verdict = paired_judge(&cell.difference);
    bool rated = measure->sense != METRIC_INFO;
    csv_text(of->source->name, out);
    for (size_t i = 0; i < comparison->asked.sweep_count; i++) {
        fputc(',', out);
        csv_text(of->changes[i].value, out);
    }
    fputc(',', out);
    csv_text(comparison->asked.policies[policy]->name, out);
    fprintf(out, ",%s,%zu", measure->name, cell.value.count);
    csv_number(summary_mean(&cell.value), out);
    csv_number(summary_margin(&cell.value), out);
    csv_number(summary_mean(difference), out);
    csv_number(summary_margin(difference), out);
    csv_number(rated ? paired_win_rate(&cell.difference, measure->sense == METRIC_HIGHER) : NAN,
               out);
    csv_number(verdict == PAIRED_UNKNOWN ? NAN : verdict == PAIRED_SIGNIFICANT, out);
    fputc('\n', out);
}

void comparison_csv(const struct comparison *comparison, const struct selection *selection,
                    FILE *out)
{
    fputs("scenario", out);
    for (size_t i = 0; i < comparison->asked.sweep_count; i++) {
        fputc(',', out);
        csv_text(comparison->asked.sweeps[i].path, out);
    }
    fputs(",policy,measure,count,mean,margin,difference,difference_margin,wins,significant\n", out);
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t p = 0; p < comparison->asked.policy_count; p++)
            for (size_t k = 0; k < selection->count; k++)
                comparison_csv_line(comparison, i, p, selection->measures[k], out);
}
