/* The replies about the controller and its applications. */
#include "base/maths.h"
#include "base/text.h"
#include "daemon/live.h"
#include <string.h>
#include <unistd.h>

static enum wire_state find_state(const struct application *app)
{
    if (app->uncontrolled > 0)
        return WIRE_UNCONTROLLED;
    if (app->phase == PHASE_IDLE)
        return WIRE_WORKING;
    if (app->phase == PHASE_PAUSED)
        return WIRE_PAUSED;
    return app->rate > 0 ? WIRE_MOVING : WIRE_WAITING;
}

/* Bytes per second over the last beats: about a second, or since it joined. */
static double answers_measure(const struct live *live, const struct application *app, double now)
{
    uint64_t oldest = (live->beats + 1) % PAST_BEATS;
    double since = maths_max(live->beat_dates[oldest], app->facts.release);
    return now > since ? (app->moved - app->past[oldest]) / (now - since) : 0;
}

void live_describe(struct live *live, uint64_t date, uint32_t id, struct wire_app *out)
{
    double now = live_seconds(live, date);
    struct application *app = live->apps[id];
    application_absorb(app);
    double age = now - app->facts.release, lost = application_lost(app, now);
    double progress = maths_max(0, age - lost);
    enum wire_escape why;
    double escaped = application_escaped(app, &why);
    *out = (struct wire_app){
        .id = id,
        .uid = app->uid,
        .processes = app->processes,
        .state = find_state(app),
        .volume_source = app->source,
        .phases = app->phases,
        .nodes = app->facts.nodes,
        .bmax = app->alone,
        .weight = app->facts.weight,
        .age = age,
        .rate = app->rate,
        .measured = answers_measure(live, app, now),
        .moved = app->moved,
        .volume = app->phase == PHASE_IDLE ? 0 : app->volume,
        .remaining = app->phase == PHASE_IDLE ? 0 : maths_max(0, app->volume - app->io_moved),
        .yield = age > 0 ? progress / age : 1,
        .stretch = progress > 0 ? age / progress : 1,
        .limit = app->limit,
        .ops_limit = app->ops,
        .escaped = escaped,
        .pid = app->pid > 0 ? (uint32_t)app->pid : 0,
        .channel = live->channel,
        .escaped_why = why,
        .uncontrolled = app->uncontrolled,
        .failure = app->failure,
    };
    memcpy(out->name, app->name, sizeof out->name);
    memcpy(out->job, app->job, sizeof out->job);
    memcpy(out->account, app->account, sizeof out->account);
    memcpy(out->partition, app->partition, sizeof out->partition);
    text_append(out->store, sizeof out->store, live->store);
}

void live_report(struct live *live, uint64_t date, struct wire_status *out)
{
    double now = live_seconds(live, date);
    *out = (struct wire_status){
        .now = now,
        .bandwidth = live->platform.bandwidth,
        .node_bandwidth = live->platform.node_bandwidth,
        .decisions = live->decisions + control_decisions(live->control),
        .applications = live->count,
        .processes = live->processes,
        .off = live->off,
        .sees_all = geteuid() == 0,
    };
    for (uint32_t id = 0; id < live->capacity; id++) {
        if (!live->apps[id])
            continue;
        if (live->apps[id]->phase == PHASE_OPEN)
            out->granted += live->apps[id]->rate;
        out->measured += answers_measure(live, live->apps[id], now);
    }
    text_append(out->policy, sizeof out->policy, live->policy->name);
    text_append(out->store, sizeof out->store, live->store);
}

void live_note_change(struct live *live, uint64_t now, const struct seat *by,
                      const struct wire_set *set)
{
    const struct journal_change change = {.set = set,
                                          .asked = by != NULL,
                                          .uid = by ? by->uid : 0,
                                          .pid = by ? by->pid : 0,
                                          .platform = &live->platform,
                                          .policy = live->policy->name};
    journal_set(live->journal, live_seconds(live, now), &change);
}
