/* Turns what the engine does into a timeline of segments. */
#ifndef WEIR_SIM_RECORDER_H
#define WEIR_SIM_RECORDER_H

#include "model/timeline.h"

struct recorder;

struct recorder *recorder_new(struct timeline *timeline, uint32_t count); /* NULL: no memory */
void recorder_free(struct recorder *recorder);                            /* NULL is fine */

/* From `now` on the application is in this state; closes the segment before if it differs. */
void recorder_enter(struct recorder *recorder, double now, struct segment next);
/* It has ended, or the recording has. */
void recorder_leave(struct recorder *recorder, double now, uint32_t app);
/* Whether a segment was lost for want of memory. */
int recorder_failed(const struct recorder *recorder);

#endif
