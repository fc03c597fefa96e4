/* A whole cluster on virtual time, made from one seed: programs, agents with real nodes and
 * uplinks, controllers with real hubs, gatherers and strategies, a model of the election by a lease
 * in etcd, and a network between them that delays, loses, repeats and reorders frames and is cut.
 * Processes are killed, stopped for a while, and started again without memory; clocks drift.
 *
 * After every step the promises are checked (check.c). Then everything heals, and a few seconds
 * later all must be as if nothing had happened. */
#ifndef WEIR_TESTS_FAULTS_WORLD_H
#define WEIR_TESTS_FAULTS_WORLD_H

#include "base/random.h"
#include "cluster/gather.h"
#include "cluster/hub.h"
#include "cluster/lease.h"
#include "cluster/uplink.h"
#include "controller/controller.h"

#define BANDWIDTH 100e6 /* bytes/s */
#define SPAN      2.0
#define BEAT      0.5
#define DRIFT     0.01
#define TERM      1.0  /* seconds of the election's lease */
#define HEAL      14.0 /* when the last fault is over, */
#define END       19.0 /* and when all must be well again, */
#define TRANSIT   0.5  /* but for what is on its way: two round trips of the slowest network */
#define FREE      40e6 /* bytes/s of a program that runs unthrottled */

enum { AGENTS = 5, CONTROLLERS = 2, PROGRAMS = 10, CONNECTIONS = 4096, FAULTS = 10 };
enum { NOBODY = -1 };

/* True time is in nanoseconds from 0; a process reads it from a clock of its own. */
struct clock {
    uint64_t base;
    double rate; /* close to 1 */
};
uint64_t clock_read(const struct clock *clock, uint64_t now);
/* The first true time at which the clock shows this, UINT64_MAX = never. */
uint64_t clock_when(const struct clock *clock, uint64_t shown);

/* --- what is going to happen ------------------------------------------------------------------ */

#define KINDS(X)                                                                                   \
    X(UP)        /* a frame reaches a controller, */                                               \
    X(DOWN)      /* or an agent */                                                                 \
    X(HELLO)     /* an agent wants to connect, */                                                  \
    X(WELCOME)   /* and may */                                                                     \
    X(REFUSED)   /* or may not */                                                                  \
    X(DIAL)      /* it tries */                                                                    \
    X(LOST_UP)   /* a controller finds that a connection is gone, */                               \
    X(LOST_DOWN) /* or an agent does */                                                            \
    X(PROGRAM)   /* a program goes on */                                                           \
    X(CAMPAIGN)  /* a controller asks to lead: a request leaves, */                                \
    X(REQUEST)   /* arrives, */                                                                    \
    X(ELECTED)   /* and is answered */                                                             \
    X(FAULT)     /* a fault begins, */                                                             \
    X(MEND)      /* or ends */                                                                     \
    X(HEALED)    /* the last one has ended */
#define KIND_ENUM(name) KIND_##name,
enum kind { KINDS(KIND_ENUM) KINDS_COUNT };
#undef KIND_ENUM

struct event {
    uint64_t at, order;
    enum kind kind;
    int who;               /* agent, controller, program or fault */
    int with;              /* connection, or the other side */
    uint64_t number, more; /* what else there is to say */
    void *bytes;
    size_t size;
};

/* --- the parts -------------------------------------------------------------------------------- */

/* A process: whether it runs, and which start of it this is. */
struct process {
    bool alive;
    uint64_t life;
    uint64_t frozen; /* until this time it is stopped */
    struct clock clock;
    uint64_t due; /* when it has something to do, by true time */
};

struct agent {
    struct process process;
    struct node *node;
    struct uplink *uplink;
    int connection; /* or NOBODY */
    int dialled;    /* the controller it tried last, */
    uint64_t attempt;
    bool dialling;
    uint64_t next_look, next_beat; /* by its clock */
    uint64_t served; /* true time of its start, or of the latest frame of a controller in office */
    uint64_t epoch;  /* the highest that it has heard of in this life */
    bool deaf, mute; /* it does not read; it cannot send */
};

struct candidate { /* a controller */
    struct process process;
    struct hub *hub;
    struct gather *gather;
    struct controller *controller;
    uint64_t next_look, next_beat; /* by its clock */
    bool apart;                    /* from etcd */
};

struct connection {
    int agent, controller;
    uint64_t agent_life, controller_life;
    bool agent_open, controller_open;
    uint32_t member;
    uint64_t last[2]; /* when the latest frame up and down arrives: they keep their order */
};

struct program {
    int agent;
    uint64_t token;
    double nodes;
    struct seat seat;
    uint64_t serial;  /* of its next step: earlier ones do not count */
    bool io;          /* it does I/O, */
    bool stalls;      /* which does not go on at the moment */
    double left;      /* bytes */
    double moved;     /* in all */
    double speed;     /* bytes/s, since */
    uint64_t since;   /* this true time */
    uint64_t waiting; /* since when it waits, UINT64_MAX = it does not */
    double kept;      /* bytes/s that its agent, which was killed, had granted it, */
    uint64_t keeps;   /* and until when it goes on with that */
};

/* Between an agent and a controller, in one direction. */
struct path {
    bool cut, keeps; /* keeps: what is sent meanwhile arrives later */
    uint64_t until;
};

struct etcd {
    int holder;
    uint64_t life, expires, revision;
    bool closed; /* the leader before has ended as it should, */
    double held; /* and agents may have held this */
};

struct fault {
    int kind, who, with;
    uint64_t until;
    double much;
};

struct world {
    uint64_t seed, now, order, connections_made;
    struct random random;
    struct event *events; /* a heap */
    size_t event_count, event_capacity;
    int agents, programs;
    const char *policy;
    double latency; /* seconds that a frame is under way at most, if nothing disturbs it */
    bool terms; /* controllers know when their term is over; otherwise only epochs are checked */
    bool calm;  /* only controllers fail */
    uint32_t version; /* of the messages that agents speak */
    struct service service;
    struct agent agent[AGENTS];
    struct candidate candidate[CONTROLLERS];
    struct program program[PROGRAMS];
    struct connection connection[CONNECTIONS];
    struct path path[AGENTS][CONTROLLERS][2];
    struct etcd etcd;
    struct fault fault[FAULTS];
    int noisy; /* faults that disturb all frames */
    bool healed;
    bool trace;
    uint64_t steps;
    char broken[256]; /* the promise that was broken */
};

/* Runs one seed. False: a promise was broken, which is in `broken`. */
bool world_run(struct world *world, uint64_t seed, bool trace);

/* --- between the files ------------------------------------------------------------------------ */

#define SECONDS(s) ((uint64_t)((s)*1e9))

void world_say(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
void world_break(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
double world_between(struct world *world, double low, double high);
bool world_chance(struct world *world, double p);
void world_push(struct world *world, uint64_t delay, struct event event);

/* Agents and their programs. */
void agent_start(struct world *world, int number);
void agent_kill(struct world *world, int number);
void agent_act(struct world *world, int number); /* does what is due, and notes what is next */
void agent_hear(struct world *world, struct event *event);
void agent_hang_up(struct world *world, int number);
uint64_t agent_now(const struct world *world, int number);
void program_start(struct world *world, int number);
void program_step(struct world *world, int number, uint64_t serial);
void program_move(struct world *world, int number); /* up to now; and notes its new speed */
void program_look(struct world *world, int number); /* its agent has */
void program_heal(struct world *world, int number);

/* Controllers and their election. */
void candidate_start(struct world *world, int number);
void candidate_kill(struct world *world, int number);
void candidate_stop(struct world *world, int number); /* as it should be */
void candidate_act(struct world *world, int number);
void candidate_hear(struct world *world, struct event *event);
void etcd_serve(struct world *world, const struct event *event);
uint64_t candidate_now(const struct world *world, int number);

/* The network: a frame of a connection, up or down; the end of a connection, told to the other
 * side. */
enum direction { GOES_UP, GOES_DOWN };
void network_send(struct world *world, int connection, enum direction direction, const void *bytes,
                  size_t size);
void network_end(struct world *world, int connection, enum direction direction);
/* Sends anything else. */
void network_carry(struct world *world, const struct path *path, struct event event);

/* Faults. */
void fault_plan(struct world *world);
void fault_begin(struct world *world, int number);
void fault_mend(struct world *world, int number);

/* Checks the promises that always hold; and that all is well again. */
void check_step(struct world *world);
void check_end(struct world *world);
bool check_is_divided(const struct world *world); /* as the strategy divides the bandwidth */

#endif
