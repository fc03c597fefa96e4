#include "base/output.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the file really is: symbolic links are followed, so that renaming does not replace them. */
static char *output_resolve(const char *path)
{
    char *real = realpath(path, NULL);
    if (real)
        return real;
    char *copy = mem_alloc(strlen(path) + 1, 1);
    return copy ? strcpy(copy, path) : NULL;
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The names of unfinished files, for output_abandon; those beyond the room are not removed. Threads
 * and a signal handler take places and names at the same time, so a name belongs to the side that
 * takes it out. */
static _Atomic(char *) unfinished[OUTPUT_PLACES];

/* The first free place, from 1, or 0 if there is none. */
static int claim_place(char *name)
{
    for (int i = 0; i < OUTPUT_PLACES; i++) {
        char *nothing = NULL;
        if (atomic_compare_exchange_strong(&unfinished[i], &nothing, name))
            return i + 1;
    }
    return 0;
}

void output_abandon(void)
{
    for (int i = 0; i < OUTPUT_PLACES; i++) {
        char *name = atomic_exchange(&unfinished[i], NULL), *nothing = NULL;
        if (name)
            unlink(name);
        atomic_compare_exchange_strong(&unfinished[i], &nothing, name);
    }
}

/* Frees the name of an unfinished file that no longer exists, unless output_abandon is using it:
 * then the process ends. */
static void forget_scratch(struct output *output)
{
    char *name = output->scratch;
    if (output->place == 0 ||
        atomic_compare_exchange_strong(&unfinished[output->place - 1], &name, NULL))
        free(output->scratch);
    output->scratch = NULL;
    output->place = 0;
}

/* A new file with a free name beside `path`; 0, or -1 with errno. */
static int open_scratch(struct output *output)
{
    size_t size = strlen(output->path) + 32;
    if (!(output->scratch = mem_alloc(size, 1)))
        return -1;
    int descriptor = -1;
    for (int n = 0; descriptor < 0 && n < 100; n++) {
        snprintf(output->scratch, size, "%s.part-%ld-%d", output->path, (long)getpid(), n);
        descriptor = open(output->scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor < 0) {
        forget_scratch(output);
        return -1;
    }
    output->place = claim_place(output->scratch);
    output->file = fdopen(descriptor, "wb");
    if (!output->file)
        close(descriptor);
    return output->file ? 0 : -1;
}

bool output_is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool output_is_directory(const char *path)
{
    struct stat status;
    if (!path || !*path)
        return false;
    return path[strlen(path) - 1] == '/' || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

int output_open(struct output *output, const char *path, struct err *err)
{
    *output = (struct output){0};
    if (output_is_stdout(path)) {
        output->file = stdout;
        return 0;
    }
    output->path = output_resolve(path);
    if (output->path && is_special(output->path))
        output->file = fopen(output->path, "wb");
    else if (output->path)
        open_scratch(output);
    if (output->file)
        return 0;
    int cause = errno;
    output_discard(output);
    return err_set(err, "cannot write '%s': %s", path, strerror(cause));
}

/* Why a stream has failed: errno is of the call that did, which may be long ago, so another one
 * tells. What it writes goes nowhere. */
static int output_cause(FILE *file)
{
    char nothing[1 << 16] = "";
    clearerr(file);
    errno = 0;
    fwrite(nothing, 1, sizeof nothing, file);
    return fflush(file) != 0 || errno ? errno : EIO;
}

int output_commit(struct output *output, struct err *err)
{
    errno = 0;
    bool before = ferror(output->file);
    int failed = fflush(output->file) != 0 || before;
    int cause = before && output->path ? output_cause(output->file) : errno;
    if (output->path && fclose(output->file) != 0 && !failed) {
        failed = 1;
        cause = errno;
    }
    output->file = NULL;
    if (!failed && output->scratch && rename(output->scratch, output->path) != 0) {
        failed = 1;
        cause = errno;
    }
    if (failed)
        err_set(err, "cannot write '%s': %s", output->path ? output->path : "standard output",
                strerror(cause ? cause : EIO));
    else
        forget_scratch(output);
    output_discard(output);
    return failed ? -1 : 0;
}

void output_discard(struct output *output)
{
    if (output->file && output->path)
        fclose(output->file);
    if (output->scratch)
        unlink(output->scratch);
    forget_scratch(output);
    free(output->path);
    *output = (struct output){0};
}
