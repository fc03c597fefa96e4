/* How often should an application write checkpoints? What theory says of one that runs alone, and
 * what a failure costs.
 *
 * With a mean time M between failures, checkpoints of C seconds after every tau seconds of work,
 * and R seconds to restart, the work W takes M e^(R/M) (e^((tau + C)/M) - 1) W / tau seconds on
 * average (Daly, FGCS 2006, eq. 20): failures come at random, also while a checkpoint is written.
 */
#ifndef WEIR_CHECKPOINT_INTERVAL_H
#define WEIR_CHECKPOINT_INTERVAL_H

struct failures {
    double between; /* M, seconds */
    double restart; /* R, seconds */
};

/* The interval of Young (1974), sqrt(2 C M). */
double interval_young(double cost, double between);

/* That of Daly, eq. 37; M if a checkpoint takes 2 M or longer. */
double interval_daly(double cost, double between);

/* The seconds that the work takes on average; INFINITY if it never ends. */
double interval_expected(const struct failures *failures, double work, double interval,
                         double cost);

/* The same with whole checkpoints: one after every interval, and one at the end, after a part that
 * may be shorter. */
double interval_expected_whole(const struct failures *failures, double work, double interval,
                               double cost);

/* How many that are, at least 1; the last part is what is left, unless rounding alone made it. */
double interval_count(double work, double interval);

/* The interval that makes interval_expected least: exact, where Daly's is a series. */
double interval_best(const struct failures *failures, double cost);

#endif
