#include "base/paths.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A pattern that fits a path literally: every special character is quoted. */
static void paths_quote(const char *path, char quoted[2 * PATH_MAX])
{
    char *at = quoted;
    for (; *path && at < quoted + 2 * PATH_MAX - 3; path++) {
        if (strchr("*?[\\", *path))
            *at++ = '\\';
        *at++ = *path;
    }
    *at = 0;
}

int paths_find(struct path_set *set, const char *word, const char *every, struct err *err)
{
    struct stat facts;
    char pattern[2 * PATH_MAX + 64];
    bool there = stat(word, &facts) == 0, directory = there && S_ISDIR(facts.st_mode);
    int flags = 0;
    *set = (struct path_set){0};
    if (strlen(word) >= PATH_MAX)
        return err_set(err, "the path '%.40s...' is too long", word);
    if (directory) {
        paths_quote(word, pattern);
        strcat(pattern, every);
    } else if (!there && strpbrk(word, "*?[")) {
        strcpy(pattern, word);
    } else {
        paths_quote(word, pattern);
        flags = GLOB_NOCHECK;
    }
    int fault = glob(pattern, flags, NULL, &set->found);
    if (fault == GLOB_NOSPACE)
        return err_memory(err);
    if (fault != 0)
        return directory ? err_set(err, "%s: the directory has no file *.yaml", word)
                         : err_set(err, "%s: no file fits this pattern", word);
    set->list = set->found.gl_pathv;
    set->count = set->found.gl_pathc;
    if (flags && !there)
        /* Reading it says what is wrong; the pattern would show what was quoted. */
        strcpy(set->list[0], word);
    return 0;
}

void paths_fini(struct path_set *set)
{
    globfree(&set->found);
}
