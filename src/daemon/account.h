/* What applications did in all, once they have left: an entry each, and the last ones are kept for
 * those who ask. */
#ifndef WEIR_DAEMON_ACCOUNT_H
#define WEIR_DAEMON_ACCOUNT_H

#include "wire/message.h"

struct application;

/* The entry of an application that leaves now; what it moved is absorbed already. */
void account_settle(const struct application *app, double now, struct wire_done *done);

/* The number that is kept. Entries are numbered from 0, and the oldest gives way. */
enum { ACCOUNTS_KEPT = 256 };
struct accounts {
    uint64_t count; /* in all */
    struct wire_done list[ACCOUNTS_KEPT];
};

void accounts_add(struct accounts *accounts, const struct wire_done *done);

/* The number of the first of the last `most`. */
uint64_t accounts_first(const struct accounts *accounts, uint32_t most);

/* The entry of a number below `count`, or NULL if it is no longer kept. */
const struct wire_done *accounts_find(const struct accounts *accounts, uint64_t number);

#endif
