/* Hooks on libc's streams. */
#include "preload/call.h"
#include "preload/real.h"
#include "preload/stream.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* --- output ----------------------------------------------------------------------------------- */

#define PUT(type, name, parameters, arguments, stream, bytes)                                      \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        bool store = stream_controlled(stream),                                                    \
             held = store && flow_begin_put(&flow, stream, bytes);                                 \
        size_t waiting = store ? 0 : stream_waiting(stream) + (bytes);                             \
        type result = real()->name arguments;                                                      \
        if (held)                                                                                  \
            flow_end_put(&flow);                                                                   \
        else if (!store)                                                                           \
            flow_pass_put(stream, waiting);                                                        \
        return result;                                                                             \
    }
HOOKS_PUT(PUT)
#undef PUT

/* Output to other files is not printed twice to find its length. */
#define FORMAT(type, name, parameters, arguments, stream)                                          \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        bool store = stream_controlled(stream);                                                    \
        bool held = store && flow_begin_put(&flow, stream, stream_printed(format, list));          \
        size_t waiting = store ? 0 : stream_waiting(stream);                                       \
        type result = real()->name arguments;                                                      \
        if (held)                                                                                  \
            flow_end_put(&flow);                                                                   \
        else if (!store && result > 0)                                                             \
            flow_pass_put(stream, waiting + (size_t)result);                                       \
        return result;                                                                             \
    }
HOOKS_FORMAT(FORMAT)
#undef FORMAT

#define PRINT_FD(type, name, parameters, arguments)                                                \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        bool store = descriptor_controlled(fd);                                                    \
        bool held = store && call_whole(fd, stream_printed(format, list), -1, CALL_WRITES);        \
        type result = real()->name arguments;                                                      \
        if (held)                                                                                  \
            call_end(result);                                                                      \
        else if (!store)                                                                           \
            call_passed(result);                                                                   \
        return result;                                                                             \
    }
HOOKS_PRINT_FD(PRINT_FD)
#undef PRINT_FD

#define FLUSH(type, name, parameters, arguments)                                                   \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        if (!flow_begin_flush(&flow, f))                                                           \
            return real()->name arguments;                                                         \
        type result = real()->name arguments;                                                      \
        flow_end_put(&flow);                                                                       \
        return result;                                                                             \
    }
HOOKS_FLUSH(FLUSH)
#undef FLUSH

/* NULL means all streams. */
static int stdio_empty(FILE *f, int (*flush)(FILE *))
{
    if (f)
        return stream_flush(f, flush);
    stream_flush_all();
    return flush(f);
}

HOOK int fflush(FILE *f)
{
    return stdio_empty(f, real()->fflush);
}

HOOK int fflush_unlocked(FILE *f)
{
    return stdio_empty(f, real()->fflush_unlocked);
}

HOOK void rewind(FILE *f)
{
    struct flow flow;
    bool flushes = flow_begin_flush(&flow, f);
    real()->rewind(f);
    if (flushes)
        flow_end_put(&flow);
}

/* --- input ------------------------------------------------------------------------------------ */

#define GET(type, name, parameters, arguments, stream, bytes, end)                                 \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        bool store = stream_controlled(stream);                                                    \
        bool held = store && flow_begin_get(&flow, stream, bytes, end);                            \
        if (!store)                                                                                \
            flow_pass_get(stream, bytes, end);                                                     \
        type result = real()->name arguments;                                                      \
        if (held)                                                                                  \
            flow_end_get(&flow);                                                                   \
        return result;                                                                             \
    }
HOOKS_GET(GET)
#undef GET

/* --- what is seen afterwards ------------------------------------------------------------------ */

#define WATCHED(type, name, parameters, arguments, stream)                                         \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        flow_watch(&flow, stream);                                                                 \
        type result = real()->name arguments;                                                      \
        flow_settle(&flow);                                                                        \
        return result;                                                                             \
    }
HOOKS_WATCHED(WATCHED)
HOOKS_RECORD(WATCHED)
#undef WATCHED

/* To other files each character counts as its longest form: as too many bytes rather than as too
 * few, which would be taken for bytes that escape. */
#define WIDE_PUT(type, name, parameters, arguments, stream, characters)                            \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        flow_watch(&flow, stream);                                                                 \
        type result = real()->name arguments;                                                      \
        flow_settle(&flow);                                                                        \
        if (flow.passes)                                                                           \
            call_passed((ssize_t)(characters) * (ssize_t)MB_CUR_MAX);                              \
        return result;                                                                             \
    }
HOOKS_WIDE_PUT(WIDE_PUT)
#undef WIDE_PUT

/* --- formats with arguments behind them: as the functions that take a list of them ------------ */

#define LISTED(type, name, parameters, with_list, arguments)                                       \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        type result = with_list arguments;                                                         \
        va_end(list);                                                                              \
        return result;                                                                             \
    }
HOOKS_PRINT(LISTED)
HOOKS_SCAN(LISTED)
#undef LISTED

/* --- streams come and go ---------------------------------------------------------------------- */

static FILE *stdio_end_open(FILE *stream)
{
    if (stream) {
        descriptor_opened(stream->_fileno);
        stream_opened(stream);
    }
    return stream;
}

HOOK FILE *fopen(const char *path, const char *mode)
{
    call_operation_at(AT_FDCWD, path);
    return stdio_end_open(real()->fopen(path, mode));
}

HOOK FILE *fopen64(const char *path, const char *mode)
{
    call_operation_at(AT_FDCWD, path);
    return stdio_end_open(real()->fopen64(path, mode));
}

HOOK FILE *fdopen(int fd, const char *mode)
{
    FILE *stream = real()->fdopen(fd, mode);
    if (stream)
        stream_opened(stream);
    return stream;
}

/* The old file is closed: its bytes are flushed, within a call if there are any. */
static void begin_close(struct flow *flow, FILE *stream)
{
    flow_begin_close(flow, stream);
    if (stream_controlled(stream))
        call_closed(descriptor_store(stream->_fileno));
    descriptor_forget(stream->_fileno);
    stream_closed(stream);
}

HOOK int fclose(FILE *f)
{
    struct flow flow;
    begin_close(&flow, f);
    int result = real()->fclose(f);
    flow_end_close(&flow);
    return result;
}

HOOK int pclose(FILE *f)
{
    descriptor_forget(f->_fileno);
    return real()->pclose(f);
}

/* Closes nothing, but flushes all. */
HOOK int fcloseall(void)
{
    stream_flush_free();
    return real()->fcloseall();
}

HOOK FILE *freopen(const char *path, const char *mode, FILE *f)
{
    struct flow flow;
    begin_close(&flow, f);
    FILE *stream = real()->freopen(path, mode, f);
    flow_end_close(&flow);
    return stdio_end_open(stream);
}

HOOK FILE *freopen64(const char *path, const char *mode, FILE *f)
{
    struct flow flow;
    begin_close(&flow, f);
    FILE *stream = real()->freopen64(path, mode, f);
    flow_end_close(&flow);
    return stdio_end_open(stream);
}
