/* A real controller and processes that move data under it, for the tests of faults. What they move
 * is numbers, so no store is in the way. */
#ifndef WEIR_TESTS_LIVE_COMMON_CREW_H
#define WEIR_TESTS_LIVE_COMMON_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CREW_MOST = 8 };
#define CREW_BANDWIDTH 50e6

/* A process that moves without end. */
struct mover {
    pid_t pid;
    _Atomic uint64_t *moved; /* bytes, in shared memory */
};

struct crew {
    char path[64];    /* of the socket, */
    char log[64];     /* and of what the controllers said */
    pid_t controller; /* -1 = none any more */
    struct mover movers[CREW_MOST];
    int count;
    _Atomic uint64_t *shared;
};

/* A controller of CREW_BANDWIDTH; skips the test if the program was not built. All that a crew
 * started dies with the test, or with crew_close. */
void crew_open(struct crew *crew, const char *policy);
void crew_close(struct crew *crew);

/* Starts another controller in place of one that was killed. */
void crew_serve(struct crew *crew, const char *policy);

/* The lines with this text that controllers have written so far. */
int crew_count_lines(const struct crew *crew, const char *text);

/* Starts a mover; an explicit one says io_begin first, and never io_end. */
struct mover *crew_move(struct crew *crew, bool explicit);

/* Bytes per second that a mover moves from `after` ms from now on, for `length` ms. */
double crew_measure(const struct mover *mover, int after, int length);

/* Kills with this signal, and waits for the end if it is SIGKILL. */
void crew_signal(pid_t pid, int signal);

void crew_nap(int ms);

#endif
