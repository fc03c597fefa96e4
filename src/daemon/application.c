#include "daemon/application.h"
#include "base/maths.h"
#include "base/mem.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without anything to go by, an I/O is taken to last so many seconds alone. */
#define GUESS 1.0

/* What is said of an application, within reason: strategies add and multiply such numbers, and
 * those of one must not drown the others. */
static double within(double value, double least, double most)
{
    return maths_min(maths_max(value, least), most);
}

struct application *application_new(const struct wire_attach *who, uint32_t uid, double now,
                                    struct err *err)
{
    struct application *app = mem_alloc(1, sizeof *app);
    if (!app) {
        err_memory(err);
        return NULL;
    }
    *app = (struct application){
        .uid = uid,
        .token = {who->token[0], who->token[1]},
        .facts = {.nodes = within(who->nodes, 1, 1e9),
                  .release = now,
                  .period = within(who->period, 0, 1e12)},
        .weight = within(who->weight, 1e-6, 1e6),
        .hint = within(who->volume_hint, 0, APPLICATION_MOST),
        .phase = PHASE_IDLE,
        .failure = WIRE_FAILURES_COUNT,
        .working = now,
    };
    memcpy(app->name, who->name, sizeof app->name);
    if (pages_init(&app->pages, err) != 0) {
        application_free(app);
        return NULL;
    }
    return app;
}

void application_free(struct application *app)
{
    if (app)
        pages_fini(&app->pages);
    free(app);
}

/* --- processes -------------------------------------------------------------------------------- */

uint32_t application_take_slot(struct application *app, int32_t pid)
{
    uint32_t slot = 0;
    while (slot < PAGE_SLOTS - 1 && app->holders[slot] > 0)
        slot++;
    app->holders[slot]++;
    app->pids[slot] = pid;
    app->processes++;
    if (slot >= app->slots)
        app->slots = slot + 1;
    return slot;
}

void application_return_slot(struct application *app, uint32_t slot)
{
    app->processes--;
    /* Who died inside of a call is not busy any more. */
    if (--app->holders[slot] == 0) {
        atomic_store(&app->pages.usage->slots[slot].busy, 0);
        atomic_store(&app->pages.usage->slots[slot].pid, 0);
    }
}

static bool is_busy(const struct application *app)
{
    for (uint32_t slot = 0; slot < app->slots; slot++)
        if (atomic_load(&app->pages.usage->slots[slot].busy) > 0)
            return true;
    return false;
}

/* Whether the kernel says that a process is not stopped. */
static bool runs(int32_t pid)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = '\0';
    /* Its name, in brackets, may be anything; the state is behind it. */
    const char *name = strrchr(text, ')');
    return name && strlen(name) > 2 && !strchr("TtZX", name[2]);
}

/* Whether one that is busy runs. That is worth a question only when it claims nothing for long, and
 * not too often then. */
static bool is_running(struct application *app, double now)
{
    if (now - app->watch.claimed < WATCH_STALL || now - app->asked < WATCH_STALL)
        return app->running;
    app->asked = now;
    app->running = false;
    for (uint32_t slot = 0; slot < app->slots && !app->running; slot++)
        if (atomic_load(&app->pages.usage->slots[slot].busy) > 0)
            app->running = runs(app->pids[slot]);
    return app->running;
}

/* --- what it does ----------------------------------------------------------------------------- */

void application_absorb(struct application *app)
{
    uint64_t seen = atomic_load_explicit(&app->pages.usage->moved, memory_order_relaxed);
    /* It counts upwards, unless somebody plays with it. */
    double more = seen > app->last_seen ? (double)(seen - app->last_seen) : 0;
    more = maths_min(more, APPLICATION_MOST - maths_min(app->moved, APPLICATION_MOST));
    app->last_seen = seen;
    app->moved += more;
    if (app->phase != PHASE_IDLE)
        app->io_moved += more;
}

void application_sample(struct application *app, uint64_t origin, uint64_t now,
                        struct watch_sample *sample)
{
    const struct usage_page *usage = app->pages.usage;
    uint64_t last = atomic_load(&usage->last);
    *sample = (struct watch_sample){
        .signs = {.calls = atomic_load(&usage->calls),
                  .moved = atomic_load(&usage->moved),
                  .claimed = atomic_load(&usage->used),
                  .waiters = atomic_load(&usage->waiters),
                  .closed = atomic_load(&usage->closed)},
        .last = last > origin ? (double)(last - origin) / 1e9 : 0,
        .busy = is_busy(app),
        .unclaimed = pages_unclaimed(&app->pages, now),
        .begun = app->begun > 0,
    };
    sample->running = sample->busy && is_running(app, (double)(now - origin) / 1e9);
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
                                    : GUESS * app->facts.bmax;
    return within(volume, APPLICATION_LEAST, APPLICATION_MOST);
}

double application_lost(const struct application *app, double now)
{
    double work = app->worked + (app->phase == PHASE_OPEN ? 0 : now - app->working);
    return maths_max(0, now - app->facts.release - work - app->moved / app->facts.bmax);
}

bool application_close(struct application *app, enum page_phase phase,
                       const struct watch_sample *seen)
{
    struct usage_page *usage = app->pages.usage;
    atomic_store(&usage->phase, phase);
    bool quiet = !is_busy(app) || seen->busy;
    if (quiet && atomic_load(&usage->calls) == seen->signs.calls &&
        atomic_load(&usage->used) == seen->signs.claimed)
        return true;
    atomic_store(&usage->phase, PHASE_OPEN);
    return false;
}
