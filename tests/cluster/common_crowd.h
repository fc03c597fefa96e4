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
extern struct crowd {
    struct gather *gather;
    uint64_t now;
    struct node_message events[EVENTS];
    int count;
    bool refuses;
    struct played nodes[MEMBERS][APPS];
    int orders;
    double bound; /* that the rates of the parts with token 0 keep; 0 = not checked */
} crowd;

/* A crowd in which nobody has joined, and its end. */
void crowd_open(void);
void crowd_close(void);

/* A test in such a crowd; and in one whose members 0 and 1 have joined with one application, and
 * opened the first I/O of 10 bytes each. */
int crowd_open_none(void **state);
int crowd_open_two(void **state);
int crowd_end_test(void **state);
#define WITH_NONE(test) cmocka_unit_test_setup_teardown(test, crowd_open_none, crowd_end_test)
#define WITH_TWO(test)  cmocka_unit_test_setup_teardown(test, crowd_open_two, crowd_end_test)

/* The events since the last call: these types and no others. */
void crowd_heard(const char *types);

/* Lets time pass until nothing is due. */
void crowd_settle(void);

/* What a member says that joins with an application 0 of this user, token and number of nodes. */
struct node_message crowd_joining(uint64_t token, double nodes);

/* An event of a member, whose node does what it does with such an event. */
int crowd_hear(uint32_t member, struct node_message event);

/* The same for some events; all but the first and the last are of the member's application 0. */
void crowd_join(uint32_t member, uint32_t app, uint64_t token);
void crowd_post(uint32_t member, uint32_t phase, double volume);
void crowd_pause(uint32_t member, uint32_t phase, bool probing);
void crowd_resume(uint32_t member, uint32_t phase);
void crowd_progress(uint32_t member, double moved);
void crowd_end(uint32_t member, uint32_t phase, double moved);
void crowd_leave(uint32_t member, uint32_t app, double moved);

/* The controller grants its application 0 a rate, and orders are sent. */
void crowd_grant(uint32_t phase, double rate);

/* A report of a member that has only application 0 of token 0, with this I/O; 0 = none is open. */
void crowd_report(uint32_t member, uint32_t phase);

/* What a member's application 0 holds; and what an application of this number holds on all. */
double crowd_rate(uint32_t member);
double crowd_held(uint32_t app);
#endif
