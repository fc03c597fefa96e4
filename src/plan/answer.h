/* Answers to the questions of strategies (model/planner.h). */
#ifndef WEIR_PLAN_ANSWER_H
#define WEIR_PLAN_ANSWER_H

#include "model/planner.h"

/* The plan for a question, or NULL: there is none that can be followed, or memory is out. `stop`,
 * unless NULL, is asked from time to time whether to end the search with what it has.
 * plan_free frees. */
struct plan *answer_plan(const struct planner_question *question, bool (*stop)(void *context),
                         void *context);

/* A planner that plans at once, so that the strategy has the answer when it has asked. */
struct direct_planner {
    struct planner planner; /* what a strategy is given */
    struct plan *plan;
    uint64_t asked;
};
void direct_planner_init(struct direct_planner *direct);
void direct_planner_fini(struct direct_planner *direct);

#endif
