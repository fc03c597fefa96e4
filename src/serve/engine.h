/* The loop of a process that serves the programs of a node: their connections, the clock, signals,
 * and a turn after all messages that came in together. For this room only. */
#ifndef WEIR_SERVE_ENGINE_H
#define WEIR_SERVE_ENGINE_H

#include "escape/census.h"
#include "serve/channels.h"
#include "serve/notify.h"
#include "serve/peers.h"
#include "serve/serve.h"
#include <signal.h>

enum { ENGINE_SIGNALS = 3 };

/* What else belongs to a turn; each gets the engine's context. */
struct engine_calls {
    void (*settle)(void *context, uint64_t now); /* after the channels */
    uint64_t (*next)(void *context);             /* the latest time for the next call */
    void (*reload)(void *context);               /* SIGHUP, may be NULL */
};

struct engine {
    uv_loop_t loop;
    const struct serve_hooks *hooks; /* may be NULL */
    const struct engine_calls *calls;
    void *context;
    struct users users;
    struct channels channels; /* there may be none for the moment */
    struct backstop backstop;
    struct notify notify;
    struct peers peers;
    bool shares_files; /* half of the file descriptors are for others than programs */
    struct census *census;
    int alarm;          /* wakes the loop, to the nanosecond */
    uint64_t alarm_set; /* for this time */
    uint64_t next_beat;
    uv_poll_t alarm_poll;
    uv_check_t turn; /* runs after all messages that came in together */
    uv_signal_t signals[ENGINE_SIGNALS];
    struct sigaction pipe; /* what SIGPIPE did before */
};

/* 0 or -1. After 0, engine_stop, which lets the loop end what is under way and closes the channels,
 * and then engine_fini, which closes the loop. */
int engine_init(struct engine *engine, const struct serve_hooks *hooks,
                const struct engine_calls *calls, void *context, struct err *err);
void engine_stop(struct engine *engine);
void engine_fini(struct engine *engine);

/* Lets the channels that are about to be opened count and tell here. */
void engine_adopt(struct engine *engine, struct channels *channels);

/* Looks for what escapes control of the first channel, with the stores of this configuration. 0 or
 * -1. */
int engine_count_escapes(struct engine *engine, const struct service *service, struct err *err);

/* Listens at the socket with this desk, or that of controllers if NULL, and serves until a signal
 * ends it. Then all connections are closed. 0, or -1 with err: it could not start. */
int engine_run(struct engine *engine, const char *socket, const struct peers_desk *desk,
               struct err *err);

/* Passes a note to people. */
void engine_say(const struct engine *engine, const char *text);

#endif
