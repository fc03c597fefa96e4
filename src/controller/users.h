/* The users with connections or applications, by uid, and what each may use. */
#ifndef WEIR_CONTROLLER_USERS_H
#define WEIR_CONTROLLER_USERS_H

#include "control/limits.h"
#include <stdbool.h>
#include <stdint.h>

struct application;
struct peer;

struct user {
    uint32_t uid;
    uint32_t connections, applications; /* a user with neither is forgotten */
    struct application *first;          /* its applications, linked by `of_user` */
    struct limited_user may;            /* for all of them together, */
    double ops;                         /* 0 = no limit */

    /* Used while connections wait to be heard (serve/hearing.h). */
    struct peer *waiting, **waiting_end; /* the first of them, and the end of the list */
    struct user *next_waiting;           /* the next user whose connections wait */
    uint64_t turn, spent;                /* nanoseconds heard in the turn of this number */

    struct user *next; /* the next with the same hash */
};

enum { USERS_HASHES = 1024 };

struct users {
    struct user *lists[USERS_HASHES];
};

/* NULL if the user has neither connections nor applications. */
struct user *users_find(const struct users *users, uint32_t uid);
/* Creates the user, with nothing, if need be. NULL when memory is out. */
struct user *users_get(struct users *users, uint32_t uid);
/* Frees the user if it has neither connections nor applications. */
void users_release(struct users *users, struct user *user);

/* Calls `call` for each user, in no particular order. */
void users_each(const struct users *users, void (*call)(void *context, struct user *user),
                void *context);

void users_fini(struct users *users);

#endif
