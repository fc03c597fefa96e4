/* The inside of `replan`, for its files and tests: what it has learnt, and whether it follows a
 * plan.
 */
#ifndef WEIR_POLICY_REPLAN_H
#define WEIR_POLICY_REPLAN_H

#include "model/planner.h"
#include "policy/follow.h"
#include "policy/habit.h"
#include "policy/online.h"

struct learner {
    struct habit habit;
    double ended;     /* its last I/O, or when it joined; */
    double length;    /* of the iteration that ended then; */
    double done_work; /* its work until then */
    /* How long its iterations are: */
    uint64_t epoch;      /* replan->epoch, or what follows is not valid */
    double begun;        /* the end of its first I/O, */
    uint32_t iterations; /* and those that it has finished since */
    bool known;          /* it belongs to those that a plan has to have */
    bool steady;         /* and its last iterations were alike */
};

enum replan_stage {
    REPLAN_LEARNING,  /* no plan, and none is being made */
    REPLAN_ASKING,    /* the planner is at work */
    REPLAN_FOLLOWING, /* a plan */
    REPLAN_DECLINED,  /* there is no plan that promises more */
};

struct replan {
    const struct planner *planner;
    bool thorough;
    enum plan_objective objective;
    uint32_t stable;
    double drift;
    enum replan_stage stage;
    uint64_t number;          /* of the question, */
    double score;             /* and how good the online strategy is, 0 = not known */
    uint32_t known, unsteady; /* applications that belong to the plan, and those not steady yet */
    uint64_t epoch;           /* one more whenever other applications, or with another plan, run; */
    double since;             /* when that was */
    double again;             /* ask again after a plan was declined, or judge the plan again */
    double wait;              /* before the next attempt with a plan, after one that failed */
    double longest;           /* iteration that is known of, */
    double next_ask;          /* which passes at least between two questions */
    double next_look;         /* for applications that are silent */
    struct learner *learners; /* by id */
    struct tasks tasks;       /* of the last question; */
    double *lengths;          /* how long their iterations really were, 0 = not known; */
    uint32_t *kinds;          /* the first one among them of the same kind; */
    uint32_t *places;         /* by id: 1 + its number among them, 0 = none */
    struct pacing pacing;
    struct follow follow;
    struct online online;
};

/* From now on iterations are measured afresh. */
static inline void replan_begin_epoch(struct replan *replan, const struct weir_view *view)
{
    replan->epoch++;
    replan->since = view->now;
}

/* Asks for a plan, if all applications are steady; */
void replan_ask(struct replan *replan, const struct weir_view *view);
/* takes the answer if there is one, and follows it if it promises more than there was; */
void replan_hear(struct replan *replan, const struct weir_view *view);
/* and stops if the plan does not keep what it promised. */
void replan_judge(struct replan *replan, const struct weir_view *view);

#endif
