/* Splitting the bandwidth between groups of applications (thesis section V.B).
 *
 * An application is a volume v per iteration and a load v / t, where t = work + v / bmax is the
 * length of an iteration alone. A group I has a share B_I of the bandwidth B, and its members use
 * it one at a time. Wanted are groups and shares with
 *
 *     sum of B_I <= B,    sum of v / t over a group <= B_I
 *
 * for which the largest (max v / min v) * (B / B_I), a simplified stretch (eq. V.1), is smallest.
 */
#ifndef WEIR_POLICY_PARTITION_H
#define WEIR_POLICY_PARTITION_H

#include <weir/policy.h>

struct partition_app {
    double volume; /* v, mean over the iterations */
    double load;   /* v / t, bytes/s */
    uint32_t id;   /* the caller's */
};

struct partition_group {
    double ratio; /* max v / min v */
    double load;  /* of its members */
    double share; /* B_I */
    uint32_t first, count;
};

/* The best way to divide the applications up to one of them. */
struct partition_step {
    double cost;   /* bytes/s that its groups need */
    double unit;   /* smallest load / ratio of its groups */
    uint32_t last; /* where its last group begins */
};

/* The problem and its solution. */
struct partition {
    double bandwidth; /* B */
    uint32_t count, group_count;
    struct partition_app *apps;     /* once solved, by increasing volume */
    struct partition_group *groups; /* by increasing volume; members are apps[first ..] */
    struct partition_step *steps;   /* room to work in: one more than applications */
    double load;                    /* of all */
    double stretch;                 /* the objective: of the worst group */
    double bound;                   /* no partition at all, contiguous or not, is below this */
};

/* Room for `capacity` applications, and the place of everything in it. Begins an empty problem. */
#define PARTITION_ROOM                                                                             \
    (sizeof(struct partition_app) + sizeof(struct partition_group) + sizeof(struct partition_step))
#define PARTITION_EXTRA sizeof(struct partition_step) /* besides, once */
void partition_place(struct partition *partition, void *room, uint32_t capacity);

/* Adds an application by its profile. False, and nothing is added, if that has no I/O. */
bool partition_add(struct partition *partition, const struct weir_app *facts, uint32_t id);

/* Finds the best of the partitions that are contiguous in v, with the shares that suit it best,
 * which together are the whole bandwidth. Where loads do not matter an optimal partition is
 * contiguous; where they fill the bandwidth one that is not may be better, and `bound` tells by how
 * much at most. O(n^2) for each improvement, of which there are few. False if the load exceeds the
 * bandwidth: no shares are enough, and all are in one group with all of it. At least one
 * application. */
bool partition_solve(struct partition *partition);

#endif
