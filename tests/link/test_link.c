/* Connections over loopback with a real munged: honest ends, and all others. */
#include "base/little.h"
#include "common.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct guard guard, other_guard;
static char *stale;       /* a credential that will have expired when it is used, */
static uint64_t stale_at; /* from this time on */

/* --- an honest end ---------------------------------------------------------------------------- */

struct caller {
    struct link_dialer *dialer;
    uint32_t connected, frames, gone, writable, version;
    char terms[32], latest[64], said[256];
};

static int caller_connected(void *context, uint32_t version, const void *terms, size_t size,
                            struct err *err)
{
    struct caller *caller = context;
    (void)err;
    snprintf(caller->terms, sizeof caller->terms, "%.*s", (int)size, (const char *)terms);
    caller->version = version;
    caller->connected++;
    return 0;
}

static int caller_frame(void *context, const void *bytes, size_t size, struct err *err)
{
    struct caller *caller = context;
    (void)err;
    snprintf(caller->latest, sizeof caller->latest, "%.*s", (int)size, (const char *)bytes);
    caller->frames++;
    return 0;
}

static void caller_writable(void *context)
{
    ((struct caller *)context)->writable++;
}

static void caller_gone(void *context)
{
    ((struct caller *)context)->gone++;
}

static void caller_say(void *context, const char *text)
{
    struct caller *caller = context;
    snprintf(caller->said, sizeof caller->said, "%s", text);
}

static const struct link_dialer_calls caller_calls = {
    caller_connected, caller_frame, caller_writable, caller_gone, caller_say, NULL,
};

/* Which munged makes the credential, and for which user. */
static struct {
    const char *munge;
    uint32_t reader;
} means;

static struct link_dialer *dial(struct scene *scene, struct caller *caller, const char *controllers,
                                struct link_versions speaks)
{
    struct link_address list[LINK_CONTROLLERS];
    struct err err;
    int count = link_address_list(controllers, LINK_PORT, list, &err);
    assert_true(count > 0);
    struct link_dialer_setup setup = {
        .controllers = list,
        .controller_count = (uint32_t)count,
        .munge = means.munge ? means.munge : guard.socket,
        .controller_uid = means.munge ? means.reader : geteuid(),
        .speaks = speaks,
        .hello = {.role = LINK_AGENT, .boot = {1, 2}, .incarnation = 77, .epoch = 5, .name = "n1"},
        .calls = &caller_calls,
        .context = caller};
    *caller = (struct caller){0};
    return caller->dialer = link_dialer_new(&scene->loop, &setup, &err);
}

static struct link_dialer *dial_scene(struct scene *scene, struct caller *caller)
{
    char place[32];
    snprintf(place, sizeof place, "127.0.0.1:%d", scene->port);
    return dial(scene, caller, place, scene->speaks);
}

static void dial_as(struct scene *scene, struct caller *caller, const char *munge, uint32_t reader)
{
    means.munge = munge;
    means.reader = reader;
    dial_scene(scene, caller);
    means.munge = NULL;
}

static void an_agent_joins_and_frames_travel_both_ways(void **state)
{
    (void)state;
    struct scene scene;
    struct caller caller;
    scene_open(&scene, &guard);
    dial_scene(&scene, &caller);
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
    dial_scene(&scene, &caller); /* another start of it */
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
    scene_open(&scene, &guard);
    dial_scene(&scene, &caller);
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
    scene_open(&scene, &guard);
    /* Port 1 refuses; the name has two addresses, of which only the later one may listen. */
    snprintf(places, sizeof places, "127.0.0.1:1,localhost:%d", scene.port);
    dial(&scene, &caller, places, scene.speaks);
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
    scene_open(&scene, &guard);
    scene.allowed = geteuid() + 1;
    dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, scene_said(&scene, "may not be an agent") == 1 && caller.said[0]);
    assert_non_null(strstr(caller.said, "it refuses: user"));
    scene.allowed = geteuid();
    SCENE_WAIT(&scene, caller.connected == 1);
    link_dialer_free(caller.dialer);
    scene_close(&scene);

    scene_open(&scene, &guard);
    dial(&scene, &caller, "127.0.0.1:1", scene.speaks);
    SCENE_WAIT(&scene, strstr(caller.said, "cannot connect") != NULL);
    link_dialer_free(caller.dialer); /* while it waits */
    char place[32];
    snprintf(place, sizeof place, "127.0.0.1:%d", scene.port);
    dial(&scene, &caller, place, (struct link_versions){4, 6});
    SCENE_WAIT(&scene, strstr(caller.said, "another version") != NULL);
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

/* --- others ----------------------------------------------------------------------------------- */

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
    return raw_credential(guard.socket, hello, 10, geteuid() + 1);
}

static char *make_for_another_connection(struct link_hello *hello)
{
    hello->nonce[0] ^= 1;
    return raw_credential(guard.socket, hello, 10, geteuid());
}

static char *make_of_another_version(struct link_hello *hello)
{
    hello->version = 4;
    return raw_credential(guard.socket, hello, 10, geteuid());
}

static char *make_nameless(struct link_hello *hello)
{
    hello->name[0] = '\0';
    return raw_credential(guard.socket, hello, 10, geteuid());
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
    scene_open(&scene, &guard);
    is_refused(&scene, make_forged, "MUNGE: ");
    is_refused(&scene, make_by_another_munged, "MUNGE: Invalid credential");
    is_refused(&scene, make_for_another_reader, "MUNGE: Unauthorized credential");
    is_refused(&scene, make_for_another_connection, "the credential is for another connection");
    is_refused(&scene, make_of_another_version, "it speaks another version");
    is_refused(&scene, make_nameless, "a name is empty");
    is_refused(&scene, make_stale, "MUNGE: Expired credential");
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
        scene_open(&scene, &guard);
        dial_as(&scene, &caller, i == 0 ? other_guard.socket : guard.socket, geteuid() + (i == 1));
        SCENE_WAIT(&scene, caller.said[0]);
        assert_non_null(strstr(caller.said, reasons[i]));
        assert_int_equal(scene.lines, 1);
        link_dialer_free(caller.dialer);
        scene_close(&scene);
    }
}

static void an_end_that_leaves_was_not_refused(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, &guard);
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
    scene_open(&scene, &guard);
    dial(&scene, &caller, "no-such-host.invalid", scene.speaks);
    SCENE_WAIT(&scene, caller.said[0]);
    assert_non_null(strstr(caller.said, "host name"));
    link_dialer_free(caller.dialer);
    scene_close(&scene);
}

static void a_replayed_credential_is_refused(void **state)
{
    (void)state;
    struct scene scene;
    struct link_hello hello = {.version = 1, .key = {1}, .name = "n1"};
    scene_open(&scene, &guard);
    int first = raw_dial(&scene), second = raw_dial(&scene);
    raw_greeting(&scene, first, hello.nonce);
    char *credential = raw_credential(guard.socket, &hello, 10, geteuid());
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
        char *credential = raw_credential(guard.socket, hello, 10, 0);
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
    scene_open(&scene, &guard);
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

static int join_raw(struct scene *scene, struct seal *seal)
{
    struct link_hello hello = {.version = 1, .key = {4, 2}, .name = "n1"};
    int fd = raw_dial(scene);
    uint32_t before = scene->joined;
    raw_greeting(scene, fd, hello.nonce);
    char *credential = raw_credential(guard.socket, &hello, 10, geteuid());
    raw_send_packet(fd, credential, strlen(credential));
    free(credential);
    SCENE_WAIT(scene, scene->joined == before + 1);
    *seal = (struct seal){.key = {4, 2}};
    return fd;
}

static void a_frame_with_a_wrong_tag_ends_the_connection(void **state)
{
    (void)state;
    struct scene scene;
    struct seal seal;
    unsigned char frame[SEAL_TAG + 4];
    scene_open(&scene, &guard);
    for (int wrong = 0; wrong < 3; wrong++) { /* a wrong byte; a frame twice; no tag at all */
        int fd = join_raw(&scene, &seal);
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
    scene_open(&scene, &guard);
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
    scene_open(&scene, &guard);
    dial_scene(&scene, &caller);
    SCENE_WAIT(&scene, caller.connected == 1);
    crowd_start(&crowd, &scene);
    for (int i = 0; i < ROUNDS; i++)
        round_of_silence(&scene, &caller, &crowd, count, &least);
    assert_true(link_server_count(scene.server).refused >= (uint64_t)(ROUNDS * count));
    assert_true(least.coming < 1.1);
    assert_true(least.open < 1.1);
    /* One that comes now is served. */
    dial_scene(&scene, &late);
    SCENE_WAIT(&scene, late.connected == 1);
    assert_int_equal(caller.gone + late.gone, 0);
    assert_true(scene_said(&scene, "it sends no hello") <= 1);
    assert_true(scene.lines <= 2);
    crowd_stop(&crowd);
    link_dialer_free(caller.dialer);
    link_dialer_free(late.dialer);
    scene_close(&scene);
}

static void an_end_that_does_not_read_is_blocked_and_costs_one_frame(void **state)
{
    (void)state;
    struct scene scene;
    struct seal seal;
    static char frame[8192];
    scene_open(&scene, &guard);
    scene.echo = false;
    int fd = join_raw(&scene, &seal);
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

static void a_server_can_end_at_any_moment_of_a_hello(void **state)
{
    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        struct scene scene;
        struct caller caller[3];
        scene_open(&scene, &guard);
        for (int i = 0; i < 3; i++)
            dial_scene(&scene, &caller[i]);
        for (int i = 0; i < turns; i++)
            uv_run(&scene.loop, UV_RUN_ONCE);
        for (int i = 0; i < 3; i++)
            link_dialer_free(caller[i].dialer);
        if (turns % 2)
            uv_run(&scene.loop, UV_RUN_NOWAIT);
        scene_close(&scene);
    }
}

static int start_guards(void **state)
{
    (void)state;
    const struct link_hello hello = {.version = 1, .name = "late"};
    signal(SIGPIPE, SIG_IGN);
    if (!guard_start(&guard) || !guard_start(&other_guard))
        return -1;
    stale = raw_credential(guard.socket, &hello, 1, geteuid());
    stale_at = uv_hrtime() + 2200000000u;
    return 0;
}

static int stop_guards(void **state)
{
    (void)state;
    free(stale);
    guard_stop(&guard);
    guard_stop(&other_guard);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_joins_and_frames_travel_both_ways),
        cmocka_unit_test(a_lost_connection_is_made_again),
        cmocka_unit_test(the_first_controller_that_answers_is_taken),
        cmocka_unit_test(an_agent_gives_up_only_the_attempt),
        cmocka_unit_test(an_end_whose_credential_cannot_be_read_is_told_why),
        cmocka_unit_test(an_end_that_leaves_was_not_refused),
        cmocka_unit_test(a_host_that_is_not_known_is_called_so),
        cmocka_unit_test(a_replayed_credential_is_refused),
        cmocka_unit_test(another_user_is_told_why_and_logged_once),
        cmocka_unit_test(a_frame_with_a_wrong_tag_ends_the_connection),
        cmocka_unit_test(garbage_and_other_protocols_are_refused_at_once),
        cmocka_unit_test(an_end_that_does_not_read_is_blocked_and_costs_one_frame),
        cmocka_unit_test(a_server_can_end_at_any_moment_of_a_hello),
        cmocka_unit_test(ten_thousand_silent_connections_are_bounded_and_delay_nobody),
        cmocka_unit_test(a_credential_that_is_not_right_is_refused_and_told),
    };
    if (access("/usr/sbin/munged", X_OK) != 0) {
        print_message("no munged: nothing to test\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, start_guards, stop_guards);
}
