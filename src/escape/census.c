#include "escape/census.h"
#include "base/aside.h"
#include "base/mem.h"
#include "escape/proc.h"
#include "node/process.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The time between two looks, and how many times longer it is than a look takes: looks never need
 * more than 5 % of one processor. */
#define CENSUS_EVERY 250000000u
#define CENSUS_TIMES 20u

enum { CENSUS_NONE = -1 };

/* An application as the other thread knows it. */
struct census_app {
    uint32_t id;
    uint64_t token[2];
};

/* A process that belongs to an application because it is attached. */
struct census_seat {
    int32_t pid;
    int32_t app;    /* index of census_app */
    uint64_t known; /* bytes that it has counted before the look */
};

/* Any process of the machine. */
struct census_person {
    struct escape_process process;
    struct escape_look look;
    int32_t app;     /* index of census_app, or CENSUS_NONE */
    uint64_t known;  /* of census_seat */
    int32_t filters; /* of an attached one: as process_filters has it */
    uint64_t token[2];
    bool resolved, counted;
    bool new;    /* new since the last look */
    bool judged; /* it belonged to one at the last look */
};

struct census {
    struct node *node;
    struct proc_stores stores;
    struct aside *aside; /* a look under way, NULL = none */
    uint64_t born;       /* start of the controller, in the kernel's time of processes */
    uint64_t next, took;
    struct census_app *apps;
    struct census_seat *seats;
    size_t app_count, seat_count;
    struct census_person *people, *before; /* by pid; now, and at the last look */
    size_t count, before_count, capacity;
};

static int census_compare(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}

static int census_compare_people(const void *left, const void *right)
{
    const struct census_person *a = left, *b = right;
    return census_compare(&a->look.pid, &b->look.pid);
}

static struct census_person *census_find(struct census_person *people, size_t count, int32_t pid)
{
    struct census_person key = {.look.pid = pid};
    return count ? bsearch(&key, people, count, sizeof *people, census_compare_people) : NULL;
}

/* --- in the other thread ---------------------------------------------------------------------- */

static bool census_add(struct census *census, int32_t pid)
{
    if (census->count == census->capacity) {
        size_t capacity = census->capacity ? 2 * census->capacity : 512;
        struct census_person *more = mem_grow(census->people, capacity, sizeof *census->people);
        if (!more)
            return false;
        census->people = more;
        census->capacity = capacity;
    }
    struct census_person *person = &census->people[census->count];
    *person = (struct census_person){.app = CENSUS_NONE, .new = true};
    if (proc_find(pid, &person->look))
        census->count++;
    return true;
}

/* All processes, in the order of pids, with what the last look found. */
static void census_list(struct census *census)
{
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    census->count = 0;
    while (dir && (entry = readdir(dir)))
        if (*entry->d_name >= '1' && *entry->d_name <= '9' &&
            !census_add(census, (int32_t)strtol(entry->d_name, NULL, 10)))
            break;
    if (dir)
        closedir(dir);
    qsort(census->people, census->count, sizeof *census->people, census_compare_people);
    for (size_t i = 0; i < census->count; i++) {
        struct census_person *person = &census->people[i];
        const struct census_person *old =
            census_find(census->before, census->before_count, person->look.pid);
        if (!old || old->look.start != person->look.start)
            continue;
        person->process = old->process;
        person->token[0] = old->token[0];
        person->token[1] = old->token[1];
        person->judged = old->judged;
        person->new = false;
    }
}

static int32_t census_app_of(const struct census *census, const uint64_t token[2])
{
    for (size_t i = 0; i < census->app_count && (token[0] || token[1]); i++)
        if (memcmp(census->apps[i].token, token, sizeof census->apps[i].token) == 0)
            return (int32_t)i;
    return CENSUS_NONE;
}

/* The application that it is attached to, else as before or by its environment, else its parent's.
 */
static int32_t census_resolve(struct census *census, struct census_person *person, int depth)
{
    if (person->resolved || depth > 64)
        return person->app;
    person->resolved = true;
    const struct census_seat *seat = bsearch(&person->look.pid, census->seats, census->seat_count,
                                             sizeof *census->seats, census_compare);
    if (person->new && !seat)
        proc_token(person->look.pid, person->token);
    person->app = seat ? seat->app : census_app_of(census, person->token);
    person->known = seat ? seat->known : 0;
    person->filters = seat ? process_filters(person->look.pid) : 0;
    struct census_person *parent = census_find(census->people, census->count, person->look.parent);
    if (person->app == CENSUS_NONE && parent)
        person->app = census_resolve(census, parent, depth + 1);
    /* It stays in its application when its parent is gone. */
    if (person->app != CENSUS_NONE)
        memcpy(person->token, census->apps[person->app].token, sizeof person->token);
    return person->app;
}

static bool census_is_worth(const struct census_person *person)
{
    const struct escape_look *look = &person->look, *last = &person->process.last;
    return look->read + look->written + look->block >=
           last->read + last->written + last->block + ESCAPE_CLOSE;
}

static uint64_t census_processor_time(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A store that hangs holds up the first look until it answers. */
static void census_work(void *context)
{
    struct census *census = context;
    uint64_t begun = census_processor_time();
    proc_stores_find(&census->stores);
    census_list(census);
    for (size_t i = 0; i < census->count; i++) {
        struct census_person *person = &census->people[i];
        if (census_resolve(census, person, 0) == CENSUS_NONE || !proc_count(&person->look))
            continue;
        person->counted = true;
        if (census_is_worth(person))
            proc_look_closely(&person->look, &census->stores);
    }
    census->took = census_processor_time() - begun;
}

/* --- in the controller's ---------------------------------------------------------------------- */

static void census_judge(struct census *census, struct census_person *person)
{
    const struct census_app *known = &census->apps[person->app];
    struct node_app *app =
        known->id < census->node->capacity ? census->node->apps[known->id] : NULL;
    enum wire_escape why;
    if (!app || memcmp(app->who.token, known->token, sizeof app->who.token) != 0)
        return; /* it has left in between */
    node_app_look_at_filters(app, person->look.pid, person->filters);
    struct escape_known said = node_app_known(app, person->look.pid, person->known);
    /* What a process did before it belonged to an application does not count. */
    if (!person->judged && (!person->new || person->look.start < census->born)) {
        person->process.last = person->look;
        person->process.known = (struct escape_known){0};
    }
    person->judged = true;
    person->look.supervised = node_app_supervises(app, &person->look);
    double bytes = escape_judge(&person->process, &person->look, said, &why);
    node_app_escapes(app, bytes, why);
}

static void census_done(struct census *census, uint64_t now)
{
    aside_end(census->aside);
    census->aside = NULL;
    for (size_t i = 0; i < census->count; i++)
        if (census->people[i].counted)
            census_judge(census, &census->people[i]);
    free(census->before);
    census->before = census->people;
    census->before_count = census->count;
    census->people = NULL;
    census->capacity = 0;
    uint64_t pause = CENSUS_TIMES * census->took;
    census->next = now + (pause > CENSUS_EVERY ? pause : CENSUS_EVERY);
}

/* Copies what the other thread needs to know. 0, or -1 without memory. */
static int census_prepare(struct census *census)
{
    const struct node *node = census->node;
    struct census_app *apps = mem_grow(census->apps, node->count, sizeof *apps);
    if (apps)
        census->apps = apps;
    struct census_seat *seats = mem_grow(census->seats, node->processes + 1, sizeof *seats);
    if (seats)
        census->seats = seats;
    if (!apps || !seats)
        return -1;
    census->app_count = census->seat_count = 0;
    for (uint32_t id = 0; id < node->capacity; id++) {
        const struct node_app *app = node->apps[id];
        if (!app)
            continue;
        for (size_t slot = 0; slot < app->slot_count; slot++)
            if (app->slots[slot].here && app->slots[slot].pid > 0 &&
                census->seat_count < node->processes)
                seats[census->seat_count++] = (struct census_seat){
                    app->slots[slot].pid, (int32_t)census->app_count, node_app_counted(app, slot)};
        apps[census->app_count++] =
            (struct census_app){.id = id, .token = {app->who.token[0], app->who.token[1]}};
    }
    qsort(seats, census->seat_count, sizeof *seats, census_compare);
    return 0;
}

static void census_drop(void *context)
{
    struct census *census = context;
    free(census->apps);
    free(census->seats);
    free(census->people);
    free(census->before);
    free(census);
}

void census_take(struct census *census, uint64_t now)
{
    static const struct aside_calls calls = {census_work, census_drop};
    if (census->aside && aside_wait(census->aside, 0))
        census_done(census, now);
    if (!census->aside && now >= census->next && census->node->count > 0 &&
        census_prepare(census) == 0)
        census->aside = aside_start(&calls, census);
}

struct census *census_new(struct node *node, const struct service *service, struct err *err)
{
    struct census *census = mem_alloc(1, sizeof *census);
    struct escape_look self;
    if (!census) {
        err_memory(err);
        return NULL;
    }
    *census = (struct census){.node = node};
    if (proc_find(getpid(), &self))
        census->born = self.start;
    proc_stores_init(&census->stores, service);
    return census;
}

void census_free(struct census *census)
{
    if (census && (!census->aside || aside_end(census->aside)))
        census_drop(census);
}
