/* What was set survives in a file. */
#include "base/mem.h"
#include "base/text.h"
#include "serve/state.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[32], path[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/weir-state-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/state", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

/* What a list of rules is in the file of a platform that has no other store. */
static int save(const char *where, const struct rules *rules, struct err *err)
{
    const char *store = "";
    return state_save(&(struct state_saving){0}, where, &(struct state_rules){&rules, &store, 1},
                      err);
}

static int take(void *context, const struct wire_set *set, struct err *err)
{
    return rules_add(context, set, WIRE_CHANGED, err);
}

static int load(struct rules *rules, struct err *err)
{
    return state_load(path, UINT64_C(10000000000), take, rules, err);
}

static const struct wire_set sets[] = {
    {.setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = "min-max:gamma=0.25,priority"},
    {.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = 1e9 / 3},
    {.setting = WIRE_SET_CONTROL, .app = WIRE_ALL, .value = 0},
    {.setting = WIRE_SET_LIMIT, .app = WIRE_ALL, .value = 2e8, .text = "my backup è"},
    {.setting = WIRE_SET_LIMIT, .app = WIRE_ALL, .value = 0, .text = "untar"},
    {.setting = WIRE_SET_OPS, .app = WIRE_ALL, .value = 500},
    {.setting = WIRE_SET_WEIGHT, .app = WIRE_ALL, .value = 4, .scope = WIRE_OF_USER, .uid = 1042},
};
enum { SETS = sizeof sets / sizeof *sets };

static void what_was_set_is_read_as_it_was(void **state)
{
    (void)state;
    struct rules rules = {0}, again = {0};
    struct err err = {0};
    const struct wire_set configured = {
        .setting = WIRE_SET_OPS, .app = WIRE_ALL, .value = 9, .text = "configured"};
    const struct wire_set one = {.setting = WIRE_SET_LIMIT, .app = 3, .value = 5e6};
    for (int i = 0; i < SETS; i++)
        assert_int_equal(rules_add(&rules, &sets[i], WIRE_CHANGED, &err), 0);
    assert_int_equal(rules_add(&rules, &configured, WIRE_CONFIGURED, &err), 0);
    assert_int_equal(rules_add(&rules, &one, WIRE_CHANGED, &err), 0);
    assert_int_equal(save(path, &rules, &err), 0);
    assert_int_equal(save(path, &rules, &err), 0); /* over the last one */
    assert_int_equal(load(&again, &err), 0);
    assert_int_equal(again.count, SETS);
    for (int i = 0; i < SETS; i++) {
        assert_int_equal(again.list[i].source, WIRE_CHANGED);
        assert_int_equal(again.list[i].set.setting, sets[i].setting);
        assert_true(again.list[i].set.value == sets[i].value);
        assert_string_equal(again.list[i].set.text, sets[i].text);
        assert_int_equal(again.list[i].set.scope, sets[i].scope);
        assert_int_equal(again.list[i].set.uid, sets[i].uid);
    }
    rules_free(&rules);
    rules_free(&again);
}

/* Of two stores, the second's strategy and bandwidth are written under its name; what holds for
 * both is written once. */
static void what_is_for_one_store_is_written_under_its_name(void **state)
{
    (void)state;
    struct rules lists[2] = {{0}}, again = {0};
    const struct rules *const rules[] = {&lists[0], &lists[1]};
    const char *const stores[] = {"", "/project read"};
    struct err err = {0};
    const struct wire_set limit = {.setting = WIRE_SET_LIMIT, .app = WIRE_ALL, .value = 2e8};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rules_add(&lists[i], &sets[i], WIRE_CHANGED, &err), 0);
        assert_int_equal(rules_add(&lists[i], &limit, WIRE_CHANGED, &err), 0);
    }
    assert_int_equal(
        state_save(&(struct state_saving){0}, path, &(struct state_rules){rules, stores, 2}, &err),
        0);
    size_t length;
    char *text = text_load(path, &length, &err);
    assert_non_null(strstr(text, "\npolicy min-max:gamma=0.25,priority\nlimit 200000000\n"));
    free(text);
    assert_int_equal(load(&again, &err), 0);
    assert_int_equal(again.count, 3);
    assert_string_equal(again.list[0].set.store, "");
    assert_string_equal(again.list[2].set.store, "/project read");
    assert_int_equal(again.list[2].set.setting, WIRE_SET_BANDWIDTH);
    assert_true(again.list[2].set.value == 1e9 / 3);
    rules_free(&lists[0]);
    rules_free(&lists[1]);
    rules_free(&again);
}

static void without_a_file_nothing_was_set(void **state)
{
    (void)state;
    struct rules rules = {0};
    struct err err = {0};
    unlink(path);
    assert_int_equal(load(&rules, &err), 0);
    assert_int_equal(rules.count, 0);
}

static void a_broken_line_is_named(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "nonsense",
        "limit",
        "limit x",
        "limit 20", /* B/s */
        "limit 1e22 application a",
        "limit 1e6 application",
        "limit 1e6 user root",
        "limit 1e6 user 4294967295",
        "limit 1e6 user 1.5",
        "limit 1e6 backup",
        "bandwidth 1e6 application a",
        "policy",
        "policy \033[2J",
        "weight 0",
        "control 2",
        "/project: limit 1e6",
        "/project: control 0",
        "/project:",
        "limit 1e6 application 0123456789012345678901234567890123456789012345678901234567890123",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct rules rules = {0};
        struct err err = {0};
        char where[96];
        FILE *file = fopen(path, "w");
        fprintf(file, "# a title\nops 5\n%s\n", lines[i]);
        fclose(file);
        assert_int_equal(load(&rules, &err), -1);
        snprintf(where, sizeof where, "%s:3: ", path);
        if (strncmp(err.text, where, strlen(where)) != 0)
            fail_msg("'%s': %s", lines[i], err.text);
        rules_free(&rules);
    }
}

static void a_file_that_cannot_be_written_stays_as_it_was(void **state)
{
    (void)state;
    struct rules rules = {0};
    struct err err = {0};
    char nowhere[96];
    snprintf(nowhere, sizeof nowhere, "%s/nowhere/state", directory);
    assert_int_equal(save(nowhere, &rules, &err), -1);
    assert_non_null(strstr(err.text, "cannot be saved in"));
    mem_fail_after(0);
    assert_int_equal(save(path, &rules, &err), -1);
    mem_fail_after(-1);
    assert_string_equal(err.text, "out of memory");
}

static void a_list_has_its_end(void **state)
{
    (void)state;
    struct rules rules = {0}, other;
    struct err err = {0};
    struct wire_set set = {.setting = WIRE_SET_OPS, .app = WIRE_ALL, .value = 5};
    int count = 0, status = 0;
    for (; status == 0 && count < 100000; count++) {
        snprintf(set.text, sizeof set.text, "%d", count);
        status = rules_add(&rules, &set, WIRE_CHANGED, &err);
    }
    assert_int_equal(count - 1, 4096);
    assert_string_equal(err.text, "too many settings: there are 4096 already");
    /* What is there already can be changed and taken away. */
    strcpy(set.text, "7");
    assert_int_equal(rules_change(&rules, &set, &other, &err), 0);
    rules_free(&other);
    set.unset = 1;
    assert_int_equal(rules_change(&rules, &set, &other, &err), 0);
    assert_int_equal(other.count, 4095);
    rules_free(&other);
    rules_free(&rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_set_is_read_as_it_was),
        cmocka_unit_test(what_is_for_one_store_is_written_under_its_name),
        cmocka_unit_test(without_a_file_nothing_was_set),
        cmocka_unit_test(a_broken_line_is_named),
        cmocka_unit_test(a_file_that_cannot_be_written_stays_as_it_was),
        cmocka_unit_test(a_list_has_its_end),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
