#include "replay/actors.h"
#include "base/maths.h"
#include "base/mem.h"
#include "client/clock.h"
#include "serve/serve.h"
#include "replay/worker.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds: for processes to begin, and for an application to end after it should have; between all
 * processes being ready and the start; by which a program is started before its release; between
 * two looks. */
static const double patience = 20, run_up = 0.25, lead = 0.06, look = 0.02;

static int fail_fork(struct err *err)
{
    return err_set(err, "cannot start a process: %s", strerror(errno));
}

/* A process that does not outlive this one, in a group of its own: 0 in it, else its id, or -1. */
static pid_t actors_spawn(void)
{
    pid_t parent = getpid(), process = fork();
    if (process != 0)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    return 0;
}

/* --- the controller ------------------------------------------------------------------------- */

/* A byte 0 means that it listens; a text tells why it does not. */
static void actors_say(int pipe, const char *text, size_t length)
{
    ssize_t written = write(pipe, text, length);
    (void)written;
}

struct startup_report {
    struct ledger *ledger;
    int pipe;
};

static void actors_announce(void *context)
{
    const struct startup_report *listener = context;
    actors_say(listener->pipe, "", 1);
}

static void note_post(void *context, const char *name)
{
    const struct startup_report *listener = context;
    struct ledger *ledger = listener->ledger;
    for (uint32_t id = 0; id < ledger->count; id++)
        if (strcmp(ledger->apps[id].name, name) == 0)
            ledger_post(ledger, id);
}

static _Noreturn void replay_actors_serve(const struct replay *replay, struct ledger *ledger,
                                          int pipe)
{
    struct err err = {0};
    char policy[WIRE_TEXT];
    snprintf(policy, sizeof policy, "%s%s%s", replay->policy,
             !replay->plan                 ? ""
             : strchr(replay->policy, ':') ? ",file="
                                           : ":file=",
             replay->plan ? replay->plan : "");
    const struct site_store stores[] = {{.path = ledger->directory}};
    struct service service = {.platform = {.node_bandwidth = ledger->node_bandwidth,
                                           .bandwidth = replay->workload->platform.bandwidth},
                              .socket = ledger->socket,
                              .policy = policy,
                              .stores = {stores, 1},
                              .soft_release = SERVICE_SOFT_RELEASE,
                              .phase_gap = SERVICE_PHASE_GAP,
                              .max_wait = SERVICE_MAX_WAIT};
    struct startup_report listener = {ledger, pipe};
    struct serve_hooks hooks = {
        .ready = actors_announce, .posted = note_post, .context = &listener};
    int status = serve_run(&service, &hooks, &err);
    if (status)
        actors_say(pipe, err.text, strlen(err.text));
    _exit(status ? 1 : 0);
}

static int await_controller(int pipe, struct err *err)
{
    char text[256];
    struct pollfd answer = {.fd = pipe, .events = POLLIN};
    ssize_t length = 0;
    if (poll(&answer, 1, (int)(1000 * patience)) > 0)
        length = read(pipe, text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    if (length > 0 && text[0] == 0)
        return 0;
    return err_set(err, "the controller did not start%s%s", text[0] ? ": " : "", text);
}

int actors_serve(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                 struct err *err)
{
    int ends[2];
    if (pipe(ends))
        return fail_fork(err);
    actors->controller = actors_spawn();
    if (actors->controller == 0) {
        close(ends[0]);
        replay_actors_serve(replay, ledger, ends[1]);
    }
    close(ends[1]);
    int status = actors->controller < 0 ? fail_fork(err) : await_controller(ends[0], err);
    close(ends[0]);
    return status;
}

/* --- the applications ----------------------------------------------------------------------- */

/* The application as a program of its own, started under control without knowing it. */
static _Noreturn void actors_execute(struct ledger *ledger, uint32_t app)
{
    char descriptor[16], index[16], nodes[32], weight[32];
    const struct ledger_app *entry = &ledger->apps[app];
    snprintf(descriptor, sizeof descriptor, "%d", ledger->descriptor);
    snprintf(index, sizeof index, "%u", app);
    snprintf(nodes, sizeof nodes, "%.17g", entry->nodes);
    snprintf(weight, sizeof weight, "%.17g", entry->weight);
    atomic_fetch_add(&ledger->ready, 1);
    worker_sleep(worker_start(ledger) + entry->release - lead);
    const char *self = "/proc/self/exe";
    if (ledger->socket[0])
        execl(self, "weir", "exec", "--socket", ledger->socket, "--name", entry->name, "--nodes",
              nodes, "--weight", weight, "--", self, "replay-worker", descriptor, index,
              (char *)NULL);
    else
        execl(self, "weir", "replay-worker", descriptor, index, (char *)NULL);
    _exit(127);
}

static _Noreturn void actors_work(const struct replay *replay, struct ledger *ledger, uint32_t app)
{
    if (replay->preload)
        actors_execute(ledger, app);
    _exit(worker_run(ledger, app) ? 1 : 0);
}

static int await_ready(struct ledger *ledger, struct err *err)
{
    double limit = clock_now() + patience;
    while (atomic_load(&ledger->ready) < ledger->count) {
        if (clock_now() > limit)
            return err_set(err, "only %u of %u applications have started",
                           atomic_load(&ledger->ready), ledger->count);
        worker_sleep(clock_now() + 0.001);
    }
    atomic_store(&ledger->start, (uint64_t)(1e9 * (clock_now() + run_up)));
    return 0;
}

int actors_launch(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                  struct err *err)
{
    actors->workers = mem_alloc(ledger->count, sizeof *actors->workers);
    if (!actors->workers)
        return err_memory(err);
    for (; actors->count < ledger->count; actors->count++) {
        pid_t process = actors_spawn();
        if (process < 0)
            return fail_fork(err);
        if (process == 0)
            actors_work(replay, ledger, actors->count);
        actors->workers[actors->count] = process;
    }
    return await_ready(ledger, err);
}

/* --- waiting -------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void actors_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

void actors_catch(struct actors_signals *old)
{
    const struct sigaction catcher = {.sa_handler = actors_interrupt};
    interrupted = 0;
    sigaction(SIGINT, &catcher, &old->interrupt);
    sigaction(SIGTERM, &catcher, &old->terminate);
}

void actors_release(const struct actors_signals *old)
{
    sigaction(SIGINT, &old->interrupt, NULL);
    sigaction(SIGTERM, &old->terminate, NULL);
}

/* Whether the process has ended, and how; 0 is no process. */
static bool actors_ended(pid_t process, int *how)
{
    return process > 0 && waitpid(process, how, WNOHANG) == process;
}

static int actors_examine(const struct ledger_app *app, int how, struct err *err)
{
    if (app->fault[0])
        return err_set(err, "application '%s': %s", app->name, app->fault);
    if (WIFSIGNALED(how))
        return err_set(err, "application '%s' was ended by signal %d", app->name, WTERMSIG(how));
    if (WEXITSTATUS(how) != 0)
        return err_set(err, "application '%s' ended with status %d", app->name, WEXITSTATUS(how));
    return 0;
}

/* Looks at all processes once. The number of those that are left, or -1. */
static int look_around(struct actors *actors, const struct ledger *ledger, struct err *err)
{
    int how, left = 0;
    if (interrupted)
        return err_set(err, "interrupted");
    for (uint32_t id = 0; id < actors->count; id++) {
        if (actors_ended(actors->workers[id], &how)) {
            actors->workers[id] = 0;
            if (actors_examine(&ledger->apps[id], how, err))
                return -1;
        }
        left += actors->workers[id] != 0;
    }
    if (actors_ended(actors->controller, &how)) {
        actors->controller = 0;
        return err_set(err, "the controller ended early");
    }
    return left;
}

/* Even one by one, everything would be over by then. */
static double actors_latest(const struct workload *workload)
{
    struct sum total = {0};
    double release = 0;
    for (uint32_t id = 0; id < workload->count; id++) {
        sum_add(&total, app_ideal(&workload->apps[id]));
        release = maths_max(release, workload->apps[id].facts.release);
    }
    return release + 2 * sum_value(&total) + patience;
}

int actors_wait(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                struct err *err)
{
    double begun = clock_now(), most = actors_latest(replay->workload);
    int left;
    while ((left = look_around(actors, ledger, err)) > 0) {
        if (clock_now() - begun > most)
            left =
                err_set(err, "%u applications have not ended after %.0f s", (unsigned)left, most);
        if (left < 0)
            break;
        if (replay->progress)
            replay->progress(replay->context, 1 - (double)left / ledger->count);
        worker_sleep(clock_now() + look);
    }
    return left < 0 ? -1 : 0;
}

static void actors_end(pid_t process, int signal)
{
    if (process <= 0)
        return;
    kill(process, signal);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}

void actors_fini(struct actors *actors)
{
    for (uint32_t id = 0; id < actors->count; id++) {
        if (actors->workers[id] > 0)
            kill(-actors->workers[id], SIGKILL);
        actors_end(actors->workers[id], SIGKILL);
    }
    actors_end(actors->controller, SIGTERM);
    actors_end(actors->store, SIGKILL);
    free(actors->workers);
    *actors = (struct actors){0};
}
