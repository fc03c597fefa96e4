/* What was set at run time, in a file, so that it survives a restart.
 *
 * A line each, as `weir ctl set` writes it: "limit 200000000 application backup",
 * "weight 4 user 1042", "ops 500" for all, "policy fcfs", "bandwidth 2000000000", "control 0". */
#ifndef WEIR_DAEMON_STATE_H
#define WEIR_DAEMON_STATE_H

#include "base/err.h"
#include "daemon/rules.h"

/* Writes those that were changed, beside the file and then in its place. 0, or -1 and the file is
 * as before. Those for one running application are left out. */
int state_save(const char *path, const struct rules *rules, struct err *err);

/* Adds what stands in the file, if there is one. 0, or -1 with the line that is wrong. */
int state_load(const char *path, struct rules *rules, struct err *err);

#endif
