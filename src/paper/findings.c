#include "paper/findings.h"
#include <stddef.h>

const char *const findings_series[] = {
    [OURS_GREEDY_YIELD] = "greedy-yield",
    [OURS_LOOK_AHEAD] = "look-ahead-greedy-yield",
    [OURS_FLOOR] = "floor",
    [OURS_CRITICAL] = "critical-yield",
    [OURS_SURPLUS] = "surplus",
    [OURS_PERIODIC] = "periodic-greedy-yield",
    [OURS_FAIR_SHARE] = "fair-share",
    [OURS_FCFS] = "fcfs",
    [OURS_SET_10] = "set-10",
    [OURS_GREEDY_COM] = "greedy-com",
    [OURS_BOUND] = "bound",
    [OURS_THRIFT] = "surplus:thrift=0.03",
    NULL,
};
