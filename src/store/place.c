#include "store/place.h"
#include "base/mem.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACE_MOST_LINKS = 40 };

static char *place_copy(const char *text, struct err *err)
{
    char *copy = mem_alloc(strlen(text) + 1, 1);
    if (copy)
        strcpy(copy, text);
    else
        err_memory(err);
    return copy;
}

static int place_fail(const char *path, struct err *err)
{
    return err_set(err, "cannot open %s: %s", path, strerror(errno));
}

/* A name in the directory of another path. 0 or -1. */
static int place_beside(const char *path, const char *name, char result[PATH_MAX])
{
    const char *slash = *name == '/' ? NULL : strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    int size = snprintf(result, PATH_MAX, "%.*s%s", length, path, name);
    return size < PATH_MAX ? 0 : -1;
}

/* Follows a link that leads to a file which is missing. 1 = it did, 0 = it is none, or -1. */
static int place_follow(char path[PATH_MAX])
{
    char target[PATH_MAX], next[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return 0;
    target[length] = 0;
    if (place_beside(path, target, next) < 0)
        return -1;
    strcpy(path, next);
    return 1;
}

/* The directory of a file that is missing, resolved, and the name in it. 0 or -1. */
static int place_resolve_missing(const char *path, char result[PATH_MAX])
{
    char directory[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (place_beside(path, ".", directory) < 0 || !realpath(directory, real))
        return -1;
    bool root = strcmp(real, "/") == 0;
    return snprintf(result, PATH_MAX, "%s/%s", root ? "" : real, name) < PATH_MAX ? 0 : -1;
}

static int place_find(const char *path, char result[PATH_MAX], struct err *err)
{
    char at[PATH_MAX];
    struct stat there;
    if (strlen(path) >= sizeof at) {
        errno = ENAMETOOLONG;
        return place_fail(path, err);
    }
    strcpy(at, path);
    int followed = 1;
    for (int i = 0; i < PLACE_MOST_LINKS && followed > 0 && stat(at, &there) != 0; i++)
        followed = place_follow(at);
    if (followed < 0)
        return place_fail(path, err);
    if (stat(at, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return err_set(err, "%s is a directory, expected a file", path);
        if (!S_ISREG(there.st_mode))
            return err_set(err, "%s is not a regular file, and cannot hold a database", path);
        return realpath(at, result) ? 0 : place_fail(path, err);
    }
    return place_resolve_missing(at, result) == 0 ? 0 : place_fail(path, err);
}

char *place_resolve(const char *path, struct err *err)
{
    char result[PATH_MAX];
    if (!*path || strcmp(path, ":memory:") == 0) {
        err_set(err, "'%s' is not a file: results would be lost; expected the path of a database",
                path);
        return NULL;
    }
    return place_find(path, result, err) == 0 ? place_copy(result, err) : NULL;
}
