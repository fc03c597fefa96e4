/* No call of a supervised program fails because its supervisor is gone. Two processes hold the
 * listener, the supervisor and a guardian. When one is killed, the other starts a new guardian; a
 * guardian whose supervisor is gone answers in its place: everything may go at once, also the calls
 * that the supervisor had received. Only if both are killed at the same instant do the program's
 * data calls fail, with ENOSYS. Both end when no process has the filter any more. */
#ifndef WEIR_SUPERVISE_GUARDIAN_H
#define WEIR_SUPERVISE_GUARDIAN_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    GUARDIAN_CALLS = 4096, /* that a supervisor can have received at a time */
    GUARDIAN_ROOM = 256    /* bytes of one, also of a later kernel */
};

/* The calls that were received, in memory that both share. The kernel writes them there itself, so
 * none is lost. What was answered stays until its place is used again: another answer does no harm.
 */
struct guardian_calls {
    union {
        struct seccomp_notif call;
        char room[GUARDIAN_ROOM];
    } list[GUARDIAN_CALLS];
};

struct guardian {
    int listener;
    struct guardian_calls *calls;
    int process; /* refers to the process of the guardian */
};

/* Makes the shared memory and starts the first guardian. 0 or -errno. */
int guardian_start(struct guardian *guardian, int listener);

/* Waits until no process has the filter, and replaces guardians that are killed. */
void guardian_keep(struct guardian *guardian);

/* Receives a call into the place of this number. False if there is none after all. */
bool guardian_receive(const struct guardian *guardian, size_t place);

/* Lets the call in this place go. False if it is gone: the thread was killed, or interrupted. */
bool guardian_answer(const struct guardian *guardian, size_t place);

/* Closes all descriptors but this one, blocks all signals, leaves session and directory: a process
 * beside the program that nothing of it keeps. */
void guardian_withdraw(int keep);

#endif
