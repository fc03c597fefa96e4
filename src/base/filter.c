#include "base/filter.h"
#include "base/mem.h"
#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool filter_installed(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        int size = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (size > 0 && (size_t)size < sizeof file && access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* The environment with a fixed SOURCE_DATE_EPOCH, so that the same input gives the same file. NULL
 * when memory is out; free() frees the list alone. */
static char **filter_environment(void)
{
    static char epoch[] = "SOURCE_DATE_EPOCH=0";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **list = mem_alloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], epoch, strlen("SOURCE_DATE_EPOCH=")) != 0)
            list[kept++] = environ[i];
    if (list)
        list[kept] = epoch;
    return list;
}

/* 0 or the number of an error. */
static int filter_spawn(const char *const *arguments, const int streams[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault)
        return fault;
    char **environment = filter_environment();
    fault = environment ? 0 : ENOMEM;
    for (int i = 0; i < 3 && !fault; i++)
        fault = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    if (!fault)
        fault = posix_spawnp(child, arguments[0], &actions, NULL,
                             (char *const *)(uintptr_t)arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return fault;
}

/* The first line with a word in it. */
static int filter_quote(const char *name, FILE *complaints, struct err *err)
{
    char line[256];
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        const char *text = line + strspn(line, " \t\n^");
        if (*text)
            return err_set(err, "%s fails: %.*s", name, (int)strcspn(text, "\n"), text);
    }
    return err_set(err, "%s fails", name);
}

static int filter_talk(const char *const *arguments, FILE *const files[3], struct err *err)
{
    const int streams[3] = {fileno(files[0]), fileno(files[1]), fileno(files[2])};
    pid_t child;
    int status = 0, fault = filter_spawn(arguments, streams, &child);
    if (fault)
        return err_set(err, "cannot run %s: %s", arguments[0], strerror(fault));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return filter_quote(arguments[0], files[2], err);
    return 0;
}

int filter_run(const char *const *arguments, FILE *in, FILE *out, struct err *err)
{
    if (fflush(in) != 0 || lseek(fileno(in), 0, SEEK_SET) != 0 || fflush(out) != 0)
        return err_set(err, "cannot write a file for %s: %s", arguments[0], strerror(errno));
    FILE *complaints = tmpfile();
    if (!complaints)
        return err_set(err, "cannot create a temporary file: %s", strerror(errno));
    int status = filter_talk(arguments, (FILE *const[]){in, out, complaints}, err);
    fclose(complaints);
    return status;
}
