#include "serve/route.h"

static int route_hear(void *context, uint64_t now, const struct node_message *event,
                      struct err *err)
{
    struct route *route = context;
    (void)err;
    return uplink_hear(route->uplink, now, route->channel, event);
}

/* The uplink has turns of its own. */
static void route_pass(void *context, uint64_t now)
{
    (void)context;
    (void)now;
}

static uint64_t route_next(void *context)
{
    (void)context;
    return UINT64_MAX;
}

static const struct live_head route_head = {
    route_hear, route_pass, route_pass, route_pass, route_next,
};

void route_all(struct route *routes, struct uplink *uplink, struct channels *channels)
{
    for (uint32_t i = 0; i < channels->count; i++) {
        struct live *live = channels->list[i].live;
        routes[i] = (struct route){uplink, i};
        live_route(live, &route_head, &routes[i]);
        uplink_bind(uplink, i, live->node);
    }
}
