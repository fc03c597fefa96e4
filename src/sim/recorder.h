/* Turns what the engine does into a timeline of segments. */
#ifndef WEIR_SIM_RECORDER_H
#define WEIR_SIM_RECORDER_H

#include "model/watcher.h"

struct recorder;

struct recorder *recorder_new(struct timeline *timeline, uint32_t count); /* NULL: no memory */
void recorder_free(struct recorder *recorder);                            /* NULL is fine */

/* What the run is to be followed by. */
struct watcher recorder_watcher(struct recorder *recorder);
/* Whether a segment was lost for want of memory. */
int recorder_failed(const struct recorder *recorder);

#endif
