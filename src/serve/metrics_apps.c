/* The pages about users and jobs: bounded by what runs, and by how many jobs are asked for. */
#include "base/mem.h"
#include "serve/metrics.h"
#include <stdlib.h>
#include <string.h>

/* The applications of all channels, or the sums of those of a user and account. */
struct metrics_apps {
    struct wire_app *list;
    size_t count, capacity;
};

static int metrics_gather(const struct metrics *metrics, struct metrics_apps *apps)
{
    const struct channels *channels = &metrics->engine->channels;
    uint64_t now = uv_hrtime();
    *apps = (struct metrics_apps){0};
    for (uint32_t i = 0; i < channels->count; i++)
        apps->capacity += channels->list[i].controller->count;
    apps->list = mem_alloc(apps->capacity + 1, sizeof *apps->list);
    if (!apps->list)
        return -1;
    for (uint32_t i = 0; i < channels->count; i++) {
        struct controller *controller = channels->list[i].controller;
        for (uint32_t id = 0; id < controller->capacity && apps->count < apps->capacity; id++)
            if (controller->apps[id])
                controller_describe(controller, now, id, &apps->list[apps->count++]);
    }
    return 0;
}

static bool metrics_waits(const struct wire_app *app)
{
    return app->state == WIRE_WAITING || app->state == WIRE_HELD;
}

/* --- users ------------------------------------------------------------------------------------ */

static int metrics_by_user(const void *a, const void *b)
{
    const struct wire_app *one = a, *other = b;
    int order = one->channel < other->channel   ? -1
                : one->channel > other->channel ? 1
                : one->uid < other->uid         ? -1
                                                : one->uid > other->uid;
    return order ? order : strcmp(one->account, other->account);
}

/* What one user has in one account and store: `phases` counts applications, `processes` those that
 * wait. */
static void metrics_sum(struct metrics_apps *apps)
{
    size_t last = 0;
    for (size_t i = 0; i < apps->count; i++) {
        struct wire_app next = apps->list[i];
        next.phases = 1;
        next.processes = metrics_waits(&next);
        if (i == 0 || metrics_by_user(&apps->list[last], &next) != 0) {
            last += i > 0;
            apps->list[last] = next;
            continue;
        }
        struct wire_app *sum = &apps->list[last];
        sum->phases++;
        sum->processes += next.processes;
        sum->measured += next.measured;
        sum->rate += next.rate;
        sum->moved += next.moved;
    }
    apps->count = apps->count > 0 ? last + 1 : 0;
}

static double metrics_user_value(const struct wire_app *sum, enum expose_id id)
{
    switch (id) {
    case EXPOSE_USER_APPS:
        return sum->phases;
    case EXPOSE_USER_WAITING:
        return sum->processes;
    case EXPOSE_USER_MEASURED:
        return sum->measured;
    case EXPOSE_USER_GRANTED:
        return sum->rate;
    default:
        return sum->moved;
    }
}

void metrics_write_users(const struct metrics *metrics, struct expose *expose)
{
    struct metrics_apps apps;
    if (metrics_gather(metrics, &apps) != 0)
        return;
    qsort(apps.list, apps.count, sizeof *apps.list, metrics_by_user);
    metrics_sum(&apps);
    for (int id = 0; id < EXPOSE_COUNT; id++) {
        if (expose_metrics[id].page != EXPOSE_USERS)
            continue;
        expose_begin(expose, (enum expose_id)id);
        for (size_t i = 0; i < apps.count; i++) {
            const struct wire_app *sum = &apps.list[i];
            char uid[16];
            snprintf(uid, sizeof uid, "%u", sum->uid);
            expose_value(expose, (const char *[]){sum->store, uid, sum->account},
                         metrics_user_value(sum, (enum expose_id)id));
        }
    }
    free(apps.list);
}

/* --- jobs ------------------------------------------------------------------------------------- */

/* Those that move most now come first, then those that have; equals by store and number. */
static int metrics_by_rate(const void *a, const void *b)
{
    const struct wire_app *one = a, *other = b;
    if (one->measured != other->measured)
        return one->measured > other->measured ? -1 : 1;
    if (one->moved != other->moved)
        return one->moved > other->moved ? -1 : 1;
    if (one->channel != other->channel)
        return one->channel < other->channel ? -1 : 1;
    return one->id < other->id ? -1 : one->id > other->id;
}

static double metrics_job_value(const struct wire_app *app, enum expose_id id)
{
    switch (id) {
    case EXPOSE_JOB_MEASURED:
        return app->measured;
    case EXPOSE_JOB_GRANTED:
        return app->rate;
    case EXPOSE_JOB_STRETCH:
        return app->stretch;
    default:
        return app->moved;
    }
}

/* Marks, in `processes`, those whose labels another one has too. */
static void metrics_mark_twins(struct metrics_apps *apps, size_t listed)
{
    for (size_t i = 0; i < listed; i++) {
        struct wire_app *app = &apps->list[i];
        app->processes = !*app->job;
        for (size_t k = 0; k < i && !app->processes; k++) {
            const struct wire_app *other = &apps->list[k];
            app->processes = other->channel == app->channel && other->uid == app->uid &&
                             strcmp(other->job, app->job) == 0 &&
                             strcmp(other->name, app->name) == 0 &&
                             strcmp(other->account, app->account) == 0;
        }
    }
}

/* Its number tells it apart where its labels do not. */
static void metrics_write_job(struct expose *expose, const struct wire_app *app, enum expose_id id)
{
    char uid[16], name[WIRE_NAME + 16];
    snprintf(uid, sizeof uid, "%u", app->uid);
    if (app->processes)
        snprintf(name, sizeof name, "%s #%u", app->name, app->id);
    else
        snprintf(name, sizeof name, "%s", app->name);
    expose_value(expose, (const char *[]){app->store, app->job, name, uid, app->account},
                 metrics_job_value(app, id));
}

void metrics_write_jobs(const struct metrics *metrics, uint32_t top, struct expose *expose)
{
    struct metrics_apps apps;
    if (metrics_gather(metrics, &apps) != 0)
        return;
    qsort(apps.list, apps.count, sizeof *apps.list, metrics_by_rate);
    size_t listed = apps.count < top ? apps.count : top;
    metrics_mark_twins(&apps, listed);
    for (int id = 0; id < EXPOSE_COUNT; id++) {
        double rest = 0;
        if (expose_metrics[id].page != EXPOSE_JOBS || id == EXPOSE_JOBS_CUT)
            continue;
        expose_begin(expose, (enum expose_id)id);
        for (size_t i = 0; i < apps.count; i++) {
            if (i < listed)
                metrics_write_job(expose, &apps.list[i], (enum expose_id)id);
            else
                rest += metrics_job_value(&apps.list[i], (enum expose_id)id);
        }
        /* The sum of stretches means nothing. */
        if (listed < apps.count && id != EXPOSE_JOB_STRETCH)
            expose_value(expose, (const char *[]){"", "other", "other", "", ""}, rest);
    }
    expose_one(expose, EXPOSE_JOBS_CUT, (double)(apps.count - listed));
    free(apps.list);
}
