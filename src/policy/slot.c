#include "policy/slot.h"
#include <math.h>

static const struct plan_instance *slot_instance(struct slots slots, size_t index)
{
    return &slots.plan->instances[slots.plan->apps[slots.app].first + index];
}

static double slot_begin(struct slots slots, size_t index)
{
    return slots.plan->pieces[slot_instance(slots, index)->first].start;
}

/* When its period begins. All times are computed from it in the same way, so that they round alike.
 */
static double slot_period(struct slots slots, struct slot slot)
{
    return slots.origin + slot.round * slots.plan->period;
}

double slot_work(struct slots slots, struct slot slot)
{
    return slot_period(slots, slot) + slot_instance(slots, slot.index)->start;
}

double slot_time(struct slots slots, struct slot slot)
{
    return slot_period(slots, slot) + slot_begin(slots, slot.index);
}

double slot_end(struct slots slots, struct slot slot)
{
    const struct plan_instance *instance = slot_instance(slots, slot.index);
    return slot_period(slots, slot) + slots.plan->pieces[instance->first + instance->count - 1].end;
}

double slot_planned_volume(struct slots slots)
{
    const struct plan_instance *instance = slot_instance(slots, 0);
    double bytes = 0;
    for (size_t i = 0; i < instance->count; i++) {
        const struct plan_piece *piece = &slots.plan->pieces[instance->first + i];
        bytes += piece->rate * (piece->end - piece->start);
    }
    return bytes;
}

double slot_planned_work(struct slots slots)
{
    double least = INFINITY;
    for (size_t i = 0; i < slots.plan->apps[slots.app].count; i++) {
        double work = slot_begin(slots, i) - slot_instance(slots, i)->start;
        least = work < least ? work : least;
    }
    return least;
}

/* A plan has instances by the start of their I/O, from that of the first one on for a period, so
 * rounds are counted from there; then a binary search within the round. */
struct slot slot_from(struct slots slots, double time)
{
    struct slot slot = {floor((time - slots.origin - slot_begin(slots, 0)) / slots.plan->period),
                        0};
    size_t low = 0, high = slots.plan->apps[slots.app].count;
    while (low < high) {
        slot.index = low + (high - low) / 2;
        if (slot_time(slots, slot) < time)
            low = slot.index + 1;
        else
            high = slot.index;
    }
    if (low == slots.plan->apps[slots.app].count)
        return (struct slot){slot.round + 1, 0};
    slot.index = low;
    return slot;
}

struct slot slot_after(struct slots slots, struct slot slot)
{
    if (slot.index + 1 == slots.plan->apps[slots.app].count)
        return (struct slot){slot.round + 1, 0};
    return (struct slot){slot.round, slot.index + 1};
}

bool slot_before(struct slot a, struct slot b)
{
    return a.round < b.round || (a.round == b.round && a.index < b.index);
}

/* *piece is kept by the caller from one look to the next: time moves on, so each piece is passed
 * once. */
bool slot_piece(struct slots slots, struct slot slot, double time, size_t *piece,
                struct plan_piece *found)
{
    const struct plan_instance *instance = slot_instance(slots, slot.index);
    double shift = slot_period(slots, slot);
    for (; *piece < instance->count; ++*piece) {
        *found = slots.plan->pieces[instance->first + *piece];
        found->start += shift;
        found->end += shift;
        if (found->end > time)
            return true;
    }
    return false;
}
