#include "base/maths.h"
#include "report/map_report.h"
#include <math.h>

enum { LABEL = 64 };

static void write_rules(const struct map_run *run, struct json *json)
{
    json_string(json, "method", map_method_names[run->rules.method]);
    json_string(json, "order", map_order_names[run->order]);
    json_number(json, "sensitivity",
                run->rules.method == MAP_METHOD_FIRST_FIT ? INFINITY : run->rules.sensitivity);
    json_bool(json, "backfill", run->rules.backfill);
    json_integer(json, "io_nodes", run->rules.io_nodes);
    json_string(json, "policy", run->policy);
    json_begin_object(json, "metrics");
#define X(name, unit, sense, help) json_number(json, #name, run->metrics.name);
    MAP_METRICS(X)
#undef X
    json_end_object(json);
}

/* Part k begins at start + k width; the last one ends with the last job. */
static void write_usage(const struct workload *workload, const struct mapping *mapping,
                        struct json *json)
{
    static const char *const names[USAGE_KINDS] = {"work", "io", "delayed"};
    double start = mapping->usage.start, width = mapping->usage.width;
    json_begin_object(json, "usage");
    json_number(json, "start", start);
    json_number(json, "width", width);
    for (int kind = 0; kind < USAGE_KINDS; kind++) {
        json_begin_array(json, names[kind]);
        for (uint32_t i = 0; i < USAGE_PARTS && start + i * width < mapping->makespan; i++) {
            double shares[USAGE_KINDS];
            const double span[] = {start + i * width,
                                   maths_min(start + (i + 1) * width, mapping->makespan)};
            map_usage(workload, mapping, span, shares);
            json_number(json, NULL, shares[kind]);
        }
        json_end_array(json);
    }
    json_end_object(json);
}

static void write_job(const struct workload *workload, const struct mapping *mapping, uint32_t i,
                      struct json *json)
{
    const struct placed_job *job = &mapping->jobs[i];
    char label[LABEL];
    json_begin_object(json, NULL);
    json_string(json, "name", app_label(&workload->apps[i], label, sizeof label));
    json_number(json, "nodes", workload->apps[i].facts.nodes);
    json_integer(json, "io_node", job->io_node);
    if (job->pack != MAPPING_NO_PACK)
        json_integer(json, "pack", job->pack);
    json_number(json, "arrival", job->arrival);
    json_number(json, "start", job->start);
    json_number(json, "end", job->end);
    json_number(json, "stretch", map_stretch(workload, mapping, i));
    json_end_object(json);
}

void map_json(const struct map_runs *runs, const struct provenance *provenance, struct json *json)
{
    const struct workload *workload = runs->workload;
    json_begin_object(json, NULL);
    provenance_json(provenance, json);
    json_number(json, "io_load", workload_io_load(workload));
    json_begin_array(json, "runs");
    for (size_t i = 0; i < runs->count; i++) {
        const struct map_run *run = &runs->list[i];
        json_begin_object(json, NULL);
        write_rules(run, json);
        write_usage(workload, run->mapping, json);
        json_begin_array(json, "jobs");
        for (uint32_t k = 0; k < workload->count; k++)
            write_job(workload, run->mapping, k, json);
        json_end_array(json);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}
