/* How a strategy gets plans while it runs: its host offers a planner. The simulator's answers at
 * once; that of a live controller works in a thread of its own. */
#ifndef WEIR_MODEL_PLANNER_H
#define WEIR_MODEL_PLANNER_H

#include "model/plan.h"

struct planner_question {
    const struct tasks *tasks; /* copied; names are not needed */
    enum plan_objective objective;
    bool thorough; /* search for seconds, not milliseconds */
};

struct planner {
    /* Begins to plan, and drops the plan before. Returns the number of the question, or 0 if an
     * earlier one is not answered yet, or memory is out: ask again later. */
    uint64_t (*ask)(void *context, const struct planner_question *question);
    /* Whether the question of this number is answered; *plan is then valid until the next question,
     * or NULL if there is no plan. */
    bool (*answer)(void *context, uint64_t number, const struct plan **plan);
    void *context;
};

#endif
