/* The synthetic family of Benoit et al. (2024), section 6.2, against the means that the authors'
 * program gives (data/synthetic_reference.csv, 10 instances per I/O pressure). */
#ifndef WEIR_TESTS_PAPER_SYNTHETIC_H
#define WEIR_TESTS_PAPER_SYNTHETIC_H

/* Simulates `instances` of each pressure of the file that is at least `lowest`, prints the table,
 * and checks: the mean MinYield and Efficiency of each strategy lie within the sampling error of
 * both means; best-next-event, exact here, has at least their MinYield; and floor has a MinYield
 * within 1 % of the best and more Efficiency than look-ahead. Call it in a cmocka test. */
void synthetic_compare(int instances, double lowest);

#endif
