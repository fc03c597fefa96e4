/* A command that misbehaves, with a genuine credential: stranger HOST:PORT MUNGE-SOCKET WHAT.
 *
 *   attach   attaches, as only programs of the controller's machine may
 *   garbage  sends what is not a message
 *   flood    asks again and again
 *   deaf     the same, and does not read
 *
 * Prints the messages that come back, and how it ends. */
#include "link/dialer.h"
#include "node/message.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FLOOD = 200 };

struct stranger {
    uv_loop_t loop;
    struct link_dialer *dialer;
    const char *what;
};

static void stranger_send(struct stranger *stranger, const struct wire_message *message)
{
    char bytes[WIRE_MOST];
    link_dialer_send(stranger->dialer, bytes, wire_encode(message, bytes));
}

static int stranger_connected(void *context, uint32_t version, const void *terms, size_t size,
                              struct err *err)
{
    struct stranger *stranger = context;
    struct wire_message message = {.type = WIRE_QUERY, .query = {.applications = 1}};
    (void)version;
    (void)terms;
    (void)size;
    (void)err;
    printf("connected\n");
    fflush(stdout);
    if (strcmp(stranger->what, "attach") == 0) {
        message = (struct wire_message){.type = WIRE_ATTACH,
                                        .attach = {.nodes = 1, .weight = 1, .name = "stranger"}};
        stranger_send(stranger, &message);
    } else if (strcmp(stranger->what, "garbage") == 0) {
        link_dialer_send(stranger->dialer, "what is this?", 13);
    } else {
        for (int i = 0; i < FLOOD; i++)
            stranger_send(stranger, &message);
        if (strcmp(stranger->what, "deaf") == 0)
            raise(SIGSTOP);
    }
    return 0;
}

static int stranger_frame(void *context, const void *bytes, size_t size, struct err *err)
{
    struct wire_message message;
    (void)context;
    (void)err;
    const char *fault = wire_decode(bytes, size, &message);
    printf("%s %s\n", fault ? fault : wire_type_name(message.type),
           !fault && message.type == WIRE_REFUSED ? message.refused.reason : "");
    return 0;
}

static void stranger_end(void *context)
{
    struct stranger *stranger = context;
    printf("gone\n");
    uv_stop(&stranger->loop);
}

static void stranger_fail(void *context, bool late)
{
    (void)late;
    stranger_end(context);
}

static void stranger_ignore(void *context)
{
    (void)context;
}

static void stranger_say(void *context, const char *text)
{
    (void)context;
    printf("%s\n", text);
}

int main(int argc, char **argv)
{
    static const struct link_dialer_calls calls = {
        stranger_connected, stranger_frame, stranger_ignore,
        stranger_end,       stranger_say,   stranger_fail,
    };
    struct stranger stranger = {.what = argv[argc - 1]};
    struct link_address address;
    struct err err = {0};
    if (argc != 4 || link_address_read(argv[1], LINK_PORT, &address, &err) != 0)
        return 2;
    const struct link_dialer_setup setup = {.controllers = &address,
                                            .controller_count = 1,
                                            .munge = argv[2],
                                            .controller_uid = geteuid(),
                                            .speaks = {NODE_OLDEST, NODE_NEWEST},
                                            .hello = {.role = LINK_CLIENT, .name = "stranger"},
                                            .calls = &calls,
                                            .context = &stranger};
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&stranger.loop);
    stranger.dialer = link_dialer_new(&stranger.loop, &setup, &err);
    uv_run(&stranger.loop, UV_RUN_DEFAULT);
    link_dialer_free(stranger.dialer);
    uv_run(&stranger.loop, UV_RUN_DEFAULT);
    return uv_loop_close(&stranger.loop) == 0 ? 0 : 1;
}
