/* Connections that announce I/O over and over and move nothing: what a neighbour can do to others
 * without using the store.
 *
 *     announcer SOCKET CONNECTIONS PERIOD_MS CLAIM SECONDS
 *
 * Every connection is an application of its own. CLAIM is one of CLAIMS below: how they try to look
 * alive, in their own pages. Prints "ready" when all are attached. Exits with 0 after so many
 * seconds, with 2 if it was called wrongly, with 1 if the controller does not let it in or cuts it
 * off. */
#include "support/raw.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST 1024
#define MUCH (UINT64_C(1) << 20) /* bytes that are claimed in a period */

#define CLAIMS(X)                                                                                  \
    X(nothing) /* they only announce */                                                            \
    X(calls)   /* they count calls */                                                              \
    X(busy)    /* they are inside a call all the time */                                           \
    X(tickets) /* they take tickets for bytes */                                                   \
    X(moved)   /* they say that bytes were moved */                                                \
    X(begin)   /* they say io_begin once, and never io_end */                                      \
    X(again)   /* they say io_end and io_begin every time */

#define CLAIM_ENUM(name) CLAIM_##name,
enum claim { CLAIMS(CLAIM_ENUM) CLAIMS_COUNT };
#undef CLAIM_ENUM

static const char *const claims[] = {
#define CLAIM_NAME(name) #name,
    CLAIMS(CLAIM_NAME)
#undef CLAIM_NAME
};

struct announcer {
    int fd;
    struct raw_pages pages;
};

static struct announcer announcers[MOST];

static uint64_t read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool join_in(struct announcer *announcer, const char *path, uint64_t number)
{
    struct wire_message message = raw_who(number);
    snprintf(message.attach.name, sizeof message.attach.name, "announcer");
    announcer->fd = raw_connect(path);
    return announcer->fd >= 0 && raw_send(announcer->fd, &message) &&
           raw_receive(announcer->fd, &message, &announcer->pages) && message.type == WIRE_WELCOME;
}

/* What it writes into its page, before it announces. */
static void pretend(const struct announcer *announcer, enum claim claim)
{
    struct usage_page *usage = announcer->pages.usage;
    atomic_store(&usage->last, read_clock());
    if (claim == CLAIM_calls)
        atomic_fetch_add(&usage->calls, 1);
    if (claim == CLAIM_busy)
        atomic_store(&usage->slots[0].busy, 1);
    if (claim == CLAIM_tickets)
        atomic_fetch_add(&usage->used, MUCH * LINE_BYTE);
    if (claim == CLAIM_moved)
        atomic_fetch_add(&usage->slots[0].moved, MUCH);
    atomic_store(&usage->phase, PHASE_OPEN);
}

static bool announce(const struct announcer *announcer, enum claim claim, bool first)
{
    struct wire_message message = {.type = WIRE_POST};
    if (claim == CLAIM_begin && !first)
        return true;
    message.post.begun = claim == CLAIM_begin || claim == CLAIM_again;
    pretend(announcer, claim);
    if (claim == CLAIM_again && !first)
        raw_send(announcer->fd, &(struct wire_message){.type = WIRE_END});
    return raw_send(announcer->fd, &message);
}

static int run(int count, long period, enum claim claim, double seconds)
{
    uint64_t end = read_clock() + (uint64_t)(1e9 * seconds);
    for (bool first = true; read_clock() < end; first = false) {
        for (int i = 0; i < count; i++)
            if (!announce(&announcers[i], claim, first))
                return 1;
        nanosleep(&(struct timespec){period / 1000, period % 1000 * 1000000}, NULL);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int count = argc == 6 ? atoi(argv[2]) : 0, claim = 0;
    long period = argc == 6 ? atol(argv[3]) : 0;
    while (argc == 6 && claim < CLAIMS_COUNT && strcmp(argv[4], claims[claim]) != 0)
        claim++;
    if (argc != 6 || claim == CLAIMS_COUNT || count < 1 || count > MOST || period < 1) {
        fprintf(stderr, "announcer SOCKET CONNECTIONS PERIOD_MS CLAIM SECONDS\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        if (!join_in(&announcers[i], argv[1], (uint64_t)i + 1))
            return 1;
    puts("ready");
    fflush(stdout);
    return run(count, period, (enum claim)claim, atof(argv[5]));
}
