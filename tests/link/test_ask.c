/* Questions of commands: another process asks, while this one has the controller. It is started as
 * a program: a child of a fork in a process with threads may not start any under ThreadSanitizer.
 */
#include "common.h"
#include "link/ask.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the other process
 * -------------------------------------------------------------------------------- */

struct asking {
    char controllers[128];
    const char *munge;
    uint32_t controller_uid;
    char heard[256], fault[512]; /* what came of it */
};

static bool asking_hear(void *context, const void *bytes, size_t size, bool *last)
{
    struct asking *asking = context;
    snprintf(asking->heard, sizeof asking->heard, "%.*s", (int)size, (const char *)bytes);
    *last = true;
    return strcmp(asking->heard, "of another version") != 0;
}

static void asking_run(struct asking *asking, const char *question)
{
    struct link_address list[LINK_CONTROLLERS];
    struct err err = {0};
    int count = link_address_list(asking->controllers, LINK_PORT, list, &err);
    const struct link_ask_setup setup = {.controllers = list,
                                         .controller_count = (uint32_t)count,
                                         .munge = asking->munge,
                                         .controller_uid = asking->controller_uid,
                                         .speaks = {1, 3},
                                         .limit = strcmp(question, "patiently") ? 1000 : 5000};
    const struct packet packet = {(const unsigned char *)question, strlen(question)};
    if (link_ask(&setup, &packet, asking_hear, asking, &err) != 0)
        snprintf(asking->fault, sizeof asking->fault, "%s", err.text);
}

/* CONTROLLERS MUNGE UID QUESTION: writes what came of it to standard output. */
static int asking_main(char **arguments)
{
    struct asking asking = {.munge = arguments[1],
                            .controller_uid = (uint32_t)strtoul(arguments[2], NULL, 10)};
    snprintf(asking.controllers, sizeof asking.controllers, "%s", arguments[0]);
    asking_run(&asking, arguments[3]);
    return write(STDOUT_FILENO, &asking, sizeof asking) == sizeof asking ? 0 : 1;
}

/* Asks while the controller runs, and returns what came of it. */
static struct asking ask(struct scene *scene, const char *before, const char *question)
{
    struct asking asking = {0};
    const char *munge = strcmp(question, "forged") ? own_guard.socket : other_guard.socket;
    char uid[16];
    int ends[2];
    snprintf(uid, sizeof uid, "%u", (unsigned)(geteuid() + !strcmp(question, "for another")));
    snprintf(asking.controllers, sizeof asking.controllers, "%s127.0.0.1:%d", before, scene->port);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "test_link_ask", asking.controllers, munge, uid, question, NULL);
        _exit(1);
    }
    close(ends[1]);
    SCENE_WAIT(scene, waitpid(child, NULL, WNOHANG) == child);
    assert_int_equal(read(ends[0], &asking, sizeof asking), sizeof asking);
    close(ends[0]);
    return asking;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void a_question_is_answered(void **state)
{
    struct scene scene;
    (void)state;
    if (!own_guard.socket[0])
        skip();
    scene_open(&scene, &own_guard);
    struct asking asking = ask(&scene, "", "hello");
    assert_string_equal(asking.fault, "");
    assert_string_equal(asking.heard, "hello");
    assert_int_equal(scene.hello.role, LINK_CLIENT);
    assert_int_equal(scene.uid, geteuid());
    asking = ask(&scene, "127.0.0.1:1,", "hello"); /* where nobody listens */
    assert_string_equal(asking.fault, "");
    assert_string_equal(asking.heard, "hello");
    SCENE_WAIT(&scene, scene.gone == 2);
    scene_close(&scene);
}

static void what_cannot_be_answered_fails_with_the_reason(void **state)
{
    struct scene scene;
    (void)state;
    if (!own_guard.socket[0])
        skip();
    scene_open(&scene, &own_guard);
    scene.allowed = geteuid() + 1;
    assert_non_null(strstr(ask(&scene, "127.0.0.1:1,", "hello").fault, "may not be an agent"));
    scene.allowed = geteuid();
    assert_non_null(strstr(ask(&scene, "", "of another version").fault, "of another version"));
    assert_string_equal(ask(&scene, "", "bad").fault, "the controller has gone");
    scene.echo = false;
    assert_string_equal(ask(&scene, "", "hello").fault, "the controller does not answer");
    scene_close(&scene);
}

static void credentials_of_others_are_refused(void **state)
{
    struct scene scene;
    (void)state;
    if (!own_guard.socket[0])
        skip();
    scene_open(&scene, &own_guard);
    assert_non_null(strstr(ask(&scene, "", "forged").fault, "cannot connect"));
    assert_non_null(strstr(ask(&scene, "", "for another").fault, "cannot connect"));
    assert_int_equal(scene.joined, 0);
    assert_int_equal(scene_said(&scene, "MUNGE"), 2);
    scene_close(&scene);
}

/* A munged that hangs: the question fails in time and says why. */
static void a_munged_that_hangs_is_named_in_time(void **state)
{
    struct scene scene;
    (void)state;
    if (!own_guard.socket[0])
        skip();
    scene_open(&scene, &own_guard);
    kill(own_guard.pid, SIGSTOP);
    uint64_t start = uv_hrtime();
    struct asking asking = ask(&scene, "", "patiently");
    uint64_t took = uv_hrtime() - start;
    kill(own_guard.pid, SIGCONT);
    assert_non_null(strstr(asking.fault, "MUNGE: munged does not answer"));
    assert_true(took < 4900000000);
    scene_close(&scene);
}

int main(int argc, char **argv)
{
    if (argc == 5)
        return asking_main(argv + 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_answered),
        cmocka_unit_test(what_cannot_be_answered_fails_with_the_reason),
        cmocka_unit_test(credentials_of_others_are_refused),
        cmocka_unit_test(a_munged_that_hangs_is_named_in_time),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, guards_start, guards_stop);
}
