/* A gatherer between a controller and nodes that are all played by the test. */
#ifndef WEIR_TESTS_CLUSTER_CROWD_H
#define WEIR_TESTS_CLUSTER_CROWD_H

#include "cluster/gather.h"

#define MS 1000000u

enum { MEMBERS = 8, APPS = 4, EVENTS = 64 };

/* What a node does with an application. */
struct played {
    uint32_t phase;
    double rate;
    bool open;
    struct node_limit limit;
};

/* All of them, what the controller heard and what it grants. */
struct crowd {
    struct gather *gather;
    uint64_t now;
    struct node_message events[EVENTS];
    int count;
    bool refuses;
    struct played nodes[MEMBERS][APPS];
    int orders;
    double bound; /* that the rates of the parts with token 0 keep; 0 = not checked */
};

void crowd_open(struct crowd *crowd);

/* Members 0 and 1 have joined with one application, and opened the first I/O of 10 bytes each. */
void crowd_open_two(struct crowd *crowd);

/* The events since the last call: these types and no others. */
void crowd_heard(struct crowd *crowd, const char *types);

/* Lets time pass until nothing is due. */
void crowd_settle(struct crowd *crowd);

/* An event of a member, whose node does what it does with such an event. */
int crowd_hear(struct crowd *crowd, uint32_t member, struct node_message event);

/* The same for some events; all but the first and the last are of the member's application 0. */
void crowd_join(struct crowd *crowd, uint32_t member, uint32_t app, uint64_t token);
void crowd_post(struct crowd *crowd, uint32_t member, uint32_t phase, double volume);
void crowd_pause(struct crowd *crowd, uint32_t member, uint32_t phase, bool probing);
void crowd_resume(struct crowd *crowd, uint32_t member, uint32_t phase);
void crowd_progress(struct crowd *crowd, uint32_t member, double moved);
void crowd_end(struct crowd *crowd, uint32_t member, uint32_t phase, double moved);
void crowd_leave(struct crowd *crowd, uint32_t member, uint32_t app, double moved);

/* The controller grants its application 0 a rate, and orders are sent. */
void crowd_grant(struct crowd *crowd, uint32_t phase, double rate);

/* What a member's application 0 holds; and what an application of this number holds on all. */
double crowd_rate(const struct crowd *crowd, uint32_t member);
double crowd_held(const struct crowd *crowd, uint32_t app);
#endif
