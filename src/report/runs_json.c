#include "report/runs.h"

static void runs_json_write_app(const struct weir_app_metrics *app, struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "name", app->name);
    json_number(json, "nodes", app->nodes);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        json_number(json, app_measures[k].name, measure_of_app(&app_measures[k], app));
    json_end_object(json);
}

/* All users, or all accounts, if there are any. */
static void runs_json_write_parties(const struct row *row, enum party_kind kind, struct json *json)
{
    const struct row_parties *parties = &row->parties[kind];
    if (parties->count == 0)
        return;
    json_begin_array(json, party_kind_plurals[kind]);
    for (uint32_t i = 0; i < parties->count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", parties->list[i].name);
        for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
            json_number(json, party_measures[k].name,
                        measure_of_party(&party_measures[k], &parties->list[i]));
        json_end_object(json);
    }
    json_end_array(json);
}

/* All stores, if there are several. */
static void runs_json_write_stores(const struct row *row, struct json *json)
{
    if (row->store_count == 0)
        return;
    json_begin_array(json, "stores");
    for (uint32_t i = 0; i < row->store_count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", row->stores[i].name);
        for (size_t k = 0; k < STORE_MEASURE_COUNT; k++)
            json_number(json, store_measures[k].name,
                        measure_of_store(&store_measures[k], &row->stores[i]));
        json_end_object(json);
    }
    json_end_array(json);
}

/* All measures; what has no meaning is null. */
static void runs_json_write_measures(const char *key, const struct weir_metrics *metrics,
                                     struct json *json)
{
    json_begin_object(json, key);
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        json_number(json, measures[i].name, measure_of(&measures[i], metrics));
    json_end_object(json);
}

static void runs_json_write_row(const struct row *row, struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "policy", row->policy);
    runs_json_write_measures("metrics", &row->metrics, json);
    json_begin_array(json, "applications");
    for (uint32_t i = 0; i < row->count; i++)
        runs_json_write_app(&row->apps[i], json);
    json_end_array(json);
    runs_json_write_stores(row, json);
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        runs_json_write_parties(row, (enum party_kind)kind, json);
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

void knowledge_json(const struct knowledge *knowledge, struct json *json)
{
    char text[KNOWLEDGE_TEXT];
    json_string(json, "knowledge", knowledge_print(knowledge, text, sizeof text));
    json_number(json, "progress_age", knowledge->age);
}

void runs_json(const struct rows *rows, struct json *json)
{
    const struct row *first = &rows->list[0];
    json_begin_object(json, NULL);
    provenance_json(&first->made, json);
    runs_json_write_window(&first->window, json);
    knowledge_json(&first->knowledge, json);
    if (rows->bounds)
        runs_json_write_measures(RUNS_BOUND, rows->bounds, json);
    json_begin_array(json, "runs");
    for (size_t i = 0; i < rows->count; i++)
        runs_json_write_row(&rows->list[i], json);
    json_end_array(json);
    json_end_object(json);
}
