/* What a live controller is told before it starts: its configuration. */
#ifndef WEIR_MODEL_SERVICE_H
#define WEIR_MODEL_SERVICE_H

#include "base/arena.h"
#include "model/limit.h"
#include "model/platform.h"
#include "model/shares.h"
#include "model/stores.h"
#include <stdbool.h>
#include <stdint.h>

/* The cluster that it controls, or is a node of. */
struct service_cluster {
    const char *listen;      /* the controller: ADDRESS[:PORT] for agents, NULL = no cluster */
    const char *controllers; /* an agent: HOST[:PORT], several separated by commas */
    const char *name;        /* an agent: of its node, NULL = the host's */
    const char *munge;       /* socket of munged, NULL = its usual one */
    uint32_t agent_uid;      /* besides root, the user that agents may run as */
    uint32_t controller_uid; /* an agent: the user that the controllers run as */
    const char *leader; /* the controller: where a leader is elected, NULL = it is the only one */
    double lease;       /* seconds that a grant is valid without news from the controller */
    double floor;       /* bytes/s of each application after that, 0 = it runs unthrottled */
};

struct service {
    struct platform platform; /* nodes may be 0: as many as needed */
    const char *socket;       /* path */
    const char *policy;       /* as `--policy` writes it */
    const char *journal;      /* path, NULL = none */
    const char *state;        /* path of what was set at run time, NULL = it is forgotten */
    const char *cgroup;       /* path of a cgroup v2 directory, NULL = the kernel limits nothing */
    struct stores stores;     /* none = all regular files are controlled */
    struct limits limits;
    struct service_cluster cluster;
    const struct shares
        *shares;         /* of accounts and users, whose names are their uids; NULL = none */
    double soft_release; /* seconds of quiet after which the bandwidth is lent to others */
    double phase_gap;    /* seconds of quiet after which an I/O is over, at the start; adapts */
    double max_wait;     /* seconds that a call waits at most, whatever the strategy decides */
    struct arena arena;  /* owns what was read from a file; the owner of the service frees it */
};

/* What a service is unless it is told otherwise. */
extern const struct service service_defaults;

#define SERVICE_SOFT_RELEASE 0.002
#define SERVICE_PHASE_GAP    0.05
#define SERVICE_MAX_WAIT     30.0
#define SERVICE_POLICY       "fair-share"
#define SERVICE_LEASE        4.0
#define SERVICE_LEAST_LEASE  0.5
#define SERVICE_MOST_PAUSE   1e6 /* of soft_release and phase_gap */
#define SERVICE_MOST_WAIT    1e9
#define SERVICE_MOST_LEASE   60.0

#endif
