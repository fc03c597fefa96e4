/* A controller for tests of the client: a thread that listens on a socket, gives pages to whoever
 * attaches, notes what it is told, beats, and grants what the test says. */
#ifndef WEIR_TESTS_SUPPORT_FAKE_H
#define WEIR_TESTS_SUPPORT_FAKE_H

#include "wire/message.h"
#include "wire/page.h"
#include <pthread.h>

enum { FAKE_PEERS = 64 };

struct fake {
    char directory[64], path[96]; /* of the socket */
    int listener, pages[2];       /* pages: grant, usage */
    int loose[2];                 /* the same, but the usage page could shrink */
    struct grant_page *grant;
    struct usage_page *usage;
    struct page_grant last; /* what was granted */
    pthread_t thread;
    int peers[FAKE_PEERS];
    _Atomic uint32_t peer_count; /* connected at the moment */
    _Atomic uint32_t stop;
    _Atomic uint32_t hung;     /* does and says nothing any more */
    _Atomic uint32_t mute;     /* does not answer */
    _Atomic uint32_t careless; /* gives the loose pages */
    _Atomic int64_t displaced; /* nanoseconds by which its clock is ahead of all others */
    pthread_mutex_t lock;      /* of what was heard: */
    struct wire_message latest[WIRE_TYPES];
    uint32_t counts[WIRE_TYPES];
};

/* Nanoseconds, as in the pages. */
uint64_t fake_now(void);

/* Listens at `path`, or at a new one if it is NULL. */
void fake_start(struct fake *fake, const char *path);

/* Ends as if it had been killed: sockets close, the pages stay as they are. */
void fake_kill(struct fake *fake);

/* Kills it, and removes the socket and the pages. */
void fake_stop(struct fake *fake);

/* Grants, continuing A; from now on. PAGE_PACED needs a rate > 0. */
void fake_grant(struct fake *fake, enum page_mode mode, double rate);

/* Limits operations to so many per second, from now on; 0 = no limit. */
void fake_limit_operations(struct fake *fake, double rate);

/* Lets calls wait so long at most, 0 = for ever. */
void fake_set_patience(struct fake *fake, uint64_t nanoseconds);

/* The bytes that tickets were taken for, and that may have been. */
double fake_used(const struct fake *fake);
double fake_allowed(const struct fake *fake, uint64_t now);

/* Bytes that all processes say they moved. */
uint64_t fake_moved(const struct fake *fake);

/* How many messages of this type came in so far; the latest goes to `message`, which may be NULL.
 */
uint32_t fake_heard(struct fake *fake, enum wire_type type, struct wire_message *message);

/* Waits up to 2 s until `count` messages of the type have come, or fails the test. */
void fake_wait_heard(struct fake *fake, enum wire_type type, uint32_t count);

/* Waits up to 2 s until so many are connected, or fails the test. */
void fake_wait_peers(struct fake *fake, uint32_t count);

#endif
