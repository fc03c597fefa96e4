#include "base/user.h"
#include "base/text.h"
#include <pwd.h>
#include <stdio.h>
#include <string.h>

/* Room for the texts of an entry. */
enum { ENTRY = 4096 };

int user_find(const char *text, uint32_t *uid)
{
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number < UINT32_MAX; at++)
        number = 10 * number + (uint64_t)(*at - '0');
    if (at > text && !*at) {
        *uid = (uint32_t)number;
        return number < UINT32_MAX ? 0 : -1; /* which is not a user */
    }
    struct passwd entry, *found = NULL;
    char room[ENTRY];
    if (!*text || getpwnam_r(text, &entry, room, sizeof room, &found) != 0 || !found)
        return -1;
    *uid = entry.pw_uid;
    return 0;
}

char *user_print(uint32_t uid, char buffer[USER_NAME_SIZE])
{
    struct passwd entry, *found = NULL;
    char room[ENTRY];
    bool named = getpwuid_r(uid, &entry, room, sizeof room, &found) == 0 && found;
    if (named && *entry.pw_name && strlen(entry.pw_name) < USER_NAME_SIZE) {
        snprintf(buffer, USER_NAME_SIZE, "%s", entry.pw_name);
        text_clean(buffer, strlen(buffer));
    } else {
        snprintf(buffer, USER_NAME_SIZE, "%u", uid);
    }
    return buffer;
}
