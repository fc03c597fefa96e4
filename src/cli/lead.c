#include "cli/lead.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/escape_note.h"
#include "client/link.h"
#include "client/request.h"
#include "node/process.h"
#include "supervise/supervise.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_RUN = 126, NOT_FOUND = 127, LOOK_EVERY_MS = 200 };

/* A list as execve wants it; NULL if memory is out. */
static char **lead_copy_command(const struct lead *lead)
{
    char **argv = mem_alloc(lead->count + 1, sizeof *argv);
    if (argv)
        memcpy(argv, lead->command, lead->count * sizeof *argv);
    return argv;
}

/* What the caller had, and the program gets. */
struct signal_state {
    sigset_t mask;
    struct sigaction child; /* what SIGCHLD does */
};

/* From now on signals wait until they are asked for, ignored ones too. */
static struct signal_state lead_hold_signals(void)
{
    struct signal_state before;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before.mask);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &before.child);
    return before;
}

static void lead_release_signals(const struct signal_state *before)
{
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* In the child. False if the program is not to run. */
static bool lead_be_supervised(const struct lead *lead)
{
    const char *reason = lead->supervised ? supervise_enter() : NULL;
    if (reason)
        fprintf(stderr, "weir: exec: '%s' runs without control: %s\n", lead->command[0], reason);
    return !reason || !lead->strict;
}

/* In the child: becomes the program, as a shell would start it, or reports why not. */
static void lead_become_program(const struct lead *lead, char *const *argv,
                                const struct signal_state *before, int complaint)
{
    int fault = EPERM;
    if (lead_be_supervised(lead)) {
        lead_release_signals(before);
        execvp(argv[0], argv);
        fault = errno;
    }
    ssize_t said = write(complaint, &fault, sizeof fault);
    _exit(said == sizeof fault ? NOT_RUN : NOT_FOUND);
}

/* Starts the program; 0 or an errno. */
static int lead_start(const struct lead *lead, const struct signal_state *before, pid_t *child)
{
    int ends[2], fault = 0;
    char **argv = lead_copy_command(lead);
    if (!argv)
        return ENOMEM;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fault = errno;
        free(argv);
        return fault;
    }
    *child = fork();
    if (*child == 0)
        lead_become_program(lead, argv, before, ends[1]);
    fault = *child < 0 ? errno : 0;
    close(ends[1]);
    /* Nothing comes once the program runs. */
    if (*child > 0 && read(ends[0], &fault, sizeof fault) == sizeof fault)
        waitpid(*child, NULL, 0);
    close(ends[0]);
    free(argv);
    return fault;
}

/* --- control ---------------------------------------------------------------------------------- */

static double lead_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void lead_note_lost(struct lead *lead, const char *why)
{
    if (!lead->lost.now)
        lead->lost.since = lead_clock();
    lead->lost.now = true;
    lead->lost.why[0] = '\0';
    text_append(lead->lost.why, sizeof lead->lost.why, why);
}

static void lead_note_regained(struct lead *lead)
{
    if (lead->lost.now)
        lead->lost.seconds += lead_clock() - lead->lost.since;
    lead->lost.now = false;
}

/* A controller that was restarted learns that the application is still there. */
static void lead_keep_attached(struct lead *lead)
{
    struct wire_message answer;
    int fd;
    if (lead->fd < 0 || link_is_alive(lead->fd))
        return;
    const char *fault = request_attach(&lead->identity, LEAD_PATIENCE, &answer, &fd);
    if (fault || fd < 0) {
        lead_note_lost(lead, fault ? fault : answer.refused.reason);
        return;
    }
    link_close(lead->fd);
    lead->fd = fd;
    lead->app = answer.welcome.app;
    lead_note_regained(lead);
}

/* A controller that was away for a moment is not worth a word. */
static void lead_tell_lost(struct lead *lead)
{
    char text[32];
    lead_keep_attached(lead);
    bool lost = lead->lost.now;
    lead_note_regained(lead);
    if (!lost && lead->lost.seconds < LEAD_PATIENCE)
        return;
    units_print(lead->lost.seconds, UNIT_SECONDS, text, sizeof text);
    fprintf(stderr, "weir: exec: control was lost for %s%s: %s\n", lost ? "the last " : "", text,
            lead->lost.why);
}

/* What the terminal sends, the program has got as well; what it sends itself was for this process.
 * An alarm set before `weir exec` was for the program. */
static void lead_forward_signal(pid_t child, int signal, siginfo_t *info)
{
    if (info->si_code > 0 ? signal != SIGALRM : info->si_pid == child)
        return;
    if (info->si_code == SI_QUEUE)
        syscall(SYS_rt_sigqueueinfo, child, signal, info); /* with its value and sender */
    else
        kill(child, signal);
}

/* Does what the signal does by default. Returns if it is one that stops, once that is over. */
static void lead_take_signal(int signal)
{
    sigset_t one;
    struct sigaction before;
    bool changed = sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, &before) == 0;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(signal);
    sigprocmask(SIG_BLOCK, &one, NULL);
    if (changed)
        sigaction(signal, &before, NULL);
}

/* Starts a process that continues this one when the child is continued, or killed, by itself: a
 * stopped parent does not notice. -1 if there can be none. */
static pid_t lead_post_guard(pid_t child)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    pid_t leader = getpid(), guard = fork();
    if (guard != 0)
        return guard;
    while (getppid() == leader && process_state(child) == 'T')
        nanosleep(&pause, NULL);
    if (getppid() == leader)
        kill(leader, SIGCONT);
    _exit(0);
}

/* Stops as the child did, so that a shell sees it, until either is continued. */
static void lead_stop(pid_t child, int signal)
{
    pid_t guard = lead_post_guard(child);
    lead_take_signal(signal);
    if (guard > 0) {
        kill(guard, SIGKILL);
        waitpid(guard, NULL, 0);
    }
}

/* Waits for the child's end, and returns its status. When it stops, this process stops too. */
static int lead_watch(struct lead *lead, pid_t child)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    sigset_t all;
    sigfillset(&all);
    for (;;) {
        int status = 0;
        siginfo_t info;
        pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);
        if (changed == child && WIFSTOPPED(status)) {
            lead_stop(child, WSTOPSIG(status));
            continue;
        }
        if (changed != 0)
            return status;
        int signal = lead->fd < 0 ? sigwaitinfo(&all, &info) : sigtimedwait(&all, &info, &pause);
        if (signal > 0)
            lead_forward_signal(child, signal, &info);
        lead_keep_attached(lead);
    }
}

int lead_run(struct lead *lead, struct err *err)
{
    pid_t child = -1;
    struct signal_state before = lead_hold_signals();
    int fault = lead_start(lead, &before, &child);
    if (fault != 0) {
        lead_release_signals(&before);
        err_set(err, "exec: cannot run '%s': %s", lead->command[0], strerror(fault));
        return fault == ENOENT ? NOT_FOUND : NOT_RUN;
    }
    int status = lead_watch(lead, child);
    if (lead->fd >= 0) {
        lead_tell_lost(lead);
        escape_note(lead->identity.socket, lead->app);
    }
    link_close(lead->fd);
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* one core is enough */
        lead_take_signal(WTERMSIG(status));
        exit(128 + WTERMSIG(status));
    }
    exit(WEXITSTATUS(status));
}
