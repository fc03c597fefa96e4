/* The state of a running controller at one moment. */
#ifndef WEIR_CLI_SNAPSHOT_H
#define WEIR_CLI_SNAPSHOT_H

#include "cli/where.h"
#include <stdbool.h>
#include <stddef.h>

struct snapshot {
    struct wire_agent agent;   /* if it is the agent of a node: its node is not ""; else */
    struct wire_status status; /* of the controller, with its only or first bandwidth; */
    struct wire_status channels[WIRE_CHANNELS]; /* with the others */
    size_t channel_count;
    struct wire_app *apps; /* those that hold bandwidth first, the most of it foremost */
    size_t count, capacity;
    struct wire_done *done; /* the latest last; their times are seconds since 1970 */
    size_t done_count, done_capacity;
    bool out_of_memory;
    struct wire_refused refused; /* why there is no answer, "" = there is one */
};

/* Asks the controller there. 0 or -1; snapshot_fini in both cases. */
int snapshot_take(struct snapshot *snapshot, const struct where *where, struct wire_query query,
                  struct err *err);
void snapshot_fini(struct snapshot *snapshot);

#endif
