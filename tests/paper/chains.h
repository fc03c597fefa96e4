/* The findings of Vidal (thesis 2022, section II.D.3) on periodic applications that share one file
 * system: makespans, as means over intervals of the weight of I/O W (Figures II.4 to II.6). */
#ifndef WEIR_TESTS_PAPER_CHAINS_H
#define WEIR_TESTS_PAPER_CHAINS_H

#include <stdint.h>

/* Each simulates so many instances of its family, prints the table and checks it. Call them in
 * cmocka tests. */

/* UNIFORM, relative to Hierarchical Round-Robin: without noise best effort is up to 60 % slower and
 * fifo less than 10 %; with noise best effort is still slower than fifo. */
void uniform_compare(uint32_t instances);
void uniform_compare_noisy(uint32_t instances);

/* GENERAL, relative to best effort: lists are better than periodic orders while there is little
 * I/O, and the periodic orders are alike. Where there is much I/O the thesis prefers periodic
 * orders to lists; here that holds for fifo and johnson, and most-remaining is better than all of
 * them. */
void general_compare(uint32_t instances);
/* The same with noise, beside the same without. */
void general_compare_noisy(uint32_t instances, double noise);

#endif
