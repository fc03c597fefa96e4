/* Hooks on functions of libc that print to standard error by themselves, without the hooks on
 * streams: it may be a file of a store. They are charged afterwards. */
#include "client/kernel.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/real.h"
#include "preload/stream.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MORE = 1024 }; /* bytes that libc adds at most: a name, the text of an error */

/* --- messages --------------------------------------------------------------------------------- */

/* Elsewhere, too many bytes count as seen rather than too few. */
static void message_end(const struct flow *flow, size_t most)
{
    flow_settle(flow);
    if (flow->passes)
        call_passed((ssize_t)most);
}

#define MESSAGE(type, name, parameters, arguments, most)                                           \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        struct flow flow;                                                                          \
        flow_watch(&flow, stderr);                                                                 \
        size_t bytes = flow.passes ? (most) : 0;                                                   \
        real()->name arguments;                                                                    \
        message_end(&flow, bytes);                                                                 \
    }
HOOKS_MESSAGE(MESSAGE)
#undef MESSAGE

#define LISTED_MESSAGE(type, name, parameters, with_list, arguments)                               \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        with_list arguments;                                                                       \
        va_end(list);                                                                              \
    }
HOOKS_MESSAGE_LIST(LISTED_MESSAGE)
#undef LISTED_MESSAGE

/* --- messages whose arguments no function takes as a list: they are printed first ------------- */

struct printed_message {
    char room[512]; /* long ones have a mapping of their own */
    char *text;
    size_t size; /* of the mapping, 0 = there is none */
    struct flow flow;
};

static void message_print(struct printed_message *message, const char *format, va_list list)
{
    int fault = errno;
    void *memory = NULL;
    va_list copy;
    va_copy(copy, list);
    int bytes = vsnprintf(message->room, sizeof message->room, format, list);
    errno = fault; /* the format may ask for it */
    message->text = message->room;
    message->size = 0;
    if (bytes >= (int)sizeof message->room &&
        kernel_map(&memory, NULL, (size_t)bytes + 1, PROT_READ | PROT_WRITE, -1) == 0) {
        message->text = memory;
        message->size = (size_t)bytes + 1;
        vsnprintf(message->text, message->size, format, copy);
    }
    va_end(copy);
    errno = fault;
    stream_flush(stdout, real()->fflush); /* as libc does before its message */
    flow_watch(&message->flow, stderr);
}

static void message_done(const struct printed_message *message)
{
    message_end(&message->flow, MESSAGE_MORE + strlen(message->text));
    if (message->size > 0)
        kernel_unmap(message->text, message->size);
}

#define PRINT_MESSAGE(message)                                                                     \
    struct printed_message message;                                                                \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    message_print(&message, format, list);                                                         \
    va_end(list);

HOOK void error(int status, int fault, const char *format, ...)
{
    PRINT_MESSAGE(message)
    real()->error(status, fault, "%s", message.text);
    message_done(&message);
}

HOOK void error_at_line(int status, int fault, const char *file, unsigned line, const char *format,
                        ...)
{
    PRINT_MESSAGE(message)
    real()->error_at_line(status, fault, file, line, "%s", message.text);
    message_done(&message);
}

/* Only a file has an offset. */
HOOK void backtrace_symbols_fd(void *const *list, int n, int fd)
{
    bool store = descriptor_controlled(fd);
    int fault = errno;
    off_t before = store ? lseek(fd, 0, SEEK_CUR) : 0;
    real()->backtrace_symbols_fd(list, n, fd);
    off_t moved = store ? lseek(fd, 0, SEEK_CUR) - before : 0;
    errno = fault;
    if (moved > 0 && call_whole(fd, (size_t)moved, -1, CALL_WRITES))
        call_end(moved);
    else if (!store && n > 0)
        call_passed((ssize_t)n * MESSAGE_MORE);
}
