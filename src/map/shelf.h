/* Packs under construction, by decreasing number of used nodes (equal ones in the order of their
 * creation), searched for the first with room for a job.
 *
 * A sorted list in blocks. Each block knows the most I/O that one of its packs has room for, so a
 * search skips whole blocks: it costs one look per block and a few blocks' packs. */
#ifndef WEIR_MAP_SHELF_H
#define WEIR_MAP_SHELF_H

#include <stdbool.h>
#include <stdint.h>

/* A pack: its used nodes and bytes, and the bytes it may move in its time (S b T). */
struct shelf_pack {
    double nodes, volume, limit;
    uint32_t id;
};

/* What a job needs of a pack: the bytes it adds, the bytes that the pack may move if it lasts as
 * long as the job, and the most nodes that the pack may already use. */
struct shelf_want {
    double nodes, volume, limit;
};

struct shelf;
struct shelf *shelf_new(void);        /* NULL when memory is out */
void shelf_free(struct shelf *shelf); /* NULL is fine */

/* Inserts a pack at its place. 0, or -1 when memory is out. */
int shelf_put(struct shelf *shelf, struct shelf_pack pack);

/* Removes the first pack with room for the job, which then moves at most what the longer of the two
 * permits; false if there is none. */
bool shelf_take(struct shelf *shelf, const struct shelf_want *want, struct shelf_pack *pack);

#endif
