/* One user sends as much as it can over many connections: heartbeats go on, and others are served.
 */
#include "common_crew.h"
#include "support/raw.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOBODY = 65534, CONNECTIONS = 4000, OF_APPLICATION = 1500 };

static uint64_t flood_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- the flood: as another user, until it is killed ------------------------------------------- */

/* What it keeps from earlier rounds. */
struct flood {
    const char *path;
    int fds[CONNECTIONS];
    int count;
};

/* Attached connections, few applications or one for each. */
static void flood_attach(struct flood *flood, int of_application)
{
    for (; flood->count < CONNECTIONS; flood->count++) {
        struct wire_message message = raw_who((uint64_t)(1 + flood->count / of_application));
        int fd = raw_connect(flood->path);
        if (fd < 0 || !raw_send(fd, &message) || !raw_receive(fd, &message, NULL) ||
            message.type != WIRE_WELCOME)
            break;
        flood->fds[flood->count] = fd;
    }
}

static void flood_post(struct flood *flood)
{
    const struct wire_message post = {.type = WIRE_POST, .post = {.volume = 1e6, .begun = 1}};
    const struct wire_message end = {.type = WIRE_END};
    for (int i = 0; i < flood->count; i++)
        while (raw_send(flood->fds[i], &post) && raw_send(flood->fds[i], &end))
            continue;
}

static void flood_ask(struct flood *flood)
{
    const struct wire_message query = {.type = WIRE_QUERY, .query = {.applications = 1}};
    char bytes[WIRE_MOST];
    for (int i = 0; i < flood->count; i++) {
        raw_send(flood->fds[i], &query);
        while (recv(flood->fds[i], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
            continue;
    }
}

static void flood_connect(struct flood *flood)
{
    struct wire_message message = raw_who(1);
    int fd = raw_connect(flood->path);
    if (fd < 0)
        return;
    raw_send(fd, &message);
    close(fd);
}

/* A flood that has begun; it says so by a byte. */
static pid_t flood_start(const struct crew *crew, int of_application,
                         void (*round)(struct flood *flood))
{
    static struct flood flood;
    int begun[2];
    char byte = 0;
    assert_int_equal(pipe(begun), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
            _exit(1);
        flood.path = crew->path;
        if (of_application > 0)
            flood_attach(&flood, of_application);
        for (bool first = true;; first = false) {
            round(&flood);
            if (first && write(begun[1], &byte, 1) != 1)
                _exit(1);
        }
    }
    close(begun[1]);
    assert_int_equal(read(begun[0], &byte, 1), 1);
    close(begun[0]);
    return pid;
}

/* --- what another user notices ---------------------------------------------------------------- */

enum { LOOKS = 400 };

/* How many of the looks, one every 5 ms, find a heartbeat that is older than 300 ms. */
static int count_late(const struct raw_pages *pages, uint64_t *oldest)
{
    int late = 0;
    *oldest = 0;
    for (int i = 0; i < LOOKS; i++) {
        uint64_t beat = atomic_load(&pages->grant->beat), now = flood_now();
        uint64_t age = now > beat ? now - beat : 0;
        late += age > 300000000u;
        *oldest = age > *oldest ? age : *oldest;
        crew_nap(5);
    }
    return late;
}

/* Milliseconds from a POST to its grant. */
static double time_post(int fd, const struct raw_pages *pages)
{
    const struct wire_message post = {.type = WIRE_POST, .post = {.volume = 1e6, .begun = 1}};
    const struct wire_message end = {.type = WIRE_END};
    uint64_t begin = flood_now(), now = begin;
    assert_true(raw_send(fd, &post));
    while (now - begin < 10000000000u && atomic_load(&pages->grant->mode) != PAGE_PACED) {
        struct timespec moment = {0, 100000};
        nanosleep(&moment, NULL);
        now = flood_now();
    }
    assert_true(raw_send(fd, &end));
    while (flood_now() - begin < 10000000000u && atomic_load(&pages->grant->mode) == PAGE_PACED)
        crew_nap(1);
    return (double)(now - begin) / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_post(int fd, const struct raw_pages *pages)
{
    enum { POSTS = 21 };
    double times[POSTS];
    for (int i = 0; i < POSTS; i++)
        times[i] = time_post(fd, pages);
    qsort(times, POSTS, sizeof *times, by_size);
    return times[POSTS / 2];
}

static void survive(const char *name, int of_application, void (*round)(struct flood *flood))
{
    struct crew crew;
    struct raw_pages pages;
    uint64_t oldest;
    if (geteuid() != 0) {
        print_message("needs root, to be another user\n");
        skip();
    }
    crew_open(&crew, "fair-share");
    int fd = raw_connect(crew.path);
    raw_attach(fd, 1, &pages);
    double alone = median_post(fd, &pages);
    pid_t flood = flood_start(&crew, of_application, round);
    int late = count_late(&pages, &oldest);
    double posted = median_post(fd, &pages);
    print_message("%s: oldest heartbeat %.0f ms, %d of %d looks late; post to grant %.2f ms, "
                  "%.2f ms before the flood\n",
                  name, (double)oldest / 1e6, late, LOOKS, posted, alone);
    int told = 0; /* a busy machine may hold up those who flood, too */
    for (int i = 0; i < 2000 && told == 0; i++, crew_nap(10))
        told = crew_count_lines(&crew, "user nobody sends more than its part");
    crew_signal(flood, SIGKILL);
    close(fd);
    crew_close(&crew);
    assert_int_equal(told, 1);
    /* A machine that is busy may keep the controller from running now and then. */
    assert_true(late < LOOKS / 20);
    assert_true(posted < 50 + 20 * alone);
}

static void posts_over_many_connections_delay_nobody(void **state)
{
    (void)state;
    survive("posts", OF_APPLICATION, flood_post);
}

static void posts_of_many_applications_delay_nobody(void **state)
{
    (void)state;
    survive("applications", 1, flood_post);
}

static void questions_delay_nobody(void **state)
{
    (void)state;
    survive("questions", 4, flood_ask);
}

static void connections_without_end_delay_nobody(void **state)
{
    (void)state;
    survive("connections", 0, flood_connect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_over_many_connections_delay_nobody),
        cmocka_unit_test(posts_of_many_applications_delay_nobody),
        cmocka_unit_test(questions_delay_nobody),
        cmocka_unit_test(connections_without_end_delay_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
