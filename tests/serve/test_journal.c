/* What stands in a journal. */
#include "base/text.h"
#include "controller/application.h"
#include "controller/controller.h"
#include "controller/journal.h"
#include "policy/policy.h"
#include "serve/journal_file.h"
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SERVICE "\"policy\":\"fair-share\",\"bandwidth\":100,\"node_bandwidth\":null,\"nodes\":0}\n"

static const struct platform platform = {.node_bandwidth = INFINITY, .bandwidth = 100};

static struct journal_file journal_file;

/* A journal in a file: NULL with err. */
static struct journal *begin_journal(uv_loop_t *loop, const char *path, struct err *err)
{
    if (journal_file_init(&journal_file, loop, path, err) == 0)
        return journal_new(&journal_file_sink, &journal_file, err);
    journal_file_fini(&journal_file, NULL);
    return NULL;
}

static int end_journal(struct journal *journal, struct err *err)
{
    journal_free(journal);
    return journal_file_fini(&journal_file, err);
}

static int reopen_journal(struct journal *journal, struct err *err)
{
    int status = journal_file_reopen(&journal_file, err);
    if (status == 0)
        journal_restart(journal);
    return status;
}

static struct journal *open_journal(uv_loop_t *loop, char *path)
{
    struct err err = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(uv_loop_init(loop), 0);
    struct journal *journal = begin_journal(loop, path, &err);
    assert_non_null(journal);
    return journal;
}

/* Removes the file too; what stood in it, for the caller to free. */
static char *close_journal(struct journal *journal, uv_loop_t *loop, const char *path,
                           size_t *length)
{
    struct err err = {0};
    assert_int_equal(end_journal(journal, &err), 0);
    uv_loop_close(loop);
    char *text = text_load(path, length, &err);
    assert_non_null(text);
    unlink(path);
    return text;
}

/* Replaces every time of the day, which must be within `most` seconds of now, by "T". */
static void blank_times(char *text, double most)
{
    for (char *at = text; (at = strstr(at, "\"20"));) {
        struct tm day = {0};
        int ms = -1, used = 0;
        assert_int_equal(sscanf(at, "\"%4d-%2d-%2dT%2d:%2d:%2d.%3dZ\"%n", &day.tm_year, &day.tm_mon,
                                &day.tm_mday, &day.tm_hour, &day.tm_min, &day.tm_sec, &ms, &used),
                         7);
        assert_int_equal(used, strlen("\"2026-11-16T21:52:03.123Z\""));
        day.tm_year -= 1900;
        day.tm_mon--;
        double ago = difftime(time(NULL), timegm(&day));
        assert_true(ago > -2 && ago < most);
        at[1] = 'T';
        memmove(at + 2, at + used - 1, strlen(at + used - 1) + 1);
    }
}

static void each_event_is_a_line_of_json(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct journal *journal = open_journal(&loop, path);
    struct application app = {.id = 3,
                              .uid = 7,
                              .name = "a \"b\"",
                              .facts = {.nodes = 2},
                              .alone = 50,
                              .weight = 1,
                              .volume = 30,
                              .io_moved = 20,
                              .rate = 50,
                              .phase = PHASE_OPEN,
                              .source = WIRE_VOLUME_MEAN,
                              .pid = 77,
                              .job = "1234",
                              .account = "physics",
                              .limit = 50,
                              .ops = 9,
                              .escaped = 6,
                              .why = WIRE_ESCAPE_MEMORY};
    const struct wire_set policy = {
        .setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = "fair-share"};
    const struct wire_set limit = {
        .setting = WIRE_SET_LIMIT, .app = WIRE_ALL, .value = 50, .text = "a"};
    const struct wire_set weight = {.setting = WIRE_SET_WEIGHT, .app = 3, .value = 2};
    const struct wire_done done = {.uid = 7,
                                   .pid = 77,
                                   .phases = 1,
                                   .started = 1,
                                   .ended = 5,
                                   .moved = 20,
                                   .escaped = 6,
                                   .io_time = 1.5,
                                   .waited = 1,
                                   .ideal = 3,
                                   .stretch = 1.25,
                                   .name = "a",
                                   .job = "1234",
                                   .partition = "long"};
    journal_start(journal, 0, &platform, "fcfs");
    journal_join(journal, 1, &app);
    journal_flush(journal); /* in the middle: the rest follows */
    journal_post(journal, 2, &app);
    journal_grant(journal, 2, &app);
    journal_pause(journal, 3, &app);
    journal_resume(journal, 3.5, &app);
    journal_flush(journal);
    journal_complete(journal, 4, &app, 3.75);
    struct journal_change change = {&policy, true, 0, 88, &platform, "fair-share"};
    journal_set(journal, 4.5, &change);
    change.set = &limit;
    journal_set(journal, 4.5, &change);
    change.set = &weight;
    change.asked = false;
    journal_set(journal, 4.5, &change);
    journal_change(journal, 4.5, &app);
    journal_leave(journal, 5, &app);
    journal_done(journal, 5, 3, &done);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    blank_times(text, 10);
    assert_string_equal(
        text,
        "{\"t\":0,\"event\":\"start\",\"time\":\"T\",\"policy\":\"fcfs\",\"bandwidth\":100,"
        "\"node_bandwidth\":null,\"nodes\":0}\n"
        "{\"t\":1,\"event\":\"join\",\"time\":\"T\",\"id\":3,\"name\":\"a \\\"b\\\"\",\"uid\":7,"
        "\"pid\":77,\"job\":\"1234\",\"account\":\"physics\",\"partition\":\"\","
        "\"period\":0,\"nodes\":2,\"bmax\":50,\"weight\":1,"
        "\"limit\":50,\"ops\":9}\n"
        "{\"t\":2,\"event\":\"post\",\"id\":3,\"volume\":30,\"source\":\"mean\"}\n"
        "{\"t\":2,\"event\":\"grant\",\"id\":3,\"rate\":50}\n"
        "{\"t\":3,\"event\":\"pause\",\"id\":3,\"moved\":20}\n"
        "{\"t\":3.5,\"event\":\"resume\",\"id\":3,\"moved\":20}\n"
        "{\"t\":4,\"event\":\"complete\",\"id\":3,\"ended\":3.75,\"moved\":20}\n"
        "{\"t\":4.5,\"event\":\"set\",\"time\":\"T\",\"key\":\"policy\",\"value\":\"fair-share\","
        "\"uid\":0,\"pid\":88," SERVICE
        "{\"t\":4.5,\"event\":\"set\",\"time\":\"T\",\"key\":\"limit\",\"value\":50,"
        "\"application\":\"a\",\"uid\":0,\"pid\":88," SERVICE
        "{\"t\":4.5,\"event\":\"set\",\"time\":\"T\",\"key\":\"weight\",\"value\":2,"
        "\"id\":3," SERVICE "{\"t\":4.5,\"event\":\"change\",\"id\":3,\"nodes\":2,\"bmax\":50,"
        "\"weight\":1,\"limit\":50,"
        "\"ops\":9}\n"
        "{\"t\":5,\"event\":\"leave\",\"time\":\"T\",\"id\":3,\"moved\":20,\"escaped\":6,\"why\":"
        "\"memory\"}\n"
        "{\"t\":5,\"event\":\"done\",\"time\":\"T\",\"id\":3,\"name\":\"a\",\"uid\":7,\"pid\":77,"
        "\"job\":\"1234\",\"account\":\"\",\"partition\":\"long\",\"started\":\"T\",\"elapsed\":4,"
        "\"ios\":1,\"moved\":20,\"escaped\":6,"
        "\"io_time\":1.5,\"waited\":1,\"ideal\":3,\"stretch\":1.25}\n");
    free(text);
}

static void disobey(void *context, uint64_t now, const struct node_message *order)
{
    (void)context, (void)now, (void)order;
}

/* Bytes that came before their announcement made the controller expect just as many. */
static void what_is_announced_is_recorded_even_if_it_was_expected(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct err err = {0};
    struct journal *journal = open_journal(&loop, path);
    const struct service service = {.platform = platform,
                                    .policy = "fcfs",
                                    .soft_release = SERVICE_SOFT_RELEASE,
                                    .phase_gap = SERVICE_PHASE_GAP,
                                    .max_wait = SERVICE_MAX_WAIT};
    struct controller *controller =
        controller_new(&service, policy_open("fcfs", &err), journal, 0, &err);
    controller->down.obey = disobey;
    struct node_message join = {.type = NODE_JOIN,
                                .join = {.token = {1, 1}, .nodes = 1, .weight = 1, .name = "a"}};
    struct node_message post = {.type = NODE_POST,
                                .post = {.phase = 1, .volume = 500, .announced = 1}};
    controller_hear(controller, 0, &join, &err);
    controller_hear(controller, 0, &post, &err);
    controller_decide(controller, 0);
    post.post.moved = 600;
    uint64_t now = 0;
    for (int i = 0; i < 10 && controller->apps[0]->volume == 500; i++) {
        now += 1000000000;
        controller_hear(controller, now, &post, &err);
        controller_decide(controller, now);
    }
    assert_true(controller->apps[0]->volume > 600);
    post.post.volume = controller->apps[0]->volume;
    controller_hear(controller, now, &post, &err);
    controller_hear(controller, now, &post, &err); /* a message that is repeated tells nothing */
    controller_free(controller);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    const char *grow = strstr(text, "\"event\":\"grow\"");
    assert_non_null(grow);
    assert_null(strstr(grow + 1, "\"event\":\"grow\""));
    free(text);
}

/* The sum of the bytes of its I/Os, and of what its end finds, is what it moved: 100 of the first,
 * 30 that are reported and 20 that come with the next post, 50 more, and 20 after the last. */
static void no_bytes_are_between_two_ios(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct err err = {0};
    size_t length;
    struct journal *journal = open_journal(&loop, path);
    const struct service service = {.platform = platform,
                                    .policy = "fcfs",
                                    .soft_release = SERVICE_SOFT_RELEASE,
                                    .phase_gap = SERVICE_PHASE_GAP,
                                    .max_wait = SERVICE_MAX_WAIT};
    struct controller *controller =
        controller_new(&service, policy_open("fcfs", &err), journal, 0, &err);
    controller->down.obey = disobey;
    const struct node_message events[] = {
        {.type = NODE_JOIN, .join = {.token = {1, 1}, .nodes = 1, .weight = 1, .name = "a"}},
        {.type = NODE_POST, .post = {.phase = 1}},
        {.type = NODE_END, .end = {.phase = 1, .moved = 100}},
        {.type = NODE_PROGRESS, .progress = {.moved = 130}},
        {.type = NODE_POST, .post = {.phase = 2, .moved = 150}},
        {.type = NODE_END, .end = {.phase = 2, .moved = 200}},
        {.type = NODE_LEAVE, .leave = {.moved = 220}},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        controller_hear(controller, i * 1000000000, &events[i], &err);
        controller_decide(controller, i * 1000000000);
    }
    controller_free(controller);
    char *text = close_journal(journal, &loop, path, &length);
    const char *first = strstr(text, "\"event\":\"complete\"");
    const char *second = first ? strstr(first + 1, "\"event\":\"complete\"") : NULL;
    const char *leave = second ? strstr(second, "\"event\":\"leave\"") : NULL;
    assert_non_null(leave);
    assert_true(strstr(first, "\"moved\":100") < second);
    assert_true(strstr(second, "\"moved\":100") && strstr(second, "\"moved\":100") < leave);
    assert_non_null(strstr(leave, "\"moved\":20,"));
    assert_non_null(strstr(leave, "\"moved\":220,"));
    free(text);
}

static void what_follows_a_reopening_stands_in_the_new_file(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX", moved[64];
    struct err err = {0};
    struct application app = {.id = 3, .rate = 50};
    struct journal *journal = open_journal(&loop, path);
    snprintf(moved, sizeof moved, "%s.1", path);
    journal_grant(journal, 1, &app);
    journal_flush(journal); /* under way, to the file that is moved: */
    journal_grant(journal, 2, &app);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(reopen_journal(journal, &err), 0);
    assert_int_equal(reopen_journal(journal, &err), 0); /* twice in a row does no harm */
    journal_grant(journal, 3, &app);
    journal_flush(journal);
    uv_run(&loop, UV_RUN_DEFAULT);
    journal_flush(journal);
    journal_grant(journal, 4, &app);
    size_t length;
    char *new = close_journal(journal, &loop, path, &length);
    char *old = text_load(moved, &length, &err);
    assert_non_null(old);
    unlink(moved);
    blank_times(old, 10);
    blank_times(new, 10);
    assert_string_equal(old, "{\"t\":1,\"event\":\"grant\",\"time\":\"T\",\"id\":3,\"rate\":50}\n");
    assert_string_equal(new, "{\"t\":2,\"event\":\"grant\",\"id\":3,\"rate\":50}\n"
                             "{\"t\":3,\"event\":\"grant\",\"time\":\"T\",\"id\":3,\"rate\":50}\n"
                             "{\"t\":4,\"event\":\"grant\",\"id\":3,\"rate\":50}\n");
    free(old);
    free(new);
}

/* The line that did not fit is cut in two, but the two files behind each other are whole. */
static void a_full_disk_is_left_behind(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX", moved[64], both[1024] = "", line[64];
    struct err err = {0};
    struct application app = {.id = 3, .rate = 50};
    struct journal *journal = open_journal(&loop, path);
    struct rlimit before, full = {.rlim_cur = 100};
    snprintf(moved, sizeof moved, "%s.1", path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    full.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &full);
    for (int i = 0; i < 6; i++) {
        journal_grant(journal, i, &app);
        journal_flush(journal);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(reopen_journal(journal, &err), 0);
    size_t length;
    char *new = close_journal(journal, &loop, path, &length);
    char *old = text_load(moved, &length, &err);
    assert_non_null(old);
    assert_int_equal(length, 100);
    unlink(moved);
    snprintf(both, sizeof both, "%s%s", old, new);
    const char *at = both;
    for (int i = 0; i < 6; i++, at = strchr(at, '\n') + 1) {
        snprintf(line, sizeof line, "{\"t\":%d,\"event\":\"grant\",", i);
        assert_memory_equal(at, line, strlen(line));
        assert_non_null(strchr(at, '\n'));
    }
    assert_int_equal(*at, '\0');
    free(old);
    free(new);
}

static void a_journal_that_cannot_be_reopened_goes_on(void **state)
{
    (void)state;
    uv_loop_t loop;
    char directory[] = "/tmp/weir-journal-XXXXXX", path[64], away[64];
    struct err err = {0};
    struct application app = {.id = 3, .rate = 50};
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/j", directory);
    snprintf(away, sizeof away, "%s-away", directory);
    assert_int_equal(uv_loop_init(&loop), 0);
    struct journal *journal = begin_journal(&loop, path, &err);
    assert_non_null(journal);
    assert_int_equal(rename(directory, away), 0);
    assert_int_equal(reopen_journal(journal, &err), -1);
    assert_non_null(strstr(err.text, "/j': No such file or directory"));
    journal_grant(journal, 1, &app);
    assert_int_equal(rename(away, directory), 0);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    assert_non_null(strstr(text, "{\"t\":1,"));
    free(text);
    rmdir(directory);
}

static void lines_that_cannot_wait_are_left_out_and_counted(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct journal *journal = open_journal(&loop, path);
    struct application app = {.id = 3, .rate = 50};
    for (int i = 0; i < 500000; i++) /* about 20 MB, and nobody flushes */
        journal_grant(journal, i, &app);
    journal_flush(journal);
    journal_grant(journal, 1e6, &app);
    journal_grant(journal, 2e6, &app);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    assert_true(length > 16e6 && length < 17e6);
    char *last = strstr(text, "{\"t\":1000000,");
    assert_non_null(last);
    unsigned long lost = 0, lines = 0;
    assert_int_equal(sscanf(strstr(last, "lost"), "lost\":%lu", &lost), 1);
    char *next = strstr(text, "{\"t\":2000000,"); /* which is told once */
    assert_non_null(next);
    assert_null(strstr(next, "lost"));
    for (char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines + lost, 500002);
    free(text);
}

static void lines_stay_whole_while_the_disk_is_full(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct journal *journal = open_journal(&loop, path);
    struct application app = {.id = 3, .rate = 50};
    struct rlimit before, full = {.rlim_cur = 100}; /* a line takes about 40 */
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    full.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &full);
    for (int i = 0; i < 9; i++) {
        journal_grant(journal, i, &app);
        journal_flush(journal);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length), line[64];
    const char *at = text;
    blank_times(text, 10);
    for (int i = 0; i < 9; i++, at += strlen(line)) {
        snprintf(line, sizeof line, "{\"t\":%d,\"event\":\"grant\",%s\"id\":3,\"rate\":50}\n", i,
                 i == 0 ? "\"time\":\"T\"," : "");
        assert_memory_equal(at, line, strlen(line));
    }
    assert_int_equal(at - text, strlen(text));
    free(text);
}

static void a_journal_that_cannot_be_written_is_reported(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct err err = {0};
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_null(begin_journal(&loop, "/nowhere/journal", &err));
    assert_string_equal(err.text,
                        "cannot write the journal '/nowhere/journal': No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        struct journal *journal = begin_journal(&loop, "/dev/full", &err);
        assert_non_null(journal);
        journal_start(journal, 0, &platform, "fcfs");
        journal_flush(journal);
        assert_int_equal(end_journal(journal, &err), -1);
        assert_string_equal(err.text, "cannot write the journal: No space left on device");
    }
    uv_loop_close(&loop);
}

/* Whether a journal can be opened at this path; with why not. */
static bool opens(const char *path, struct err *err)
{
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct journal *journal = begin_journal(&loop, path, err);
    if (journal)
        end_journal(journal, NULL);
    uv_loop_close(&loop);
    return journal;
}

static void a_link_is_followed_unless_it_is_another_users(void **state)
{
    (void)state;
    enum { NOBODY = 65534 };
    struct err err = {0};
    char place[] = "/tmp/weir-test-XXXXXX", file[64], link[64], other[64];
    assert_non_null(mkdtemp(place));
    snprintf(file, sizeof file, "%s/file", place);
    snprintf(link, sizeof link, "%s/link", place);
    snprintf(other, sizeof other, "%s/other", place);
    assert_int_equal(symlink("file", link), 0); /* relative, and dangling */
    assert_true(opens(link, &err));
    assert_int_equal(access(file, W_OK), 0);
    assert_int_equal(symlink(link, other), 0); /* one that leads to another */
    assert_true(opens(other, &err));
    assert_true(opens("/dev/stdout", &err)); /* the kernel's own */
    if (geteuid() == 0) {
        assert_int_equal(lchown(link, NOBODY, NOBODY), 0);
        assert_false(opens(link, &err));
        assert_non_null(strstr(err.text, "it is a symbolic link of another user"));
        assert_false(opens(other, &err)); /* root's, which leads to another user's */
    }
    assert_int_equal(unlink(link) | unlink(other), 0);
    assert_int_equal(symlink("link", link), 0);
    assert_false(opens(link, &err));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(mkfifo(link, 0600), 0); /* nobody reads: it does not wait */
    assert_false(opens(link, &err));
    assert_int_equal(unlink(link) | unlink(file) | rmdir(place), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_is_a_line_of_json),
        cmocka_unit_test(no_bytes_are_between_two_ios),
        cmocka_unit_test(what_is_announced_is_recorded_even_if_it_was_expected),
        cmocka_unit_test(what_follows_a_reopening_stands_in_the_new_file),
        cmocka_unit_test(a_full_disk_is_left_behind),
        cmocka_unit_test(a_journal_that_cannot_be_reopened_goes_on),
        cmocka_unit_test(lines_that_cannot_wait_are_left_out_and_counted),
        cmocka_unit_test(lines_stay_whole_while_the_disk_is_full),
        cmocka_unit_test(a_journal_that_cannot_be_written_is_reported),
        cmocka_unit_test(a_link_is_followed_unless_it_is_another_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
