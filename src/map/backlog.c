#include "map/backlog.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* An empty leaf never lowers a minimum. */
static const struct job_demand empty = {INFINITY, INFINITY, INFINITY};

int backlog_init(struct backlog *backlog, uint32_t count)
{
    *backlog = (struct backlog){.leaves = 1};
    /* A power of two: then all leaves are on one level, and a node's parent is its half. */
    while (backlog->leaves < count)
        backlog->leaves *= 2;
    backlog->least = mem_alloc((size_t)backlog->leaves * 2, sizeof *backlog->least);
    if (!backlog->least)
        return -1;
    for (size_t i = 0; i < (size_t)backlog->leaves * 2; i++)
        backlog->least[i] = empty;
    return 0;
}

void backlog_fini(struct backlog *backlog)
{
    free(backlog->least);
    *backlog = (struct backlog){0};
}

void backlog_add(struct backlog *backlog, uint32_t place, struct job_demand demand)
{
    uint32_t node = backlog->leaves + place;
    backlog->least[node] = demand;
    /* Only the minima on the way to the root can change. */
    for (node /= 2; node > 0; node /= 2) {
        const struct job_demand *a = &backlog->least[2 * node], *b = a + 1;
        backlog->least[node] = (struct job_demand){
            maths_min(a->nodes, b->nodes), maths_min(a->time, b->time), maths_min(a->io, b->io)};
    }
}

void backlog_remove(struct backlog *backlog, uint32_t place)
{
    backlog_add(backlog, place, empty);
}

/* Whether some job below this node may fit. The minima may come from different jobs, so only a leaf
 * gives a certain answer. An empty leaf, of INFINITY nodes, never fits, even into INFINITY. */
static bool backlog_fits(const struct job_demand *least, const struct job_demand *free)
{
    return least->nodes <= free->nodes && least->time <= free->time && least->io <= free->io &&
           least->nodes < INFINITY;
}

/* The first place after the leaves below this node. */
static uint32_t end_of(const struct backlog *backlog, uint32_t node)
{
    uint32_t size = 1;
    for (; node < backlog->leaves; node *= 2)
        size *= 2;
    return node - backlog->leaves + size;
}

uint32_t backlog_first(const struct backlog *backlog, const struct job_demand *free,
                       const uint32_t range[2])
{
    /* From the first leaf on: into the left child where a subtree may have a fit, past it where it
     * has none. A subtree that looked promising by minima of different jobs is left again at its
     * leaves. */
    uint32_t node = backlog->leaves + range[0];
    while (range[0] < range[1]) {
        if (backlog_fits(&backlog->least[node], free)) {
            if (node >= backlog->leaves) {
                uint32_t place = node - backlog->leaves;
                /* A subtree may reach beyond the range. */
                return place < range[1] ? place : BACKLOG_NONE;
            }
            node *= 2;
            continue;
        }
        /* On to the next subtree: up while this is a right child, then to the right. */
        if (end_of(backlog, node) >= range[1])
            return BACKLOG_NONE;
        while (node % 2 == 1)
            node /= 2;
        node++;
    }
    return BACKLOG_NONE;
}
