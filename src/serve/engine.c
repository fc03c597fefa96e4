#include "serve/engine.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

void engine_say(const struct engine *engine, const char *text)
{
    if (engine->hooks && engine->hooks->say)
        engine->hooks->say(engine->hooks->context, text);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* Sets the alarm; a time of 0, at once, is the first that the kernel takes for one. */
static void engine_set_alarm(struct engine *engine, uint64_t time)
{
    time = time > 0 ? time : 1;
    struct itimerspec when = {.it_value = {.tv_sec = (time_t)(time / 1000000000u),
                                           .tv_nsec = (long)(time % 1000000000u)}};
    if (time != engine->alarm_set)
        timerfd_settime(engine->alarm, TFD_TIMER_ABSTIME, &when, NULL);
    engine->alarm_set = time;
}

static void engine_beat(struct engine *engine, uint64_t now)
{
    engine->next_beat = now + CHANNEL_BEAT_NS;
    peers_retry(&engine->peers);
    notify_beat(&engine->notify, uv_hrtime());
    if (engine->census)
        census_take(engine->census, uv_hrtime());
    if (engine->channels.count > 0)
        backstop_beat(engine->channels.list[0].backstop, engine->channels.list[0].node);
}

static void engine_take_turn(uv_check_t *handle)
{
    struct engine *engine = handle->data;
    const struct engine_calls *calls = engine->calls;
    peers_proceed(&engine->peers);
    uint64_t now = uv_hrtime();
    channels_settle(&engine->channels, now);
    calls->settle(engine->context, now);
    if (now >= engine->next_beat)
        engine_beat(engine, now);
    uint64_t next = channels_next(&engine->channels);
    uint64_t dues[] = {calls->next(engine->context), peers_next(&engine->peers), engine->next_beat};
    for (size_t i = 0; i < sizeof dues / sizeof *dues; i++)
        next = dues[i] < next ? dues[i] : next;
    engine_set_alarm(engine, next);
}

static void engine_on_alarm(uv_poll_t *handle, int status, int events)
{
    struct engine *engine = handle->data;
    uint64_t rings;
    (void)status;
    (void)events;
    if (read(engine->alarm, &rings, sizeof rings) > 0)
        engine->alarm_set = 0;
}

/* --- signals ---------------------------------------------------------------------------------- */

static void engine_on_end(uv_signal_t *handle, int signal)
{
    (void)signal;
    uv_stop(handle->loop);
}

static void engine_on_reload(uv_signal_t *handle, int signal)
{
    struct engine *engine = handle->data;
    (void)signal;
    if (!engine->calls->reload)
        return;
    notify_reloading(&engine->notify, uv_hrtime());
    engine->calls->reload(engine->context);
    notify_ready(&engine->notify);
}

/* As nohup does with SIGHUP. */
static bool is_ignored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void engine_start_handles(struct engine *engine)
{
    static const struct {
        int number;
        uv_signal_cb call;
    } signals[ENGINE_SIGNALS] = {
        {SIGTERM, engine_on_end}, {SIGINT, engine_on_end}, {SIGHUP, engine_on_reload}};
    engine->turn.data = engine;
    uv_check_init(&engine->loop, &engine->turn);
    uv_check_start(&engine->turn, engine_take_turn);
    for (int i = 0; i < ENGINE_SIGNALS; i++) {
        uv_signal_init(&engine->loop, &engine->signals[i]);
        engine->signals[i].data = engine;
        if (!is_ignored(signals[i].number))
            uv_signal_start(&engine->signals[i], signals[i].call, signals[i].number);
    }
}

static void engine_stop_handles(struct engine *engine)
{
    uv_close((uv_handle_t *)&engine->turn, NULL);
    for (int i = 0; i < ENGINE_SIGNALS; i++)
        uv_close((uv_handle_t *)&engine->signals[i], NULL);
}

/* --- from start to end ------------------------------------------------------------------------ */

int engine_init(struct engine *engine, const struct serve_hooks *hooks,
                const struct engine_calls *calls, void *context, struct err *err)
{
    *engine = (struct engine){.hooks = hooks, .calls = calls, .context = context};
    engine_adopt(engine, &engine->channels);
    int status = uv_loop_init(&engine->loop);
    if (status != 0)
        return err_set(err, "cannot create an event loop: %s", uv_strerror(status));
    engine->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (engine->alarm < 0) {
        uv_loop_close(&engine->loop);
        return err_set(err, "cannot create a timer: %s", strerror(errno));
    }
    engine->alarm_poll.data = engine;
    uv_poll_init(&engine->loop, &engine->alarm_poll, engine->alarm);
    uv_poll_start(&engine->alarm_poll, UV_READABLE, engine_on_alarm);
    notify_open(&engine->notify);
    /* A connection that ends while it is written to must not end the process. */
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &engine->pipe);
    return 0;
}

void engine_stop(struct engine *engine)
{
    uv_close((uv_handle_t *)&engine->alarm_poll, NULL);
    uv_run(&engine->loop, UV_RUN_DEFAULT);
    close(engine->alarm);
    census_free(engine->census);
    channels_close(&engine->channels);
    users_fini(&engine->users);
}

void engine_fini(struct engine *engine)
{
    uv_run(&engine->loop, UV_RUN_DEFAULT);
    uv_loop_close(&engine->loop);
    notify_close(&engine->notify);
    sigaction(SIGPIPE, &engine->pipe, NULL);
}

void engine_adopt(struct engine *engine, struct channels *channels)
{
    channels->users = &engine->users;
    channels->say = engine->hooks ? engine->hooks->say : NULL;
    channels->context = engine->hooks ? engine->hooks->context : NULL;
}

int engine_count_escapes(struct engine *engine, const struct service *service, struct err *err)
{
    engine->census = census_new(engine->channels.list[0].node, service, err);
    return engine->census ? 0 : -1;
}

int engine_run(struct engine *engine, const char *socket, const struct peers_desk *desk,
               struct err *err)
{
    const struct serve_hooks *hooks = engine->hooks;
    if (peers_init(&engine->peers, &engine->loop, &engine->channels, socket, err) != 0)
        return -1;
    engine->peers.context = engine->context;
    if (engine->shares_files)
        engine->peers.most /= 2;
    if (desk)
        engine->peers.desk = desk;
    engine_start_handles(engine);
    engine_take_turn(&engine->turn);
    if (hooks && hooks->ready)
        hooks->ready(hooks->context);
    notify_ready(&engine->notify);
    uv_run(&engine->loop, UV_RUN_DEFAULT);
    notify_stopping(&engine->notify);
    engine_stop_handles(engine);
    peers_fini(&engine->peers);
    return 0;
}
