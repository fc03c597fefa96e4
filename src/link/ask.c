#include "link/ask.h"
#include "base/text.h"
#include "link/dialer.h"
#include <signal.h>
#include <unistd.h>

struct link_ask_state {
    uv_loop_t loop;
    uv_timer_t timer;
    struct link_dialer *dialer;
    const struct packet *question;
    link_ask_hear *hear;
    void *context;
    bool done;
    char fault[sizeof((struct err *)0)->text]; /* what each controller said */
};

static void ask_end(struct link_ask_state *ask, const char *fault)
{
    uv_stop(&ask->loop);
    if (fault && !ask->fault[0])
        text_append(ask->fault, sizeof ask->fault, fault);
}

static int ask_connected(void *context, uint32_t version, const void *terms, size_t size,
                         struct err *err)
{
    struct link_ask_state *ask = context;
    (void)version;
    (void)terms;
    (void)size;
    ask->fault[0] = '\0'; /* of those before it */
    if (link_dialer_send(ask->dialer, ask->question->bytes, ask->question->size) == 0)
        return 0;
    return err_set(err, "the question cannot be sent");
}

static int ask_frame(void *context, const void *bytes, size_t size, struct err *err)
{
    struct link_ask_state *ask = context;
    bool last = false;
    if (ask->done)
        return 0;
    if (!ask->hear(ask->context, bytes, size, &last)) {
        ask_end(ask, "the controller is of another version");
        return err_set(err, "%s", ask->fault);
    }
    ask->done = last;
    if (last)
        ask_end(ask, NULL);
    return 0;
}

static void ask_writable(void *context)
{
    (void)context; /* there is one question, and it is the first that is sent */
}

static void ask_gone(void *context)
{
    ask_end(context, "the controller has gone");
}

static void ask_say(void *context, const char *text)
{
    struct link_ask_state *ask = context;
    if (link_dialer_is_connected(ask->dialer))
        return;
    text_append(ask->fault, sizeof ask->fault, ask->fault[0] ? "; " : "");
    text_append(ask->fault, sizeof ask->fault, text);
}

/* One that did not answer in time, as in a crowd of connections, is tried again until the limit. */
static void ask_failed(void *context, bool late)
{
    if (!late)
        ask_end(context, "no controller can be reached");
}

static void ask_on_limit(uv_timer_t *timer)
{
    ask_end(timer->data, "the controller does not answer");
}

static const struct link_dialer_calls ask_calls = {
    ask_connected, ask_frame, ask_writable, ask_gone, ask_say, ask_failed,
};

static struct link_dialer *ask_dial(struct link_ask_state *ask, const struct link_ask_setup *setup,
                                    struct err *err)
{
    struct link_dialer_setup dial = {.controllers = setup->controllers,
                                     .controller_count = setup->controller_count,
                                     .munge = setup->munge,
                                     .controller_uid = setup->controller_uid,
                                     .speaks = setup->speaks,
                                     .hello = {.role = LINK_CLIENT},
                                     .calls = &ask_calls,
                                     .context = ask};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    wire_name(dial.hello.name, host);
    return link_dialer_new(&ask->loop, &dial, err);
}

int link_ask(const struct link_ask_setup *setup, const struct packet *question, link_ask_hear *hear,
             void *context, struct err *err)
{
    struct link_ask_state ask = {.question = question, .hear = hear, .context = context};
    int status = uv_loop_init(&ask.loop);
    if (status != 0)
        return err_set(err, "cannot create an event loop: %s", uv_strerror(status));
    uv_timer_init(&ask.loop, &ask.timer);
    ask.timer.data = &ask;
    ask.dialer = ask_dial(&ask, setup, err);
    if (ask.dialer) {
        /* A connection that ends while it is written to must not end the command. */
        struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
        sigaction(SIGPIPE, &ignore, &before);
        uv_timer_start(&ask.timer, ask_on_limit, setup->limit, 0);
        uv_run(&ask.loop, UV_RUN_DEFAULT);
        sigaction(SIGPIPE, &before, NULL);
        if (!ask.done)
            err_set(err, "%s", ask.fault);
    }
    link_dialer_free(ask.dialer);
    uv_close((uv_handle_t *)&ask.timer, NULL);
    uv_run(&ask.loop, UV_RUN_DEFAULT);
    uv_loop_close(&ask.loop);
    return ask.done ? 0 : -1;
}
