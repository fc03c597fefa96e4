/* Parts whose node is lost: it may come back, with the same counts of bytes. */
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

bool absence_begin(struct gather_part *part, uint64_t until)
{
    struct gather_app *app = part->app;
    struct gather_absence *absence =
        part->counter[0] | part->counter[1] ? mem_alloc(1, sizeof *absence) : NULL;
    if (!absence)
        return false;
    *absence = (struct gather_absence){.next = app->absent,
                                       .counter = {part->counter[0], part->counter[1]},
                                       .moved = part->moved,
                                       .escaped = part->escaped,
                                       .why = part->why,
                                       .until = until};
    app->absent = absence;
    app->pid = part->pid;
    return true;
}

void absence_end(const struct gather *gather, struct gather_part *part)
{
    if (!(part->counter[0] | part->counter[1]))
        return;
    for (struct gather_absence **at = &part->app->absent; *at; at = &(*at)->next)
        if (absence_is_same((*at)->counter, part->counter)) {
            struct gather_absence *absence = *at;
            part->moved = absence->moved;
            part->escaped = absence->escaped;
            part->why = absence->why;
            *at = absence->next;
            free(absence);
            return;
        }
    for (uint32_t i = 0; i < GATHER_PAST && i < gather->past_count; i++)
        if (absence_is_same(gather->past[i].counter, part->counter))
            part->moved = gather->past[i].moved;
}

bool absence_finish(struct gather_app *app, const struct node_gone *gone)
{
    struct gather_absence **at = &app->absent;
    while (*at && !absence_is_same((*at)->counter, gone->counter))
        at = &(*at)->next;
    struct gather_absence *absence = *at;
    if (!absence)
        return false;
    sum_add(&app->moved, maths_max(0, gone->moved - absence->moved));
    app->escapes[gone->why] += maths_max(0, gone->escaped - absence->escaped);
    *at = absence->next;
    free(absence);
    return true;
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
        absence->until = until;
}
