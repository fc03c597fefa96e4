/* A loop whose turns are done at the same time. */
#ifndef WEIR_BASE_PARALLEL_H
#define WEIR_BASE_PARALLEL_H

#include <stddef.h>

/* Calls work(context, i) for all i below `count`, in up to `jobs` threads, of which the caller is
 * one; fewer if no more can be started. Turns begin in order. After one that does not return 0 no
 * other begins: so all before the first that fails are done. 0, or -1 if one has failed; all that
 * began have ended in both cases. Signals stay with the caller. */
int parallel_run(size_t count, size_t jobs, int (*work)(void *context, size_t i), void *context);

/* How many processors this process may use, at least 1. */
size_t parallel_processors(void);

#endif
