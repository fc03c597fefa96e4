/* The study of APIO: its published sets, as published and with a file system that is loaded. */
#ifndef WEIR_TESTS_PAPER_APIO_H
#define WEIR_TESTS_PAPER_APIO_H

/* How many seeds, at most 30, and the 97.5 % quantile of Student's t for that number. */
struct apio_study {
    int seeds;
    double student;
};

/* With the published 100 GB/s, where nothing is congested: APIO is within 1 % of min-max:gamma=0.5
 * in both measures, on every set and for every distribution. Prints the table. */
void apio_as_published(const struct apio_study *study);

/* With so little bandwidth that the load is this: prints the table, and checks what is documented
 * of it (docs/plans.md) for the means over all sets. */
void apio_congested(const struct apio_study *study, double load);

#endif
