#include "cli/snapshot.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void snapshot_keep_running(struct snapshot *snapshot, const struct wire_app *app)
{
    struct wire_app *apps =
        mem_reserve(snapshot->apps, &snapshot->capacity, snapshot->count + 1, sizeof *apps);
    snapshot->out_of_memory |= !apps;
    if (!apps)
        return;
    snapshot->apps = apps;
    apps[snapshot->count++] = *app;
}

static void snapshot_keep_done(struct snapshot *snapshot, const struct wire_done *done)
{
    struct wire_done *list = mem_reserve(snapshot->done, &snapshot->done_capacity,
                                         snapshot->done_count + 1, sizeof *list);
    snapshot->out_of_memory |= !list;
    if (!list)
        return;
    snapshot->done = list;
    list[snapshot->done_count++] = *done;
}

static void snapshot_keep(const struct wire_message *message, void *context)
{
    struct snapshot *snapshot = context;
    if (message->type == WIRE_STATUS)
        snapshot->status = message->status;
    else if (message->type == WIRE_AGENT)
        snapshot->agent = message->agent;
    else if (message->type == WIRE_CHANNEL && snapshot->channel_count < WIRE_CHANNELS)
        snapshot->channels[snapshot->channel_count++] = message->channel;
    else if (message->type == WIRE_APP)
        snapshot_keep_running(snapshot, &message->app);
    else if (message->type == WIRE_DONE)
        snapshot_keep_done(snapshot, &message->done);
    else if (message->type == WIRE_REFUSED)
        snapshot->refused = message->refused;
}

/* The controller counts from its start; the answer tells how long ago that was. */
static void snapshot_set_times(struct snapshot *snapshot)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double start = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - snapshot->status.now;
    for (size_t i = 0; i < snapshot->done_count; i++) {
        snapshot->done[i].started += start;
        snapshot->done[i].ended += start;
    }
}

static int snapshot_compare(const void *left, const void *right)
{
    const struct wire_app *a = left, *b = right;
    if (a->rate != b->rate)
        return a->rate > b->rate ? -1 : 1;
    bool a_works = a->state == WIRE_WORKING, b_works = b->state == WIRE_WORKING;
    if (a_works != b_works)
        return a_works ? 1 : -1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->channel < b->channel ? -1 : 1;
}

static int snapshot_compare_ends(const void *left, const void *right)
{
    const struct wire_done *a = left, *b = right;
    return a->ended < b->ended ? -1 : a->ended > b->ended;
}

/* Those of several stores come one store after the other. */
static void snapshot_sort(struct snapshot *snapshot, size_t most)
{
    if (snapshot->count > 0)
        qsort(snapshot->apps, snapshot->count, sizeof *snapshot->apps, snapshot_compare);
    if (snapshot->channel_count == 0 || snapshot->done_count == 0)
        return;
    qsort(snapshot->done, snapshot->done_count, sizeof *snapshot->done, snapshot_compare_ends);
    size_t left_out = snapshot->done_count > most ? snapshot->done_count - most : 0;
    snapshot->done_count -= left_out;
    memmove(snapshot->done, snapshot->done + left_out,
            snapshot->done_count * sizeof *snapshot->done);
}

int snapshot_take(struct snapshot *snapshot, const struct where *where, struct wire_query query,
                  struct err *err)
{
    const struct wire_message question = {.type = WIRE_QUERY, .query = query};
    *snapshot = (struct snapshot){0};
    if (where_ask(where, &question, snapshot_keep, snapshot, err) != 0)
        return -1;
    if (*snapshot->refused.reason)
        return err_set(err, "%s: %s", where->controller ? where->controller : where->socket,
                       snapshot->refused.reason);
    if (snapshot->out_of_memory)
        return err_memory(err);
    snapshot_set_times(snapshot);
    snapshot_sort(snapshot, query.finished);
    return 0;
}

void snapshot_fini(struct snapshot *snapshot)
{
    free(snapshot->apps);
    free(snapshot->done);
    *snapshot = (struct snapshot){0};
}
