/* What agents hold of one bandwidth: grants are lowered first, and raised into what is free.
 *
 * What an agent may hold is the most of what it was ordered since it last acknowledged; it is
 * counted until then, or until the agent gives it back. So the sum of all that agents hold is at
 * most the bandwidth at any moment, although orders take their time. */
#ifndef WEIR_CLUSTER_LEDGER_H
#define WEIR_CLUSTER_LEDGER_H

#include "base/maths.h"
#include <stdbool.h>
#include <stdint.h>

struct channel_ledger {
    double bandwidth;
    struct sum held; /* by all agents */
    double unseen;   /* what others may hold, of the controller before, that have not reported */
};

/* An application on one node. A zeroed one holds nothing. */
struct holding {
    double chosen;     /* bytes/s that its agent is to have, */
    double held;       /* and the most that it may have */
    uint64_t sequence; /* of the frame with `chosen`, */
    bool pending;      /* which has not been sent */
    bool uncounted;    /* it proves that it moves, at no cost to others */
};

/* Lowers it, if that is less than it is to have. `pending` if so. */
void ledger_lower(struct holding *holding, double wanted);

/* Whether it should have more; and gives it more, as far as there is room, which is `pending`
 * then. False: there is not enough room for it now. */
bool ledger_wants_more(const struct holding *holding, double wanted);
bool ledger_raise(struct channel_ledger *ledger, struct holding *holding, double wanted);

/* Its order was sent in the frame of this number; frames up to this one are acknowledged. */
void ledger_sent(struct channel_ledger *ledger, struct holding *holding, uint64_t sequence);
void ledger_acknowledge(struct channel_ledger *ledger, struct holding *holding, uint64_t sequence);

/* The agent says that it holds this now, and has no order under way: 0 = it gave it back. */
void ledger_report(struct channel_ledger *ledger, struct holding *holding, double rate);

/* It is of an agent that has reported for the first time: what it holds is no longer unseen. */
void ledger_see(struct channel_ledger *ledger, const struct holding *holding);

/* From now on it is counted, or it is not. If that is new, it holds nothing so far. */
void ledger_count(struct channel_ledger *ledger, struct holding *holding, bool counted);

#endif
