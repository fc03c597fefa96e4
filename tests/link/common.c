#include "common.h"
#include "base/little.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <munge.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- munged ----------------------------------------------------------------------------------- */

static const char munged[] = "/usr/sbin/munged";

static void guard_exec(const struct guard *guard)
{
    static const char *const names[] = {"key", "pid", "log", "seed"};
    char options[4][128], socket[128];
    for (int i = 0; i < 4; i++)
        snprintf(options[i], sizeof options[i], "--%s-file=%s/%s", names[i], guard->place,
                 names[i]);
    snprintf(socket, sizeof socket, "--socket=%s", guard->socket);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    dup2(null, 2);
    execl(munged, munged, "--foreground", "--force", options[0], options[1], options[2], options[3],
          socket, (char *)NULL);
    _exit(127);
}

static void guard_write_key(const struct guard *guard)
{
    char path[128], key[64];
    snprintf(path, sizeof path, "%s/key", guard->place);
    int source = open("/dev/urandom", O_RDONLY);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert_int_equal(read(source, key, sizeof key), sizeof key);
    assert_int_equal(write(fd, key, sizeof key), sizeof key);
    close(source);
    close(fd);
}

bool guard_start(struct guard *guard)
{
    struct stat file;
    *guard = (struct guard){.place = "/tmp/weir-munge-XXXXXX"};
    if (access(munged, X_OK) != 0) {
        print_message("no %s: nothing to test\n", munged);
        return false;
    }
    assert_non_null(mkdtemp(guard->place));
    assert_int_equal(chmod(guard->place, 0755), 0);
    snprintf(guard->socket, sizeof guard->socket, "%s/socket", guard->place);
    guard_write_key(guard);
    guard->pid = fork();
    if (guard->pid == 0)
        guard_exec(guard);
    for (int i = 0; i < 1000 && stat(guard->socket, &file) != 0; i++)
        usleep(10000);
    assert_int_equal(stat(guard->socket, &file), 0);
    return true;
}

void guard_stop(struct guard *guard)
{
    static const char *const names[] = {"key", "pid", "log", "seed", "socket", "socket.lock"};
    if (!guard->socket[0])
        return;
    kill(guard->pid, SIGTERM);
    waitpid(guard->pid, NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", guard->place, names[i]);
        unlink(path);
    }
    rmdir(guard->place);
}

struct guard own_guard, other_guard;

int guards_start(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    if (guard_start(&own_guard))
        guard_start(&other_guard);
    return 0;
}

int guards_stop(void **state)
{
    (void)state;
    guard_stop(&own_guard);
    guard_stop(&other_guard);
    return 0;
}

/* --- the server ------------------------------------------------------------------------------- */

static int scene_admit(void *context, const struct link_who *who, struct link_terms *terms,
                       struct err *err)
{
    struct scene *scene = context;
    if (who->uid != scene->allowed)
        return err_set(err, "user %u may not be an agent", who->uid);
    terms->size = 5;
    memcpy(terms->bytes, "terms", 5);
    return 0;
}

static uint32_t scene_joined(void *context, struct link_peer *peer, const struct link_who *who)
{
    struct scene *scene = context;
    scene->peer = peer;
    scene->hello = *who->hello;
    scene->uid = who->uid;
    return scene->joined++;
}

static int scene_frame(void *context, uint32_t member, const void *bytes, size_t size,
                       struct err *err)
{
    struct scene *scene = context;
    scene->frames++;
    if (size == 3 && memcmp(bytes, "bad", 3) == 0)
        return err_set(err, "a bad frame");
    if (scene->echo && member == scene->joined - 1)
        link_server_send(scene->peer, bytes, size);
    return 0;
}

static void scene_writable(void *context, uint32_t member)
{
    struct scene *scene = context;
    (void)member;
    scene->writable++;
}

static void scene_gone(void *context, uint32_t member)
{
    struct scene *scene = context;
    scene->peer = member == scene->joined - 1 ? NULL : scene->peer;
    scene->gone++;
}

static void scene_say(void *context, const char *text)
{
    struct scene *scene = context;
    if (scene->lines < 32)
        snprintf(scene->said[scene->lines++], sizeof scene->said[0], "%s", text);
}

static const struct link_server_calls scene_calls = {
    scene_admit, scene_joined, scene_frame, scene_writable, scene_gone, scene_say,
};

void scene_open(struct scene *scene, const struct guard *guard)
{
    struct link_address address;
    struct err err = {0};
    memset(scene, 0, sizeof *scene);
    scene->guard = guard;
    scene->allowed = geteuid();
    scene->echo = true;
    scene->speaks = (struct link_versions){1, 3};
    assert_int_equal(uv_loop_init(&scene->loop), 0);
    assert_int_equal(link_address_read("127.0.0.1:0", LINK_PORT, &address, &err), 0);
    const struct link_server_setup setup = {&address, guard->socket, scene->speaks, &scene_calls,
                                            scene};
    scene->server = link_server_new(&scene->loop, &setup, &err);
    assert_non_null(scene->server);
    scene->port = link_server_port(scene->server);
}

void scene_close(struct scene *scene)
{
    link_server_free(scene->server);
    assert_int_equal(uv_run(&scene->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&scene->loop), 0);
}

void scene_turn(struct scene *scene)
{
    uv_run(&scene->loop, UV_RUN_NOWAIT);
    usleep(1000);
}

uint32_t scene_said(const struct scene *scene, const char *text)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->lines; i++)
        count += strstr(scene->said[i], text) != NULL;
    return count;
}

/* --- raw connections -------------------------------------------------------------------------- */

int raw_dial(const struct scene *scene)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)scene->port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

void raw_greeting(struct scene *scene, int fd, unsigned char nonce[HELLO_NONCE])
{
    unsigned char bytes[HELLO_MOST];
    struct link_greeting greeting;
    ssize_t size = -1;
    SCENE_WAIT(scene, (size = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0);
    assert_true(size > PACKET_HEAD);
    assert_int_equal(little_get(bytes, PACKET_HEAD), size - PACKET_HEAD);
    assert_null(link_greeting_read(
        &(struct packet){bytes + PACKET_HEAD, (size_t)size - PACKET_HEAD}, &greeting));
    memcpy(nonce, greeting.nonce, HELLO_NONCE);
}

void raw_send_packet(int fd, const void *bytes, size_t size)
{
    unsigned char head[PACKET_HEAD];
    little_put(head, size, PACKET_HEAD);
    assert_int_equal(send(fd, head, sizeof head, MSG_NOSIGNAL), sizeof head);
    assert_int_equal(send(fd, bytes, size, MSG_NOSIGNAL), size);
}

size_t raw_until_closed(struct scene *scene, int fd, void *bytes, size_t most)
{
    size_t used = 0;
    for (int turns = 0; turns < 10000; turns++) {
        char spare[4096];
        ssize_t size = recv(fd, spare, sizeof spare, MSG_DONTWAIT);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
            close(fd);
            return used;
        }
        for (ssize_t i = 0; i < size && used < most; i++)
            ((char *)bytes)[used++] = spare[i];
        if (size < 0)
            scene_turn(scene);
    }
    fail_msg("the server did not close the connection");
    return 0;
}

char *raw_credential(const char *socket, const struct link_hello *hello, int ttl, uint32_t reader)
{
    unsigned char bytes[HELLO_MOST];
    char *text = NULL;
    size_t size = link_hello_write(hello, bytes);
    munge_ctx_t context = munge_ctx_create();
    assert_int_equal(munge_ctx_set(context, MUNGE_OPT_SOCKET, socket), EMUNGE_SUCCESS);
    assert_int_equal(munge_ctx_set(context, MUNGE_OPT_TTL, ttl), EMUNGE_SUCCESS);
    assert_int_equal(munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, (uid_t)reader),
                     EMUNGE_SUCCESS);
    assert_int_equal(munge_encode(&text, context, bytes, (int)size), EMUNGE_SUCCESS);
    munge_ctx_destroy(context);
    return text;
}

int raw_join(struct scene *scene, struct seal *seal)
{
    struct link_hello hello = {.version = 1, .key = {4, 2}, .name = "n1"};
    int fd = raw_dial(scene);
    uint32_t before = scene->joined;
    raw_greeting(scene, fd, hello.nonce);
    char *credential = raw_credential(scene->guard->socket, &hello, 10, geteuid());
    raw_send_packet(fd, credential, strlen(credential));
    free(credential);
    SCENE_WAIT(scene, scene->joined == before + 1);
    *seal = (struct seal){.key = {4, 2}};
    return fd;
}
