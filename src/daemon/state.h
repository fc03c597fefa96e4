/* What was set at run time, in a file, so that it survives a restart.
 *
 * One line per setting, as `weir ctl set` writes it: "limit 200000000 application backup", "weight
 * 4 user 1042", "ops 500" for all, "policy fcfs", "bandwidth 2000000000", "control 0". A setting
 * for one of several stores begins with its name: "/project: policy fcfs". */
#ifndef WEIR_DAEMON_STATE_H
#define WEIR_DAEMON_STATE_H

#include "base/err.h"
#include "daemon/rules.h"

/* The rules of each store, "" = the platform's; rules for all stores are taken from the first. */
struct state_rules {
    const struct rules *const *rules;
    const char *const *stores;
    uint32_t count;
};

/* Writes the changed rules to a new file and renames it. 0, or -1 and the file is unchanged. Rules
 * for one running application are left out. */
int state_save(const char *path, const struct state_rules *rules, struct err *err);

/* Passes each setting in the file, if there is one, to `take`. 0, or -1 with the line that is wrong
 * or that `take` refuses. */
typedef int state_take(void *context, const struct wire_set *set, struct err *err);
int state_load(const char *path, state_take *take, void *context, struct err *err);

#endif
