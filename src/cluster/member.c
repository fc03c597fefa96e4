#include "cluster/member.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

enum { MEMBER_FIRST_LISTS = 64, MEMBER_FIRST_CLAIMS = 4 };

/* --- by name ---------------------------------------------------------------------------------- */

/* FNV-1a. */
static uint32_t member_hash(const char *node)
{
    uint32_t hash = 2166136261u;
    for (; *node; node++)
        hash = (hash ^ (unsigned char)*node) * 16777619u;
    return hash;
}

struct member *member_find(const struct hub *hub, const char *node)
{
    if (hub->list_count == 0)
        return NULL;
    struct member *member = hub->lists[member_hash(node) & (hub->list_count - 1)];
    while (member && strcmp(member->node, node) != 0)
        member = member->same_hash;
    return member;
}

static void member_name(struct hub *hub, struct member *member)
{
    struct member **list = &hub->lists[member_hash(member->node) & (hub->list_count - 1)];
    member->same_hash = *list;
    *list = member;
}

void member_unname(struct hub *hub, struct member *member)
{
    struct member **at = &hub->lists[member_hash(member->node) & (hub->list_count - 1)];
    while (*at && *at != member)
        at = &(*at)->same_hash;
    if (*at)
        *at = member->same_hash;
}

/* As many lists as members, at least. */
static int member_make_lists(struct hub *hub)
{
    uint32_t count = hub->list_count ? 2 * hub->list_count : MEMBER_FIRST_LISTS;
    if (hub->count < hub->list_count)
        return 0;
    struct member **lists = mem_alloc(count, sizeof *lists);
    if (!lists)
        return -1;
    free(hub->lists);
    hub->lists = lists;
    hub->list_count = count;
    for (size_t i = 0; i < hub->capacity; i++)
        if (hub->members[i] && !hub->members[i]->former)
            member_name(hub, hub->members[i]);
    return 0;
}

/* --- coming and going ------------------------------------------------------------------------- */

/* The lowest free number, so that arrays by it stay small; HUB_NONE when memory is out. */
static uint32_t member_number(struct hub *hub)
{
    size_t number = hub->count < hub->capacity ? 0 : hub->capacity, old = hub->capacity;
    while (number < old && hub->members[number])
        number++;
    if (number < old)
        return (uint32_t)number;
    struct member **members =
        mem_reserve(hub->members, &hub->capacity, number + 1, sizeof *members);
    if (!members)
        return HUB_NONE;
    hub->members = members;
    for (size_t i = old; i < hub->capacity; i++)
        hub->members[i] = NULL;
    return (uint32_t)number;
}

struct member *member_new(struct hub *hub, const struct hub_hello *hello)
{
    uint32_t number = member_number(hub);
    struct member *member = NULL;
    if (number != HUB_NONE && member_make_lists(hub) == 0)
        member = mem_alloc(1, sizeof *member);
    if (!member)
        return NULL;
    member->number = number;
    member->incarnation = hello->incarnation;
    memcpy(member->node, hello->node, strlen(hello->node) + 1);
    chain_init(&member->aging);
    chain_init(&member->queued);
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++)
        chain_init(&member->shares[channel].waiting);
    hub->members[number] = member;
    hub->count++;
    member_name(hub, member);
    return member;
}

void member_lose(struct hub *hub, uint64_t now, struct member *member, bool restarted)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        chain_remove(&share->waiting);
        share->count = 0;
        for (uint32_t app = 0; app < share->capacity; app++)
            share->claims[app] = (struct member_claim){.holding = share->claims[app].holding};
        hub->ops->lose(hub->context, now, (struct hub_place){channel, member->number}, restarted);
    }
}

void member_forget(struct hub *hub, struct member *member)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++)
            ledger_report(&hub->ledgers[channel], &share->claims[app].holding, 0);
    }
}

void member_free(struct hub *hub, struct member *member)
{
    member_forget(hub, member);
    member_unname(hub, member);
    chain_remove(&member->aging);
    chain_remove(&member->queued);
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        chain_remove(&member->shares[channel].waiting);
        free(member->shares[channel].claims);
    }
    hub->members[member->number] = NULL;
    hub->count--;
    hub->connected -= member->connected;
    free(member);
}

/* --- applications ----------------------------------------------------------------------------- */

struct member_claim *member_claim(struct member *member, uint32_t channel, uint32_t app)
{
    const struct share *share = &member->shares[channel];
    return app < share->capacity && share->claims[app].here ? &share->claims[app] : NULL;
}

struct member_claim *member_make_claim(struct member *member, uint32_t channel, uint32_t app)
{
    struct share *share = &member->shares[channel];
    uint32_t capacity = share->capacity ? share->capacity : MEMBER_FIRST_CLAIMS;
    while (capacity <= app)
        capacity *= 2;
    if (capacity > share->capacity) {
        struct member_claim *claims = mem_grow(share->claims, capacity, sizeof *claims);
        if (!claims)
            return NULL;
        memset(claims + share->capacity, 0, (capacity - share->capacity) * sizeof *claims);
        share->claims = claims;
        share->capacity = capacity;
    }
    struct member_claim *claim = &share->claims[app];
    share->count += !claim->here;
    claim->here = true;
    return claim;
}

void member_drop_claim(struct hub *hub, struct hub_place place, struct member_claim *claim)
{
    ledger_report(&hub->ledgers[place.channel], &claim->holding, 0);
    *claim = (struct member_claim){0};
    hub->members[place.member]->shares[place.channel].count--;
}

bool member_is_at_stake(const struct member *member)
{
    for (uint32_t channel = 0; channel < WIRE_CHANNELS; channel++) {
        const struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++)
            if (share->claims[app].io != PHASE_IDLE || share->claims[app].holding.held > 0)
                return true;
    }
    return false;
}
