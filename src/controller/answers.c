/* The replies about the controller and its applications. */
#include "base/maths.h"
#include "base/text.h"
#include "controller/controller.h"
#include <string.h>
#include <unistd.h>

static enum wire_state find_state(const struct controller *controller,
                                  const struct application *app)
{
    if (app->uncontrolled > 0)
        return WIRE_UNCONTROLLED;
    if (app->phase == PHASE_IDLE)
        return WIRE_WORKING;
    if (app->phase == PHASE_PAUSED)
        return WIRE_PAUSED;
    if (app->rate > 0)
        return WIRE_MOVING;
    return control_held(controller->control, app->id) ? WIRE_HELD : WIRE_WAITING;
}

/* One that proves that it moves does so on top of what the others are granted, so its rate is not
 * part of the bandwidth. */
static double answers_granted(const struct application *app)
{
    return app->phase == PHASE_OPEN ? app->rate : 0;
}

/* Bytes per second over the last beats: about a second, or since it joined. */
static double answers_measure(const struct controller *controller, const struct application *app,
                              double now)
{
    uint64_t oldest = (controller->beats + 1) % PAST_BEATS;
    double since = maths_max(controller->beat_times[oldest], app->facts.release);
    return now > since ? (app->moved - app->past[oldest]) / (now - since) : 0;
}

void controller_describe(struct controller *controller, uint64_t time, uint32_t id,
                         struct wire_app *out)
{
    double now = controller_seconds(controller, time);
    struct application *app = controller->apps[id];
    controller_count(controller, now, app);
    controller_settle(controller, now, app);
    double age = now - app->facts.release, lost = application_lost(app, now) + app->elsewhere;
    double progress = maths_max(0, age - lost);
    *out = (struct wire_app){
        .id = id,
        .uid = app->uid,
        .processes = app->processes,
        .state = find_state(controller, app),
        .volume_source = app->source,
        .phases = app->phases,
        .nodes = app->facts.nodes,
        .bmax = app->may.alone,
        .weight = app->facts.weight,
        .age = age,
        .rate = answers_granted(app),
        .measured = answers_measure(controller, app, now),
        .moved = app->moved,
        .volume = app->phase == PHASE_IDLE ? 0 : app->volume,
        .remaining = app->phase == PHASE_IDLE ? 0 : maths_max(0, app->volume - app->io_moved),
        .yield = age > 0 ? progress / age : 1,
        .stretch = progress > 0 ? age / progress : 1,
        .limit = app->limit,
        .ops_limit = app->ops,
        .escaped = app->escaped,
        .pid = app->pid,
        .channel = controller->channel,
        .escaped_why = app->why,
        .uncontrolled = app->uncontrolled,
        .failure = app->failure,
        .held = control_held(controller->control, id),
        .ahead = control_ahead(controller->control, now, id) / controller->platform.bandwidth,
    };
    memcpy(out->name, app->name, sizeof out->name);
    memcpy(out->job, app->job, sizeof out->job);
    memcpy(out->account, app->account, sizeof out->account);
    memcpy(out->partition, app->partition, sizeof out->partition);
    text_append(out->store, sizeof out->store, controller->store);
}

/* Brings the counts of those that move data up to date, if they are too old for a report. */
static void answers_count(struct controller *controller, uint64_t now)
{
    if (now < controller->next_count)
        return;
    controller->next_count = now + CONTROLLER_COUNT_NS;
    for (uint32_t i = 0; i < controller->open_count; i++)
        controller_count(controller, controller_seconds(controller, now),
                         controller->apps[controller->open[i]]);
}

void controller_report(struct controller *controller, uint64_t time, struct wire_status *out)
{
    double now = controller_seconds(controller, time);
    answers_count(controller, time);
    *out = (struct wire_status){
        .now = now,
        .bandwidth = measured_bandwidth(controller),
        .node_bandwidth = controller->platform.node_bandwidth,
        .decisions = controller->decisions + control_decisions(controller->control),
        .applications = controller->count,
        .processes = controller->processes,
        .off = controller->off,
        .sees_all = geteuid() == 0,
    };
    for (uint32_t id = 0; id < controller->capacity; id++) {
        if (!controller->apps[id])
            continue;
        out->granted += answers_granted(controller->apps[id]);
        out->measured += answers_measure(controller, controller->apps[id], now);
    }
    text_append(out->policy, sizeof out->policy, controller->policy->name);
    text_append(out->store, sizeof out->store, controller->store);
}

void controller_note_change(struct controller *controller, uint64_t now,
                            struct controller_author by, const struct wire_set *set)
{
    const struct journal_change change = {.set = set,
                                          .asked = by.asked,
                                          .uid = by.uid,
                                          .pid = by.pid,
                                          .platform = &controller->platform,
                                          .policy = controller->policy->name};
    journal_set(controller->journal, controller_seconds(controller, now), &change);
}
