/* Connections over loopback with a real munged: honest ends. */
#include "common_caller.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- an honest end ---------------------------------------------------------------------------- */

static void an_agent_joins_and_frames_travel_both_ways(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    scene_open(&scene, &own_guard);
    caller_dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, caller.connected && scene.joined);
    assert_string_equal(caller.terms, "terms");
    assert_int_equal(caller.version, 3);
    assert_string_equal(scene.hello.name, "n1");
    assert_true(scene.hello.incarnation != 0);
    uint64_t incarnation = scene.hello.incarnation;
    assert_int_equal(scene.hello.epoch, 5);
    assert_int_equal(scene.uid, geteuid());
    for (uint32_t i = 1; i <= 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "ping %u", i);
        assert_int_equal(link_dialer_send(caller.dialer, text, strlen(text)), 0);
        SCENE_WAIT(&scene, caller.frames == i);
        assert_string_equal(caller.latest, text);
    }
    /* The longest frame arrives too. */
    char *long_one = calloc(1, LINK_MOST);
    assert_int_equal(link_dialer_send(caller.dialer, long_one, LINK_MOST), 0);
    SCENE_WAIT(&scene, caller.frames == 101);
    free(long_one);
    link_dialer_free(caller.dialer);
    SCENE_WAIT(&scene, scene.gone == 1);
    assert_null(scene.peer);
    assert_int_equal(scene.lines, 0);
    caller_dial_scene(&scene, &caller); /* another start of it */
    SCENE_WAIT(&scene, scene.joined == 2);
    assert_true(scene.hello.incarnation != incarnation);
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

static void a_lost_connection_is_made_again(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    scene_open(&scene, &own_guard);
    caller_dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, caller.connected == 1);
    link_server_drop(scene.peer);
    SCENE_WAIT(&scene, caller.gone == 1);
    assert_false(link_dialer_is_connected(caller.dialer));
    assert_int_equal(link_dialer_send(caller.dialer, "x", 1), 1);
    link_dialer_heard(caller.dialer, 9);
    SCENE_WAIT(&scene, caller.connected == 2);
    assert_int_equal(scene.hello.epoch, 9);
    /* A frame that cannot be understood ends it as well, and is told. */
    assert_int_equal(link_dialer_send(caller.dialer, "bad", 3), 0);
    SCENE_WAIT(&scene, caller.connected == 3);
    assert_int_equal(scene_said(&scene, "a bad frame"), 1);
    assert_int_equal(scene.gone, 1); /* the first was dropped, not lost */
    link_dialer_redial(caller.dialer, "a test");
    assert_non_null(strstr(caller.said, "connection lost: a test"));
    link_dialer_redial(caller.dialer, "does nothing");
    SCENE_WAIT(&scene, caller.connected == 4 && caller.gone == 3);
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

static void the_first_controller_that_answers_is_taken(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    char places[128];
    scene_open(&scene, &own_guard);
    /* Port 1 refuses; the name has two addresses, of which only the later one may listen. */
    snprintf(places, sizeof places, "127.0.0.1:1,localhost:%d", scene.port);
    caller_dial(&scene, &caller, places, scene.speaks);
    SCENE_WAIT(&scene, caller.connected == 1);
    assert_string_equal(link_dialer_controller(caller.dialer)->host, "localhost");
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

static void an_agent_gives_up_only_the_attempt(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    scene_open(&scene, &own_guard);
    scene.allowed = geteuid() + 1;
    caller_dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, scene_said(&scene, "may not be an agent") == 1 && caller.said[0]);
    assert_non_null(strstr(caller.said, "it refuses: user"));
    scene.allowed = geteuid();
    SCENE_WAIT(&scene, caller.connected == 1);
    link_dialer_free(caller.dialer);
    scene_close(&scene);

    scene_open(&scene, &own_guard);
    caller_dial(&scene, &caller, "127.0.0.1:1", scene.speaks);
    SCENE_WAIT(&scene, strstr(caller.said, "cannot connect") != NULL);
    link_dialer_free(caller.dialer); /* while it waits */
    char place[32];
    snprintf(place, sizeof place, "127.0.0.1:%d", scene.port);
    caller_dial(&scene, &caller, place, (struct link_versions){4, 6});
    SCENE_WAIT(&scene, strstr(caller.said, "another version") != NULL);
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

/* --- odd moments ------------------------------------------------------------------------------ */

static void an_end_that_leaves_was_not_refused(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, &own_guard);
    for (int i = 0; i < 3; i++) {
        int fd = raw_dial(&scene);
        unsigned char nonce[HELLO_NONCE];
        if (i < 2)
            raw_greeting(&scene, fd, nonce);
        close(fd);
        for (int turns = 0; turns < 20 || link_server_count(scene.server).silent > 0; turns++)
            scene_turn(&scene);
    }
    assert_int_equal(scene.lines, 0);
    scene_close(&scene);
}

static void a_host_that_is_not_known_is_called_so(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    scene_open(&scene, &own_guard);
    caller_dial(&scene, &caller, "no-such-host.invalid", scene.speaks);
    SCENE_WAIT(&scene, caller.said[0]);
    assert_non_null(strstr(caller.said, "host name"));
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

static void an_end_that_does_not_read_is_blocked_and_costs_one_frame(void **state)
{
    (void)state;
    struct scene scene;
    struct seal seal;
    static char frame[8192];
    scene_open(&scene, &own_guard);
    scene.echo = false;
    int fd = raw_join(&scene, &seal);
    uint32_t taken = 0;
    while (link_server_send(scene.peer, frame, sizeof frame) == 0) {
        taken++;
        uv_run(&scene.loop, UV_RUN_NOWAIT);
        assert_true(taken < 4096);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(link_server_send(scene.peer, frame, sizeof frame), 1);
    /* Once it reads again, all that was taken arrives, in order. */
    struct packet_reader reader = {.most = LINK_MOST};
    uint32_t arrived = 0;
    while (arrived < taken + 1) { /* the answer to its hello came first */
        static unsigned char chunk[65536];
        struct packet packet;
        const char *fault;
        ssize_t size = recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);
        const unsigned char *at = chunk;
        while (size > 0 && packet_next(&reader, &at, chunk + size, &packet, &fault) > 0) {
            assert_true(seal_open(&seal, &packet));
            arrived++;
        }
        scene_turn(&scene);
    }
    packet_reader_fini(&reader);
    assert_int_equal(scene.writable, 1);
    assert_int_equal(link_server_send(scene.peer, frame, sizeof frame), 0);
    close(fd);
    scene_close(&scene);
}

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* A thread that waits for munged closes its socket when it has its answer. */
static bool descriptors_become(int count)
{
    for (int i = 0; i < 10000; i++, usleep(1000))
        if (count_descriptors() == count)
            return true;
    return false;
}

static void a_server_can_end_at_any_moment_of_a_hello(void **state)
{
    (void)state;
    int before = count_descriptors();
    for (int turns = 0; turns < 12; turns++) {
        struct scene scene;
        struct caller caller[3];
        scene_open(&scene, &own_guard);
        for (int i = 0; i < 3; i++)
            caller_dial_scene(&scene, &caller[i]);
        for (int i = 0; i < turns; i++)
            uv_run(&scene.loop, UV_RUN_ONCE);
        for (int i = 0; i < 3; i++)
            link_dialer_free(caller[i].dialer);
        if (turns % 2)
            uv_run(&scene.loop, UV_RUN_NOWAIT);
        scene_close(&scene);
        assert_true(descriptors_become(before));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_joins_and_frames_travel_both_ways),
        cmocka_unit_test(a_lost_connection_is_made_again),
        cmocka_unit_test(the_first_controller_that_answers_is_taken),
        cmocka_unit_test(an_agent_gives_up_only_the_attempt),
        cmocka_unit_test(an_end_that_leaves_was_not_refused),
        cmocka_unit_test(a_host_that_is_not_known_is_called_so),
        cmocka_unit_test(an_end_that_does_not_read_is_blocked_and_costs_one_frame),
        cmocka_unit_test(a_server_can_end_at_any_moment_of_a_hello),
    };
    if (access("/usr/sbin/munged", X_OK) != 0) {
        print_message("no munged: nothing to test\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, guards_start, guards_stop);
}
