#include "common_import.h"
#include <math.h>
#include <string.h>

static const struct import_options none = {0};

#define START(b)                                                                                   \
    "{\"t\":0,\"event\":\"start\",\"policy\":\"fcfs\",\"bandwidth\":" b ",\"nodes\":0}\n"
#define JOIN(t, id, name)                                                                          \
    "{\"t\":" t ",\"event\":\"join\",\"id\":" id ",\"name\":\"" name                               \
    "\",\"uid\":0,\"nodes\":4,\"bmax\":100,\"weight\":1,\"period\":0}\n"
#define POST(t, id) "{\"t\":" t ",\"event\":\"post\",\"id\":" id ",\"volume\":7}\n"
#define COMPLETE(t, id, e, m)                                                                      \
    "{\"t\":" t ",\"event\":\"complete\",\"id\":" id ",\"ended\":" e ",\"moved\":" m "}\n"
#define LEAVE(t, id, m) "{\"t\":" t ",\"event\":\"leave\",\"id\":" id ",\"moved\":" m "}\n"

static void phases_are_as_they_really_were(void **state)
{
    (void)state;
    static const char journal[] = START("100") JOIN("10", "0", "a \\\"b\\\"") /* 12 s of work */
        POST("22", "0") "{\"t\":22,\"event\":\"grant\",\"id\":0,\"rate\":100}\n"
                        "{\"t\":23,\"event\":\"pause\",\"id\":0,\"moved\":3}\n"
                        "{\"t\":23.5,\"event\":\"resume\",\"id\":0,\"moved\":3}\n" COMPLETE(
                            "25", "0", "24", "150") /* then 6 s since its last call */
        POST("30", "0") COMPLETE("31", "0", "31", "90") LEAVE("33", "0", "0");
    struct scenario *scenario = accept_import("journal", journal, &none, NULL);
    assert_true(scenario->platform.bandwidth == 100);
    assert_int_equal(scenario->count, 1);
    const struct app_spec *app = scenario->apps;
    assert_string_equal(app->name, "a \"b\"");
    assert_true(app->nodes == 4 && app->bandwidth == 0 && app->release == 0);
    assert_iterations(app, (struct iteration[]){{12, 150}, {6, 90}, {2, 0}}, 3);
    scenario_free(scenario);
}

/* A journal that was rotated has no start: the bandwidth is the highest rate that was seen, 100
 * bytes in the second after 12 s of work, not in the 13 s since it joined. */
static void without_a_start_the_bandwidth_is_the_highest_rate(void **state)
{
    (void)state;
    static const char journal[] =
        JOIN("10", "0", "a") POST("22", "0") COMPLETE("23", "0", "23", "100") POST("30", "0")
            COMPLETE("32", "0", "32", "90") LEAVE("33", "0", "0");
    struct scenario *scenario = accept_import("journal", journal, &none, NULL);
    assert_true(scenario->platform.bandwidth == 100);
    scenario_free(scenario);
}

static void applications_come_and_go_and_ids_are_used_again(void **state)
{
    (void)state;
    static const char journal[] =
        START("100") JOIN("1", "0", "a") JOIN("2", "1", "b") POST("3", "0") LEAVE("4", "0", "80")
            JOIN("5", "0", "c") LEAVE("6", "1", "0") POST("8", "0") LEAVE("20", "0", "0");
    struct scenario *scenario = accept_import("journal", journal, &none, NULL);
    assert_int_equal(scenario->count, 3);
    assert_string_equal(scenario->apps[0].name, "a");
    assert_iterations(&scenario->apps[0], (struct iteration[]){{2, 80}}, 1); /* killed in its I/O */
    assert_string_equal(scenario->apps[1].name, "b");
    assert_true(scenario->apps[1].release == 1); /* 1 s after the first */
    assert_iterations(&scenario->apps[1], (struct iteration[]){{4, 0}}, 1);
    /* What it waited for in vain is no work. */
    assert_iterations(&scenario->apps[2], (struct iteration[]){{3, 0}}, 1);
    scenario_free(scenario);
}

static void applications_have_users_and_accounts(void **state)
{
    (void)state;
#define OWNED(id, owner)                                                                           \
    "{\"t\":1,\"event\":\"join\",\"id\":" id ",\"name\":\"a\"," owner                              \
    ",\"nodes\":4,\"bmax\":100,\"weight\":1,\"period\":0}\n"
    static const char journal[] = START("100") OWNED("0", "\"uid\":1042,\"account\":\"physics\"")
        OWNED("1", "\"uid\":1042,\"account\":null") POST("3", "0") COMPLETE("4", "0", "4", "80")
            LEAVE("5", "0", "0") LEAVE("6", "1", "0");
    struct scenario *scenario = accept_import("journal", journal, &none, NULL);
    const struct app_extra *first = scenario->apps[0].extra, *second = scenario->apps[1].extra;
    assert_string_equal(first->names[PARTY_USER], "1042");
    assert_string_equal(first->names[PARTY_ACCOUNT], "physics");
    assert_string_equal(second->names[PARTY_USER], "1042");
    assert_null(second->names[PARTY_ACCOUNT]);
    scenario_free(scenario);
}

static void a_single_line_of_another_store_is_noted(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario = accept_import(
        "journal",
        "{\"store\":\"/a\",\"t\":0,\"event\":\"start\",\"bandwidth\":100,\"nodes\":0}\n"
        "{\"store\":\"/a\",\"t\":1,\"event\":\"join\",\"id\":0,\"name\":\"x\",\"nodes\":4,"
        "\"bmax\":100,\"weight\":1}\n"
        "{\"store\":\"/b\",\"t\":2,\"event\":\"leave\",\"id\":0,\"moved\":0}\n"
        "{\"store\":\"/a\",\"t\":5,\"event\":\"leave\",\"id\":0,\"moved\":0}\n",
        &none, &notes);
    assert_non_null(strstr(notes.text, "1 lines of others are left out"));
    scenario_free(scenario);
}

/* Applications of two stores have the same numbers. */
static void one_of_several_stores_is_imported(void **state)
{
    (void)state;
    static const char journal[] =
        "{\"store\":\"/a\",\"t\":0,\"event\":\"start\",\"bandwidth\":100,\"nodes\":0}\n"
        "{\"store\":\"/b read\",\"t\":0,\"event\":\"start\",\"bandwidth\":7,\"nodes\":0}\n"
        "{\"store\":\"/a\",\"t\":1,\"event\":\"join\",\"id\":0,\"name\":\"x\",\"nodes\":4,"
        "\"bmax\":100,\"weight\":1}\n"
        "{\"store\":\"/b read\",\"t\":1,\"event\":\"join\",\"id\":0,\"name\":\"y\",\"nodes\":4,"
        "\"bmax\":7,\"weight\":1}\n"
        "{\"store\":\"/b read\",\"t\":3,\"event\":\"leave\",\"id\":0,\"moved\":0}\n"
        "{\"store\":\"/a\",\"t\":5,\"event\":\"leave\",\"id\":0,\"moved\":0}\n";
    struct notes notes = {""};
    struct scenario *scenario = accept_import("journal", journal, &none, &notes);
    assert_int_equal(scenario->count, 1);
    assert_string_equal(scenario->apps[0].name, "x");
    assert_true(scenario->platform.bandwidth == 100);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{4, 0}}, 1);
    assert_non_null(strstr(notes.text, "on store '/a': 3 lines of others are left out"));
    scenario_free(scenario);
    const struct import_options other = {.store = "/b read"};
    scenario = accept_import("journal", journal, &other, NULL);
    assert_int_equal(scenario->count, 1);
    assert_string_equal(scenario->apps[0].name, "y");
    assert_true(scenario->platform.bandwidth == 7);
    scenario_free(scenario);
}

static void another_run_of_the_controller_follows_the_first(void **state)
{
    (void)state;
    static const char journal[] =
        START("100") JOIN("1", "0", "a") POST("2", "0") COMPLETE("3", "0", "3", "50") START("200")
            JOIN("4", "0", "b") POST("6", "0") COMPLETE("7", "0", "7", "70") LEAVE("7", "0", "0");
    struct notes notes = {""};
    struct scenario *scenario = accept_import("journal", journal, &none, &notes);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->platform.bandwidth == 200);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{1, 50}}, 1);
    assert_true(scenario->apps[1].release == 3 + 4 - 1);
    assert_iterations(&scenario->apps[1], (struct iteration[]){{2, 70}}, 1);
    assert_non_null(
        strstr(notes.text, "applications that were still there at the end of a run: 1"));
    scenario_free(scenario);
}

static void the_command_line_knows_the_platform_better(void **state)
{
    (void)state;
    static const char journal[] =
        START("400") JOIN("1", "0", "a") POST("2", "0") COMPLETE("3", "0", "3", "50");
    struct scenario *scenario = accept_import("journal", journal, &plain_options, NULL);
    assert_true(scenario->platform.bandwidth == 1e9);
    assert_true(scenario->apps[0].bandwidth == 100); /* less than four nodes could: its limit */
    scenario_free(scenario);
}

#define SET(t, b) "{\"t\":" t ",\"event\":\"set\",\"policy\":\"fcfs\",\"bandwidth\":" b "}\n"
#define CHANGE(t, id, b)                                                                           \
    "{\"t\":" t ",\"event\":\"change\",\"id\":" id ",\"bmax\":" b ",\"weight\":1}\n"

/* A is there from 1 s to 21 s: under 100 bytes/s for 2 s, 400 for 11 s, and 100 again for 7 s.
 * Before it came it was 900 for long. */
static void the_bandwidth_is_that_of_the_longest_time(void **state)
{
    (void)state;
    static const char journal[] = START("900") SET("100", "100") JOIN("101", "0", "a")
        SET("103", "400") POST("104", "0") COMPLETE("105", "0", "105", "50") SET("114", "100")
            LEAVE("121", "0", "0") SET("122", "5");
    struct notes notes = {""};
    struct scenario *scenario = accept_import("journal", journal, &none, &notes);
    assert_true(scenario->platform.bandwidth == 400);
    assert_non_null(strstr(notes.text, "the bandwidth changed, but a scenario has only one: "
                                       "400 B/s, which held for 55 % of the time"));
    /* It could not move more than 100 bytes/s. */
    assert_true(scenario->apps[0].bandwidth == 100);
    scenario_free(scenario);
    scenario =
        accept_import("journal", START("100") JOIN("1", "0", "a") POST("2", "0"), &none, NULL);
    assert_true(scenario->platform.bandwidth == 100);
    scenario_free(scenario);
}

/* 100 bytes/s for 1 s, 30 for 4 s, 20 for 3 s; and b, which joined later, is as it was. */
static void a_limit_counts_from_its_time_on(void **state)
{
    (void)state;
    static const char journal[] = START("100") JOIN("1", "0", "a") CHANGE("2", "0", "30") CHANGE(
        "6", "0", "20") CHANGE("6", "7", "20") JOIN("7", "1", "b") LEAVE("9", "0", "0")
        LEAVE("9", "1", "0") "{\"t\":9,\"event\":\"done\",\"time\":\"T\",\"id\":1,\"moved\":0}\n";
    struct notes notes = {""};
    struct scenario *scenario = accept_import("journal", journal, &none, &notes);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].bandwidth == 30 && scenario->apps[1].bandwidth == 0);
    assert_non_null(
        strstr(notes.text, "the limit or weight changed under way for 1 of the applications"));
    scenario_free(scenario);
}

static void an_application_has_the_most_nodes_it_had(void **state)
{
    (void)state;
#define SPREAD(t, nodes)                                                                           \
    "{\"t\":" t ",\"event\":\"change\",\"id\":0,\"nodes\":" nodes ",\"bmax\":100,\"weight\":1}\n"
    struct scenario *scenario =
        accept_import("journal",
                      START("100") JOIN("1", "0", "a") SPREAD("2", "5") SPREAD("3", "7")
                          POST("4", "0") SPREAD("5", "2") CHANGE("6", "0", "100"),
                      &none, NULL);
    assert_true(scenario->apps[0].nodes == 7);
    scenario_free(scenario);
}

static void time_without_control_says_nothing_of_the_store(void **state)
{
    (void)state;
    static const char journal[] = START("100") JOIN("1", "0", "a") SET("2", "0")
        CHANGE("2", "0", "null") SET("50", "100") CHANGE("50", "0", "100") LEAVE("51", "0", "0");
    struct notes notes = {""};
    struct scenario *scenario = accept_import("journal", journal, &none, &notes);
    assert_true(scenario->platform.bandwidth == 100 && scenario->apps[0].bandwidth == 0);
    assert_null(strstr(notes.text, "the bandwidth changed"));
    scenario_free(scenario);
}

static void of_very_many_values_the_longest_wins(void **state)
{
    (void)state;
    char journal[8000] = START("1000") JOIN("0", "0", "a");
    for (int i = 1; i <= 50; i++) {
        size_t used = strlen(journal);
        int value = i % 2 ? 77 : 1000 + i; /* every second is the same */
        snprintf(journal + used, sizeof journal - used,
                 "{\"t\":%d,\"event\":\"set\",\"bandwidth\":%d}\n", i, value);
    }
    strcat(journal, LEAVE("51", "0", "0"));
    struct scenario *scenario = accept_import("journal", journal, &none, NULL);
    assert_true(scenario->platform.bandwidth == 77);
    scenario_free(scenario);
}

static void lines_that_are_missing_are_reported(void **state)
{
    (void)state;
    struct notes notes = {""};
    scenario_free(accept_import(
        "journal",
        START("100")
            JOIN("1", "0", "a") "{\"t\":2,\"event\":\"grant\",\"lost\":12,\"id\":0,\"rate\":3}\n",
        &none, &notes));
    assert_non_null(strstr(notes.text, "lines missing before line 3: 12"));
    notes.text[0] = '\0';
    scenario_free(accept_import(
        "journal",
        START("100")
            JOIN("1", "0", "a") "{\"t\":2,\"event\":\"grant\",\"lost\":12,\"id\":0,\"rate\":3}\n"
                                "{\"t\":3,\"event\":\"grant\",\"lost\":1,\"id\":0,\"rate\":3}\n",
        &none, &notes));
    assert_non_null(strstr(notes.text, "lines missing in 2 places, the first before line 3: 13"));
}

#define EXPECTED                                                                                   \
    "expected a line that 'weir serve --journal' wrote, such as "                                  \
    "{\"t\":1.5,\"event\":\"complete\",\"id\":3,\"ended\":1.4,\"moved\":1000}"

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"hello", "f:1: column 1: " EXPECTED},
        {START("100") "{\"t\":1}", "f:2: column 8: " EXPECTED},
        {START("0"), "f:1: column 64: " EXPECTED},
        {START("100") "{\"t\":1,\"event\":\"jump\",\"id\":1}", "f:2: column 30: " EXPECTED},
        {START("100") POST("1", "-1"), "f:2: column 42: " EXPECTED},
        {START("100") JOIN("1", "70000", "a"), "f:2: column 96: " EXPECTED},
        {START("100") JOIN("1", "0", ""), "f:2: column 91: " EXPECTED},
        {START("100") JOIN("1", "0", "\\u0007"), "f:2: column 39: " EXPECTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("journal", cases[i][0], &none, cases[i][1]);
}

/* A crash or a full disk cuts the last line of a run, at the end of the file or before the next
 * run. */
static void a_line_that_is_cut_at_the_end_of_a_run_is_left_out(void **state)
{
    (void)state;
    struct notes notes;
    struct scenario *scenario = accept_import(
        "journal",
        START("100") JOIN("1", "5", "a") POST("2", "5") COMPLETE("3", "5", "3", "50")
            LEAVE("4", "5", "0") "{\"t\":5,\"event\":\"se\n" START("100") JOIN("1", "5", "b")
                POST("2", "5") COMPLETE("3", "5", "3", "50") LEAVE("4", "5", "0") "{\"t\":5,\"ev",
        &none, &notes);
    assert_int_equal(scenario->count, 2);
    assert_non_null(strstr(notes.text, "cut at the end of a run, and left out: 2"));
    scenario_free(scenario);
    /* In the middle it is an error. */
    refuse_import("journal", START("100") "{\"t\":5,\"ev\n" JOIN("1", "5", "a"), &none,
                  "f:2: column 11: " EXPECTED);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_import("journal",
                     START("100") JOIN("1", "5", "a") POST("2", "5") COMPLETE("3", "5", "3", "50")
                         LEAVE("4", "5", "0"),
                     &none);
}

/* Two runs of the controller, 24 h apart by the time of the day, and one that does not say when. */
static void the_time_between_two_runs_counts(void **state)
{
    (void)state;
    static const char text[] =
        "{\"t\":0,\"event\":\"start\",\"time\":\"2026-02-28T23:00:00.500Z\",\"bandwidth\":100,"
        "\"nodes\":4}\n"
        "{\"t\":1,\"event\":\"join\",\"id\":0,\"name\":\"a\",\"nodes\":1,\"bmax\":50,\"weight\":1}"
        "\n"
        "{\"t\":2,\"event\":\"post\",\"id\":0,\"volume\":50}\n"
        "{\"t\":3,\"event\":\"complete\",\"id\":0,\"ended\":3,\"moved\":50}\n"
        "{\"t\":4,\"event\":\"leave\",\"id\":0,\"moved\":0}\n"
        "{\"t\":0,\"event\":\"start\",\"time\":\"2026-03-01T23:00:00.500Z\",\"bandwidth\":100,"
        "\"nodes\":4}\n"
        "{\"t\":2,\"event\":\"join\",\"id\":0,\"name\":\"b\",\"nodes\":1,\"bmax\":50,\"weight\":1}"
        "\n"
        "{\"t\":3,\"event\":\"post\",\"id\":0,\"volume\":50}\n"
        "{\"t\":4,\"event\":\"complete\",\"id\":0,\"ended\":4,\"moved\":50}\n"
        "{\"t\":4,\"event\":\"complete\",\"id\":7,\"ended\":4,\"moved\":2000000}\n"
        "{\"t\":5,\"event\":\"leave\",\"id\":0,\"moved\":0}\n";
    struct notes notes;
    struct scenario *scenario = accept_import("journal", text, &none, &notes);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].release == 0);
    assert_true(fabs(scenario->apps[1].release - (86400 + 1)) < 1e-6); /* the first joined at 1 s */
    assert_non_null(strstr(notes.text, "whose join is missing, which are left out: 1, of 2 MB"));
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_between_two_runs_counts),
        cmocka_unit_test(a_line_that_is_cut_at_the_end_of_a_run_is_left_out),
        cmocka_unit_test(phases_are_as_they_really_were),
        cmocka_unit_test(without_a_start_the_bandwidth_is_the_highest_rate),
        cmocka_unit_test(applications_come_and_go_and_ids_are_used_again),
        cmocka_unit_test(applications_have_users_and_accounts),
        cmocka_unit_test(a_single_line_of_another_store_is_noted),
        cmocka_unit_test(one_of_several_stores_is_imported),
        cmocka_unit_test(another_run_of_the_controller_follows_the_first),
        cmocka_unit_test(the_command_line_knows_the_platform_better),
        cmocka_unit_test(the_bandwidth_is_that_of_the_longest_time),
        cmocka_unit_test(a_limit_counts_from_its_time_on),
        cmocka_unit_test(an_application_has_the_most_nodes_it_had),
        cmocka_unit_test(time_without_control_says_nothing_of_the_store),
        cmocka_unit_test(of_very_many_values_the_longest_wins),
        cmocka_unit_test(lines_that_are_missing_are_reported),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
