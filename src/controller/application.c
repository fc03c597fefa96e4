#include "controller/application.h"
#include "base/maths.h"
#include "base/mem.h"
#include "model/knowledge.h"
#include <math.h>
#include <string.h>

struct application *application_new(const struct node_join *who, double now)
{
    struct application *app = mem_alloc(1, sizeof *app);
    if (!app)
        return NULL;
    *app = (struct application){
        .id = who->app,
        .uid = who->uid,
        .facts = {.nodes = who->nodes, .release = now - who->age, .period = who->period},
        .announced = who->weight,
        .hint = who->volume_hint,
        .pid = who->pid,
        .failure = WIRE_FAILED_NONE,
        .phase = PHASE_IDLE,
        .working = now - who->age,
        .need = INFINITY,
    };
    memcpy(app->name, who->name, sizeof app->name);
    memcpy(app->token, who->token, sizeof app->token);
    memcpy(app->job, who->job, sizeof app->job);
    memcpy(app->account, who->account, sizeof app->account);
    memcpy(app->partition, who->partition, sizeof app->partition);
    return app;
}

void application_count(struct application *app, double moved)
{
    double more = maths_max(0, moved - app->moved); /* a node reports no less than before */
    app->moved += more;
    app->ideal_io += app->may.alone > 0 ? more / app->may.alone : 0;
    app->io_moved += more; /* of the next one, if none is open: its post is on its way */
}

double application_volume(const struct application *app, double said, enum wire_volume *source)
{
    double mean = app->phases > 0 ? app->phase_bytes / app->phases : 0;
    *source = said > 0 || app->hint > 0 ? WIRE_VOLUME_HINT
              : mean > 0                ? WIRE_VOLUME_MEAN
                                        : WIRE_VOLUME_GUESS;
    double volume = said > 0        ? said
                    : app->hint > 0 ? app->hint
                    : mean > 0      ? mean
                                    : KNOWLEDGE_FIRST * app->may.alone;
    return maths_min(maths_max(volume, APPLICATION_LEAST), APPLICATION_MOST);
}

void application_count_outside(struct application *app, double outside)
{
    app->outside = maths_max(app->outside, outside); /* a node reports no less than before */
}

double application_work(const struct application *app, double now)
{
    return app->worked + app->outside + (app->phase == PHASE_OPEN ? 0 : now - app->working);
}

double application_lost(const struct application *app, double now)
{
    double work = application_work(app, now);
    double lost = now - app->facts.release - work - app->ideal_io;
    return maths_max(0, maths_min(lost, app->hindered));
}
