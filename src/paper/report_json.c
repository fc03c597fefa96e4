#include "paper/report.h"

static void report_json_verdict(const struct judgement *judgement, struct json *json)
{
    json_string(json, "verdict", verdict_names[judgement->verdict]);
    json_bool(json, "as_recorded", judgement->expected);
    json_string(json, "reason", judgement->reason);
}

static void report_json_source(const struct claim_source *source, struct json *json)
{
    json_string(json, "at", source->at);
    json_string(json, "quote", source->quote);
}

static void report_json_claim(const struct claim *claim, const struct judgement *judgement,
                              struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "text", claim->text);
    report_json_source(&claim->source, json);
    json_string(json, "measured", claim->measured);
    json_string(json, "relation", relation_names[claim->relation]);
    json_number(json, "bound", claim->bound);
    json_number(json, "tolerance", claim->tolerance);
    json_number(json, "ours", judgement->ours);
    json_number(json, "difference", judgement->difference);
    report_json_verdict(judgement, json);
    json_end_object(json);
}

static void report_json_numbers(const struct printed *printed, const struct experiment *experiment,
                                const struct samples *samples, struct json *json)
{
    json_begin_array(json, "numbers");
    for (size_t i = 0; i < printed->count; i++) {
        const struct printed_number *number = &printed->list[i];
        struct printed_match match = printed_match(printed, i, experiment, samples);
        json_begin_object(json, NULL);
        json_string(json, "group", experiment->groups[number->group]);
        json_string(json, "series", experiment->series[number->series]);
        json_number(json, "x", number->x);
        json_number(json, "published", number->value);
        json_number(json, "ours", match.ours);
        json_number(json, "margin", match.margin);
        json_bool(json, "agrees", match.agrees);
        json_end_object(json);
    }
    json_end_array(json);
}

static void report_json_printed(const struct printed *printed, const struct experiment *experiment,
                                const struct samples *samples, bool quick, struct json *json)
{
    struct judgement judgement = printed_judge(printed, experiment, samples, quick);
    json_begin_object(json, NULL);
    json_string(json, "text", printed->text);
    report_json_source(&printed->source, json);
    json_string(json, "relation", relation_names[printed->relation]);
    report_json_numbers(printed, experiment, samples, json);
    report_json_verdict(&judgement, json);
    json_end_object(json);
}

void report_write_json(const struct result *result, const struct samples *samples, bool quick,
                       struct json *json)
{
    const struct experiment *experiment = experiments[result->experiment];
    json_begin_object(json, NULL);
    json_string(json, "name", result->name);
    json_string(json, "source", result_source(result));
    json_string(json, "title", result->title);
    json_begin_array(json, "tables");
    for (const struct printed *printed = result->printed; printed && printed->text; printed++)
        report_json_printed(printed, experiment, samples, quick, json);
    json_end_array(json);
    json_begin_array(json, "claims");
    for (const struct claim *claim = result->claims; claim && claim->text; claim++) {
        struct judgement judgement = claim_judge(claim, experiment, samples, quick);
        report_json_claim(claim, &judgement, json);
    }
    json_end_array(json);
    json_end_object(json);
}
