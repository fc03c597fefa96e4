/* Who loses how much because of whom: a sparse matrix of groups. */
#ifndef WEIR_BLAME_PAIRS_H
#define WEIR_BLAME_PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct blame_pair {
    uint32_t suffers, causes; /* groups; may be the same */
    double lost;              /* seconds that the one loses because of the other */
    double together;          /* seconds in which both do I/O */
    uint64_t met;             /* times that an I/O of one begins during one of the other */
};

/* A zeroed struct is empty. */
struct blame_pairs {
    struct blame_pair *list; /* in the order in which they came */
    size_t count, capacity;
    uint32_t *table; /* places in the list, + 1, by hash */
    size_t size;     /* of the table, a power of two */
};

/* The pair, which is added if there is none. NULL when memory is out; valid until the next call. */
struct blame_pair *pairs_get(struct blame_pairs *pairs, uint32_t suffers, uint32_t causes);
void pairs_fini(struct blame_pairs *pairs);

#endif
