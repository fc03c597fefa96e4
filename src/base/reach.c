#include "base/reach.h"
#include "base/mem.h"
#include "base/aside.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct reach {
    char path[PATH_MAX];
    struct stat file;
    int error;
};

static void reach_ask(void *context)
{
    struct reach *reach = context;
    reach->error = stat(reach->path, &reach->file) == 0 ? 0 : errno;
}

int reach_store(const char *path, uint64_t limit, struct stat *file)
{
    static const struct aside_calls calls = {reach_ask, free};
    struct reach *reach = mem_alloc(1, sizeof *reach);
    if (!reach)
        return ENOMEM;
    if (snprintf(reach->path, sizeof reach->path, "%s", path) >= (int)sizeof reach->path) {
        free(reach);
        return ENAMETOOLONG;
    }
    if (!aside_do(&calls, reach, limit))
        return ETIMEDOUT;
    int error = reach->error;
    *file = reach->file;
    free(reach);
    return error;
}
