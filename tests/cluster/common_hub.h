/* A hub and agents with real nodes, in one world; the test plays the controller and carries the
 * frames. */
#ifndef WEIR_TESTS_CLUSTER_COMMON_HUB_H
#define WEIR_TESTS_CLUSTER_COMMON_HUB_H

#include "cluster/hub.h"
#include "cluster/uplink.h"

#define MS 1000000u
#define S  1000000000u
#define B  100.0 /* the bandwidth */

enum { AGENTS = 4, FRAMES = 256 };

struct parcel {
    uint32_t agent;
    size_t size;
    unsigned char *bytes;
};
struct mail {
    struct parcel parcels[FRAMES];
    int count;
};

struct agent {
    uint32_t number, member;
    uint64_t incarnation;
    struct node *node;
    struct uplink *uplink;
    bool connected, deaf; /* deaf: it does not read */
    struct seat seat;     /* of its program */
    double floor;         /* of its programs without a controller */
};

extern struct world {
    uint64_t now;
    struct hub *hub;
    struct agent agents[AGENTS];
    struct mail up, down; /* under way */
    char heard[4096];     /* events */
    bool refuses;
    uint64_t superseded;
    int closed;
} world;

/* --- a test in a world with so many agents: WITH_AGENTS(2, test) ------------------------------ */

int world_open_1(void **state);
int world_open_2(void **state);
int world_shut(void **state);
#define WITH_AGENTS(agents, test)                                                                  \
    cmocka_unit_test_setup_teardown(test, world_open_##agents, world_shut)

/* --- agents and their programs, by number ----------------------------------------------------- */

void agent_connect(uint32_t number);
void agent_cut(uint32_t number);     /* its connection */
void agent_restart(uint32_t number); /* without memory, and without a word to the hub */

/* Its program begins an I/O; waits until the hub has heard of it; is then granted this rate. */
void program_post(uint32_t number);
void program_wait(uint32_t number);
void program_hold(uint32_t number, double rate);
void program_end(uint32_t number);
bool program_is_free(uint32_t number);

/* --- the hub ---------------------------------------------------------------------------------- */

/* A new one; NULL when memory is out. */
struct hub *world_new_hub(struct err *err);

/* It takes the place of the hub, with this epoch; and with what agents may hold, NULL = unknown. */
void world_lead(uint64_t epoch);
void world_lead_after(uint64_t epoch, const double *held);

/* The controller decides on a rate, and that of a program. */
void world_grant(uint32_t number, double rate);

/* Forgets what was heard. */
void world_forget(void);

/* --- frames ----------------------------------------------------------------------------------- */

void mail_drop(struct mail *mail);

/* Agents, or the hub, put what they have to say under way; and what is under way arrives. */
void world_agents(void);
void world_deliver_up(void);
void world_hub(void);
void world_deliver_down(void);

/* Both: what agents say arrives; what the hub says does. */
void world_tell(void);
void world_answer(void);

/* Until nothing is under way; and for so many seconds, in which all that is due happens. */
void world_settle(void);
void world_pass(double seconds);

/* --- what must be ----------------------------------------------------------------------------- */

void assert_rate(uint32_t number, double rate); /* of a program */
void assert_held(double rate);                  /* of all, by what the hub knows */
void assert_heard(const char *events);

#endif
