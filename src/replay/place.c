#include "replay/place.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

int place_make(const char *parent, char *path, size_t size, struct err *err)
{
    int length = snprintf(path, size, "%s/weir-XXXXXX", parent);
    if (length < 0 || (size_t)length >= size) {
        path[0] = 0;
        return err_set(err, "'%s': the path is too long", parent);
    }
    if (mkdtemp(path))
        return 0;
    path[0] = 0;
    return err_set(err, "%s: cannot create a directory: %s", parent, strerror(errno));
}

void place_remove(const char *path)
{
    DIR *directory = path[0] ? opendir(path) : NULL;
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}

const char *place_temporary(void)
{
    const char *given = getenv("TMPDIR");
    return given && given[0] ? given : "/tmp";
}

const char *place_fast(void)
{
    static const char memory[] = "/dev/shm";
    struct statfs info;
    bool there = statfs(memory, &info) == 0 && info.f_type == TMPFS_MAGIC;
    return there && access(memory, W_OK | X_OK) == 0 ? memory : place_temporary();
}
