#include "base/files.h"
#include "base/mem.h"
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 32, LONGEST = 4096 };

static int files_keep(struct files *files, const char *name, bool found, struct err *err)
{
    struct file_name *list =
        mem_reserve(files->list, &files->capacity, files->count + 1, sizeof *list);
    char *copy = list ? arena_strndup(&files->arena, name, strlen(name)) : NULL;
    if (list)
        files->list = list;
    if (!copy)
        return err_memory(err);
    list[files->count++] = (struct file_name){copy, found};
    return 0;
}

static bool files_is_directory(const char *name, bool follow)
{
    struct stat facts;
    return (follow ? stat(name, &facts) : lstat(name, &facts)) == 0 && S_ISDIR(facts.st_mode);
}

static int files_add_directory(struct files *files, const char *name, int depth, struct err *err);

static int files_add_entry(struct files *files, const char *directory, const char *entry, int depth,
                           struct err *err)
{
    char name[LONGEST];
    int length = snprintf(name, sizeof name, "%s/%s", directory, entry);
    if (*entry == '.' || length >= (int)sizeof name)
        return 0;
    if (files_is_directory(name, false))
        return depth < DEEPEST ? files_add_directory(files, name, depth + 1, err) : 0;
    struct stat facts;
    return stat(name, &facts) == 0 && S_ISREG(facts.st_mode) ? files_keep(files, name, true, err)
                                                             : 0;
}

static int files_add_directory(struct files *files, const char *name, int depth, struct err *err)
{
    struct dirent **entries;
    int count = scandir(name, &entries, NULL, alphasort), status = 0;
    if (count < 0)
        return err_set(err, "cannot read directory '%s': %s", name, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = files_add_entry(files, name, entries[i]->d_name, depth, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int files_add_pattern(struct files *files, const char *pattern, struct err *err)
{
    glob_t matches;
    int status = 0;
    if (glob(pattern, 0, NULL, &matches) != 0)
        return files_keep(files, pattern, false, err); /* opening it says what is wrong */
    for (size_t i = 0; i < matches.gl_pathc && status == 0; i++)
        status = files_is_directory(matches.gl_pathv[i], true)
                     ? files_add_directory(files, matches.gl_pathv[i], 0, err)
                     : files_keep(files, matches.gl_pathv[i], true, err);
    globfree(&matches);
    return status;
}

int files_add(struct files *files, const char *name, struct err *err)
{
    struct stat facts;
    size_t before = files->count;
    if (files_is_directory(name, true)) {
        if (files_add_directory(files, name, 0, err) != 0)
            return -1;
        return files->count > before ? 0 : err_set(err, "directory '%s' has no files", name);
    }
    if (strpbrk(name, "*?[") && lstat(name, &facts) != 0)
        return files_add_pattern(files, name, err);
    return files_keep(files, name, false, err);
}

void files_fini(struct files *files)
{
    free(files->list);
    arena_fini(&files->arena);
    *files = (struct files){0};
}
