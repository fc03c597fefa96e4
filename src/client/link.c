#include "client/link.h"
#include "client/kernel.h"
#include "client/wait.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* By system calls: libc's functions may have been replaced by others that allocate. */

void link_close(int socket)
{
    if (socket >= 0)
        KERNEL_CALL(SYS_close, socket);
}

void link_shut(int socket)
{
    if (socket >= 0)
        KERNEL_CALL(SYS_shutdown, socket, SHUT_RDWR);
}

void link_close_pages(const int pages[2])
{
    link_close(pages[0]);
    link_close(pages[1]);
}

int link_connect(const char *path, uint64_t limit)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length + 1);
    int fd = (int)KERNEL_CALL(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fd;
    /* Bounds the wait for a place in the queue of connections. (0 would be no bound.) */
    struct timeval time = {(time_t)(limit / (1000 * WAIT_MS)),
                           (suseconds_t)(limit % (1000 * WAIT_MS) / 1000 | 1)};
    KERNEL_CALL(SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, (long)&time, sizeof time);
    int fault = (int)KERNEL_CALL(SYS_connect, fd, (long)&address, sizeof address);
    if (fault == 0)
        return fd;
    link_close(fd);
    return fault;
}

/* The stack may be a signal handler's, which writes no long messages but an attach, by a letter. */
enum { LINK_SHORT = 64, LINK_LONG = 640, LINK_HEAD = 64 };
_Static_assert(sizeof(struct wire_set) + LINK_HEAD <= LINK_LONG, "a setting fits");
_Static_assert(sizeof(struct wire_piece) + LINK_HEAD <= LINK_LONG, "a piece fits");

/* The version that the controller understands. One that is older says so by its refusal. */
static _Atomic uint32_t link_version = WIRE_VERSION;

static int link_send_bytes(int socket, const struct wire_message *message, char *bytes)
{
    uint32_t version = atomic_load_explicit(&link_version, memory_order_relaxed);
    size_t size = wire_encode_as(message, version, bytes);
    long sent =
        KERNEL_CALL(SYS_sendto, socket, (long)bytes, (long)size, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
    return sent < 0 ? (int)sent : 0;
}

__attribute__((noinline)) static int link_send_long(int socket, const struct wire_message *message)
{
    char bytes[LINK_LONG];
    return wire_size(message->type) > sizeof bytes ? -EMSGSIZE
                                                   : link_send_bytes(socket, message, bytes);
}

int link_send(int socket, const struct wire_message *message)
{
    char bytes[LINK_SHORT];
    return wire_size(message->type) > sizeof bytes ? link_send_long(socket, message)
                                                   : link_send_bytes(socket, message, bytes);
}

int link_send_letter(int socket, struct link_letter *letter)
{
    return link_send_bytes(socket, &letter->message, letter->bytes);
}

/* Waits for one of these events, for `nanoseconds` at most. Its result is the kernel's. */
static long link_poll(struct pollfd *poller, uint64_t nanoseconds)
{
    struct timespec time = {(time_t)(nanoseconds / (1000 * WAIT_MS)),
                            (long)(nanoseconds % (1000 * WAIT_MS))};
    return KERNEL_CALL(SYS_ppoll, (long)poller, 1, (long)&time, 0, 0);
}

/* Waits until the socket is ready for these events; false when the time is up. */
static bool wait_ready(int socket, short events, uint64_t until)
{
    for (;;) {
        uint64_t now = wait_now(), left = now < until ? until - now : 0;
        struct pollfd poller = {.fd = socket, .events = events};
        long ready = link_poll(&poller, left);
        if (ready > 0)
            return true;
        if (left == 0 || (ready < 0 && ready != -EINTR))
            return false;
    }
}

int link_send_within(int socket, const struct wire_message *message, uint64_t limit)
{
    int fault = link_send(socket, message);
    if (fault == -EAGAIN && wait_ready(socket, POLLOUT, wait_now() + limit))
        fault = link_send(socket, message);
    return fault;
}

union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(8 * sizeof(int))];
};

/* The first two descriptors that arrived; further ones are closed. The kernel puts all into one
 * control message. */
static void take_descriptors(struct msghdr *received, int pages[2])
{
    int count = 0;
    pages[0] = pages[1] = -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(received);
    if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
        return;
    size_t some = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < some; i++) {
        int fd;
        memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
        if (count < 2)
            pages[count++] = fd;
        else
            link_close(fd);
    }
}

enum link_result link_receive_letter(int socket, struct link_letter *letter, int pages[2],
                                     uint64_t limit)
{
    struct wire_message *message = &letter->message;
    union control control;
    int came[2];
    struct iovec place = {letter->bytes, sizeof letter->bytes};
    struct msghdr received = {.msg_iov = &place,
                              .msg_iovlen = 1,
                              .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes};
    if (pages)
        pages[0] = pages[1] = -1;
    if (!wait_ready(socket, POLLIN, wait_now() + limit))
        return LINK_LATER;
    long size = KERNEL_CALL(SYS_recvmsg, socket, (long)&received, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0)
        return size == -EAGAIN || size == -EINTR ? LINK_LATER : LINK_GONE;
    take_descriptors(&received, came);
    bool right = size > 0 && !(received.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) &&
                 !wire_decode(letter->bytes, (size_t)size, message);
    if (right)
        atomic_store_explicit(&link_version, wire_version(letter->bytes, (size_t)size),
                              memory_order_relaxed);
    if (right && pages && message->type == WIRE_WELCOME)
        memcpy(pages, came, sizeof came);
    else
        link_close_pages(came);
    return right ? LINK_MESSAGE : LINK_GONE;
}

enum link_result link_receive(int socket, struct wire_message *message, int pages[2],
                              uint64_t limit)
{
    struct link_letter letter;
    enum link_result result = link_receive_letter(socket, &letter, pages, limit);
    if (result == LINK_MESSAGE)
        *message = letter.message;
    return result;
}

/* Maps the page at another address. It must be sealed against shrinking and be large enough. 0 or
 * -errno. */
static int map_page(void **page, int fd, int protection, size_t size)
{
    long seals = KERNEL_CALL(SYS_fcntl, fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) ||
        KERNEL_CALL(SYS_lseek, fd, 0, SEEK_END) < (long)size)
        return -EINVAL;
    return kernel_map(page, NULL, size, protection, fd);
}

static int move_page(void *page, void *place, size_t size)
{
    int fault = kernel_move(page, place, size);
    if (fault != 0)
        kernel_unmap(page, size);
    return fault;
}

/* If a page could not be moved to its place, the one before may be lost. */
static void empty_place(void *place, size_t size)
{
    void *unused;
    kernel_map(&unused, place, size, PROT_READ | PROT_WRITE, -1);
}

int link_map(const int pages[2], struct grant_page *grant, struct usage_page *usage, uint64_t *left)
{
    void *new_grant = NULL, *new_usage = NULL;
    int fault = map_page(&new_grant, pages[0], PROT_READ, PAGE_GRANT_BYTES);
    if (fault == 0)
        fault = map_page(&new_usage, pages[1], PROT_READ | PROT_WRITE, PAGE_USAGE_BYTES);
    const struct grant_page *head = new_grant;
    if (fault == 0 && (head->magic != PAGE_MAGIC || head->version != PAGE_OLDEST))
        fault = -EINVAL;
    if (fault != 0) {
        kernel_unmap(new_grant, PAGE_GRANT_BYTES);
        kernel_unmap(new_usage, PAGE_USAGE_BYTES);
        return fault;
    }
    /* Other threads count in the pages before until they are replaced. */
    const struct page_origin from = left ? page_origin_of(grant) : (struct page_origin){0};
    void *before = NULL;
    if (from.life != 0)
        kernel_double(&before, usage, PAGE_USAGE_BYTES);
    int usage_fault = move_page(new_usage, usage, PAGE_USAGE_BYTES);
    int grant_fault = move_page(new_grant, grant, PAGE_GRANT_BYTES);
    fault = usage_fault != 0 ? usage_fault : grant_fault;
    if (fault != 0) {
        empty_place(usage, PAGE_USAGE_BYTES);
        empty_place(grant, PAGE_GRANT_BYTES);
    } else if (before) {
        *left = page_inherit(&from, before, grant, usage);
    }
    kernel_unmap(before, PAGE_USAGE_BYTES);
    return fault;
}

static int copy_above(int socket, rlim_t least)
{
    return (int)KERNEL_CALL(SYS_fcntl, socket, F_DUPFD_CLOEXEC, (long)least);
}

/* Above the program's limit on descriptors, so that it does not lose one. The limit applies only to
 * creating a descriptor. */
static int copy_beyond(int socket, const struct rlimit *limit)
{
    struct rlimit more = {limit->rlim_cur + 1, limit->rlim_max}, seen;
    if (limit->rlim_cur >= limit->rlim_max ||
        KERNEL_CALL(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&more, (long)&seen) != 0)
        return -1;
    int number = copy_above(socket, limit->rlim_cur);
    KERNEL_CALL(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)limit, (long)&seen);
    if (seen.rlim_cur != more.rlim_cur) /* another thread has set it in between */
        KERNEL_CALL(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&seen, 0);
    return number;
}

int link_place(int socket, int old)
{
    /* A high descriptor makes the kernel's table of them large. */
    enum { HIGHEST = 1024, MOST = 16384, ROOM = 32 };
    struct rlimit limit;
    int number = -1;
    if (old >= 0)
        number = (int)KERNEL_CALL(SYS_dup3, socket, old, O_CLOEXEC);
    else if (KERNEL_CALL(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit) == 0) {
        if (limit.rlim_cur <= MOST)
            number = copy_beyond(socket, &limit);
        if (number < 0 && limit.rlim_cur > 2 * ROOM)
            number =
                copy_above(socket, (limit.rlim_cur < HIGHEST ? limit.rlim_cur : HIGHEST) - ROOM);
    }
    if (number < 0)
        return socket;
    link_close(socket);
    return number;
}

uint64_t link_inode(int fd)
{
    struct stat file;
    if (fd < 0 || KERNEL_CALL(SYS_fstat, fd, (long)&file) != 0 || !S_ISSOCK(file.st_mode))
        return 0;
    return file.st_ino;
}

bool link_is_alive(int socket)
{
    struct pollfd poller = {.fd = socket, .events = POLLRDHUP};
    return link_poll(&poller, 0) >= 0 &&
           !(poller.revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL));
}
