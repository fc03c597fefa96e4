/* The whole controller in a thread, and clients at its socket. */
#include "base/text.h"
#include "serve/listener.h"
#include "serve/serve.h"
#include "support/raw.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

struct server {
    char directory[32], path[64], journal[64];
    struct service service;
    pthread_t thread;
    _Atomic int ready;
    char said[256];      /* the last that people were told, */
    _Atomic int sayings; /* and how often */
    struct service next; /* what a reload reads */
    const char *fault;   /* or why it cannot */
    int status;
    struct err err;
};

static void note_ready(void *context)
{
    atomic_store(&((struct server *)context)->ready, 1);
}

static void note_saying(void *context, const char *text)
{
    struct server *server = context;
    snprintf(server->said, sizeof server->said, "%s", text);
    atomic_fetch_add(&server->sayings, 1);
}

static int read_next(void *context, struct service *service, struct err *err)
{
    struct server *server = context;
    *service = server->next;
    return server->fault ? err_set(err, "%s", server->fault) : 0;
}

static void *serve(void *context)
{
    struct server *server = context;
    const struct serve_hooks hooks = {
        .ready = note_ready, .say = note_saying, .reload = read_next, .context = server};
    server->status = serve_run(&server->service, &hooks, &server->err);
    return NULL;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void prepare(struct server *server)
{
    *server = (struct server){.directory = "/tmp/weir-daemon-XXXXXX"};
    assert_non_null(mkdtemp(server->directory));
    snprintf(server->path, sizeof server->path, "%s/socket", server->directory);
    snprintf(server->journal, sizeof server->journal, "%s/journal", server->directory);
    server->service = (struct service){
        .platform = {.node_bandwidth = INFINITY, .bandwidth = 1000},
        .socket = server->path,
        .policy = "fair-share",
        .journal = server->journal,
        .soft_release = SERVICE_SOFT_RELEASE,
        .phase_gap = SERVICE_PHASE_GAP,
        .max_wait = SERVICE_MAX_WAIT,
    };
}

static void start(struct server *server)
{
    prepare(server);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    for (int i = 0; i < 5000 && !atomic_load(&server->ready); i++)
        nap();
    assert_true(atomic_load(&server->ready));
}

/* Ends it by a signal; its journal, for the caller to free. */
static char *stop(struct server *server)
{
    size_t length;
    kill(getpid(), SIGTERM);
    pthread_join(server->thread, NULL);
    assert_int_equal(server->status, 0);
    assert_int_equal(access(server->path, F_OK), -1);
    char *text = text_load(server->journal, &length, &server->err);
    assert_non_null(text);
    unlink(server->journal);
    rmdir(server->directory);
    return text;
}

static double wait_rate(const struct raw_pages *pages, double expected)
{
    struct page_grant grant = {0};
    for (int i = 0; i < 2000; i++) {
        if (page_read(pages->grant, &grant) && grant.bytes.rate == line_rate(expected * LINE_BYTE))
            return expected;
        nap();
    }
    return line_speed(&grant.bytes) / LINE_BYTE;
}

/* A call of many bytes is under way: what is granted is used. */
static void pretend_call(const struct raw_pages *pages)
{
    pages->usage->slots[0].busy = 1;
    pages->usage->used += 1000000 * LINE_BYTE;
}

static void clients_are_granted_what_the_strategy_says(void **state)
{
    (void)state;
    struct server server;
    struct raw_pages a, b;
    const struct wire_message begin = {.type = WIRE_POST, .post = {.volume = 1e6, .begun = 1}};
    const struct wire_message end = {.type = WIRE_END};
    start(&server);
    int first = raw_connect(server.path), second = raw_connect(server.path);
    raw_attach(first, 1, &a);
    raw_attach(second, 2, &b);
    pretend_call(&a);
    pretend_call(&b);
    raw_send(first, &begin);
    assert_true(wait_rate(&a, 1000) == 1000);
    raw_send(second, &begin);
    assert_true(wait_rate(&a, 500) == 500 && wait_rate(&b, 500) == 500);
    a.usage->slots[0].busy = 0;
    raw_send(first, &end);
    assert_true(wait_rate(&b, 1000) == 1000 && wait_rate(&a, 0) == 0);
    close(first);
    for (int i = 0; i < 2000 && raw_ask(server.path).applications > 1; i++)
        nap();
    assert_int_equal(raw_ask(server.path).applications, 1);
    char *journal = stop(&server);
    /* When nobody is in charge, everybody may. */
    assert_int_equal(atomic_load(&a.grant->mode), PAGE_OPEN);
    assert_int_equal(atomic_load(&b.grant->mode), PAGE_OPEN);
    static const char *const events[] = {"start",    "join",  "post", "grant",
                                         "complete", "leave", "done"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        char text[32];
        snprintf(text, sizeof text, "\"event\":\"%s\"", events[i]);
        assert_non_null(strstr(journal, text));
    }
    close(second);
    free(journal);
}

/* Sends a message that is out of place, and expects to be told so and cut off. */
static void expect_cut(int fd, const struct wire_message *message, const char *reason)
{
    struct wire_message answer;
    char byte;
    assert_true(raw_send(fd, message));
    assert_true(raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_REFUSED);
    assert_string_equal(answer.refused.reason, reason);
    assert_int_equal(read(fd, &byte, 1), 0);
    close(fd);
}

static void what_is_out_of_place_is_refused_and_cut_off(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer, who = raw_who(1);
    start(&server);
    int fd = raw_connect(server.path);
    expect_cut(fd, &(struct wire_message){.type = WIRE_POST}, "attach first");
    fd = raw_connect(server.path);
    expect_cut(fd, &(struct wire_message){.type = WIRE_STATUS, .status = {.policy = "x"}},
               "a controller does not take this message");
    fd = raw_connect(server.path);
    raw_attach(fd, 1, NULL);
    expect_cut(fd, &who, "this process is already attached");
    fd = raw_connect(server.path);
    assert_true(raw_send_bytes(fd, "nonsense", 8));
    assert_true(raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_REFUSED);
    close(fd);
    free(stop(&server));
}

static void an_answer_of_many_messages_waits_for_its_reader(void **state)
{
    (void)state;
    enum { MANY = 200 };
    static int fds[MANY];
    struct server server;
    struct wire_message answer;
    const struct wire_message query = {.type = WIRE_QUERY, .query = {.applications = 1}};
    start(&server);
    for (int i = 0; i < MANY; i++) {
        fds[i] = raw_connect(server.path);
        raw_attach(fds[i], (uint64_t)i, NULL);
    }
    /* Three questions, and nobody reads: more than a socket holds. */
    int fd = raw_connect(server.path);
    for (int i = 0; i < 3; i++)
        assert_true(raw_send(fd, &query));
    for (int i = 0; i < 50; i++)
        nap();
    assert_int_equal(raw_ask(server.path).applications, MANY); /* others are answered */
    for (int i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < MANY; k++) {
            assert_true(raw_receive(fd, &answer, NULL));
            assert_int_equal(answer.type, WIRE_APP);
            assert_int_equal(answer.app.id, k);
        }
        assert_true(raw_receive(fd, &answer, NULL));
        assert_int_equal(answer.type, WIRE_STATUS);
    }
    close(fd);
    for (int i = 0; i < MANY; i++)
        close(fds[i]);
    free(stop(&server));
}

static void settings_change_over_the_socket(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer;
    struct wire_message set = {
        .type = WIRE_SET, .set = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = "fcfs"}};
    start(&server);
    int fd = raw_connect(server.path);
    assert_true(raw_send(fd, &set) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    assert_string_equal(answer.status.policy, "fcfs");
    strcpy(set.set.text, "nothing");
    assert_true(raw_send(fd, &set) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_REFUSED); /* and may go on */
    strcpy(set.set.text, "set-10");
    assert_true(raw_send(fd, &set) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    set.set =
        (struct wire_set){.setting = WIRE_SET_OPS, .app = WIRE_ALL, .value = 500, .text = "untar"};
    assert_true(raw_send(fd, &set) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    close(fd);
    char line[128], *journal = stop(&server);
    snprintf(line, sizeof line, "\"key\":\"policy\",\"value\":\"set-10\",\"uid\":%u,\"pid\":%d,",
             (unsigned)getuid(), (int)getpid());
    assert_non_null(strstr(journal, line));
    assert_null(strstr(journal, "\"value\":\"nothing\""));
    snprintf(line, sizeof line,
             "\"key\":\"ops\",\"value\":500,\"application\":\"untar\",\"uid\":%u,",
             (unsigned)getuid());
    assert_non_null(strstr(journal, line));
    free(journal);
}

/* Waits until people are told something more. */
static const char *wait_saying(const struct server *server, int before)
{
    for (int i = 0; i < 5000 && atomic_load(&server->sayings) == before; i++)
        nap();
    assert_true(atomic_load(&server->sayings) > before);
    return server->said;
}

static void a_signal_reloads_the_configuration(void **state)
{
    (void)state;
    struct server server;
    char moved[80];
    start(&server);
    snprintf(moved, sizeof moved, "%s.1", server.journal);
    server.next = server.service;
    server.next.platform.bandwidth = 2000;
    server.next.policy = "fcfs";
    kill(getpid(), SIGHUP);
    assert_string_equal(wait_saying(&server, 0), "reloaded");
    assert_true(raw_ask(server.path).bandwidth == 2000);
    assert_string_equal(raw_ask(server.path).policy, "fcfs");
    /* What only a restart can change is said; what is wrong changes nothing. */
    server.next.socket = "/elsewhere";
    server.next.platform.bandwidth = 3000;
    kill(getpid(), SIGHUP);
    assert_string_equal(wait_saying(&server, 1), "reloaded; another socket needs a restart");
    assert_true(raw_ask(server.path).bandwidth == 3000);
    server.fault = "serve.yaml:3: nonsense";
    kill(getpid(), SIGHUP);
    assert_string_equal(wait_saying(&server, 2), "not reloaded: serve.yaml:3: nonsense");
    server.fault = NULL;
    server.next.policy = "fcsf";
    kill(getpid(), SIGHUP);
    assert_non_null(strstr(wait_saying(&server, 3), "not reloaded: "));
    assert_string_equal(raw_ask(server.path).policy, "fcfs");
    /* The journal goes on in a new file. */
    server.next.policy = "fair-share";
    assert_int_equal(rename(server.journal, moved), 0);
    kill(getpid(), SIGHUP);
    wait_saying(&server, 4);
    raw_ask(server.path);
    assert_int_equal(access(server.journal, F_OK), 0);
    unlink(moved);
    char *journal = stop(&server);
    assert_non_null(strstr(journal, "fair-share"));
    free(journal);
}

static void a_socket_that_was_removed_is_made_again(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer;
    const struct wire_message query = {.type = WIRE_QUERY};
    start(&server);
    int fd = raw_connect(server.path);
    raw_attach(fd, 1, NULL);
    unlink(server.path);
    assert_string_equal(wait_saying(&server, 0), "the socket was gone, and is made again");
    assert_int_equal(raw_ask(server.path).applications, 1);
    /* Who was connected still is. */
    assert_true(raw_send(fd, &query) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    close(fd);
    free(stop(&server));
}

static void rules_are_shown_over_the_socket(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer;
    const struct wire_message show = {.type = WIRE_SHOW};
    const struct wire_message set = {.type = WIRE_SET,
                                     .set = {.setting = WIRE_SET_LIMIT,
                                             .app = WIRE_ALL,
                                             .value = 5000,
                                             .scope = WIRE_OF_USER,
                                             .uid = 1042}};
    start(&server);
    int fd = raw_connect(server.path);
    assert_true(raw_send(fd, &set) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    assert_true(raw_send(fd, &show));
    static const enum wire_setting expected[] = {WIRE_SET_POLICY, WIRE_SET_BANDWIDTH,
                                                 WIRE_SET_LIMIT};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(raw_receive(fd, &answer, NULL));
        assert_int_equal(answer.type, WIRE_RULE);
        assert_int_equal(answer.rule.set.setting, expected[i]);
        assert_int_equal(answer.rule.source, i < 2 ? WIRE_CONFIGURED : WIRE_CHANGED);
    }
    assert_int_equal(answer.rule.set.uid, 1042);
    assert_true(raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    close(fd);
    free(stop(&server));
}

/* In a process of another user: whether it may attach for uid 1042. */
static bool another_attaches(const struct server *server)
{
    int status;
    struct wire_message who = raw_who(3), answer;
    who.attach.user = 1042 + 1;
    chmod(server->directory, 0711);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int fd = setuid(1043) == 0 ? raw_connect(server->path) : -1;
        bool refused = fd >= 0 && raw_send(fd, &who) && raw_receive(fd, &answer, NULL) &&
                       answer.type == WIRE_REFUSED && strstr(answer.refused.reason, "only root");
        _exit(refused ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void a_batch_system_attaches_for_the_users_of_its_jobs(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer, who = raw_who(1);
    const struct wire_message query = {.type = WIRE_QUERY, .query = {.applications = 1}};
    start(&server);
    who.attach.user = 1042 + 1;
    who.attach.leader = WIRE_HOSTS;
    strcpy(who.attach.account, "physics");
    strcpy(who.attach.partition, "long");
    int host = raw_connect(server.path), fd = raw_connect(server.path);
    assert_true(raw_send(host, &who) && raw_receive(host, &answer, NULL));
    assert_int_equal(answer.type, WIRE_WELCOME);
    assert_true(raw_send(fd, &query) && raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_APP);
    assert_int_equal(answer.app.uid, 1042);
    assert_string_equal(answer.app.account, "physics");
    assert_string_equal(answer.app.partition, "long");
    if (geteuid() == 0)
        assert_false(another_attaches(&server));
    close(fd);
    close(host);
    char *journal = stop(&server);
    assert_non_null(strstr(journal, "\"account\":\"physics\",\"partition\":\"long\""));
    free(journal);
}

static void those_that_have_left_are_told_on_request(void **state)
{
    (void)state;
    struct server server;
    struct wire_message answer;
    const struct wire_message query = {.type = WIRE_QUERY, .query = {.finished = 20}};
    enum { MANY = 30 };
    start(&server);
    for (uint64_t i = 0; i < MANY; i++) {
        int fd = raw_connect(server.path);
        raw_attach(fd, i, NULL);
        close(fd);
    }
    for (int i = 0; i < 2000 && raw_ask(server.path).applications > 0; i++)
        nap();
    int fd = raw_connect(server.path);
    assert_true(raw_send(fd, &query));
    double ended = 0;
    for (int i = 0; i < 20; i++) {
        assert_true(raw_receive(fd, &answer, NULL));
        assert_int_equal(answer.type, WIRE_DONE);
        assert_int_equal(answer.done.uid, getuid());
        assert_true(answer.done.ended >= ended); /* the latest is the last */
        ended = answer.done.ended;
    }
    assert_true(raw_receive(fd, &answer, NULL));
    assert_int_equal(answer.type, WIRE_STATUS);
    close(fd);
    free(stop(&server));
}

static void a_controller_that_cannot_start_says_why(void **state)
{
    (void)state;
    struct server other;
    struct listener living;
    char store[2000];
    const struct site_store stores[] = {{.path = store}};
    prepare(&other);
    other.service.journal = NULL;
    /* No whole controller: this one runs in our thread, and libuv closes its files by bare system
     * calls, so that ThreadSanitizer would blame another thread that gets their numbers. */
    assert_int_equal(listener_open(&living, other.path, &other.err), 0);
    serve(&other);
    assert_int_equal(other.status, -1);
    assert_non_null(strstr(other.err.text, "another process already listens at"));
    listener_close(&living);
    other.service.policy = "apio";
    serve(&other);
    assert_string_equal(other.err.text,
                        "strategy 'apio' follows a plan: expected 'apio:file=FILE'");
    other.service.policy = "fcfs";
    other.service.journal = "/nowhere/journal";
    serve(&other);
    assert_non_null(strstr(other.err.text, "cannot write the journal"));
    memset(store, 'x', sizeof store - 1);
    store[0] = '/';
    store[sizeof store - 1] = '\0';
    other.service.journal = NULL;
    other.service.stores = (struct stores){stores, 1};
    serve(&other);
    assert_non_null(strstr(other.err.text, "the stores' paths are longer than"));
    rmdir(other.directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_are_granted_what_the_strategy_says),
        cmocka_unit_test(what_is_out_of_place_is_refused_and_cut_off),
        cmocka_unit_test(an_answer_of_many_messages_waits_for_its_reader),
        cmocka_unit_test(settings_change_over_the_socket),
        cmocka_unit_test(a_signal_reloads_the_configuration),
        cmocka_unit_test(a_socket_that_was_removed_is_made_again),
        cmocka_unit_test(rules_are_shown_over_the_socket),
        cmocka_unit_test(a_batch_system_attaches_for_the_users_of_its_jobs),
        cmocka_unit_test(those_that_have_left_are_told_on_request),
        cmocka_unit_test(a_controller_that_cannot_start_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
