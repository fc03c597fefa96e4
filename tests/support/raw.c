#include "support/raw.h"
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

int raw_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

bool raw_send_bytes(int fd, const void *bytes, size_t size)
{
    return send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

bool raw_send(int fd, const struct wire_message *message)
{
    char bytes[WIRE_MOST];
    return raw_send_bytes(fd, bytes, wire_encode(message, bytes));
}

static void map_pages(struct msghdr *head, struct raw_pages *pages)
{
    struct cmsghdr *control = CMSG_FIRSTHDR(head);
    int fds[2];
    if (!control || control->cmsg_len != CMSG_LEN(sizeof fds))
        return;
    memcpy(fds, CMSG_DATA(control), sizeof fds);
    if (pages) {
        pages->grant = mmap(NULL, PAGE_GRANT_BYTES, PROT_READ, MAP_SHARED, fds[0], 0);
        pages->usage = mmap(NULL, PAGE_USAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
    }
    close(fds[0]);
    close(fds[1]);
}

bool raw_receive(int fd, struct wire_message *message, struct raw_pages *pages)
{
    char bytes[WIRE_MOST];
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec vector = {bytes, sizeof bytes};
    struct msghdr head = {.msg_iov = &vector,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          .msg_controllen = sizeof control};
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    if (poll(&poll_fd, 1, 1000) != 1)
        return false;
    ssize_t size = recvmsg(fd, &head, MSG_CMSG_CLOEXEC);
    if (size <= 0)
        return false;
    map_pages(&head, pages);
    return wire_decode(bytes, (size_t)size, message) == NULL;
}

struct wire_message raw_who(uint64_t number)
{
    return (struct wire_message){
        .type = WIRE_ATTACH,
        .attach = {.token = {number, 1}, .nodes = 1, .weight = 1, .name = "raw"}};
}

struct wire_message raw_attach(int fd, uint64_t number, struct raw_pages *pages)
{
    struct wire_message message = raw_who(number);
    assert_true(raw_send(fd, &message));
    assert_true(raw_receive(fd, &message, pages));
    assert_int_equal(message.type, WIRE_WELCOME);
    return message;
}

struct wire_status raw_ask(const char *path)
{
    struct wire_message message = {.type = WIRE_QUERY};
    int fd = raw_connect(path);
    assert_true(fd >= 0);
    assert_true(raw_send(fd, &message));
    assert_true(raw_receive(fd, &message, NULL));
    assert_int_equal(message.type, WIRE_STATUS);
    close(fd);
    return message.status;
}
