/* Every strategy of the library, in the order in which people should see them. A new one is one
 * file with one ops table, and one line here. */
#ifndef WEIR_POLICY_STRATEGIES_H
#define WEIR_POLICY_STRATEGIES_H

#include <weir/policy.h>

#define STRATEGIES(X)                                                                              \
    X(fair_share)                                                                                  \
    X(best_effort)                                                                                 \
    X(fcfs)                                                                                        \
    X(greedy_yield)                                                                                \
    X(greedy_com)                                                                                  \
    X(look_ahead_greedy_yield)                                                                     \
    X(periodic_greedy_yield)                                                                       \
    X(set_10)                                                                                      \
    X(best_next_event)                                                                             \
    X(clearing)                                                                                    \
    X(critical_yield)                                                                              \
    X(surplus)                                                                                     \
    X(floor)                                                                                       \
    X(min_dilation)                                                                                \
    X(max_syseff)                                                                                  \
    X(min_max)                                                                                     \
    X(pace)                                                                                        \
    X(list)                                                                                        \
    X(periodic)                                                                                    \
    X(groups)                                                                                      \
    X(plan)                                                                                        \
    X(apio)                                                                                        \
    X(replan)

#define X(name) extern const struct weir_policy_ops policy_##name;
STRATEGIES(X)
#undef X

#endif
