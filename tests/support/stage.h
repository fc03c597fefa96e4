/* A live controller with made-up time, and applications that are played by the test. */
#ifndef WEIR_TESTS_SUPPORT_STAGE_H
#define WEIR_TESTS_SUPPORT_STAGE_H

#include "serve/channel.h"

/* Time and controller of a test: 100 bytes/s, fcfs unless said, pauses after 2 ms and ends after
 * 50 ms. */
struct stage {
    struct service service;
    struct channel channel;
    uint64_t now;
};

void stage_open(struct stage *stage, const char *policy);
void stage_close(struct stage *stage);
/* Begins again with this strategy, which is taken over, and the service as it is now. */
void stage_control(struct stage *stage, struct policy *policy);

/* Lets time pass, with a turn of the controller whenever it wants one. */
void stage_pass(struct stage *stage, double seconds);

/* A process of a user joins the application of this name and number. */
struct seat stage_attach(struct stage *stage, uint32_t uid, const char *name, uint64_t number);

/* ... and announces this account. */
struct seat stage_attach_for(struct stage *stage, uint32_t uid, const char *account,
                             uint64_t number);

/* What a process does: begins a call and claims bytes, ends it and has moved them; says that an I/O
 * begins, of unknown volume if 0, and ends. */
void stage_enter(struct stage *stage, struct seat *seat, uint64_t bytes);
void stage_exit(struct stage *stage, struct seat *seat, uint64_t bytes);
void stage_begin(struct stage *stage, struct seat *seat, double volume);
void stage_end(struct stage *stage, struct seat *seat);

/* A program that writes all the time, as its page allows: to be called every millisecond or so. */
void stage_write_on(struct stage *stage, struct seat *seat);

/* The rate that its page grants: 0 = it waits, -1 = not limited. */
double stage_rate(const struct seat *seat);

/* How the controller knows it. */
struct application *stage_application(struct stage *stage, const struct seat *seat);

/* What a QUERY says of it. */
struct wire_app stage_describe(struct stage *stage, const struct seat *seat);

#endif
