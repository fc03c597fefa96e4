#include "serve/hearing.h"
#include "serve/peer.h"
#include <unistd.h>

/* --- users ------------------------------------------------------------------------------------ */

/* Root and the controller's user can stop the controller anyway. */
static uint64_t hearing_ready(struct hearing *hearing, uint64_t now, uint32_t uid)
{
    return uid == 0 || uid == geteuid() ? now : quota_next(&hearing->quotas, now, uid);
}

bool hearing_is_used_up(struct hearing *hearing, uint64_t now, uint32_t uid)
{
    return hearing_ready(hearing, now, uid) > now;
}

static void hearing_append_user(struct hearing *hearing, struct user *user)
{
    user->next_waiting = NULL;
    if (hearing->last)
        hearing->last->next_waiting = user;
    else
        hearing->first = user;
    hearing->last = user;
    hearing->users++;
}

static void hearing_drop_user(struct hearing *hearing, struct user *user)
{
    struct user **link = &hearing->first, *before = NULL;
    for (; *link != user; link = &before->next_waiting)
        before = *link;
    *link = user->next_waiting;
    if (hearing->last == user)
        hearing->last = before;
    hearing->users--;
}

/* --- peers ------------------------------------------------------------------------------------ */

void hearing_add(struct hearing *hearing, struct peer *peer)
{
    struct user *user = peer->user;
    if (peer->place.link)
        return;
    if (!user->waiting) {
        user->waiting_end = &user->waiting;
        hearing_append_user(hearing, user);
    }
    peer->place = (struct hearing_place){NULL, user->waiting_end};
    *user->waiting_end = peer;
    user->waiting_end = &peer->place.next;
}

void hearing_remove(struct hearing *hearing, struct peer *peer)
{
    struct user *user = peer->user;
    struct hearing_place *place = &peer->place;
    if (!place->link)
        return;
    *place->link = place->next;
    if (place->next)
        place->next->place.link = place->link;
    else
        user->waiting_end = place->link;
    place->link = NULL;
    if (!user->waiting)
        hearing_drop_user(hearing, user);
}

/* --- turns ------------------------------------------------------------------------------------ */

static bool hearing_has_time(struct hearing *hearing, uint64_t now, uint64_t most)
{
    if (hearing->began == 0)
        hearing->began = now;
    return now - hearing->began < most;
}

bool hearing_admits(struct hearing *hearing, uint64_t now, struct peer *peer)
{
    struct user *user = peer->user;
    if (user->turn != hearing->turn)
        user->spent = 0;
    user->turn = hearing->turn;
    if (hearing_has_time(hearing, now, HEARING_TURN / 2) && !user->waiting &&
        (!hearing->first || user->spent < HEARING_SLICE) &&
        !hearing_is_used_up(hearing, now, user->uid))
        return true;
    hearing_add(hearing, peer);
    return false;
}

struct peer *hearing_next(struct hearing *hearing, uint64_t now)
{
    /* In two rounds everybody who may be heard comes to its turn. */
    for (uint32_t left = 2 * hearing->users;
         left > 0 && hearing_has_time(hearing, now, HEARING_TURN); left--) {
        struct user *user = hearing->first;
        if (user->spent < HEARING_SLICE && !hearing_is_used_up(hearing, now, user->uid)) {
            struct peer *peer = user->waiting;
            hearing_remove(hearing, peer);
            return peer;
        }
        user->spent = 0;
        hearing_drop_user(hearing, user);
        hearing_append_user(hearing, user);
    }
    return NULL;
}

bool hearing_spend(struct hearing *hearing, uint64_t now, struct user *user, uint64_t spent)
{
    user->spent += spent;
    return quota_take(&hearing->quotas, now, user->uid, spent) &&
           hearing_is_used_up(hearing, now, user->uid);
}

void hearing_end_turn(struct hearing *hearing)
{
    hearing->turn++;
    hearing->began = 0;
}

uint64_t hearing_due(struct hearing *hearing, uint64_t now)
{
    uint64_t due = UINT64_MAX;
    for (const struct user *user = hearing->first; user; user = user->next_waiting) {
        uint64_t ready = hearing_ready(hearing, now, user->uid);
        due = ready < due ? ready : due;
    }
    return due;
}
