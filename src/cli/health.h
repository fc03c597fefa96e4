/* Whether a controller or an agent is well: what people and monitoring ask first. */
#ifndef WEIR_CLI_HEALTH_H
#define WEIR_CLI_HEALTH_H

#include "cli/snapshot.h"

/* Prints one line for each check, `ok` or `warning`, or JSON. Returns how many are warnings. */
int health_print(const struct snapshot *snapshot, bool as_json);

#endif
