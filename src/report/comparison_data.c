#include "report/comparison.h"
#include "report/csv.h"
#include "report/runs.h"
#include <math.h>

/* --- JSON ---------------------------------------------------------------------------------------
 */

static void comparison_json_verdict(const struct compare_cell *cell, struct json *json)
{
    enum paired_verdict verdict = paired_judge(&cell->difference);
    if (verdict == PAIRED_UNKNOWN)
        json_string(json, "significant", NULL);
    else
        json_bool(json, "significant", verdict == PAIRED_SIGNIFICANT);
}

static void comparison_json_measure(const struct measure *measure, const struct compare_cell *cell,
                                    struct json *json)
{
    const struct summary *difference = &cell->difference.difference;
    bool rated = measure->sense != METRIC_INFO;
    json_begin_object(json, measure->name);
    json_integer(json, "count", cell->value.count);
    json_number(json, "mean", summary_mean(&cell->value));
    json_number(json, "deviation", summary_deviation(&cell->value));
    json_number(json, "margin", summary_margin(&cell->value));
    json_number(json, "difference", summary_mean(difference));
    json_number(json, "difference_margin", summary_margin(difference));
    json_number(json, "wins",
                rated ? paired_win_rate(&cell->difference, measure->sense == METRIC_HIGHER) : NAN);
    comparison_json_verdict(cell, json);
    json_end_object(json);
}

static void comparison_json_policy(const struct comparison *comparison, size_t number,
                                   size_t policy, struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "policy", comparison->asked.policies[policy]->name);
    json_begin_object(json, "metrics");
    for (size_t k = 0; k < MEASURE_COUNT; k++) {
        struct compare_cell cell = compare_measure(comparison, number, policy, &measures[k]);
        comparison_json_measure(&measures[k], &cell, json);
    }
    json_end_object(json);
    json_end_object(json);
}

static void comparison_json_case(const struct comparison *comparison, size_t number,
                                 struct json *json)
{
    const struct compare_case *of = &comparison->cases[number];
    json_begin_object(json, NULL);
    json_string(json, "scenario", of->source->name);
    json_begin_object(json, "sweep");
    for (size_t i = 0; i < comparison->asked.sweep_count; i++)
        json_string(json, of->changes[i].path, of->changes[i].value);
    json_end_object(json);
    knowledge_json(&of->knowledge, json);
    json_integer(json, "members", of->members);
    json_bool(json, "ensemble", of->ensemble);
    json_begin_array(json, "strategies");
    for (size_t p = 0; p < comparison->asked.policy_count; p++)
        comparison_json_policy(comparison, number, p, json);
    json_end_array(json);
    json_end_object(json);
}

void comparison_json(const struct comparison *comparison, struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "weir", row_version);
    json_string(json, "baseline", comparison->asked.policies[comparison->asked.baseline]->name);
    json_number(json, "confidence", STAT_CONFIDENCE);
    json_integer(json, "first_seed", comparison->asked.first_seed);
    json_begin_array(json, "cases");
    for (size_t i = 0; i < comparison->count; i++)
        comparison_json_case(comparison, i, json);
    json_end_array(json);
    json_end_object(json);
}

/* --- CSV ----------------------------------------------------------------------------------------
 */

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
