/* Results in a database: what is stored is read again, to the last bit. */
#include "metric/measure.h"
#include "store/database.h"
#include "store/schema.h"
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 64 };
struct place {
    char directory[PATH_SIZE], one[PATH_SIZE + 16], two[PATH_SIZE + 16];
};

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    strcpy(place->directory, "/tmp/weir-store-XXXXXX");
    if (!mkdtemp(place->directory))
        return -1;
    snprintf(place->one, sizeof place->one, "%s/one.sqlite", place->directory);
    snprintf(place->two, sizeof place->two, "%s/two.sqlite", place->directory);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->one);
    unlink(place->two);
    int left = rmdir(place->directory); /* fails if anything else was left there */
    free(place);
    return left;
}

/* A run with two applications; the numbers have long fractions. */
static struct run_result make_result(int64_t id)
{
    static struct weir_app_metrics apps[2];
    struct run_result result = {
        .identity = id, .family = "general", .parameters = "{\"noise\":0.1}"};
    double *metrics = (double *)&result.row.metrics;
    for (int i = 0; i < MEASURE_COUNT; i++)
        metrics[i] = ((double)id + i) / 7;
    result.row.metrics.makespan = NAN;
    for (int i = 0; i < 2; i++)
        apps[i] =
            (struct weir_app_metrics){.name = i ? "b.2" : "a", .nodes = NAN, .yield = 1.0 / 3};
    result.row.made.version = "1.2.3";
    result.row.made.scenario = "it's";
    result.row.made.seed = 42;
    result.row.made.platform =
        (struct platform){.nodes = 8, .node_bandwidth = INFINITY, .bandwidth = 1e9 / 3};
    result.row.hash = 0x123;
    result.row.policy = "fcfs";
    result.row.apps = apps;
    result.row.count = 2;
    return result;
}

static struct run_result make_failure(int64_t id)
{
    struct run_result result = make_result(id);
    result.row.count = 0;
    result.error = "no plan";
    return result;
}

static struct database *open_place(const char *path)
{
    struct err err;
    struct database *database = database_open_write(path, &err);
    if (!database)
        fail_msg("%s", err.text);
    return database;
}

static void store(struct database *database, const struct run_result *results, size_t count)
{
    struct err err;
    if (database_store(database, results, count, &err) < 0)
        fail_msg("%s", err.text);
}

/* --- reading -----------------------------------------------------------------------------------
 */

static int ignore_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context, (void)names, (void)count, (void)err;
    return 0;
}

static int note_real(void *context, const struct store_cell *cells, int count, struct err *err)
{
    (void)count, (void)err;
    *(double *)context = cells[0].kind == STORE_NULL      ? NAN
                         : cells[0].kind == STORE_INTEGER ? (double)cells[0].integer
                                                          : cells[0].real;
    return 0;
}

static int note_text(void *context, const struct store_cell *cells, int count, struct err *err)
{
    (void)count, (void)err;
    snprintf(context, 64, "%s", cells[0].kind == STORE_TEXT ? cells[0].text : "");
    return 0;
}

static double real_of(struct database *database, const char *sql)
{
    double value = -1;
    struct err err;
    struct store_reader reader = {ignore_head, note_real, &value};
    if (database_query(database, sql, &reader, &err) < 0)
        fail_msg("%s", err.text);
    return value;
}

static void expect_text(struct database *database, const char *sql, const char *expected)
{
    char value[64];
    struct err err;
    struct store_reader reader = {ignore_head, note_text, value};
    if (database_query(database, sql, &reader, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(value, expected);
}

static void stored_numbers_are_exact(void **state)
{
    const struct place *place = *state;
    struct run_result result = make_result(5);
    struct database *database = open_place(place->one);
    store(database, &result, 1);
    for (int i = 0; i < MEASURE_COUNT; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT %s FROM run", measures[i].name);
        double expected = measure_of(&measures[i], &result.row.metrics),
               got = real_of(database, sql);
        assert_true(isnan(expected) ? isnan(got) : got == expected);
    }
    assert_true(real_of(database, "SELECT identity FROM run") == 5);
    assert_true(real_of(database, "SELECT seed FROM run") == 42);
    assert_true(isnan(real_of(database, "SELECT node_bandwidth FROM run")));
    assert_true(real_of(database, "SELECT bandwidth FROM run") == 1e9 / 3);
    expect_text(database, "SELECT hash FROM run", "0000000000000123");
    expect_text(database, "SELECT scenario FROM run", "it's");
    expect_text(database, "SELECT name FROM application WHERE run = 1 AND number = 2", "b.2");
    assert_true(real_of(database, "SELECT yield FROM application WHERE number = 1") == 1.0 / 3);
    assert_true(isnan(real_of(database, "SELECT nodes FROM application WHERE number = 1")));
    database_close(database);
}

/* Statements take several at once, whatever their number. */
static void every_application_is_stored_in_its_place(void **state)
{
    const struct place *place = *state;
    struct weir_app_metrics apps[2 * STORE_APP_ROWS + 3];
    struct database *database = open_place(place->one);
    for (uint32_t count = 0; count <= sizeof apps / sizeof *apps; count++) {
        struct run_result result = make_result(count + 1);
        for (uint32_t i = 0; i < count; i++)
            apps[i] = (struct weir_app_metrics){.name = "x", .yield = 1000.0 * count + i + 1};
        result.row.apps = apps;
        result.row.count = count;
        store(database, &result, 1);
    }
    /* 0 + 1 + ... + 43 = 946; of run id, with id - 1 applications, the yield of each is known. */
    assert_true(real_of(database, "SELECT count(*) FROM application") == 946);
    assert_true(real_of(database, "SELECT count(*) FROM application WHERE yield <> "
                                  "1000.0 * (run - 1) + number") == 0);
    assert_true(real_of(database, "SELECT count(*) FROM (SELECT run, number FROM application "
                                  "GROUP BY run, number)") == 946);
    database_close(database);
}

static void a_run_is_stored_once(void **state)
{
    const struct place *place = *state;
    struct database *database = open_place(place->one);
    struct run_result first = make_result(1), again = make_result(1);
    again.row.made.seed = 43;
    store(database, &first, 1);
    store(database, &again, 1);
    assert_true(real_of(database, "SELECT seed FROM run") == 42);
    assert_true(real_of(database, "SELECT count(*) FROM application") == 2);
    database_close(database);
}

static void identities_are_sorted_and_survive(void **state)
{
    const struct place *place = *state;
    const struct run_result results[] = {make_result(9), make_result(INT64_MAX), make_failure(3)};
    struct err err;
    size_t count;
    struct database *database = open_place(place->one);
    store(database, results, 3);
    database_close(database);
    database = database_open_read(place->one, &err);
    int64_t *ids = database_identities(database, STORE_ALL, &count, &err);
    assert_int_equal(count, 3);
    assert_true(ids[0] == 3 && ids[1] == 9 && ids[2] == INT64_MAX);
    free(ids);
    database_close(database);
}

static void only_failures_are_replaced(void **state)
{
    const struct place *place = *state;
    const struct run_result results[] = {make_result(1), make_failure(2), make_failure(3)};
    struct run_result again[] = {make_result(1), make_result(2)};
    struct err err;
    size_t count;
    struct database *database = open_place(place->one);
    again[0].row.made.seed = again[1].row.made.seed = 43;
    store(database, results, 3);
    store(database, again, 2);
    assert_true(real_of(database, "SELECT count(*) FROM run") == 3);
    assert_true(real_of(database, "SELECT seed FROM run WHERE identity = 1") == 42);
    assert_true(real_of(database, "SELECT seed FROM run WHERE identity = 2") == 43);
    assert_true(real_of(database, "SELECT count(*) FROM application") == 4);
    int64_t *ids = database_identities(database, STORE_DONE, &count, &err);
    assert_int_equal(count, 2);
    assert_true(ids[0] == 1 && ids[1] == 2);
    free(ids);
    ids = database_identities(database, STORE_FAILED, &count, &err);
    assert_int_equal(count, 1);
    assert_true(ids[0] == 3);
    free(ids);
    database_close(database);
}

/* One: 1, and a failure 2. Two: 2 without a failure, and 3. */
static void a_merge_adds_what_is_missing_and_prefers_what_did_not_fail(void **state)
{
    const struct place *place = *state;
    const struct run_result ones[] = {make_result(1), make_failure(2)};
    const struct run_result twos[] = {make_result(2), make_result(3)};
    struct err err;
    struct database *database = open_place(place->two);
    store(database, twos, 2);
    database_close(database);
    database = open_place(place->one);
    store(database, ones, 2);
    for (int i = 0; i < 2; i++) { /* the second changes nothing */
        if (database_merge(database, place->two, &err) < 0)
            fail_msg("%s", err.text);
        assert_true(real_of(database, "SELECT count(*) FROM run WHERE error IS NULL") == 3);
        assert_true(real_of(database, "SELECT count(*) FROM application") == 6);
    }
    assert_int_equal(database_merge(database, "/nowhere.sqlite", &err), -1);
    database_close(database);
}

/* A disk that is full, and then has room again. */
static void after_a_write_that_failed_there_can_be_others(void **state)
{
    const struct place *place = *state;
    struct run_result result = make_result(1);
    struct weir_app_metrics *many = calloc(20000, sizeof *many);
    struct rlimit before, full = {.rlim_cur = 100000};
    struct database *database = open_place(place->one);
    struct err err = {0};
    for (int i = 0; i < 20000; i++)
        many[i] = result.row.apps[0];
    result.row.apps = many;
    result.row.count = 20000;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    full.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &full);
    assert_int_equal(database_store(database, &result, 1, &err), -1);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(real_of(database, "SELECT count(*) FROM run") == 0);
    store(database, &result, 1);
    assert_true(real_of(database, "SELECT count(*) FROM application") == 20000);
    database_close(database);
    free(many);
}

/* What the database refuses does not end the transaction by itself, as a full disk does. */
static void a_result_that_is_refused_takes_no_other_with_it(void **state)
{
    const struct place *place = *state;
    struct run_result results[] = {make_result(1), make_result(2)};
    struct database *database = open_place(place->one);
    struct err err = {0};
    results[1].row.policy = NULL;
    assert_int_equal(database_store(database, results, 2, &err), -1);
    assert_true(real_of(database, "SELECT count(*) FROM run") == 0);
    store(database, results, 1);
    assert_true(real_of(database, "SELECT count(*) FROM run") == 1);
    database_close(database);
}

static void a_second_writer_is_told_of_the_first(void **state)
{
    const struct place *place = *state;
    struct database *database = open_place(place->one);
    struct err err = {0};
    char expected[64];
    snprintf(expected, sizeof expected, "is in use by process %ld on ", (long)getpid());
    assert_null(database_open_write(place->one, &err));
    assert_non_null(strstr(err.text, expected));
    database_close(database);
    database_close(open_place(place->one));
}

/* The child ends without closing anything, in the middle of its work. */
static void what_was_committed_survives_the_end_of_the_process(void **state)
{
    const struct place *place = *state;
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct database *database = open_place(place->one);
        const struct run_result results[] = {make_result(1), make_result(2)};
        store(database, results, 2);
        _exit(0);
    }
    waitpid(child, &status, 0);
    struct database *database = open_place(place->one);
    assert_true(real_of(database, "SELECT count(*) FROM application") == 4);
    database_close(database);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(stored_numbers_are_exact),
        TEST(every_application_is_stored_in_its_place),
        TEST(a_run_is_stored_once),
        TEST(identities_are_sorted_and_survive),
        TEST(only_failures_are_replaced),
        TEST(a_merge_adds_what_is_missing_and_prefers_what_did_not_fail),
        TEST(after_a_write_that_failed_there_can_be_others),
        TEST(a_result_that_is_refused_takes_no_other_with_it),
        TEST(a_second_writer_is_told_of_the_first),
        TEST(what_was_committed_survives_the_end_of_the_process),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
