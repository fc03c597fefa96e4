/* Which agents there are, and which of them are lost. */
#include "base/json.h"
#include "base/maths.h"
#include "serve/cluster_inner.h"
#include "serve/metrics.h"

static const char *metrics_state_of(const struct hub_member_view *view, bool own)
{
    return own               ? "own"
           : view->refuses   ? "refuses"
           : view->connected ? (view->reported ? "connected" : "reporting")
                             : "lost";
}

void metrics_write_nodes(const struct cluster *cluster, uint64_t now, FILE *out)
{
    struct json json = {.out = out, .pretty = true};
    double lease = cluster->service->cluster.lease;
    struct hub_member_view view;
    json_begin_object(&json, NULL);
    json_bool(&json, "leads", hub_is_active(cluster->hub));
    json_begin_array(&json, "nodes");
    for (uint32_t member = 0; member < hub_members(cluster->hub); member++) {
        if (!hub_member(cluster->hub, now, member, &view))
            continue;
        json_begin_object(&json, NULL);
        json_string(&json, "name", view.node);
        json_string(&json, "state", metrics_state_of(&view, member == cluster->own));
        json_number(&json, "silence", view.silence);
        json_number(&json, "lease", maths_max(0, lease - view.silence));
        json_number(&json, "held", view.held);
        json_integer(&json, "applications", view.applications);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}
