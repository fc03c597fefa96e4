/* The rules that keep the sum of all grants within the bandwidth, whatever the network, the nodes
 * and the controllers do.
 *
 * They always hold. Only the fault simulation (tests/cluster) is built so that it can leave one
 * out, which shows that the rule is needed. */
#ifndef WEIR_CLUSTER_LEASE_H
#define WEIR_CLUSTER_LEASE_H

#include <stdbool.h>

#define LEASE_RULES(X)                                                                             \
    X(ECHO, "a lease counts from the agent's own stamp, which the controller echoes")              \
    X(MARGIN, "the controller counts what an agent holds for the drift of clocks longer")          \
    X(KEEP, "what an agent holds counts until its lease ends, also when it is disconnected")       \
    X(RESTART, "what an agent held counts until its lease ends, also when it was restarted")       \
    X(LOWER_FIRST, "a grant is raised only into what no agent holds any more")                     \
    X(ACKNOWLEDGE, "a lower grant frees bandwidth when the agent has acknowledged it")             \
    X(FENCE, "an agent obeys no epoch below the highest it has heard of, which others respect")    \
    X(TERM, "a controller orders nothing after the time for which it was elected")                 \
    X(ADOPT, "a new controller takes what agents report as held")                                  \
    X(WAIT, "a new controller raises only into what agents have reported, for a lease")            \
    X(EXPIRE, "an agent whose lease has ended lets its programs run unthrottled")                  \
    X(RELENT, "a program waits no longer than a lease for a controller in office")                 \
    X(GAP, "what follows a lost frame does not count before a full report")                        \
    X(ABSENT, "an application that a full report lacks has left")                                  \
    X(LATEST, "a grant that crosses a pause on its way is not obeyed")

#define LEASE_ENUM(name, text) LEASE_##name,
enum lease_rule { LEASE_RULES(LEASE_ENUM) LEASE_RULES_COUNT };
#undef LEASE_ENUM

/* Whether a rule holds. */
#ifdef WEIR_RULES_CAN_BREAK
extern enum lease_rule lease_broken; /* LEASE_RULES_COUNT = none */
static inline bool lease_holds(enum lease_rule rule)
{
    return rule != lease_broken;
}
#else
static inline bool lease_holds(enum lease_rule rule)
{
    (void)rule;
    return true;
}
#endif

#endif
