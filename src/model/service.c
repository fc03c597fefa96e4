#include "model/service.h"
#include <math.h>

const struct service service_defaults = {.platform = {.node_bandwidth = INFINITY},
                                         .policy = SERVICE_POLICY,
                                         .cluster = {.lease = SERVICE_LEASE},
                                         .soft_release = SERVICE_SOFT_RELEASE,
                                         .phase_gap = SERVICE_PHASE_GAP,
                                         .max_wait = SERVICE_MAX_WAIT};
