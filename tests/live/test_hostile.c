/* Messages that are none, and users that want what is not theirs: the controller lives, and nobody
 * else notices. */
#include "common_crew.h"
#include "support/raw.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOBODY = 65534 };

static uint64_t dice = 1;

static uint64_t roll(void)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return dice >> 20;
}

/* A message with a body of anything, or one of those that are often sent. */
static size_t make_message(char *bytes)
{
    struct wire_message message = {.type = (enum wire_type)(roll() % WIRE_TYPES)};
    if (message.type == WIRE_SET) /* whoever runs the test may set what it likes */
        message.type = WIRE_QUERY;
    unsigned char *body = (unsigned char *)&message + offsetof(struct wire_message, attach);
    for (size_t i = 0; i < sizeof message.welcome; i++)
        body[i] = roll() % 3 == 0 ? (unsigned char)roll() : 0;
    return wire_encode(&message, bytes);
}

static size_t make_attach(char *bytes)
{
    struct wire_message message = {.type = WIRE_ATTACH,
                                   .attach = {.token = {roll() % 4, 9},
                                              .nodes = 1 + (double)(roll() % 3),
                                              .weight = 1,
                                              .name = "hostile"}};
    return wire_encode(&message, bytes);
}

static size_t make_post(char *bytes)
{
    struct wire_message message = {.type = roll() % 2 ? WIRE_POST : WIRE_END};
    if (message.type == WIRE_POST)
        message.post = (struct wire_post){(double)(roll() % 1000000), roll() % 2, 0};
    return wire_encode(&message, bytes);
}

/* One thing that a well-behaved client would not send; or would, but not in this order. */
static void send_anything(int fd)
{
    static char bytes[1 << 17], last[WIRE_MOST];
    static size_t last_size;
    size_t size;
    switch (roll() % 8) {
    case 0: /* noise */
        size = roll() % WIRE_MOST;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)roll();
        break;
    case 1: /* cut off */
        size = make_message(bytes);
        size = roll() % size;
        break;
    case 2: /* too long */
        size = make_message(bytes);
        size += 1 + roll() % 65536;
        break;
    case 3: /* one flipped bit */
        size = make_attach(bytes);
        bytes[roll() % size] ^= (char)(1 << roll() % 8);
        break;
    case 4: /* again */
        size = last_size;
        memcpy(bytes, last, last_size);
        break;
    case 5:
        size = make_message(bytes);
        break;
    case 6:
        size = make_attach(bytes);
        break;
    default:
        size = make_post(bytes);
    }
    if (size <= sizeof last)
        memcpy(last, bytes, last_size = size);
    raw_send_bytes(fd, bytes, size);
}

static int count_files(pid_t pid)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

/* Once it has done what it was asked for, it has this many files again. */
static void assert_files(pid_t pid, int files)
{
    for (int i = 0; i < 500 && count_files(pid) != files; i++)
        crew_nap(10);
    assert_int_equal(count_files(pid), files);
}

static void no_message_harms_the_controller_or_others(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fair-share");
    struct mover *mover = crew_move(&crew, true);
    crew_nap(100);
    int files = count_files(crew.controller);
    for (int i = 0; i < 1500; i++) {
        char bytes[WIRE_MOST];
        int fd = raw_connect(crew.path);
        assert_true(fd >= 0);
        if (roll() % 2)
            raw_send_bytes(fd, bytes, make_attach(bytes));
        for (uint64_t k = roll() % 20; k > 0; k--)
            send_anything(fd);
        close(fd);
    }
    crew_nap(200);
    assert_int_equal(waitpid(crew.controller, NULL, WNOHANG), 0);
    assert_int_equal(raw_ask(crew.path).applications, 1);
    assert_files(crew.controller, files); /* nothing is left behind */
    double rate = crew_measure(mover, 100, 300);
    assert_true(rate > 0.9 * CREW_BANDWIDTH && rate < 1.1 * CREW_BANDWIDTH);
    crew_close(&crew);
}

static void descriptors_that_come_along_are_not_kept(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fair-share");
    int fd = raw_connect(crew.path);
    raw_attach(fd, 1, NULL);
    int files = count_files(crew.controller);
    for (int i = 0; i < 100; i++) {
        char bytes[WIRE_MOST];
        union {
            struct cmsghdr head;
            char space[CMSG_SPACE(sizeof(int))];
        } control = {.head = {.cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_RIGHTS,
                              .cmsg_len = CMSG_LEN(sizeof(int))}};
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
        struct iovec vector = {bytes, make_post(bytes)};
        struct msghdr head = {.msg_iov = &vector,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof control};
        sendmsg(fd, &head, MSG_NOSIGNAL);
    }
    assert_files(crew.controller, files);
    close(fd);
    crew_close(&crew);
}

static void one_that_asks_and_never_listens_holds_up_nobody(void **state)
{
    (void)state;
    struct crew crew;
    struct wire_message query = {.type = WIRE_QUERY, .query = {.applications = 1}};
    crew_open(&crew, "fair-share");
    struct mover *mover = crew_move(&crew, false);
    int fd = raw_connect(crew.path);
    for (int i = 0; i < 100000 && raw_send(fd, &query); i++)
        continue;
    crew_nap(200);
    for (int i = 0; i < 100000 && raw_send(fd, &query); i++)
        continue;
    double rate = crew_measure(mover, 100, 300);
    assert_true(rate > 0.9 * CREW_BANDWIDTH && rate < 1.1 * CREW_BANDWIDTH);
    assert_int_equal(raw_ask(crew.path).applications, 1);
    close(fd);
    crew_close(&crew);
}

/* --- another user ------------------------------------------------------------------------------
 */

/* What an intruder managed, one bit each. */
enum { JOINED = 1, SET_A_SETTING = 2, OPENED_A_PAGE = 4, WROTE_A_PAGE = 8, TROUBLE = 16 };

/* Tries to open the victim's pages by way of the files of a process. */
static int rob(pid_t pid)
{
    int managed = 0;
    for (int fd = 0; fd < 64; fd++) {
        char path[64], name[256];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
        ssize_t length = readlink(path, name, sizeof name - 1);
        int opened = open(path, O_RDONLY);
        if (opened >= 0)
            managed |= OPENED_A_PAGE;
        close(opened);
        if (length >= 0)
            managed |= OPENED_A_PAGE;
    }
    return managed;
}

/* As another user, who knows the token even. */
static int intrude(const struct crew *crew, uint32_t id, pid_t victim)
{
    struct wire_message message,
        set = {.type = WIRE_SET, .set = {.setting = WIRE_SET_LIMIT, .app = id, .value = 1}};
    struct raw_pages pages = {0};
    int managed = 0, fd = raw_connect(crew->path);
    if (fd < 0)
        return TROUBLE;
    message = raw_attach(fd, 1, &pages);
    if (message.welcome.app == id)
        managed |= JOINED;
    atomic_store(&pages.usage->used, UINT64_MAX); /* only its own */
    atomic_store(&pages.usage->phase, 77);
    raw_send(fd, &set);
    if (!raw_receive(fd, &message, NULL) || message.type != WIRE_REFUSED)
        managed |= SET_A_SETTING;
    managed |= rob(crew->controller) | rob(victim);
    close(fd);
    return managed;
}

static void another_user_gets_nothing_of_an_application(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("needs root, to be another user\n");
        skip();
    }
    struct crew crew;
    struct raw_pages pages;
    crew_open(&crew, "fair-share");
    int fd = raw_connect(crew.path);
    uint32_t id = raw_attach(fd, 1, &pages).welcome.app;
    struct wire_message begin = {.type = WIRE_POST, .post = {.volume = 1e9, .begun = 1}};
    assert_true(raw_send(fd, &begin));
    pid_t victim = getpid(), intruder = fork();
    if (intruder == 0) {
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
            _exit(TROUBLE);
        _exit(intrude(&crew, id, victim));
    }
    int status;
    assert_int_equal(waitpid(intruder, &status, 0), intruder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    uint64_t used = atomic_load(&pages.usage->used);
    assert_int_equal(used, 0);
    close(fd);
    crew_close(&crew);
}

/* Joins with one application after the other until nobody lets it in any more, says so, and keeps
 * them until it may go. */
static void take_all(const struct crew *crew, int say, int wait)
{
    char byte = 0;
    for (uint64_t number = 1;; number++) {
        struct wire_message message = raw_who(number);
        int fd = raw_connect(crew->path);
        if (fd < 0 || !raw_send(fd, &message) || !raw_receive(fd, &message, NULL) ||
            message.type != WIRE_WELCOME)
            break;
    }
    if (write(say, &byte, 1) == 1 && read(wait, &byte, 1) < 0)
        _exit(1);
}

static void one_user_cannot_take_all_files_of_the_controller(void **state)
{
    (void)state;
    enum { FILES = 160 };
    struct rlimit before, few = {FILES, FILES};
    int said[2], go[2];
    char byte = 0;
    if (geteuid() != 0) {
        print_message("needs root, to be another user\n");
        skip();
    }
    struct crew crew;
    getrlimit(RLIMIT_NOFILE, &before);
    setrlimit(RLIMIT_NOFILE, &few); /* the controller inherits it */
    crew_open(&crew, "fair-share");
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(pipe(said) | pipe(go), 0);
    pid_t taker = fork();
    if (taker == 0) {
        close(go[1]);
        if (setgid(NOBODY) == 0 && setuid(NOBODY) == 0)
            take_all(&crew, said[1], go[0]);
        _exit(0);
    }
    assert_int_equal(read(said[0], &byte, 1), 1);
    /* 160 files, 32 of them for other things: half of the rest makes 21 applications of 3. */
    assert_in_range(raw_ask(crew.path).applications, 15, 22);
    int fd = raw_connect(crew.path);
    raw_attach(fd, 1, NULL);
    close(fd);
    close(go[1]);
    assert_int_equal(waitpid(taker, NULL, 0), taker);
    for (int i = 0; i < 2; i++)
        close(said[i]);
    close(go[0]);
    crew_close(&crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_message_harms_the_controller_or_others),
        cmocka_unit_test(descriptors_that_come_along_are_not_kept),
        cmocka_unit_test(one_that_asks_and_never_listens_holds_up_nobody),
        cmocka_unit_test(one_user_cannot_take_all_files_of_the_controller),
        cmocka_unit_test(another_user_gets_nothing_of_an_application),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
