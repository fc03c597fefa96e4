/* A planner for the strategy of a live controller (model/planner.h): it plans in a thread, while
 * the controller goes on. */
#ifndef WEIR_SERVE_PLAN_WORKER_H
#define WEIR_SERVE_PLAN_WORKER_H

#include "model/planner.h"
#include <stdatomic.h>
#include <uv.h>

struct plan_worker {
    struct planner planner; /* what the strategy is given */
    uv_loop_t *loop;
    uv_work_t work;
    bool busy;
    uint64_t asked; /* the number of the last question */
    /* Of the thread while it is busy: */
    struct tasks tasks;
    struct planner_question question;
    struct plan *plan;
    atomic_bool stop;
    void (*answered)(void *context); /* called in the loop when there is an answer, or NULL */
    void *context;
};

void plan_worker_init(struct plan_worker *worker, uv_loop_t *loop);

/* Asks a search that is under way to end; the loop then has to run until it has ended, before
 * plan_worker_fini. */
void plan_worker_stop(struct plan_worker *worker);
void plan_worker_fini(struct plan_worker *worker);

#endif
