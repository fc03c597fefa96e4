/* An agenda: one time per slot, and at any moment the slot with the earliest.
 *
 * A winner tree: the slots are its leaves from left to right, and every inner node names the
 * earlier of its two children; equal times go to the lower slot. So the order is deterministic, a
 * change costs about log2(n) comparisons without following a pointer, a slot takes 12 bytes, and
 * nothing is allocated after agenda_init. */
#ifndef WEIR_BASE_AGENDA_H
#define WEIR_BASE_AGENDA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct agenda {
    int64_t *key;     /* of each slot: the bits of its time, which increase as the time does */
    uint32_t *winner; /* of each inner node, 1 .. slots-1; node n has the children 2n and 2n+1 */
    uint32_t slots;   /* even, so that two leaves are always each other's siblings */
    uint32_t deepest; /* the first node of the lowest level, on which slot 0 is */
};

/* All slots empty. Returns 0, or -1 when memory is out. */
int agenda_init(struct agenda *agenda, uint32_t slots);
void agenda_fini(struct agenda *agenda);

/* The time of a slot; INFINITY = none. */
static inline double agenda_get(const struct agenda *agenda, uint32_t slot)
{
    double time;
    memcpy(&time, &agenda->key[slot], sizeof time);
    return time;
}

/* The slot with the earliest time (any slot if all are empty), and that time. */
static inline uint32_t agenda_first(const struct agenda *agenda)
{
    return agenda->winner[1];
}
static inline double agenda_time(const struct agenda *agenda)
{
    return agenda_get(agenda, agenda->winner[1]);
}

/* The node of a slot's leaf. The lowest level may be too short for all; the others are leaves of
 * the level above. */
static inline size_t agenda_leaf(const struct agenda *agenda, uint32_t slot)
{
    uint32_t node = agenda->deepest + slot;
    return node - (node >= 2 * agenda->slots ? agenda->slots : 0);
}

/* Gives a slot a new time of 0 or later; INFINITY empties it. Inline, and with arithmetic instead
 * of unpredictable branches on the comparisons, because a simulation does little else. */
static inline void agenda_set(struct agenda *agenda, uint32_t slot, double time)
{
    int64_t key, rival_key;
    time += 0.0; /* not -0 */
    memcpy(&key, &time, sizeof key);
    agenda->key[slot] = key;
    uint32_t best = slot, rival = slot ^ 1;
    size_t node = agenda_leaf(agenda, slot);
    for (;; rival = agenda->winner[node ^ 1]) {
        rival_key = agenda->key[rival];
        /* A rival on the left, beside an odd node, has the lower slot and wins a draw. */
        int beaten = rival_key < key + (int64_t)(node & 1);
        best = beaten ? rival : best;
        key = beaten ? rival_key : key;
        node /= 2;
        /* Another slot won here before and still does: nothing changes further up. */
        if ((agenda->winner[node] == best) & (best != slot))
            return;
        agenda->winner[node] = best;
        if (node == 1)
            return;
    }
}

/* Empties the slot with the earliest time, and returns it: what agenda_set does with INFINITY,
 * faster, because all nodes on the way up name this slot. */
static inline uint32_t agenda_pop(struct agenda *agenda)
{
    static const double never = INFINITY;
    uint32_t slot = agenda->winner[1], best = slot ^ 1;
    memcpy(&agenda->key[slot], &never, sizeof never);
    int64_t key = agenda->key[best];
    for (size_t node = agenda_leaf(agenda, slot) / 2; node > 1; node /= 2) {
        agenda->winner[node] = best;
        uint32_t rival = agenda->winner[node ^ 1];
        int64_t rival_key = agenda->key[rival];
        int beaten = rival_key < key + (int64_t)(node & 1);
        best = beaten ? rival : best;
        key = beaten ? rival_key : key;
    }
    agenda->winner[1] = best;
    return slot;
}

#endif
