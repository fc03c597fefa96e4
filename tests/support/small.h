/* Small workloads written down in a line each, run, and compared with schedules made by hand. */
#ifndef WEIR_TESTS_SUPPORT_SMALL_H
#define WEIR_TESTS_SUPPORT_SMALL_H

#include "model/outcome.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "policy/policy.h"

enum { SMALL_APPS = 80, SMALL_ITERATIONS = 64 };

struct plan;
struct watcher;

struct small {
    struct workload workload;
    struct app apps[SMALL_APPS];
    struct iteration iterations[SMALL_APPS][SMALL_ITERATIONS];
    struct app_rare rare[SMALL_APPS]; /* may be changed before the run */
    double lengths[SMALL_APPS];       /* the same; workload.lengths */
    double release_latency;           /* of the runs, 0 at first */
    const struct workload *expected;  /* volumes, NULL at first, */
    bool blind;                       /* and those of first I/Os are guesses; false at first */
    double progress_age;              /* 0 at first */
    const struct sim_order *order;    /* of the posts, NULL at first */
    const struct plan *plan;          /* for strategies that follow one, NULL at first */
    struct store store;               /* if the platform refers to it */
    double factors[8];                /* room for its curve, */
    struct health_change changes[8];  /* and its health */
    const struct watcher *watcher;    /* instead of a timeline, NULL at first */
};

/* A file system of this bandwidth, without applications or a window. */
void small_init(struct small *small, double bandwidth);

/* Adds an application of one node and weight 1, released at 0: "w3 v40 w1" is work of 3 s, an I/O
 * of 40 bytes and work of 1 s; a final "x5" repeats everything five times. The result may be
 * changed before the run. */
struct app *small_add(struct small *small, double bmax, const char *phases);

/* As small_add, from iterations. */
struct app *small_add_list(struct small *small, double bmax, const struct iteration *list,
                           uint32_t count);

/* Makes an application of one iteration do it so many times. */
void small_repeat(struct app *app, uint32_t times);

/* It has been running for `age` seconds at time 0, with this much progress. */
void small_age(struct app *app, double age, double progress);

void small_window(struct small *small, double start, double end);

/* Runs with the invariants checked; an error fails the test. `timeline` may be NULL.
 * outcome_free frees. */
struct outcome *small_run(struct small *small, const char *policy, struct timeline *timeline);
struct outcome *small_run_policy(struct small *small, const struct policy *policy,
                                 struct timeline *timeline);

/* Runs, and compares what each application did with a lane of alternating dates and states, as in
 * "0 work 2 wait 3 io@10 4.5". One lane per application; dates and rates have 7 digits. */
void small_expect(struct small *small, const char *policy, const char *const *lanes);

/* The same for a strategy that follows this plan. */
void small_expect_plan(struct small *small, const char *policy, const struct plan *plan,
                       const char *const *lanes);

/* Fails unless the value is this one to a relative tolerance (absolute below 1). */
void expect_near(double value, double expected, double tolerance);

#endif
