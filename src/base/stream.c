#include "base/stream.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 256 * 1024 };

/* zlib hands on what is not compressed as it stands. Takes the descriptor. */
static int stream_attach(struct stream *stream, int descriptor, struct err *err)
{
    stream->file = gzdopen(descriptor, "rb");
    if (stream->file)
        return 0;
    close(descriptor);
    return err_memory(err);
}

int stream_open(struct stream *stream, const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    *stream = (struct stream){.where = standard ? "stdin" : path, .path = standard ? NULL : path};
    int descriptor =
        standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return err_set(err, "cannot read '%s': %s", path, strerror(errno));
    return stream_attach(stream, descriptor, err);
}

/* --- what a program prints ------------------------------------------------------------------- */

/* 0 or the number of an error. */
static int stream_spawn(struct stream *stream, const char *const *arguments, int output)
{
    posix_spawn_file_actions_t actions;
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault)
        return fault;
    fault = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!fault)
        fault = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!fault)
        fault = posix_spawnp(&stream->process, arguments[0], &actions, NULL,
                             (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault)
        stream->process = 0;
    return fault;
}

int stream_run(struct stream *stream, const char *const *arguments, const char *where,
               struct err *err)
{
    int ends[2];
    *stream = (struct stream){.where = where, .program = arguments[0]};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, "cannot run '%s': %s", arguments[0], strerror(errno));
    int fault = stream_spawn(stream, arguments, ends[1]);
    close(ends[1]);
    if (!fault)
        return stream_attach(stream, ends[0], err);
    close(ends[0]);
    err_set(err, "cannot run '%s': %s", arguments[0], strerror(fault));
    errno = fault;
    return -1;
}

/* Waits for the program. 0, or -1 if it has failed. */
static int stream_wait(struct stream *stream, struct err *err)
{
    int status = 0;
    pid_t process = stream->process;
    if (!process)
        return 0; /* there is none, or how it ended is known */
    stream->process = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    stream->failed = status != 0;
    if (WIFSIGNALED(status))
        return err_set(err, "%s: %s was ended by signal %d", stream->where, stream->program,
                       WTERMSIG(status));
    if (status)
        return err_set(err, "%s: %s failed with exit code %d", stream->where, stream->program,
                       WEXITSTATUS(status));
    return 0;
}

/* --- the text -------------------------------------------------------------------------------- */

struct stream stream_of_text(const char *text, size_t length, const char *where)
{
    return (struct stream){.where = where, .at = text, .stop = text + length};
}

void stream_close(struct stream *stream)
{
    if (stream->file)
        gzclose_r(stream->file); /* a program that prints on is ended by that */
    if (stream->process)
        stream_wait(stream, NULL);
    free(stream->buffer);
    *stream = (struct stream){0};
}

/* Why the file could not be read. */
static int stream_fail(const struct stream *stream, struct err *err)
{
    int fault;
    const char *text;
    gzerror(stream->file, &fault);
    if (fault == Z_ERRNO)
        text = strerror(errno);
    else if (fault == Z_BUF_ERROR)
        text = "the compressed text is cut off";
    else
        text = "the compressed text is damaged";
    return err_set(err, "cannot read '%s': %s", stream->where, text);
}

/* Keeps what is left and reads more after it. 1, 0 at the end of the file, or -1. */
static int stream_refill(struct stream *stream, struct err *err)
{
    size_t left = (size_t)(stream->stop - stream->at);
    int fault;
    if (!stream->file)
        return 0;
    if (left >= STREAM_LONGEST_LINE)
        return err_set(err, "%s:%zu: a line is longer than %d bytes", stream->where,
                       stream->number + 1, STREAM_LONGEST_LINE);
    if (left)
        memmove(stream->buffer, stream->at, left);
    char *buffer = mem_reserve(stream->buffer, &stream->capacity, left + CHUNK, 1);
    if (!buffer) {
        stream->at = stream->stop = stream->buffer;
        return err_memory(err);
    }
    int got = gzread(stream->file, buffer + left, (unsigned)(stream->capacity - left));
    stream->buffer = buffer;
    stream->at = buffer;
    stream->stop = buffer + left + (got > 0 ? got : 0);
    if (got > 0)
        return 1;
    gzerror(stream->file, &fault);
    if (got < 0 || fault != Z_OK)
        return stream_fail(stream, err);
    return stream_wait(stream, err);
}

int stream_peek(struct stream *stream, const char **bytes, size_t size, struct err *err)
{
    int more = 1;
    while ((size_t)(stream->stop - stream->at) < size && (more = stream_refill(stream, err)) > 0)
        ;
    size_t left = (size_t)(stream->stop - stream->at);
    *bytes = stream->at;
    return more < 0 ? -1 : (int)(left < size ? left : size);
}

/* The program that has compressed the text in another way than gzip, by its first bytes, or NULL.
 */
static const char *stream_packer(const struct stream *stream)
{
    static const struct {
        const char *program, *magic;
        size_t at; /* where it stands */
    } packers[] = {{"bzip2", "1AY&SY", 4},
                   {"xz", "\xFD\x37zXZ", 0},
                   {"zstd", "\x28\xB5\x2F\xFD", 0},
                   {"zip", "PK\x03\x04", 0}};
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        size_t at = packers[i].at, length = strlen(packers[i].magic);
        if (stream->length >= at + length &&
            memcmp(stream->line + at, packers[i].magic, length) == 0)
            return packers[i].program;
    }
    return NULL;
}

static void skip_mark(struct stream *stream)
{
    if (stream->length >= 3 && memcmp(stream->line, "\xEF\xBB\xBF", 3) == 0) {
        stream->line += 3;
        stream->length -= 3;
    }
}

int stream_next(struct stream *stream, struct err *err)
{
    size_t searched = 0;
    for (;;) {
        size_t left = (size_t)(stream->stop - stream->at);
        const char *newline =
            left > searched ? memchr(stream->at + searched, '\n', left - searched) : NULL;
        int more = newline ? 0 : stream_refill(stream, err);
        if (more < 0)
            return -1;
        searched = left;
        if (more)
            continue;
        if (left == 0)
            return 0;
        stream->line = stream->at;
        stream->length = newline ? (size_t)(newline - stream->at) : left;
        stream->at = newline ? newline + 1 : stream->stop;
        stream->ended = newline;
        break;
    }
    if (stream->length && stream->line[stream->length - 1] == '\r')
        stream->length--;
    if (stream->number++ > 0)
        return 1;
    skip_mark(stream);
    const char *packer = stream_packer(stream);
    if (packer)
        return err_set(err, "%s: compressed by %s, expected a text, or one compressed by gzip",
                       stream->where, packer);
    return 1;
}
