#include "cli/user.h"
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>

enum { KEPT = 256 };

const char *user_name(uint32_t uid)
{
    static struct {
        uint32_t uid;
        bool known;
        char name[64];
    } kept[KEPT], *user;
    user = &kept[uid % KEPT];
    if (user->known && user->uid == uid)
        return user->name;
    const struct passwd *entry = getpwuid(uid);
    user->uid = uid;
    user->known = true;
    if (entry)
        snprintf(user->name, sizeof user->name, "%s", entry->pw_name);
    else
        snprintf(user->name, sizeof user->name, "%u", uid);
    return user->name;
}
