/* The section `shares` of a scenario, and the owners of its applications. */
#include "common.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORM "platform: {bandwidth: 1 GB/s}\n"
#define APPS     "applications: [{nodes: 1, work: 1}]\n"

static const char all[] =
    PLATFORM "shares:\n"
             "  by: [account, user, size]\n"
             "  period: 1 min\n"
             "  users: [{name: ada, account: stars, weight: 2}, {name: bob}]\n"
             "  accounts:\n"
             "    - {name: physics, weight: 3}\n"
             "    - {name: stars, parent: physics, weight: 0.5}\n"
             "applications:\n"
             "  - {nodes: 1, work: 1, user: ada, account: stars}\n"
             "  - {nodes: 1, work: 1, account: physics}\n"
             "  - {nodes: 1, work: 1}\n";

static void every_key_is_read(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", all, 0);
    const struct shares *shares = scenario->shares;
    assert_int_equal(shares->levels, 1 << SHARE_ACCOUNT | 1 << SHARE_USER | 1 << SHARE_SIZE);
    assert_true(shares->period == 60);
    assert_int_equal(shares->account_count, 2);
    assert_string_equal(shares->accounts[1].name, "stars");
    assert_string_equal(shares->accounts[1].parent, "physics");
    assert_true(shares->accounts[0].weight == 3 && !shares->accounts[0].parent);
    assert_int_equal(shares->user_count, 2);
    assert_string_equal(shares->users[0].account, "stars");
    assert_true(shares->users[0].weight == 2 && shares->users[1].weight == 1);
    assert_string_equal(scenario->apps[0].extra->names[PARTY_USER], "ada");
    assert_string_equal(scenario->apps[1].extra->names[PARTY_ACCOUNT], "physics");
    assert_true(!scenario->apps[1].extra->names[PARTY_USER] && !scenario->apps[2].extra);
    scenario_free(scenario);
}

static void an_empty_section_has_the_defaults(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", PLATFORM "shares: {}\n" APPS, 0);
    assert_int_equal(scenario->shares->levels, SHARES_LEVELS);
    assert_true(scenario->shares->period == SHARES_PERIOD);
    scenario_free(scenario);
    scenario = accept_as("scenario", PLATFORM APPS, 0);
    assert_null(scenario->shares);
    scenario_free(scenario);
}

static char *write_scenario(const struct scenario *scenario)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    scenario_write(out, scenario);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_written_scenario_has_them(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", all, 0);
    char *text = write_scenario(scenario);
    static const char shares[] = "shares:\n"
                                 "  by: [account, user, size]\n"
                                 "  period: 60\n"
                                 "  accounts:\n"
                                 "    - {name: physics, weight: 3}\n"
                                 "    - {name: stars, parent: physics, weight: 0.5}\n"
                                 "  users:\n"
                                 "    - {name: ada, account: stars, weight: 2}\n"
                                 "    - {name: bob}\n"
                                 "applications:\n";
    assert_non_null(strstr(text, shares));
    assert_non_null(strstr(text, "nodes: 1, user: ada, account: stars, work: 1,"));
    struct scenario *again = accept_as("scenario", text, 0);
    char *twice = write_scenario(again);
    assert_string_equal(text, twice);
    free(text);
    free(twice);
    scenario_free(scenario);
    scenario_free(again);
}

static void mistakes_are_errors_that_say_what_was_expected(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{by: [user, account]}",
         "f:2: level 'account' does not come after the one before it, expected the order account, "
         "user, application or size"},
        {"{by: [user, user]}",
         "f:2: level 'user' does not come after the one before it, expected the order account, "
         "user, application or size"},
        {"{by: [application, size]}", "f:2: shares are by application or by size, not both"},
        {"{by: [usr]}", "f:2: unknown level 'usr' of shares, did you mean 'user'?"},
        {"{by: []}", "f:2: by is an empty list"},
        {"{by: user}", "f:2: by must be a list of levels"},
        {"{period: 0}", "f:2: period must be at least 0.001, not '0'"},
        {"{accounts: [{name: a, weight: 0}]}", "f:2: weight must be at least 1e-09, not '0'"},
        {"{accounts: [{name: a}, {name: a}]}", "f:2: account 'a' is listed twice"},
        {"{accounts: [{name: a, parent: a}]}",
         "f:2: account 'a': its parent 'a' is not listed before it"},
        {"{accounts: [{weight: 1}]}", "f:2: missing key 'name' in shares: accounts"},
        {"{users: [{name: u, account: a}]}", "f:2: user 'u': its account 'a' is not listed"},
        {"{users: [{name: u}, {name: u}]}", "f:2: user 'u' is listed twice"},
        {"{accounts: [{name: a}], users: [{name: u, account: a}, {name: u, account: a}]}",
         "f:2: user 'u' is listed twice in account a"},
        {"[]", "f:2: shares must be a mapping, such as {by: ...}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, PLATFORM "shares: %s\n" APPS, cases[i][0]);
        refuse_as("scenario", text, 0, cases[i][1]);
    }
}

static void accounts_have_a_bounded_depth(void **state)
{
    (void)state;
    char text[4096] = PLATFORM "shares:\n  accounts:\n    - {name: a0}\n";
    for (int i = 1; i <= SHARES_DEPTH; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "    - {name: a%d, parent: a%d}\n", i, i - 1);
    strcat(text, APPS);
    refuse_as("scenario", text, 0, "f:20: account 'a16': accounts are at most 16 deep");
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_allocation("scenario", all, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(an_empty_section_has_the_defaults),
        cmocka_unit_test(a_written_scenario_has_them),
        cmocka_unit_test(mistakes_are_errors_that_say_what_was_expected),
        cmocka_unit_test(accounts_have_a_bounded_depth),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/shares", tests, NULL, NULL);
}
