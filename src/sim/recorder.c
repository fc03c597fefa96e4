#include "sim/recorder.h"
#include "base/mem.h"
#include <stdlib.h>

struct recorder {
    struct timeline *timeline;
    struct segment *open; /* by application; end > 0 marks one that is open */
    uint32_t count;
    int failed;
};

struct recorder *recorder_new(struct timeline *timeline, uint32_t count)
{
    struct recorder *recorder = mem_alloc(1, sizeof(*recorder));
    struct segment *open = mem_alloc(count, sizeof(*open));
    if (!recorder || !open) {
        free(recorder);
        free(open);
        return NULL;
    }
    *recorder = (struct recorder){.timeline = timeline, .open = open, .count = count};
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    if (recorder)
        free(recorder->open);
    free(recorder);
}

static void recorder_leave(void *context, double now, uint32_t app)
{
    struct recorder *recorder = context;
    struct segment closed = recorder->open[app];
    recorder->open[app].end = 0;
    if (!(closed.end > 0) || !(now > closed.start))
        return;
    closed.end = now;
    if (timeline_add(recorder->timeline, closed))
        recorder->failed = 1;
}

/* Closes the segment before if it differs. */
static void recorder_enter(void *context, double now, struct segment next)
{
    struct recorder *recorder = context;
    struct segment *open = &recorder->open[next.app];
    if (open->end > 0 && open->kind == next.kind && open->rate == next.rate)
        return;
    recorder_leave(recorder, now, next.app);
    *open = next;
    open->start = now;
    open->end = 1;
}

struct watcher recorder_watcher(struct recorder *recorder)
{
    return (struct watcher){.enter = recorder_enter, .leave = recorder_leave, .context = recorder};
}

int recorder_failed(const struct recorder *recorder)
{
    return recorder->failed;
}
