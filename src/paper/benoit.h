/* The strategies that Benoit et al. (2024) compare, and floor, which is ours. */
#ifndef WEIR_PAPER_BENOIT_H
#define WEIR_PAPER_BENOIT_H

enum { FAIR_SHARE, FCFS, SET_10, GREEDY_YIELD, GREEDY_COM, LOOK_AHEAD, PERIODIC, BEST_NEXT, FLOOR };
extern const char *const benoit_series[];

#endif
