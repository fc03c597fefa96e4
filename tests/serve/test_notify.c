/* What a service manager hears. */
#include "serve/notify.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/* A manager that listens at this name. */
static int listen_at(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    memcpy(address.sun_path, name, strlen(name));
    if (*name == '@')
        address.sun_path[0] = '\0';
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    return fd;
}

static const char *hear(int fd)
{
    static char text[128];
    ssize_t size = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

static void hears_all(const char *name)
{
    struct notify notify;
    int manager = listen_at(name);
    setenv("NOTIFY_SOCKET", name, 1);
    notify_open(&notify);
    notify_ready(&notify);
    assert_string_equal(hear(manager), "READY=1");
    notify_reloading(&notify, 1234567890);
    assert_string_equal(hear(manager), "RELOADING=1\nMONOTONIC_USEC=1234567");
    notify_stopping(&notify);
    assert_string_equal(hear(manager), "STOPPING=1");
    notify_close(&notify);
    close(manager);
    unsetenv("NOTIFY_SOCKET");
}

static void a_manager_hears_of_start_reload_and_end(void **state)
{
    (void)state;
    char name[64];
    snprintf(name, sizeof name, "/tmp/weir-notify-%d", (int)getpid());
    hears_all(name);
    unlink(name);
    snprintf(name, sizeof name, "@weir-notify-%d", (int)getpid());
    hears_all(name);
}

static void signs_of_life_come_twice_as_often_as_asked(void **state)
{
    (void)state;
    struct notify notify;
    char name[64], pid[16];
    snprintf(name, sizeof name, "@weir-watchdog-%d", (int)getpid());
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    int manager = listen_at(name), count = 0;
    setenv("NOTIFY_SOCKET", name, 1);
    setenv("WATCHDOG_USEC", "1000000", 1);
    setenv("WATCHDOG_PID", pid, 1);
    notify_open(&notify);
    for (uint64_t now = 5000000000u; now < 7000000000u; now += 50000000u) {
        notify_beat(&notify, now);
        count += strcmp(hear(manager), "WATCHDOG=1") == 0;
    }
    assert_int_equal(count, 4); /* two seconds, two a second */
    notify_close(&notify);
    setenv("WATCHDOG_PID", "1", 1); /* another process is meant */
    notify_open(&notify);
    notify_beat(&notify, 9000000000u);
    assert_string_equal(hear(manager), "");
    notify_close(&notify);
    close(manager);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

static void without_a_manager_nothing_happens(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "", "relative", "/nowhere/notify"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct notify notify;
        if (names[i])
            setenv("NOTIFY_SOCKET", names[i], 1);
        notify_open(&notify);
        assert_int_equal(notify.fd, -1);
        notify_ready(&notify);
        notify_beat(&notify, 1);
        notify_close(&notify);
    }
    unsetenv("NOTIFY_SOCKET");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manager_hears_of_start_reload_and_end),
        cmocka_unit_test(signs_of_life_come_twice_as_often_as_asked),
        cmocka_unit_test(without_a_manager_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
