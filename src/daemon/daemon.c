#include "daemon/daemon.h"
#include "daemon/census.h"
#include "daemon/live.h"
#include "daemon/peers.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { SIGNALS = 3 }; /* that end it */

struct daemon {
    uv_loop_t loop;
    struct live *live;
    struct peers peers;
    struct census *census;
    int alarm;          /* wakes the loop, to the nanosecond */
    uint64_t alarm_set; /* for this date */
    uv_poll_t alarm_poll;
    uv_check_t turn; /* runs behind all messages that came in together */
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
    live_settle(daemon->live, uv_hrtime());
    set_alarm(daemon, live_next(daemon->live));
    if (daemon->beats != daemon->live->beats) {
        peers_retry(&daemon->peers);
        census_take(daemon->census, uv_hrtime());
    }
    daemon->beats = daemon->live->beats;
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

static void on_signal(uv_signal_t *handle, int signal)
{
    (void)signal;
    uv_stop(handle->loop);
}

/* --- from start to end ------------------------------------------------------------------------ */

static int open_alarm(struct daemon *daemon, struct err *err)
{
    daemon->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (daemon->alarm < 0)
        return err_set(err, "cannot make a timer: %s", strerror(errno));
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
    static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
    daemon->turn.data = daemon;
    uv_check_init(&daemon->loop, &daemon->turn);
    uv_check_start(&daemon->turn, take_turn);
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(&daemon->loop, &daemon->signals[i]);
        if (!is_ignored(ends[i]))
            uv_signal_start(&daemon->signals[i], on_signal, ends[i]);
    }
}

static void stop_handles(struct daemon *daemon)
{
    uv_close((uv_handle_t *)&daemon->turn, NULL);
    for (int i = 0; i < SIGNALS; i++)
        uv_close((uv_handle_t *)&daemon->signals[i], NULL);
}

/* Listens and serves until a signal comes. */
static int serve(struct daemon *daemon, const struct daemon_hooks *hooks, struct err *err)
{
    if (peers_init(&daemon->peers, &daemon->loop, daemon->live, err) != 0)
        return -1;
    start_handles(daemon);
    take_turn(&daemon->turn);
    if (hooks && hooks->ready)
        hooks->ready(hooks->context);
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    stop_handles(daemon);
    peers_fini(&daemon->peers);
    return 0;
}

static int run(struct daemon *daemon, const struct service *service, struct policy *policy,
               const struct daemon_hooks *hooks, struct err *err)
{
    struct journal *journal = NULL;
    int status = -1;
    if (service->journal && !(journal = journal_open(&daemon->loop, service->journal, err))) {
        policy_free(policy);
        return -1;
    }
    daemon->live = live_new(service, policy, journal, uv_hrtime(), err);
    if (daemon->live && hooks) {
        daemon->live->posted = hooks->posted;
        daemon->live->context = hooks->context;
    }
    if (daemon->live)
        daemon->census = census_new(&daemon->loop, daemon->live, err);
    if (daemon->census && open_alarm(daemon, err) == 0) {
        status = serve(daemon, hooks, err);
        uv_close((uv_handle_t *)&daemon->alarm_poll, NULL);
        uv_run(&daemon->loop, UV_RUN_DEFAULT);
        close(daemon->alarm);
    }
    census_free(daemon->census);
    live_free(daemon->live);
    return journal_close(journal, status == 0 ? err : NULL) == 0 ? status : -1;
}

int daemon_run(const struct service *service, struct policy *policy,
               const struct daemon_hooks *hooks, struct err *err)
{
    struct daemon daemon = {.alarm = -1};
    int status = uv_loop_init(&daemon.loop);
    if (status != 0) {
        policy_free(policy);
        return err_set(err, "cannot make an event loop: %s", uv_strerror(status));
    }
    status = run(&daemon, service, policy, hooks, err);
    uv_run(&daemon.loop, UV_RUN_DEFAULT);
    uv_loop_close(&daemon.loop);
    return status;
}
