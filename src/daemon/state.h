/* What was set at run time, in a file, so that it survives a restart.
 *
 * A line each, as `weir ctl set` writes it: "limit 200000000 application backup",
 * "weight 4 user 1042", "ops 500" for all, "policy fcfs", "bandwidth 2000000000", "control 0". What
 * is for one of several stores has its name in front: "/project: policy fcfs". */
#ifndef WEIR_DAEMON_STATE_H
#define WEIR_DAEMON_STATE_H

#include "base/err.h"
#include "daemon/rules.h"

/* The rules of each store, "" = of the platform; what holds for all is taken from the first. */
struct state_rules {
    const struct rules *const *rules;
    const char *const *stores;
    uint32_t count;
};

/* Writes those that were changed, beside the file and then in its place. 0, or -1 and the file is
 * as before. Those for one running application are left out. */
int state_save(const char *path, const struct state_rules *rules, struct err *err);

/* Hands over what stands in the file, if there is one. 0, or -1 with the line that is wrong, or of
 * which `take` says so. */
typedef int state_take(void *context, const struct wire_set *set, struct err *err);
int state_load(const char *path, state_take *take, void *context, struct err *err);

#endif
