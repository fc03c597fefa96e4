#include "report/runs.h"
#include <math.h>

enum { LABEL_SIZE = 256 };

static void runs_json_write_app(const struct workload *workload, const struct run *run,
                                uint32_t index, struct json *json)
{
    const struct app *app = &workload->apps[index];
    char label[LABEL_SIZE];
    json_begin_object(json, NULL);
    json_string(json, "name", app_label(app, label, sizeof label));
    json_number(json, "nodes", workload->nodes_known ? app->facts.nodes : NAN);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        json_number(json, app_measures[k].name,
                    measure_of_app(&app_measures[k], &run->apps[index]));
    json_end_object(json);
}

/* All users, or all accounts, if there are any. */
static void runs_json_write_parties(const struct workload *workload, const struct run *run,
                                    enum party_kind kind, struct json *json)
{
    const struct parties *parties = &workload->parties[kind];
    if (!run->parties[kind] || parties->count == 0)
        return;
    json_begin_array(json, party_kind_plurals[kind]);
    for (uint32_t i = 0; i < parties->count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", parties->names[i]);
        for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
            json_number(json, party_measures[k].name,
                        measure_of_party(&party_measures[k], &run->parties[kind][i]));
        json_end_object(json);
    }
    json_end_array(json);
}

static void runs_json_write_run(const struct workload *workload, const struct run *run,
                                struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "policy", run->policy);
    json_begin_object(json, "metrics");
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        json_number(json, measures[i].name, measure_of(&measures[i], &run->metrics));
    json_end_object(json);
    json_begin_array(json, "applications");
    for (uint32_t i = 0; i < workload->count; i++)
        runs_json_write_app(workload, run, i, json);
    json_end_array(json);
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        runs_json_write_parties(workload, run, (enum party_kind)kind, json);
    json_end_object(json);
}

static void runs_json_write_window(const struct window *window, struct json *json)
{
    if (window->kind != WINDOW_FIXED) {
        json_string(json, "window", NULL);
        return;
    }
    json_begin_object(json, "window");
    json_number(json, "start", window->start);
    json_number(json, "end", window->end);
    json_end_object(json);
}

void runs_json(const struct runs *runs, const struct provenance *provenance, struct json *json)
{
    json_begin_object(json, NULL);
    provenance_json(provenance, json);
    runs_json_write_window(&runs->workload->window, json);
    json_begin_array(json, "runs");
    for (size_t i = 0; i < runs->count; i++)
        runs_json_write_run(runs->workload, &runs->list[i], json);
    json_end_array(json);
    json_end_object(json);
}
