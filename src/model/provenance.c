#include "model/provenance.h"
#include <math.h>

void provenance_json(const struct provenance *provenance, struct json *json)
{
    const struct platform *platform = &provenance->platform;
    if (!provenance->version)
        return;
    json_string(json, "weir", provenance->version);
    json_string(json, "scenario", provenance->scenario);
    json_integer(json, "seed", provenance->seed);
    json_begin_object(json, "platform");
    json_number(json, "nodes", platform->nodes > 0 ? platform->nodes : NAN);
    json_number(json, "node_bandwidth", platform->node_bandwidth);
    json_number(json, "bandwidth", platform->bandwidth);
    json_end_object(json);
}
