/* How long something that changes had which values. */
#ifndef WEIR_FORMAT_TALLY_H
#define WEIR_FORMAT_TALLY_H

/* A zeroed struct is empty. Of very many values some that were soon gone are forgotten. */
enum { TALLY_MOST = 8 };
struct tally {
    int count;
    double values[TALLY_MOST], seconds[TALLY_MOST];
};

/* It had the value for this many seconds more. */
void tally_add(struct tally *tally, double value, double seconds);

/* The value that it had for the longest time, the latest of several, 0 if there is none; and that
 * part of the time. */
double tally_most(const struct tally *tally, double *part);

#endif
