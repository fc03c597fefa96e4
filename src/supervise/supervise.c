#include "supervise/supervise.h"
#include "client/kernel.h"
#include "supervise/filter.h"
#include "supervise/supervisor.h"
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUPERVISE_FAILED = 126 };

const char *supervise_check(void)
{
    return filter_check();
}

/* --- the listener's way ----------------------------------------------------------------------- */

union supervise_room {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
};

static int supervise_send(int socket, int fd)
{
    union supervise_room room = {{0}};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &room,
                             .msg_controllen = sizeof room.bytes};
    struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(item), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* -1 if the other end is closed. */
static int supervise_receive(int socket)
{
    union supervise_room room;
    char byte;
    int fd = -1;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &room,
                             .msg_controllen = sizeof room.bytes};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    if (item && item->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(item), sizeof fd);
    return fd;
}

/* --- the supervisor --------------------------------------------------------------------------- */

static void supervise_beside(int socket)
{
    struct guardian guardian;
    char ready = 1;
    prctl(PR_SET_NAME, "weir-supervise");
    guardian_withdraw(socket);
    int listener = supervise_receive(socket);
    if (listener < 0 || guardian_start(&guardian, listener) != 0)
        _exit(1);
    if (send(socket, &ready, 1, MSG_NOSIGNAL) != 1)
        _exit(1);
    close(socket);
    supervisor_run(&guardian);
    _exit(0);
}

/* Starts it as no child of the program, which might wait for it: its parent, which ends at once
 * without a signal, is one for a moment. */
static int supervise_start(int socket)
{
    long between = KERNEL_CALL(SYS_clone, 0, 0, 0, 0, 0);
    if (between < 0)
        return -1;
    if (between == 0) {
        pid_t child = fork();
        if (child == 0)
            supervise_beside(socket);
        _exit(child < 0);
    }
    int status = 1;
    while (waitpid((pid_t)between, &status, __WALL) < 0 && errno == EINTR)
        continue;
    return status == 0 ? 0 : -1;
}

/* In the process itself: the filter, and its listener to the supervisor, which says that it has
 * it. */
static const char *supervise_hand_over(int socket)
{
    char ready;
    int listener = filter_set();
    if (listener == -EBUSY)
        return "is supervised already";
    if (listener < 0)
        return "cannot be supervised: seccomp filters are forbidden here";
    bool held = supervise_send(socket, listener) == 0 && recv(socket, &ready, 1, 0) == 1;
    close(listener);
    if (!held)
        _exit(SUPERVISE_FAILED);
    return NULL;
}

const char *supervise_enter(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return "cannot be supervised: it has as many files open as it may";
    const char *reason = "cannot be supervised: no further process can be started";
    bool started = supervise_start(ends[1]) == 0;
    close(ends[1]);
    if (started)
        reason = supervise_hand_over(ends[0]);
    close(ends[0]);
    return reason;
}
