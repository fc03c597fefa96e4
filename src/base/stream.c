#include "base/stream.h"
#include "base/mem.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 * 1024 };

int stream_open(struct stream *stream, const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    *stream = (struct stream){.where = standard ? "stdin" : path};
    stream->file = standard ? stdin : fopen(path, "rb");
    if (!stream->file)
        return err_set(err, "cannot read '%s': %s", path, strerror(errno));
    return 0;
}

struct stream stream_of_text(const char *text, size_t length, const char *where)
{
    return (struct stream){.where = where, .at = text, .stop = text + length};
}

void stream_close(struct stream *stream)
{
    if (stream->file && stream->file != stdin)
        fclose(stream->file);
    free(stream->buffer);
    *stream = (struct stream){0};
}

/* Keeps the unread rest and reads more after it. 1, 0 at the end of the file, or -1. */
static int stream_refill(struct stream *stream, struct err *err)
{
    size_t left = (size_t)(stream->stop - stream->at);
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
    size_t got = fread(buffer + left, 1, stream->capacity - left, stream->file);
    stream->buffer = buffer;
    stream->at = buffer;
    stream->stop = buffer + left + got;
    if (got == 0 && ferror(stream->file))
        return err_set(err, "cannot read '%s': %s", stream->where, strerror(errno));
    return got > 0;
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
        break;
    }
    if (stream->length && stream->line[stream->length - 1] == '\r')
        stream->length--;
    if (stream->number++ == 0)
        skip_mark(stream);
    return 1;
}
