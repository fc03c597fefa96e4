/* The users that have connections or applications, by their uid: who may have how much. */
#ifndef WEIR_DAEMON_USERS_H
#define WEIR_DAEMON_USERS_H

#include <stdbool.h>
#include <stdint.h>

struct application;

struct user {
    uint32_t uid;
    uint32_t connections, applications; /* with neither it is forgotten */
    struct application *first;          /* of its applications, linked by `of_user` */
    double limit, ops, weight;          /* for all of them together, 0 = none */

    /* While bandwidth is divided. */
    struct application *active; /* those with an I/O, linked by `of_active`, */
    double active_weight;       /* and their weights together */

    struct user *next; /* of those with the same hash */
};

enum { USERS_HASHES = 1024 };

struct users {
    struct user *lists[USERS_HASHES];
};

/* NULL if it has neither. */
struct user *users_find(const struct users *users, uint32_t uid);
/* Makes it if need be, with nothing. NULL when memory is out. */
struct user *users_get(struct users *users, uint32_t uid);
/* Frees it if it has neither connections nor applications. */
void users_release(struct users *users, struct user *user);

/* Calls it for each, in no particular order. */
void users_each(const struct users *users, void (*call)(void *context, struct user *user),
                void *context);

void users_fini(struct users *users);

#endif
