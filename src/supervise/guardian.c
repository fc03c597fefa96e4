#include "supervise/guardian.h"
#include "client/kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- calls ------------------------------------------------------------------------------------ */

bool guardian_receive(const struct guardian *guardian, size_t place)
{
    struct seccomp_notif *call = &guardian->calls->list[place].call;
    memset(call, 0, sizeof *call); /* the kernel insists */
    return ioctl(guardian->listener, SECCOMP_IOCTL_NOTIF_RECV, call) == 0;
}

bool guardian_answer(const struct guardian *guardian, size_t place)
{
    struct seccomp_notif_resp answer = {.id = guardian->calls->list[place].call.id,
                                        .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    return ioctl(guardian->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) == 0;
}

void guardian_withdraw(int keep)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    if (chdir("/") != 0)
        return; /* no harm is done */
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        if (fd != keep)
            dup2(null, fd);
    if (keep > 3)
        KERNEL_CALL(SYS_close_range, 3, keep - 1, 0);
    KERNEL_CALL(SYS_close_range, keep < 3 ? 3 : keep + 1, ~0U, 0);
}

/* --- one after the other ---------------------------------------------------------------------- */

static int guardian_refer(pid_t process)
{
    return (int)KERNEL_CALL(SYS_pidfd_open, process, 0);
}

static bool guardian_has_ended(int process)
{
    struct pollfd end = {.fd = process, .events = POLLIN};
    return poll(&end, 1, 0) > 0;
}

/* Waits for the end of a process: false if no process has the filter any more. */
static bool guardian_watch(int listener, int process)
{
    struct pollfd ends[] = {{.fd = process, .events = POLLIN}, {.fd = listener}};
    for (;;) {
        int ready = poll(ends, 2, -1);
        if (ready > 0 && ends[1].revents)
            return false;
        if (ready > 0 && ends[0].revents)
            return true;
    }
}

static void guardian_take_over(struct guardian *guardian);

/* In the guardian. Its parent may have ended before it looks. */
static void guardian_run(struct guardian *guardian, pid_t parent)
{
    prctl(PR_SET_NAME, "weir-guardian");
    int process = guardian_refer(parent);
    if (getppid() == parent && process >= 0 && !guardian_watch(guardian->listener, process))
        _exit(0);
    guardian_take_over(guardian);
    _exit(0);
}

/* Starts a guardian of this process. 0 or -errno. */
static int guardian_post(struct guardian *guardian)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        guardian_withdraw(guardian->listener);
        guardian_run(guardian, parent);
    }
    guardian->process = child < 0 ? -1 : guardian_refer(child);
    return guardian->process < 0 ? -EAGAIN : 0;
}

static void guardian_replace(struct guardian *guardian)
{
    if (guardian->process >= 0)
        close(guardian->process);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
    if (guardian_post(guardian) != 0)
        poll(NULL, 0, 100); /* no process can be had: not a loop without a pause */
}

/* In a guardian whose supervisor is gone: everything may go. */
static void guardian_take_over(struct guardian *guardian)
{
    for (size_t i = 0; i < GUARDIAN_CALLS; i++)
        if (guardian->calls->list[i].call.id != 0)
            guardian_answer(guardian, i);
    guardian_replace(guardian);
    for (;;) {
        struct pollfd ends[] = {{.fd = guardian->listener, .events = POLLIN},
                                {.fd = guardian->process, .events = POLLIN}};
        if (poll(ends, 2, guardian->process < 0 ? 0 : -1) > 0 && ends[0].revents & POLLHUP)
            return;
        if (ends[0].revents & POLLIN && guardian_receive(guardian, 0))
            guardian_answer(guardian, 0);
        if (guardian->process < 0 || ends[1].revents)
            guardian_replace(guardian);
    }
}

int guardian_start(struct guardian *guardian, int listener)
{
    void *memory = mmap(NULL, sizeof *guardian->calls, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    *guardian = (struct guardian){.listener = listener, .calls = memory, .process = -1};
    return guardian_post(guardian);
}

void guardian_keep(struct guardian *guardian)
{
    for (;;) {
        if (guardian->process < 0 || guardian_has_ended(guardian->process))
            guardian_replace(guardian);
        else if (!guardian_watch(guardian->listener, guardian->process))
            return;
    }
}
