/* Packs that are being made, by decreasing number of used nodes (equal ones in the order of their
 * creation), to find the first one with room for a job.
 *
 * A sorted list in blocks. Each block knows the most I/O that one of its packs has room for, so a
 * search passes over whole blocks, and costs the square root of their number. */
#ifndef WEIR_MAP_SHELF_H
#define WEIR_MAP_SHELF_H

#include <stdbool.h>
#include <stdint.h>

/* A pack: what it uses, and the bytes that it may move in its time (S b T). */
struct shelf_pack {
    double nodes, volume, limit;
    uint32_t id;
};

/* A job that looks for a pack: its bytes, those that a pack may move if it lasts as long as the
 * job, and the most nodes that others may use already. */
struct shelf_want {
    double nodes, volume, limit;
};

struct shelf;
struct shelf *shelf_new(void);        /* NULL when memory is out */
void shelf_free(struct shelf *shelf); /* NULL is fine */

/* Puts a pack in its place. 0, or -1 when memory is out. */
int shelf_put(struct shelf *shelf, struct shelf_pack pack);

/* Takes out the first pack with room for the job, which then moves at most what the longer of the
 * two permits; false if there is none. */
bool shelf_take(struct shelf *shelf, const struct shelf_want *want, struct shelf_pack *pack);

#endif
