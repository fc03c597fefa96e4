/* What each application did in all, recorded when it leaves. The last records are kept for
 * `weir status --finished`. */
#ifndef WEIR_CONTROLLER_ACCOUNT_H
#define WEIR_CONTROLLER_ACCOUNT_H

#include "base/json.h"
#include "wire/message.h"

struct application;

/* The record of an application that leaves now, after the last bytes it moved were counted. */
void account_settle(const struct application *app, double now, struct wire_done *done);

/* Writes what it did into the object that is open: its I/Os, bytes, times and stretch. */
void account_write(struct json *json, const struct wire_done *done);

/* How many records are kept. They are numbered from 0; a new one replaces the oldest. */
enum { ACCOUNTS_KEPT = 256 };
struct accounts {
    uint64_t count; /* in all */
    struct wire_done list[ACCOUNTS_KEPT];
};

void accounts_add(struct accounts *accounts, const struct wire_done *done);

/* The number of the first of the last `most`. */
uint64_t accounts_first(const struct accounts *accounts, uint32_t most);

/* The record of a number below `count`, or NULL if it is no longer kept. */
const struct wire_done *accounts_find(const struct accounts *accounts, uint64_t number);

#endif
