#include "controller/users.h"
#include "base/mem.h"
#include <stdlib.h>

static uint32_t hash(uint32_t uid)
{
    return uid % USERS_HASHES;
}

struct user *users_find(const struct users *users, uint32_t uid)
{
    struct user *user = users->lists[hash(uid)];
    while (user && user->uid != uid)
        user = user->next;
    return user;
}

struct user *users_get(struct users *users, uint32_t uid)
{
    struct user *user = users_find(users, uid);
    if (user)
        return user;
    user = mem_alloc(1, sizeof *user);
    if (!user)
        return NULL;
    struct user **list = &users->lists[hash(uid)];
    *user = (struct user){.uid = uid, .next = *list};
    *list = user;
    return user;
}

void users_release(struct users *users, struct user *user)
{
    if (user->connections > 0 || user->applications > 0)
        return;
    struct user **link = &users->lists[hash(user->uid)];
    while (*link != user)
        link = &(*link)->next;
    *link = user->next;
    free(user);
}

void users_each(const struct users *users, void (*call)(void *context, struct user *user),
                void *context)
{
    for (int i = 0; i < USERS_HASHES; i++)
        for (struct user *user = users->lists[i]; user; user = user->next)
            call(context, user);
}

void users_fini(struct users *users)
{
    for (int i = 0; i < USERS_HASHES; i++)
        for (struct user *user = users->lists[i], *next; user; user = next) {
            next = user->next;
            free(user);
        }
    *users = (struct users){{NULL}};
}
