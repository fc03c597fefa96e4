/* An agenda: one date per slot, and at any time the slot with the earliest one.
 *
 * A winner tree: slot i is a leaf, every inner node names the earlier of its two children, equal
 * dates going to the lower slot. So the order is deterministic, a change costs at most log2(n)
 * comparisons without a pointer followed, and nothing is ever allocated after agenda_init. */
#ifndef WEIR_BASE_AGENDA_H
#define WEIR_BASE_AGENDA_H

#include <stdint.h>

struct agenda {
    double *date;     /* of each slot; INFINITY = none */
    uint32_t *winner; /* root at 1, inner nodes 1 .. leaves-1, leaf i at leaves + i */
    uint32_t leaves;  /* a power of two, at least 2 */
};

/* All slots empty. Returns 0, or -1 when memory is out. */
int agenda_init(struct agenda *agenda, uint32_t slots);
void agenda_fini(struct agenda *agenda);

/* The slot with the earliest date (any slot if all are empty), and that date. */
static inline uint32_t agenda_first(const struct agenda *agenda)
{
    return agenda->winner[1];
}
static inline double agenda_date(const struct agenda *agenda)
{
    return agenda->date[agenda->winner[1]];
}

/* Gives a slot a new date; INFINITY empties it. Inline, and with arithmetic instead of branches on
 * the comparisons, which nothing could predict, because a simulation does little else. */
static inline void agenda_set(struct agenda *agenda, uint32_t slot, double date)
{
    agenda->date[slot] = date;
    uint32_t best = slot;
    for (uint32_t node = agenda->leaves + slot; node > 1; node /= 2) {
        uint32_t rival = agenda->winner[node ^ 1];
        double rival_date = agenda->date[rival];
        /* A rival on the left, beside an odd node, has the lower slot and wins a draw. */
        uint32_t beaten = (rival_date < date) | ((rival_date == date) & node);
        best ^= (best ^ rival) & -beaten;
        date = rival_date < date ? rival_date : date;
        /* Somebody else has won here before and does so again: nothing changes further up. */
        if ((agenda->winner[node / 2] == best) & (best != slot))
            return;
        agenda->winner[node / 2] = best;
    }
}

#endif
