#include "serve/election.h"
#include "base/mem.h"
#include "base/text.h"
#include "link/fetch.h"
#include "wire/message.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds: the shortest lease that etcd grants. Milliseconds: for giving it back at the end. */
enum { SHORTEST_LEASE = 2, RESIGN_LIMIT = 500 };

struct election {
    uv_loop_t *loop;
    struct election_place place;
    char candidate[ETCD_NAME];
    const struct election_calls *calls;
    void *context;
    struct leader leader;
    struct leader_request request; /* that is under way, */
    struct link_fetch *fetch;      /* NULL = none */
    uint32_t attempts;             /* those that failed: which server and address is next */
    bool leads;                    /* what was told: that it leads, */
    uint64_t epoch, until;
    struct leader_legacy legacy;        /* that it leaves */
    bool stands_by;                     /* and that another one does; */
    char faults[LINK_CONTROLLERS][160]; /* of each server, "" = it has answered since */
};

/* --- where ------------------------------------------------------------------------------------ */

int election_read(const char *url, struct election_place *place, struct err *err)
{
    static const char scheme[] = "etcd://";
    char servers[1024];
    bool known = strncmp(url, scheme, sizeof scheme - 1) == 0;
    const char *from = known ? url + sizeof scheme - 1 : url;
    const char *slash = known ? strchr(from, '/') : NULL;
    if (!slash || (size_t)(slash - from) >= sizeof servers ||
        wire_check_text(slash + 1, ETCD_NAME, true) != NULL)
        return err_set(err, "invalid leader '%s': expected etcd://HOST[:PORT][,...]/NAME", url);
    snprintf(servers, sizeof servers, "%.*s", (int)(slash - from), from);
    snprintf(place->name, sizeof place->name, "%s", slash + 1);
    int count = link_address_list(servers, ELECTION_PORT, place->servers, err);
    place->count = count > 0 ? (uint32_t)count : 0;
    return count > 0 ? 0 : -1;
}

/* --- news ------------------------------------------------------------------------------------- */

static void election_say(const struct election *election, const char *text)
{
    election->calls->say(election->context, text);
}

/* The same fault again is no news. */
static void election_say_fault(struct election *election, const char *why, size_t size)
{
    char place[LINK_PLACE], text[sizeof *election->faults];
    uint32_t server = election->attempts % election->place.count;
    snprintf(text, sizeof text, "election: etcd at %.80s: %.*s",
             link_address_print(&election->place.servers[server], place),
             (int)(size < sizeof text ? size : sizeof text), why);
    text_clean(text, strlen(text));
    if (strcmp(text, election->faults[server]) == 0)
        return;
    memcpy(election->faults[server], text, sizeof text);
    election_say(election, text);
}

/* etcd explains faults in JSON; of anything else, as a page of a web server, the beginning will do.
 */
static void election_say_response(struct election *election, const struct link_response *response)
{
    enum { BEGINNING = 40 };
    char text[BEGINNING + 64];
    if (response->status == 0 || (response->size > 0 && response->body[0] == '{')) {
        election_say_fault(election, response->body, response->size);
        return;
    }
    size_t length = 0;
    while (length < response->size && length < BEGINNING &&
           isprint((unsigned char)response->body[length]))
        length++;
    snprintf(text, sizeof text, "not etcd: HTTP status %d, '%.*s'", response->status, (int)length,
             response->body);
    election_say_fault(election, text, strlen(text));
}

static void election_say_standby(struct election *election)
{
    if (!election->stands_by)
        election_say(election, "standing by: another controller leads");
    election->stands_by = true;
}

static void election_tell(struct election *election, uint64_t now)
{
    const struct leader *leader = &election->leader;
    char text[96];
    if (election->leads && (!leader->leads || leader->epoch != election->epoch)) {
        election->leads = false;
        election_say(election, "no longer the leader");
        election->calls->follow(election->context, now);
    }
    if (leader->leads && !election->leads) {
        snprintf(text, sizeof text, "leader of '%s', epoch %llu", election->place.name,
                 (unsigned long long)leader->epoch);
        election_say(election, text);
        election->calls->lead(election->context, now, leader->epoch, leader->until,
                              &leader->legacy);
    } else if (leader->leads && leader->until != election->until) {
        election->calls->extend(election->context, leader->until);
    }
    election->stands_by &= !leader->leads;
    election->leads = leader->leads;
    election->epoch = leader->epoch;
    election->until = leader->until;
}

/* --- requests --------------------------------------------------------------------------------- */

static void election_take(void *context, const struct link_response *response)
{
    struct election *election = context;
    struct leader_answer answer = {0};
    election->fetch = NULL;
    if (response->status != 0)
        answer = etcd_read(&election->request, response->status, response->body, response->size);
    if (!answer.there && election->request.ask < LEADER_REVOKE) {
        election_say_response(election, response);
        election->attempts++;
    } else {
        election->faults[election->attempts % election->place.count][0] = '\0';
    }
    if (answer.holder != 0 && answer.holder != election->request.lease)
        election_say_standby(election);
    leader_answer(&election->leader, uv_hrtime(), &answer);
}

static struct link_fetch *election_fetch(struct election *election, uint64_t limit,
                                         void (*done)(void *, const struct link_response *))
{
    char body[ETCD_BODY];
    const struct etcd_election names = {election->place.name, election->candidate,
                                        election->legacy};
    const char *path = etcd_write(&election->request, &names, body);
    const struct link_fetch_setup setup = {
        .address = &election->place.servers[election->attempts % election->place.count],
        .nth = election->attempts / election->place.count,
        .path = path,
        .body = body,
        .limit = limit,
        .done = done,
        .context = election};
    return link_fetch_start(election->loop, &setup);
}

void election_settle(struct election *election, uint64_t now)
{
    leader_settle(&election->leader, now);
    election_tell(election, now);
    if (!leader_request(&election->leader, now, &election->request))
        return;
    election->fetch = election_fetch(election, election->request.limit / 1000000, election_take);
    if (!election->fetch)
        leader_answer(&election->leader, now, &(struct leader_answer){0});
}

uint64_t election_next(const struct election *election)
{
    return leader_next(&election->leader);
}

/* --- from start to end ------------------------------------------------------------------------ */

struct election *election_new(uv_loop_t *loop, const struct election_setup *setup, struct err *err)
{
    struct election *election = mem_alloc(1, sizeof *election);
    if (!election) {
        err_memory(err);
        return NULL;
    }
    if (election_read(setup->url, &election->place, err) != 0) {
        free(election);
        return NULL;
    }
    double ttl = ceil(setup->lease);
    election->loop = loop;
    election->calls = setup->calls;
    election->context = setup->context;
    text_append(election->candidate, sizeof election->candidate, setup->candidate);
    leader_init(&election->leader, ttl > SHORTEST_LEASE ? (uint32_t)ttl : SHORTEST_LEASE);
    return election;
}

static void election_ignore(void *context, const struct link_response *response)
{
    (void)context;
    (void)response;
}

void election_free(struct election *election, const struct leader_legacy *legacy)
{
    if (!election)
        return;
    election->legacy = *legacy;
    link_fetch_stop(election->fetch);
    leader_resign(&election->leader);
    if (leader_request(&election->leader, uv_hrtime(), &election->request))
        election_fetch(election, RESIGN_LIMIT, election_ignore);
    free(election);
}
