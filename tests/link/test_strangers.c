/* Connections over loopback with a real munged: forged, stale and stolen credentials, other users,
 * garbage. */
#include "common_caller.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char *stale;       /* a credential that will have expired when it is used, */
static uint64_t stale_at; /* from this time on */

/* Connects, sends the credential that `make` gives for its hello, and is refused. */
static void is_refused(struct scene *scene, char *(*make)(struct link_hello *hello),
                       const char *reason)
{
    struct link_hello hello = {.version = 1, .key = {1}, .name = "evil"};
    int fd = raw_dial(scene);
    raw_greeting(scene, fd, hello.nonce);
    char *credential = make(&hello);
    raw_send_packet(fd, credential, strlen(credential));
    free(credential);
    raw_until_closed(scene, fd, NULL, 0);
    if (scene_said(scene, reason) != 1)
        fail_msg("expected '%s', not '%s'", reason,
                 scene->lines > 0 ? scene->said[scene->lines - 1] : "");
    assert_int_equal(scene->joined, 0);
}

static char *make_forged(struct link_hello *hello)
{
    (void)hello;
    return strdup("MUNGE:AwQFAABuZXZlciBzZWVuIGJ5IGFueSBtdW5nZWQ=:");
}

static char *make_by_another_munged(struct link_hello *hello)
{
    return raw_credential(other_guard.socket, hello, 10, geteuid());
}

static char *make_for_another_reader(struct link_hello *hello)
{
    return raw_credential(own_guard.socket, hello, 10, geteuid() + 1);
}

static char *make_for_another_connection(struct link_hello *hello)
{
    hello->nonce[0] ^= 1;
    return raw_credential(own_guard.socket, hello, 10, geteuid());
}

static char *make_of_another_version(struct link_hello *hello)
{
    hello->version = 4;
    return raw_credential(own_guard.socket, hello, 10, geteuid());
}

static char *make_nameless(struct link_hello *hello)
{
    hello->name[0] = '\0';
    return raw_credential(own_guard.socket, hello, 10, geteuid());
}

static char *make_stale(struct link_hello *hello)
{
    (void)hello;
    while (uv_hrtime() < stale_at)
        usleep(10000);
    return strdup(stale);
}

static void a_credential_that_is_not_right_is_refused_and_told(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, &own_guard);
    is_refused(&scene, make_forged, "MUNGE: ");
    is_refused(&scene, make_by_another_munged, "MUNGE: Invalid credential");
    is_refused(&scene, make_for_another_reader, "MUNGE: Unauthorized credential");
    is_refused(&scene, make_for_another_connection, "the credential is for another connection");
    is_refused(&scene, make_of_another_version, "it speaks another version");
    is_refused(&scene, make_nameless, "a name is empty");
    is_refused(&scene, make_stale, "MUNGE: Expired credential: the clock of the node");
    scene_close(&scene);
}

/* An end whose munged has another key, or that means another user's controller, is told so. */
static void an_end_whose_credential_cannot_be_read_is_told_why(void **state)
{
    (void)state;
    static const char *const reasons[] = {"it refuses: MUNGE: Invalid credential: both nodes need",
                                          "it refuses: MUNGE: Unauthorized credential"};
    for (size_t i = 0; i < 2; i++) {
        struct scene scene;
        struct caller caller;
        scene_open(&scene, &own_guard);
        caller_dial_as(&scene, &caller, i == 0 ? other_guard.socket : own_guard.socket,
                       geteuid() + (i == 1));
        SCENE_WAIT(&scene, caller.said[0]);
        assert_non_null(strstr(caller.said, reasons[i]));
        assert_int_equal(scene.lines, 1);
        link_dialer_free(caller.dialer);
        scene_close(&scene);
    }
}

static void a_replayed_credential_is_refused(void **state)
{
    (void)state;
    struct scene scene;
    struct link_hello hello = {.version = 1, .key = {1}, .name = "n1"};
    scene_open(&scene, &own_guard);
    int first = raw_dial(&scene), second = raw_dial(&scene);
    raw_greeting(&scene, first, hello.nonce);
    char *credential = raw_credential(own_guard.socket, &hello, 10, geteuid());
    raw_send_packet(first, credential, strlen(credential));
    SCENE_WAIT(&scene, scene.joined == 1);
    raw_greeting(&scene, second, hello.nonce);
    raw_send_packet(second, credential, strlen(credential));
    raw_until_closed(&scene, second, NULL, 0);
    assert_int_equal(scene_said(&scene, "MUNGE: Replayed credential"), 1);
    assert_non_null(scene.peer); /* the first is unharmed */
    free(credential);
    close(first);
    scene_close(&scene);
}

/* A credential that another user makes, in a process of its own. */
static void send_as_another(struct scene *scene, int fd, const struct link_hello *hello)
{
    pid_t child = fork();
    if (child == 0) {
        if (setuid(65534) != 0)
            _exit(1);
        char *credential = raw_credential(own_guard.socket, hello, 10, 0);
        raw_send_packet(fd, credential, strlen(credential));
        _exit(0);
    }
    int status;
    SCENE_WAIT(scene, waitpid(child, &status, WNOHANG) == child);
    assert_int_equal(status, 0);
}

static void another_user_is_told_why_and_logged_once(void **state)
{
    (void)state;
    struct scene scene;
    if (geteuid() != 0) {
        print_message("not root: cannot become another user\n");
        skip();
    }
    scene_open(&scene, &own_guard);
    for (int i = 0; i < 3; i++) {
        struct link_hello hello = {.version = 1, .key = {6, 6, 6}, .name = "evil"};
        unsigned char bytes[1024];
        int fd = raw_dial(&scene);
        raw_greeting(&scene, fd, hello.nonce);
        send_as_another(&scene, fd, &hello);
        size_t size = raw_until_closed(&scene, fd, bytes, sizeof bytes);
        struct seal seal = {.key = {6, 6, 6}};
        assert_true(size > PACKET_HEAD);
        struct packet answer = {bytes + PACKET_HEAD, size - PACKET_HEAD};
        assert_true(seal_open(&seal, &answer));
        assert_int_equal(answer.bytes[0], 0);
        assert_memory_equal(answer.bytes + 1, "user 65534 may not be an agent", answer.size - 1);
    }
    assert_int_equal(scene.joined, 0);
    assert_int_equal(scene.lines, 1);
    assert_string_equal(scene.said[0],
                        "refused a connection from 127.0.0.1: user 65534 may not be an agent");
    scene_close(&scene);
}

static void a_frame_with_a_wrong_tag_ends_the_connection(void **state)
{
    (void)state;
    struct scene scene;
    struct seal seal;
    unsigned char frame[SEAL_TAG + 4];
    scene_open(&scene, &own_guard);
    for (int wrong = 0; wrong < 3; wrong++) { /* a wrong byte; a frame twice; no tag at all */
        int fd = raw_join(&scene, &seal);
        uint32_t before = scene.frames;
        memcpy(frame + SEAL_TAG, "ping", 4);
        seal_tag(&seal, "ping", 4, frame);
        frame[0] ^= wrong == 0;
        raw_send_packet(fd, frame, wrong == 2 ? 3 : sizeof frame);
        if (wrong == 1)
            raw_send_packet(fd, frame, sizeof frame);
        raw_until_closed(&scene, fd, NULL, 0);
        assert_int_equal(scene.frames, before + (wrong == 1));
        assert_int_equal(scene.gone, wrong + 1);
    }
    scene_close(&scene);
}

static void garbage_and_other_protocols_are_refused_at_once(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "\xff\xff\xff\xff\xff\xff\xff\xff",
    };
    struct scene scene;
    scene_open(&scene, &own_guard);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int fd = raw_dial(&scene);
        uint64_t start = uv_hrtime();
        assert_true(send(fd, texts[i], strlen(texts[i]), MSG_NOSIGNAL) > 0);
        raw_until_closed(&scene, fd, NULL, 0);
        assert_true(uv_hrtime() - start < 1900000000); /* not by the time limit */
    }
    assert_int_equal(scene_said(&scene, "a packet is too long"), 1);
    int fd = raw_dial(&scene);
    raw_send_packet(fd, "", 0);
    raw_until_closed(&scene, fd, NULL, 0);
    assert_int_equal(scene_said(&scene, "its credential has the wrong size"), 1);
    assert_int_equal(scene.joined, 0);
    scene_close(&scene);
}

static int start_strangers(void **state)
{
    const struct link_hello hello = {.version = 1, .name = "late"};
    if (guards_start(state) != 0)
        return -1;
    stale = raw_credential(own_guard.socket, &hello, 1, geteuid());
    stale_at = uv_hrtime() + 2200000000u;
    return 0;
}

static int stop_strangers(void **state)
{
    free(stale);
    return guards_stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_whose_credential_cannot_be_read_is_told_why),
        cmocka_unit_test(a_replayed_credential_is_refused),
        cmocka_unit_test(another_user_is_told_why_and_logged_once),
        cmocka_unit_test(a_frame_with_a_wrong_tag_ends_the_connection),
        cmocka_unit_test(garbage_and_other_protocols_are_refused_at_once),
        cmocka_unit_test(a_credential_that_is_not_right_is_refused_and_told),
    };
    if (access("/usr/sbin/munged", X_OK) != 0) {
        print_message("no munged: nothing to test\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, start_strangers, stop_strangers);
}
