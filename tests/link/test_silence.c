/* Ten thousand connections over loopback that say nothing. */
#include "common_caller.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that opens connections: as many as are asked for, and tells when it has them. On every
 * third it sends half a hello. */
struct crowd {
    pid_t child;
    int ask[2], told[2];
};

static void crowd_serve(const struct scene *scene, const struct crowd *crowd)
{
    int count;
    while (read(crowd->ask[0], &count, sizeof count) == sizeof count) {
        for (int i = 0; i < count; i++) {
            int fd = raw_dial(scene);
            if (i % 3 == 0 && send(fd, "\x10\x00\x00\x00half", 8, MSG_NOSIGNAL) < 0)
                continue;
        }
        if (write(crowd->told[1], "", 1) != 1)
            break;
    }
}

static void crowd_start(struct crowd *crowd, const struct scene *scene)
{
    assert_int_equal(pipe(crowd->ask), 0);
    assert_int_equal(pipe(crowd->told), 0);
    crowd->child = fork();
    if (crowd->child == 0) {
        close(crowd->ask[1]);
        crowd_serve(scene, crowd);
        _exit(0);
    }
    fcntl(crowd->told[0], F_SETFL, O_NONBLOCK);
}

static void crowd_ask(const struct crowd *crowd, int count)
{
    assert_int_equal(write(crowd->ask[1], &count, sizeof count), sizeof count);
}

static bool crowd_is_open(const struct crowd *crowd)
{
    char byte;
    return read(crowd->told[0], &byte, 1) == 1;
}

static void crowd_stop(const struct crowd *crowd)
{
    kill(crowd->child, SIGKILL);
    waitpid(crowd->child, NULL, 0);
    for (int i = 0; i < 2; i++) {
        close(crowd->ask[i]);
        close(crowd->told[i]);
    }
}

/* Room for this many descriptors, or fewer if the system allows no more; returns how many. */
static int raise_descriptors(int wanted)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < (rlim_t)wanted && limit.rlim_max >= (rlim_t)wanted)
        limit.rlim_cur = (rlim_t)wanted;
    else if (limit.rlim_cur < (rlim_t)wanted)
        limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur < (rlim_t)wanted ? (int)limit.rlim_cur : wanted;
}

static uint64_t ping(struct scene *scene, struct caller *caller)
{
    uint32_t before = caller->frames;
    uint64_t start = uv_hrtime();
    assert_int_equal(link_dialer_send(caller->dialer, "ping", 4), 0);
    while (caller->frames == before && uv_hrtime() - start < 5000000000)
        uv_run(&scene->loop, UV_RUN_ONCE);
    assert_int_equal(caller->frames, before + 1);
    return uv_hrtime() - start;
}

static int compare_times(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static uint64_t median_ping(struct scene *scene, struct caller *caller)
{
    enum { PINGS = 301 };
    uint64_t times[PINGS];
    for (int i = 0; i < PINGS; i++) {
        /* The server does not wait for pings: they come at any moment of its work. */
        for (uint64_t start = uv_hrtime(); uv_hrtime() - start < 700000 + i * 1000u;)
            uv_run(&scene->loop, UV_RUN_NOWAIT);
        times[i] = ping(scene, caller);
    }
    qsort(times, PINGS, sizeof *times, compare_times);
    return times[PINGS / 2];
}

/* The median while connections come and while they are open, over that of a quiet time just before:
 * the least of some rounds, since other processes of the machine delay any of them. */
struct delays {
    double coming, open;
};

static void round_of_silence(struct scene *scene, struct caller *caller, const struct crowd *crowd,
                             int count, struct delays *least)
{
    double quiet = (double)median_ping(scene, caller);
    uint64_t before = link_server_count(scene->server).refused, start = uv_hrtime();
    crowd_ask(crowd, count);
    SCENE_WAIT(scene, link_server_count(scene->server).silent > 200);
    double coming = (double)median_ping(scene, caller) / quiet;
    SCENE_WAIT(scene, crowd_is_open(crowd));
    assert_in_range(link_server_count(scene->server).silent, 500, 1024); /* of one address */
    double open = (double)median_ping(scene, caller) / quiet;
    print_message("ping %.0f us; times %.3f while they come, %.3f while they are open\n",
                  quiet / 1e3, coming, open);
    least->coming = coming < least->coming ? coming : least->coming;
    least->open = open < least->open ? open : least->open;
    SCENE_WAIT(scene, link_server_count(scene->server).refused == before + (uint64_t)count);
    /* At most two in a millisecond, once 128 are silent; they are closed after 2 s. */
    assert_true(uv_hrtime() - start > 2000000000 + (uint64_t)(count - 200) * 500000);
}

static void ten_thousand_silent_connections_are_bounded_and_delay_nobody(void **state)
{
    (void)state;
    enum { ROUNDS = 5 };
    struct scene scene;
    struct caller caller, late;
    struct crowd crowd;
    struct delays least = {1e9, 1e9};
    int count = (raise_descriptors(10100) - 100) / ROUNDS;
    scene_open(&scene, &own_guard);
    caller_dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, caller.connected == 1);
    crowd_start(&crowd, &scene);
    for (int i = 0; i < ROUNDS; i++)
        round_of_silence(&scene, &caller, &crowd, count, &least);
    assert_true(link_server_count(scene.server).refused >= (uint64_t)(ROUNDS * count));
    assert_true(least.coming < 1.1);
    assert_true(least.open < 1.1);
    /* One that comes now is served. */
    caller_dial_scene(&scene, &late);
    SCENE_WAIT(&scene, late.connected == 1);
    assert_int_equal(caller.gone + late.gone, 0);
    assert_true(scene_said(&scene, "it sends no hello") <= 1);
    assert_true(scene.lines <= 2);
    crowd_stop(&crowd);
    link_dialer_free(caller.dialer);
    link_dialer_free(late.dialer);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_silent_connections_are_bounded_and_delay_nobody),
    };
    if (access("/usr/sbin/munged", X_OK) != 0) {
        print_message("no munged: nothing to test\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, guards_start, guards_stop);
}
