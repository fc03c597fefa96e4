/* What was set at run time, in a file, so that it survives a restart.
 *
 * One line per setting, as `weir ctl set` writes it: "limit 200000000 application backup", "weight
 * 4 user 1042", "ops 500" for all, "policy fcfs", "bandwidth 2000000000", "control 0". A setting
 * for one of several stores begins with its name: "/project: policy fcfs". */
#ifndef WEIR_SERVE_STATE_H
#define WEIR_SERVE_STATE_H

#include "base/aside.h"
#include "base/err.h"
#include "controller/rules.h"

/* The rules of each store, "" = the platform's; rules for all stores are taken from the first. */
struct state_rules {
    const struct rules *const *rules;
    const char *const *stores;
    uint32_t count;
};

/* A save that is under way, since the file did not answer. Starts with zeros. */
struct state_saving {
    struct aside *aside;
    struct state_file *file;
};

/* Nanoseconds for which a save, and a read in the loop, is waited for. */
#define STATE_PATIENCE 100000000u

enum { STATE_LATER = -2 };

/* Writes the changed rules to a new file and renames it, in another thread. 0; -1 and the file is
 * unchanged; STATE_LATER with err if it does not answer: this save, or the one before, is under
 * way. Rules for one running application are left out. */
int state_save(struct state_saving *saving, const char *path, const struct state_rules *rules,
               struct err *err);
bool state_is_late(const struct state_saving *saving); /* it is under way still */
void state_leave(struct state_saving *saving);         /* leaves it to itself */

/* Passes each setting in the file, if there is one, to `take`. 0, or -1 with the line that is wrong
 * or that `take` refuses, or since the file does not answer within `limit` nanoseconds. */
typedef int state_take(void *context, const struct wire_set *set, struct err *err);
int state_load(const char *path, uint64_t limit, state_take *take, void *context, struct err *err);

#endif
