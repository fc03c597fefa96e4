/* Which of several strategies to use instead of the present one, by how even delays are, how much
 * the nodes achieve, or both. */
#ifndef WEIR_COMPARE_CHOICE_H
#define WEIR_COMPARE_CHOICE_H

#include "metric/measure.h"
#include "policy/policy.h"
#include <stdbool.h>
#include <stddef.h>

enum choice_goal { CHOICE_FAIRNESS, CHOICE_EFFICIENCY, CHOICE_BOTH };
enum { CHOICE_MEASURES = 2 }; /* of fairness and of efficiency */

/* A gain or a loss below this part is not worth a change, */
#define CHOICE_WORTH 0.005
/* and strategies that differ by less are equal. */
#define CHOICE_EQUAL 0.001

/* The part of the present value that a change is, however small that is; of another value if the
 * present one is 0, and 0 if both are. */
double choice_part(double change, double now, double else_of);

/* What strategies reached in the same runs. The first strategy is the present one. */
struct choice_table {
    const struct measure *measures[CHOICE_MEASURES];
    const double *values[CHOICE_MEASURES]; /* [run * strategies + strategy]; NAN = unknown */
    const unsigned *needs;                 /* of each strategy, its flags */
    size_t runs, strategies;
};

/* The measures that are meant, in a window or of a whole run. */
const struct measure *choice_measure(enum choice_goal goal, bool windowed);

/* What a strategy changes in one measure. */
enum choice_effect { CHOICE_NONE, CHOICE_BETTER, CHOICE_WORSE };
struct choice_gain {
    double now, mean;  /* of the runs that both have */
    double difference; /* of these */
    double margin;     /* of its 95 % interval; NAN with a single run */
    double gain;       /* part by which it is better than now, negative if worse */
    double wins;       /* part of the runs in which it is better */
    size_t runs;
    enum choice_effect effect; /* sure, and worth mentioning; of a single run, worth mentioning */
};
struct choice_gain choice_gain(const struct choice_table *table, size_t strategy, int measure);

/* The strategy to use; 0 = the present one. A strategy qualifies if it is better in the measure of
 * the goal; for both, if it is better in one and not worse in the other. The largest gain wins, for
 * both the sum of the gains. Among equals the one wins that is better in the other measure, and
 * else the one that needs to know least. */
size_t choice_find(const struct choice_table *table, enum choice_goal goal);

/* Whether no strategy differs from the present one by more than CHOICE_IDLE, in either measure. */
#define CHOICE_IDLE 0.02
bool choice_is_idle(const struct choice_table *table);

#endif
