/* Every way to get a scenario file wrong, with the message it must give. */
#include "common.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APP      "applications: [{nodes: 1, work: 1}]\n"
#define PLATFORM "platform: {bandwidth: 1}\n"

struct wrong {
    const char *text, *message;
};

static void refuse_all(const struct wrong *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        refuse_as("scenario", cases[i].text, 0, cases[i].message);
}
#define REFUSE_ALL(cases) refuse_all(cases, sizeof(cases) / sizeof *(cases))

static void what_no_store_does_is_refused_in_one_line(void **state)
{
#define STORE(keys) "platform: {bandwidth: 1, " keys "}\n" APP
    (void)state;
    static const struct wrong cases[] = {
        {STORE("contention: -5 %"), "f:1: contention must be at least 0, not '-5 %'"},
        {STORE("contention: much"),
         "f:1: contention: 'much' is not a ratio such as '0.2' or '20 %'"},
        {STORE("contention: []"), "f:1: contention: an empty list, expected ratios"},
        {STORE("contention: [0.9, 0.8]"),
         "f:1: contention begins with 0.9, expected 1: the bandwidth of one alone"},
        {STORE("contention: [1, 0.8, 0.9]"),
         "f:1: contention of 3 is 0.9, above the 0.8 of 2: it must not rise"},
        {STORE("contention: [1, 0.5, 0]"), "f:1: contention of 3 is 0, expected more than 0"},
        {STORE("health: [{at: 1, factor: -0.5}]"), "f:1: factor must be at least 0, not '-0.5'"},
        {STORE("health: [{at: 1}]"), "f:1: missing key 'factor' in platform: health, one change"},
        {STORE("health: [{at: 2, factor: 1}, {at: 2, factor: 0.5}]"),
         "f:1: health at 2 s comes after 2 s: times must increase"},
        {STORE("health: {quantiles: [1, 2], every: 1 h}"),
         "f:1: quantiles has 2 ratios, expected 5"},
        {STORE("health: {quantiles: [0.3, 0.5, 0.4, 1, 2], every: 1 h}"),
         "f:1: quantiles of health must not fall, 0.4 comes after 0.5"},
        {STORE("health: {quantiles: [0, 0, 0, 0, 0], every: 1 h}"),
         "f:1: the largest health is 0, expected more"},
        {STORE("health: no-such-file.csv"),
         "cannot read 'no-such-file.csv': No such file or directory"},
        {STORE("health: /"), "f:1: health: '/' is not a regular file"},
    };
    REFUSE_ALL(cases);
#undef STORE
}

static void a_misspelt_key_is_an_error_that_suggests_the_nearest(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"platform:\n  bandwith: 1\n",
         "f:2: unknown key 'bandwith' in platform, did you mean 'bandwidth'?"},
        {PLATFORM "aplications: []\n",
         "f:2: unknown key 'aplications' in the scenario, did you mean 'applications'?"},
        {PLATFORM "applications:\n- {node: 1}\n",
         "f:3: unknown key 'node' in application, did you mean 'nodes'?"},
        {PLATFORM "applications:\n- nodes: 1\n  phases:\n  - {wrk: 3}\n",
         "f:5: unknown key 'wrk' in phase, did you mean 'work'?"},
        {PLATFORM "window: {strat: 3}",
         "f:2: unknown key 'strat' in window, did you mean 'start'?"},
        {PLATFORM "applications:\n- noise: {wok: 1}\n",
         "f:3: unknown key 'wok' in noise, did you mean 'work'?"},
        {PLATFORM "applications:\n- work: {distribution: normal, men: 1}\n",
         "f:3: unknown key 'men' in work, did you mean 'mean'?"},
        {PLATFORM "applications:\n- work: {distribution: nrmal}\n",
         "f:3: unknown distribution 'nrmal', did you mean 'normal'?"},
        {PLATFORM "zzzzzzzzzz: 3\n",
         "f:2: unknown key 'zzzzzzzzzz' in the scenario, expected name, platform, "
         "policy, stores, limits, shares, window, seed or applications"},
        {PLATFORM "<<: {}\n",
         "f:2: unknown key '<<' in the scenario, expected name, platform, "
         "policy, stores, limits, shares, window, seed or applications"},
    };
    REFUSE_ALL(cases);
}

static void a_key_that_is_given_twice_is_an_error(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {PLATFORM APP "platform: {}", "f:3: key 'platform' is given twice in the scenario"},
        {PLATFORM "applications:\n- nodes: 1\n  nodes: 1\n",
         "f:4: key 'nodes' is given twice in application"},
    };
    REFUSE_ALL(cases);
}

static void a_missing_key_is_an_error_at_its_mapping(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {PLATFORM, "f:1: missing key 'applications' in the scenario"},
        {APP, "f:1: missing key 'bandwidth' in platform; --bandwidth sets it too"},
        {APP "platform:\n  nodes: 3\n",
         "f:3: missing key 'bandwidth' in platform; --bandwidth sets it too"},
        {PLATFORM "applications:\n- {nodes: 1, work: 1}\n- {name: x, work: 1}",
         "f:4: missing key 'nodes' in application 'x'"},
        {PLATFORM "window: {start: 1}\n" APP, "f:2: missing key 'end' in window"},
        {PLATFORM "applications:\n- nodes: 1\n  work: {mean: 1}",
         "f:4: missing key 'distribution' in work"},
        {PLATFORM "applications:\n- nodes: 1\n  work: {distribution: normal, mean: 1}",
         "f:4: a distribution 'normal' of work needs 'sd'"},
        {PLATFORM "applications:\n- nodes: 1\n  io: {distribution: uniform, min: 1}",
         "f:4: a distribution 'uniform' of io needs 'max'"},
        {PLATFORM "applications:\n- nodes: 1\n  io: {distribution: exponential}",
         "f:4: a distribution 'exponential' of io needs 'mean'"},
        {PLATFORM "applications:\n- nodes: 1\n  phases: [{}]", "f:4: a phase must have work or io"},
    };
    REFUSE_ALL(cases);
}

static void a_wrong_number_is_an_error_that_says_what_was_expected(void **state)
{
    (void)state;
#define NUMBER(key, value) PLATFORM "applications:\n- {nodes: 1, " key ": " value "}\n"
    static const struct wrong cases[] = {
        {NUMBER("work", "3 GB"), "f:3: work: '3 GB' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("io", "3 h"), "f:3: io: '3 h' is not a size such as '3 GB' or '512 MiB'"},
        {NUMBER("work", ".nan"), "f:3: work: '.nan' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("work", "nan"), "f:3: work: 'nan' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("work", "inf"), "f:3: work: 'inf' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("work", "1e999"), "f:3: work: '1e999' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("io", "1e300 GB"), "f:3: io: '1e300 GB' is too large"},
        {NUMBER("work", "-1"), "f:3: work must be at least 0, not '-1'"},
        {NUMBER("work", ""), "f:3: work: '' is not a time such as '90 s' or '1.5 h'"},
        {NUMBER("work", "[1]"), "f:3: work must be a mapping, such as {distribution: ...}"},
        {NUMBER("io", "-1 GB"), "f:3: io must be at least 0, not '-1 GB'"},
        {NUMBER("bandwidth", "0"), "f:3: bandwidth must be above 0, not '0'"},
        {NUMBER("weight", "0"), "f:3: weight must be above 0, not '0'"},
        {NUMBER("weight", "{}"), "f:3: weight must be a number"},
        {NUMBER("period", "-1"), "f:3: period must be at least 0, not '-1'"},
        {NUMBER("count", "0"), "f:3: count must be at least 1, not '0'"},
        {NUMBER("count", "1.5"), "f:3: count must be a whole number, not '1.5'"},
        {NUMBER("count", "1000001"), "f:3: count must be at most 1000000, not '1000001'"},
        {NUMBER("iterations", "1e30"), "f:3: iterations must be at most 100000000, not '1e30'"},
        {NUMBER("noise", "{io: 120 %}"), "f:3: io must be at most 1, not '120 %'"},
        {NUMBER("noise", "3"), "f:3: noise must be a mapping, such as {work: ...}"},
        {NUMBER("name", "''"), "f:3: name is empty"},
        {NUMBER("name", "[x]"), "f:3: name must be a text"},
        {NUMBER("phases", "[]"), "f:3: phases is an empty list"},
        {NUMBER("phases", "3"),
         "f:3: phases must be a list of phases, such as [{work: 30 s}, {io: 1 GB}]"},
        {NUMBER("phases", "[3]"), "f:3: phase must be a mapping, such as {work: ...}"},
        {PLATFORM "applications: [{nodes: 0}]", "f:2: nodes must be at least 1, not '0'"},
        {"platform: {bandwidth: 0}", "f:1: bandwidth must be above 0, not '0'"},
        {"platform: {bandwidth: -3 GB/s}", "f:1: bandwidth must be above 0, not '-3 GB/s'"},
        {"platform: {nodes: 0}", "f:1: nodes must be at least 1, not '0'"},
        {"seed: -1", "f:1: seed '-1' is not a whole number"},
        {"seed: 1.5", "f:1: seed '1.5' is not a whole number"},
        {"seed: ''", "f:1: seed '' is not a whole number"},
        {"seed: 18446744073709551616", "f:1: seed '18446744073709551616' is too large"},
        {"window: all", "f:1: window 'all' is not 'auto' or {start: ..., end: ...}"},
        {"window: []", "f:1: window must be a mapping, such as {start: ...}"},
        {"window: {start: 5, end: 5}",
         "f:1: a window ends at 5, expected a time after its start at 5"},
    };
    REFUSE_ALL(cases);
}

static void what_only_the_whole_scenario_shows_is_blamed_on_the_right_line(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {PLATFORM "applications: []", "f: no applications, expected at least one"},
        {"platform: {bandwidth: 1, nodes: 8}\napplications:\n"
         "- {name: fits, nodes: 8, work: 1}\n- {name: wide, nodes: 9, work: 1}\n",
         "f:4: application 'wide': has 9 nodes, but the platform only 8"},
        {PLATFORM "applications:\n- {name: idle, nodes: 1}\n",
         "f:3: application 'idle': has nothing to do: no work and no I/O"},
        {APP "platform:\n  bandwidth: 1e-200\n",
         "f:3: platform: bandwidth is 1e-200, expected a number above 0"},
        {APP "platform:\n  bandwidth: 3e299 B/s\n",
         "f:3: platform: bandwidth is 3e+299, expected at most 1e+100"},
        {PLATFORM "applications:\n- {name: x, nodes: 1, work: 1, phases: [{io: 1}]}\n",
         "f:3: application 'x' has both phases and work"},
        {PLATFORM "applications:\n- {name: x, nodes: 1, iterations: 1, phases: [{io: 1}]}\n",
         "f:3: application 'x' has both phases and iterations"},
        {PLATFORM "applications:\n- {nodes: 1, work: 1, count: 999999}\n"
                  "- {nodes: 1, work: 1}\n- {nodes: 1, work: 1}\n",
         "f:5: more than 1000000 applications"},
    };
    REFUSE_ALL(cases);
}

static void a_file_that_is_not_a_scenario_at_all_is_refused(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"", "f: empty file"},
        {"# nothing\n", "f: empty file"},
        {"---\n", "f:2: the scenario must be a mapping, such as {name: ...}"},
        {"hello", "f:1: the scenario must be a mapping, such as {name: ...}"},
        {"[1, 2]", "f:1: the scenario must be a mapping, such as {name: ...}"},
        {"applications: 3", "f:1: applications must be a list of mappings"},
        {"applications: [3]", "f:1: application must be a mapping, such as {name: ...}"},
        {"platform: 3", "f:1: platform must be a mapping, such as {nodes: ...}"},
        {"? [a]\n: b", "f:1: a key must be a plain word"},
        {PLATFORM APP "---\n" PLATFORM, "f:3: a second document; expected only one"},
        {"x: &a 1\n",
         "f:1: unknown key 'x' in the scenario, expected name, platform, "
         "policy, stores, limits, shares, window, seed or applications"},
        {"name: &a x\nplatform: *a\n", "f:2: aliases are not supported: repeat the value"},
        {"name: \"a\\0b\"", "f:1: name contains a control character"},
        {"name: \"a\\nb\"", "f:1: name contains a control character"},
        {"platform: {nodes: 1", "f:2:1: while parsing a flow mapping: did not find expected ',' "
                                "or '}'"},
        {"name: x\n\tseed: 1\n",
         "f:2:1: while scanning a plain scalar: found a tab character that violates indentation"},
        {"name: \xff\xfe", "f: not a text in UTF-8: invalid leading UTF-8 octet at byte 6"},
    };
    REFUSE_ALL(cases);
}

static void deep_nesting_is_refused_at_once(void **state)
{
    (void)state;
    char *text = malloc(200001);
    assert_non_null(text);
    memset(text, '[', 200000);
    text[200000] = 0;
    refuse_as("scenario", text, 0, "f:1: the scenario must be a mapping, such as {name: ...}");
    memcpy(text, "name: ", 6);
    refuse_as("scenario", text, 0, "f:1: name must be a text");
    free(text);
}

static void a_huge_scalar_is_refused_in_a_short_message(void **state)
{
    (void)state;
    char *text = malloc(1000001);
    assert_non_null(text);
    memset(text, 'x', 1000000);
    text[1000000] = 0;
    memcpy(text, "name: ", 6);
    refuse_as("scenario", text, 0, "f:1: name is longer than 255 bytes");
    /* A long but allowed key is quoted in part. */
    memcpy(text + 100, ": 1", 4);
    refuse_as("scenario", text + 6, 0,
              "f:1: unknown key 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' in the scenario, "
              "expected name, platform, "
         "policy, stores, limits, shares, window, seed or applications");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_store_does_is_refused_in_one_line),
        cmocka_unit_test(a_misspelt_key_is_an_error_that_suggests_the_nearest),
        cmocka_unit_test(a_key_that_is_given_twice_is_an_error),
        cmocka_unit_test(a_missing_key_is_an_error_at_its_mapping),
        cmocka_unit_test(a_wrong_number_is_an_error_that_says_what_was_expected),
        cmocka_unit_test(what_only_the_whole_scenario_shows_is_blamed_on_the_right_line),
        cmocka_unit_test(a_file_that_is_not_a_scenario_at_all_is_refused),
        cmocka_unit_test(deep_nesting_is_refused_at_once),
        cmocka_unit_test(a_huge_scalar_is_refused_in_a_short_message),
    };
    return cmocka_run_group_tests_name("format/scenario_errors", tests, NULL, NULL);
}
