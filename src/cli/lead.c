#include "cli/lead.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/escape_note.h"
#include "client/link.h"
#include "client/request.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_RUN = 126, NOT_FOUND = 127, LOOK_EVERY_MS = 200 };

static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGWINCH, SIGCONT};

/* A list as execve wants it; NULL if memory is out. */
static char **copy_command(const struct lead *lead)
{
    char **argv = mem_alloc(lead->count + 1, sizeof *argv);
    if (argv)
        memcpy(argv, lead->command, lead->count * sizeof *argv);
    return argv;
}

/* Blocks what is to be waited for; the program gets the old mask. */
static int start(const struct lead *lead, sigset_t *waited, pid_t *child)
{
    sigset_t old;
    posix_spawnattr_t attributes;
    char **argv = copy_command(lead);
    if (!argv)
        return ENOMEM;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigemptyset(waited);
    sigaddset(waited, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(waited, passed_on[i]);
    sigprocmask(SIG_BLOCK, waited, &old);
    int fault = posix_spawnattr_init(&attributes);
    if (fault == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigmask(&attributes, &old);
        fault = posix_spawnp(child, argv[0], NULL, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    if (fault != 0)
        sigprocmask(SIG_SETMASK, &old, NULL);
    free(argv);
    return fault;
}

/* A controller that was restarted learns that the application is still there. */
static void keep_attached(struct lead *lead)
{
    struct wire_message answer;
    int fd;
    if (lead->fd < 0 || link_is_alive(lead->fd))
        return;
    if (!request_attach(&lead->identity, LEAD_PATIENCE, &answer, &fd) && fd >= 0) {
        link_close(lead->fd);
        lead->fd = fd;
        lead->app = answer.welcome.app;
    }
}

/* Waits for the child's end, and returns its status. */
static int watch(struct lead *lead, const sigset_t *waited, pid_t child)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        siginfo_t info;
        int signal =
            lead->fd < 0 ? sigwaitinfo(waited, &info) : sigtimedwait(waited, &info, &pause);
        /* What the terminal sends, the program has got as well. */
        if (signal > 0 && signal != SIGCHLD && info.si_code <= 0 && info.si_pid != child)
            kill(child, signal);
        keep_attached(lead);
    }
    return status;
}

/* Ends by the same signal, without a second core. */
static void end_by(int signal)
{
    sigset_t all;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(signal);
}

int lead_run(struct lead *lead, struct err *err)
{
    sigset_t waited;
    pid_t child;
    int fault = start(lead, &waited, &child);
    if (fault != 0) {
        err_set(err, "exec: cannot run '%s': %s", lead->command[0], strerror(fault));
        return fault == ENOENT ? NOT_FOUND : NOT_RUN;
    }
    int status = watch(lead, &waited, child);
    if (lead->fd >= 0)
        escape_note(lead->identity.socket, lead->app);
    link_close(lead->fd);
    if (WIFSIGNALED(status)) {
        end_by(WTERMSIG(status));
        exit(128 + WTERMSIG(status));
    }
    exit(WEXITSTATUS(status));
}
