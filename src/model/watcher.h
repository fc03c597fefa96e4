/* What follows a run while it happens, instead of after it: a timeline of a long run that is shared
 * by many needs more memory than there may be. */
#ifndef WEIR_MODEL_WATCHER_H
#define WEIR_MODEL_WATCHER_H

#include "model/timeline.h"
#include <stdbool.h>
#include <weir/policy.h>

struct watcher_key {
    double (*of)(void *context, uint32_t app);
    void *context;
};

/* Functions that are NULL are not called. */
struct watcher {
    /* From `now` on, which never goes back, the application is in this state, whose start and end
     * are not filled in. Also told, and again, while nothing changes. */
    void (*enter)(void *context, double now, struct segment next);
    /* It has ended, or the run has: told once or twice. */
    void (*leave)(void *context, double now, uint32_t app);
    /* The strategy has decided: what it saw, with the rates that it granted, and by `key` what its
     * order goes by (weir/policy.h); NAN = it does not say. Told only if some application is
     * active.
     */
    void (*decided)(void *context, const struct weir_view *view, const struct watcher_key *key);
    void *context;
    /* Only told when an application begins to work or to do I/O, or ends: rates, which may change
     * for all at every event, are not told. */
    bool coarse;
};

#endif
