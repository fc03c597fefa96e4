/* Our own experiments: what they have in common. results/findings.md is their report. */
#ifndef WEIR_PAPER_FINDINGS_H
#define WEIR_PAPER_FINDINGS_H

/* The strategies that are compared, the bound that none passes, and a variant that only some
 * experiments run. The first is the baseline of relative measures. */
enum {
    OURS_GREEDY_YIELD,
    OURS_LOOK_AHEAD,
    OURS_FLOOR,
    OURS_CRITICAL,
    OURS_SURPLUS,
    OURS_PERIODIC,
    OURS_FAIR_SHARE,
    OURS_FCFS,
    OURS_SET_10,
    OURS_GREEDY_COM,
    OURS_STRATEGIES,
    OURS_BOUND = OURS_STRATEGIES,
    OURS_THRIFT
};
extern const char *const findings_series[];

/* Seeds of our own experiments begin here; those of the papers' are smaller. */
enum { FINDINGS_SEED = 1001 };

#endif
