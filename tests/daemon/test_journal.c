/* What stands in a journal. */
#include "base/text.h"
#include "daemon/application.h"
#include "daemon/journal.h"
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
#include <unistd.h>

#include <cmocka.h>

static const struct platform platform = {.node_bandwidth = INFINITY, .bandwidth = 100};

static struct journal *open_journal(uv_loop_t *loop, char *path)
{
    struct err err = {""};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(uv_loop_init(loop), 0);
    struct journal *journal = journal_open(loop, path, &err);
    assert_non_null(journal);
    return journal;
}

/* Removes the file too; what stood in it, for the caller to free. */
static char *close_journal(struct journal *journal, uv_loop_t *loop, const char *path,
                           size_t *length)
{
    struct err err = {""};
    assert_int_equal(journal_close(journal, &err), 0);
    uv_loop_close(loop);
    char *text = text_load(path, length, &err);
    assert_non_null(text);
    unlink(path);
    return text;
}

static void each_event_is_a_line_of_json(void **state)
{
    (void)state;
    uv_loop_t loop;
    char path[] = "/tmp/weir-journal-XXXXXX";
    struct journal *journal = open_journal(&loop, path);
    static struct usage_page usage;
    struct application app = {.id = 3,
                              .uid = 7,
                              .pages.usage = &usage,
                              .name = "a \"b\"",
                              .facts = {.nodes = 2, .bmax = 50, .weight = 1},
                              .volume = 30,
                              .io_moved = 20,
                              .rate = 50,
                              .phase = PHASE_OPEN,
                              .source = WIRE_VOLUME_MEAN};
    journal_start(journal, 0, &platform, "fcfs");
    journal_join(journal, 1, &app);
    journal_flush(journal); /* in the middle: the rest follows */
    journal_post(journal, 2, &app);
    journal_grant(journal, 2, &app);
    journal_park(journal, 3, &app);
    journal_resume(journal, 3.5, &app);
    journal_flush(journal);
    journal_complete(journal, 4, &app, 3.75);
    journal_set(journal, 4.5, &platform, "fair-share");
    journal_leave(journal, 5, &app);
    atomic_store(&usage.escaped, 40);
    application_escapes(&app, 50, WIRE_ESCAPE_STATIC);
    journal_leave(journal, 6, &app);
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    assert_string_equal(
        text, "{\"t\":0,\"event\":\"start\",\"policy\":\"fcfs\",\"bandwidth\":100,"
              "\"node_bandwidth\":null,\"nodes\":0}\n"
              "{\"t\":1,\"event\":\"join\",\"id\":3,\"name\":\"a \\\"b\\\"\",\"uid\":7,\"nodes\":2,"
              "\"bmax\":50,\"weight\":1,\"period\":0}\n"
              "{\"t\":2,\"event\":\"post\",\"id\":3,\"volume\":30,\"source\":\"mean\"}\n"
              "{\"t\":2,\"event\":\"grant\",\"id\":3,\"rate\":50}\n"
              "{\"t\":3,\"event\":\"park\",\"id\":3,\"moved\":20}\n"
              "{\"t\":3.5,\"event\":\"resume\",\"id\":3,\"moved\":20}\n"
              "{\"t\":4,\"event\":\"complete\",\"id\":3,\"ended\":3.75,\"moved\":20}\n"
              "{\"t\":4.5,\"event\":\"set\",\"policy\":\"fair-share\",\"bandwidth\":100,"
              "\"node_bandwidth\":null,\"nodes\":0}\n"
              "{\"t\":5,\"event\":\"leave\",\"id\":3,\"moved\":20}\n"
              "{\"t\":6,\"event\":\"leave\",\"id\":3,\"moved\":20,\"escaped\":90,"
              "\"why\":\"static\"}\n");
    free(text);
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
    size_t length;
    char *text = close_journal(journal, &loop, path, &length);
    assert_true(length > 16e6 && length < 17e6);
    char *last = strstr(text, "{\"t\":1000000,");
    assert_non_null(last);
    unsigned long lost = 0, lines = 0;
    assert_int_equal(sscanf(strstr(last, "lost"), "lost\":%lu", &lost), 1);
    for (char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines + lost, 500001);
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
    for (int i = 0; i < 9; i++, at += strlen(line)) {
        snprintf(line, sizeof line, "{\"t\":%d,\"event\":\"grant\",\"id\":3,\"rate\":50}\n", i);
        assert_memory_equal(at, line, strlen(line));
    }
    assert_int_equal(at - text, length);
    free(text);
}

static void a_journal_that_cannot_be_written_is_reported(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct err err = {""};
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_null(journal_open(&loop, "/nowhere/journal", &err));
    assert_string_equal(err.text,
                        "cannot write the journal '/nowhere/journal': No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        struct journal *journal = journal_open(&loop, "/dev/full", &err);
        assert_non_null(journal);
        journal_start(journal, 0, &platform, "fcfs");
        journal_flush(journal);
        assert_int_equal(journal_close(journal, &err), -1);
        assert_string_equal(err.text, "cannot write the journal: No space left on device");
    }
    uv_loop_close(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_is_a_line_of_json),
        cmocka_unit_test(lines_that_cannot_wait_are_left_out_and_counted),
        cmocka_unit_test(lines_stay_whole_while_the_disk_is_full),
        cmocka_unit_test(a_journal_that_cannot_be_written_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
