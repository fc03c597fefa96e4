#include "report/description.h"
#include <math.h>

static void write_row(const struct description_row *row, struct json *json)
{
    bool found = row->detected.length > 0;
    json_begin_object(json, NULL);
    json_string(json, "name", row->name);
    json_integer(json, "count", row->count);
    json_number(json, "nodes", row->nodes);
    json_number(json, "bandwidth", row->bmax);
    json_number(json, "iterations", row->iterations);
    json_number(json, "work", row->work);
    json_number(json, "io", row->volume);
    json_number(json, "period", row->period);
    json_number(json, "ideal_time", row->ideal);
    json_number(json, "detected_period", found ? row->detected.length : NAN);
    json_number(json, "confidence", found ? row->detected.confidence : NAN);
    json_end_object(json);
}

static void write_sets(const struct description *description, struct json *json)
{
    json_begin_array(json, "sets");
    for (int n = MAGNITUDE_FIRST; n <= MAGNITUDE_LAST; n++) {
        uint32_t count = description->sets[n - MAGNITUDE_FIRST];
        if (count == 0)
            continue;
        json_begin_object(json, NULL);
        json_number(json, "set", n);
        json_integer(json, "applications", count);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_congestion(const struct description *description, struct json *json)
{
    const struct run *run = description->run;
    json_begin_object(json, "congestion");
    json_string(json, "policy", run ? run->policy : NULL);
    json_string(json, "not_simulated", run ? NULL : description_obstacle(description));
    json_number(json, "share_of_time", description->congested);
    json_number(json, "io_slowdown", run ? run->metrics.io_slowdown : NAN);
    json_number(json, "max_stretch", run ? run->metrics.max_stretch : NAN);
    json_number(json, "min_yield", run ? run->metrics.min_yield : NAN);
    json_end_object(json);
}

static void write_timeline(const struct description *description, struct json *json)
{
    json_begin_object(json, "timeline");
    json_number(json, "start", description->start);
    json_number(json, "end", description->end);
    json_begin_array(json, "demand");
    for (int part = 0; part < DESCRIPTION_PARTS; part++)
        json_number(json, NULL, description->demand[part]);
    json_end_array(json);
    json_end_object(json);
}

void description_json(const struct description *description, const struct provenance *provenance,
                      struct json *json)
{
    const struct workload *workload = description->workload;
    json_begin_object(json, NULL);
    provenance_json(provenance, json);
    json_integer(json, "application_count", workload->count);
    json_number(json, "volume", description->volume);
    json_number(json, "io_pressure", workload->io_pressure);
    json_begin_object(json, "busiest_hour");
    json_number(json, "start", description->busiest.start);
    json_number(json, "io_pressure", description->busiest.pressure);
    json_end_object(json);
    json_number(json, "io_weight", description->io_weight);
    json_number(json, "io_load", workload_io_load(workload));
    json_number(json, "shortest_period", description->shortest);
    json_number(json, "longest_period", description->longest > 0 ? description->longest : NAN);
    write_sets(description, json);
    write_congestion(description, json);
    write_timeline(description, json);
    json_begin_array(json, "applications");
    for (size_t i = 0; i < description->row_count; i++)
        write_row(&description->rows[i], json);
    json_end_array(json);
    json_end_object(json);
}
