#include "daemon/daemon.h"
#include "daemon/census.h"
#include "daemon/channels.h"
#include "daemon/notify.h"
#include "daemon/peers.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { SIGNALS = 3 };

struct daemon {
    uv_loop_t loop;
    const struct daemon_hooks *hooks;
    struct journal *journal;
    struct channels channels;
    struct backstop backstop;
    const struct service *first; /* the configuration of the start, */
    struct service reloaded[2];  /* the one in force, if it was reloaded, and space for the next */
    int latest;
    struct notify notify;
    struct peers peers;
    struct census *census;
    int alarm;          /* wakes the loop, to the nanosecond */
    uint64_t alarm_set; /* for this time */
    uv_poll_t alarm_poll;
    uv_check_t turn; /* runs after all messages that came in together */
    uv_signal_t signals[SIGNALS];
    uint64_t beats; /* seen */
};

/* --- turns ------------------------------------------------------------------------------------ */

static void set_alarm(struct daemon *daemon, uint64_t date)
{
    struct itimerspec when = {.it_value = {.tv_sec = (time_t)(date / 1000000000u),
                                           .tv_nsec = (long)(date % 1000000000u)}};
    if (date != daemon->alarm_set)
        timerfd_settime(daemon->alarm, TFD_TIMER_ABSTIME, &when, NULL);
    daemon->alarm_set = date;
}

static void take_turn(uv_check_t *handle)
{
    struct daemon *daemon = handle->data;
    const struct controller *first = daemon->channels.list[0].live->controller;
    channels_settle(&daemon->channels, uv_hrtime());
    set_alarm(daemon, channels_next(&daemon->channels));
    if (daemon->beats != first->beats) {
        peers_retry(&daemon->peers);
        notify_beat(&daemon->notify, uv_hrtime());
        census_take(daemon->census, uv_hrtime());
        backstop_beat(daemon->channels.list[0].live);
    }
    daemon->beats = first->beats;
}

static void on_alarm(uv_poll_t *handle, int status, int events)
{
    struct daemon *daemon = handle->data;
    uint64_t rings;
    (void)status;
    (void)events;
    if (read(daemon->alarm, &rings, sizeof rings) > 0)
        daemon->alarm_set = 0;
}

static void daemon_on_end(uv_signal_t *handle, int signal)
{
    (void)signal;
    uv_stop(handle->loop);
}

/* --- reloading -------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether running programs are unaffected by the difference: bandwidths may differ. */
static bool same_stores(const struct service *a, const struct service *b)
{
    bool same = a->store_count == b->store_count;
    for (uint32_t i = 0; i < a->store_count && same; i++) {
        const struct service_store *one = &a->stores[i], *other = &b->stores[i];
        same = same_text(one->path, other->path) && one->pieces == other->pieces &&
               (one->bandwidth > 0) == (other->bandwidth > 0) &&
               (one->reads > 0) == (other->reads > 0);
    }
    return same;
}

/* Reports changes that need a restart. */
static void say_reloaded(const struct daemon *daemon, const struct service *read)
{
    const struct service *first = daemon->first;
    char text[192];
    snprintf(text, sizeof text, "reloaded%s%s%s%s%s",
             same_text(first->socket, read->socket) ? "" : "; another socket needs a restart",
             same_stores(first, read) ? "" : "; other stores need a restart",
             same_text(first->journal, read->journal) ? "" : "; another journal needs a restart",
             same_text(first->state, read->state) ? "" : "; another state needs a restart",
             same_text(first->cgroup, read->cgroup) ? "" : "; another cgroup needs a restart");
    controller_say(daemon->channels.list[0].live->controller, text);
}

static int reload_service(struct daemon *daemon, struct err *err)
{
    const struct daemon_hooks *hooks = daemon->hooks;
    struct service *fresh = &daemon->reloaded[!daemon->latest];
    if (!hooks || !hooks->reload)
        return 0;
    if (hooks->reload(hooks->context, fresh, err) != 0)
        return -1;
    const struct service read = *fresh;
    fresh->socket = daemon->first->socket;
    fresh->journal = daemon->first->journal;
    fresh->state = daemon->first->state;
    fresh->cgroup = daemon->first->cgroup;
    if (!same_stores(daemon->first, fresh)) {
        fresh->stores = daemon->first->stores;
        fresh->store_count = daemon->first->store_count;
    }
    if (channels_reload(&daemon->channels, uv_hrtime(), fresh, err) != 0) {
        arena_fini(&fresh->arena);
        return -1;
    }
    arena_fini(&daemon->reloaded[daemon->latest].arena);
    daemon->latest = !daemon->latest;
    say_reloaded(daemon, &read);
    return 0;
}

static void on_reload(uv_signal_t *handle, int signal)
{
    struct daemon *daemon = handle->data;
    const struct controller *first = daemon->channels.list[0].live->controller;
    struct err err = {""};
    (void)signal;
    notify_reloading(&daemon->notify, uv_hrtime());
    if (reload_service(daemon, &err) != 0) {
        err_prepend(&err, "not reloaded");
        controller_say(first, err.text);
    }
    if (daemon->journal && journal_reopen(daemon->journal, &err) != 0)
        controller_say(first, err.text);
    notify_ready(&daemon->notify);
}

/* --- from start to end ------------------------------------------------------------------------ */

static int open_alarm(struct daemon *daemon, struct err *err)
{
    daemon->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (daemon->alarm < 0)
        return err_set(err, "cannot create a timer: %s", strerror(errno));
    daemon->alarm_poll.data = daemon;
    uv_poll_init(&daemon->loop, &daemon->alarm_poll, daemon->alarm);
    uv_poll_start(&daemon->alarm_poll, UV_READABLE, on_alarm);
    return 0;
}

/* As nohup does with SIGHUP. */
static bool is_ignored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void start_handles(struct daemon *daemon)
{
    static const struct {
        int number;
        uv_signal_cb call;
    } signals[SIGNALS] = {{SIGTERM, daemon_on_end}, {SIGINT, daemon_on_end}, {SIGHUP, on_reload}};
    daemon->turn.data = daemon;
    uv_check_init(&daemon->loop, &daemon->turn);
    uv_check_start(&daemon->turn, take_turn);
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(&daemon->loop, &daemon->signals[i]);
        daemon->signals[i].data = daemon;
        if (!is_ignored(signals[i].number))
            uv_signal_start(&daemon->signals[i], signals[i].call, signals[i].number);
    }
}

static void stop_handles(struct daemon *daemon)
{
    uv_close((uv_handle_t *)&daemon->turn, NULL);
    for (int i = 0; i < SIGNALS; i++)
        uv_close((uv_handle_t *)&daemon->signals[i], NULL);
}

/* Listens and serves until a signal arrives. */
static int daemon_serve(struct daemon *daemon, struct err *err)
{
    const struct daemon_hooks *hooks = daemon->hooks;
    if (peers_init(&daemon->peers, &daemon->loop, &daemon->channels, err) != 0)
        return -1;
    start_handles(daemon);
    take_turn(&daemon->turn);
    if (hooks && hooks->ready)
        hooks->ready(hooks->context);
    notify_ready(&daemon->notify);
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    notify_stopping(&daemon->notify);
    stop_handles(daemon);
    peers_fini(&daemon->peers);
    return 0;
}

/* Starts the controllers, with the settings from before a restart. */
static int daemon_start(struct daemon *daemon, struct err *err)
{
    const struct daemon_hooks *hooks = daemon->hooks;
    struct channels *channels = &daemon->channels;
    if (channels_open(channels, daemon->journal, uv_hrtime(), err) != 0)
        return -1;
    for (uint32_t i = 0; i < channels->count && hooks; i++) {
        struct controller *controller = channels->list[i].live->controller;
        controller->posted = hooks->posted;
        controller->say = hooks->say;
        controller->context = hooks->context;
    }
    daemon->census = census_new(&daemon->loop, channels->list[0].live->node, daemon->first, err);
    if (!daemon->census || channels_restore(channels, uv_hrtime(), err) != 0)
        return -1;
    return open_alarm(daemon, err);
}

/* The kernel's limits, for the stores that share the platform's bandwidth. */
static int open_backstop(struct daemon *daemon, struct err *err)
{
    if (!daemon->first->cgroup)
        return 0;
    daemon->channels.list[0].live->backstop = &daemon->backstop;
    return backstop_open(&daemon->backstop, daemon->first, err);
}

static int daemon_daemon_run(struct daemon *daemon, struct err *err)
{
    const struct service *service = daemon->first;
    int status = -1;
    if (channels_plan(&daemon->channels, service, err) != 0)
        return -1;
    if (service->journal && !(daemon->journal = journal_open(&daemon->loop, service->journal, err)))
        return -1;
    if (daemon_start(daemon, err) == 0 && open_backstop(daemon, err) == 0) {
        status = daemon_serve(daemon, err);
        uv_close((uv_handle_t *)&daemon->alarm_poll, NULL);
        uv_run(&daemon->loop, UV_RUN_DEFAULT);
        close(daemon->alarm);
    }
    census_free(daemon->census);
    channels_close(&daemon->channels);
    arena_fini(&daemon->reloaded[daemon->latest].arena);
    return journal_close(daemon->journal, status == 0 ? err : NULL) == 0 ? status : -1;
}

int daemon_run(const struct service *service, const struct daemon_hooks *hooks, struct err *err)
{
    struct daemon daemon = {.alarm = -1, .first = service, .hooks = hooks};
    int status = uv_loop_init(&daemon.loop);
    if (status != 0)
        return err_set(err, "cannot create an event loop: %s", uv_strerror(status));
    notify_open(&daemon.notify);
    status = daemon_daemon_run(&daemon, err);
    uv_run(&daemon.loop, UV_RUN_DEFAULT);
    uv_loop_close(&daemon.loop);
    notify_close(&daemon.notify);
    return status;
}
