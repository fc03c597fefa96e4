#include "serve/quota.h"

/* Places that a user can have. */
enum { QUOTA_PLACES = 16 };

/* What a bucket holds, in the time that it takes to fill. */
#define QUOTA_FULL ((uint64_t)QUOTA_PART * QUOTA_BURST)

/* A full bucket is as good as none. If all places are taken, the fullest of the others makes room:
 * its user has lost the least by then. */
static struct quota *quota_find(struct quotas *quotas, uint64_t now, uint32_t uid)
{
    struct quota *room = &quotas->list[uid % QUOTA_USERS];
    for (uint32_t i = 0; i < QUOTA_PLACES; i++) {
        struct quota *quota = &quotas->list[(uid + i) % QUOTA_USERS];
        if (quota->uid == uid && quota->until > now)
            return quota;
        if (quota->until < room->until)
            room = quota;
    }
    *room = (struct quota){.uid = uid, .until = now};
    return room;
}

/* Hysteresis: a user who sends without end is heard for a while now and then, not at every turn,
 * since every turn with a message has a decision. */
uint64_t quota_next(struct quotas *quotas, uint64_t now, uint32_t uid)
{
    struct quota *quota = quota_find(quotas, now, uid);
    if (!quota->empty)
        return now;
    uint64_t again = quota->until - (QUOTA_FULL - (uint64_t)QUOTA_PART * QUOTA_AGAIN);
    quota->empty = again > now;
    return quota->empty ? again : now;
}

bool quota_take(struct quotas *quotas, uint64_t now, uint32_t uid, uint64_t taken)
{
    struct quota *quota = quota_find(quotas, now, uid);
    bool before = quota->empty;
    quota->until += QUOTA_PART * taken;
    quota->empty = quota->empty || quota->until >= now + QUOTA_FULL;
    return quota->empty && !before;
}
