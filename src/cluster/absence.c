/* Parts whose node is lost: it may come back, with the same counts of bytes. And parts that left:
 * processes may know of more bytes than their agent told. */
#include "base/mem.h"
#include "cluster/part.h"
#include <stdlib.h>

static bool absence_is_same(const uint64_t a[2], const uint64_t b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Remembers what was counted, in place of the oldest that is remembered. */
static void absence_remember(struct gather *gather, const uint64_t counter[2], double moved)
{
    struct gather_past *past = &gather->past[gather->past_count++ % GATHER_PAST];
    *past = (struct gather_past){{counter[0], counter[1]}, moved};
}

/* Adds one to the application. */
static struct gather_absence *absence_add(struct gather_app *app, const uint64_t counter[2])
{
    struct gather_absence *absence = counter[0] | counter[1] ? mem_alloc(1, sizeof *absence) : NULL;
    if (!absence)
        return NULL;
    *absence = (struct gather_absence){.next = app->absent, .counter = {counter[0], counter[1]}};
    app->absent = absence;
    return absence;
}

static void absence_remove(struct gather_app *app, struct gather_absence **at)
{
    struct gather_absence *absence = *at;
    app->left -= absence->until == 0;
    *at = absence->next;
    free(absence);
}

/* Too many have left: the oldest joins those of all applications. */
static void absence_trim(struct gather *gather, struct gather_app *app)
{
    struct gather_absence **oldest = NULL;
    if (app->left <= GATHER_LEFT)
        return;
    for (struct gather_absence **at = &app->absent; *at; at = &(*at)->next)
        if ((*at)->until == 0)
            oldest = at;
    absence_remember(gather, (*oldest)->counter, (*oldest)->moved);
    absence_remove(app, oldest);
}

void absence_begin(struct gather *gather, struct gather_part *part, uint64_t until)
{
    struct gather_app *app = part->app;
    struct gather_absence *absence = absence_add(app, part->counter);
    if (!absence)
        return;
    absence->moved = part->moved;
    absence->escaped = part->escaped;
    absence->why = part->why;
    absence->until = until;
    app->left += until == 0;
    app->pid = part->pid;
    absence_trim(gather, app);
}

void absence_end(const struct gather *gather, struct gather_part *part)
{
    if (!(part->counter[0] | part->counter[1]))
        return;
    for (struct gather_absence **at = &part->app->absent; *at; at = &(*at)->next)
        if (absence_is_same((*at)->counter, part->counter)) {
            part->moved = (*at)->moved;
            part->escaped = (*at)->escaped;
            part->why = (*at)->why;
            absence_remove(part->app, at);
            return;
        }
    for (uint32_t i = 0; i < GATHER_PAST && i < gather->past_count; i++)
        if (absence_is_same(gather->past[i].counter, part->counter))
            part->moved = gather->past[i].moved;
}

/* The one with this counter, which another application of the same processes may have left behind;
 * NULL when memory is out. What its node told nobody is new if nothing else is known of it. */
static struct gather_absence *absence_find(const struct gather *gather, struct gather_app *app,
                                           const struct node_gone *gone)
{
    for (struct gather_absence *at = app->absent; at; at = at->next)
        if (absence_is_same(at->counter, gone->counter))
            return at;
    struct gather_absence *absence = absence_add(app, gone->counter);
    if (!absence)
        return NULL;
    app->left++;
    absence->moved = maths_max(0, gone->moved - gone->untold);
    for (uint32_t i = 0; i < GATHER_PAST && i < gather->past_count; i++)
        if (absence_is_same(gather->past[i].counter, gone->counter))
            absence->moved = gather->past[i].moved;
    return absence;
}

void absence_count(struct gather *gather, struct gather_app *app, const struct node_gone *gone)
{
    struct gather_absence *absence = absence_find(gather, app, gone);
    if (!absence)
        return;
    sum_add(&app->moved, maths_max(0, gone->moved - absence->moved));
    app->escapes[gone->why] += maths_max(0, gone->escaped - absence->escaped);
    absence->moved = maths_max(absence->moved, gone->moved);
    absence->escaped = maths_max(absence->escaped, gone->escaped);
    app->left += absence->until != 0;
    absence->until = 0;
    absence_trim(gather, app);
}

bool absence_is_awaited(const struct gather_app *app, uint64_t now)
{
    for (const struct gather_absence *absence = app->absent; absence; absence = absence->next)
        if (now < absence->until)
            return true;
    return false;
}

void absence_forget(struct gather *gather, struct gather_app *app)
{
    for (struct gather_absence *absence = app->absent, *next; absence; absence = next) {
        next = absence->next;
        absence_remember(gather, absence->counter, absence->moved);
        free(absence);
    }
    app->absent = NULL;
}

void absence_extend(struct gather_app *app, uint64_t until)
{
    for (struct gather_absence *absence = app->absent; absence; absence = absence->next)
        if (absence->until != 0)
            absence->until = until;
}
