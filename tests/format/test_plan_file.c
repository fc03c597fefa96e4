#include "base/mem.h"
#include "common.h"
#include "format/plan_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both alone have a period of w + v/bmax = 10 + 10 and 4 + 6 seconds. */
static struct task list[] = {
    {.name = "a", .nodes = 4, .work = 10, .volume = 10e9, .bmax = 1e9, .io = 10},
    {.name = "b \"x\".1", .nodes = 2, .work = 4, .volume = 6e9, .bmax = 1e9, .io = 6},
};
static const struct tasks tasks = {.list = list, .count = 2, .bandwidth = 2e9, .nodes = 6};

/* In 20 s one instance of a and two of b, at full speed: Dilation 1, SysEfficiency
 * (4 * 10/20 + 2 * 2*4/20) / 6 = 2.8/6. */
#define HEAD                                                                                       \
    "{\"method\": \"persched\",\n\"objective\": \"dilation\",\n\"period\": 20,\n"                  \
    "\"sys_efficiency\": 0.46666666666666667,\n\"dilation\": 1,\n"                                 \
    "\"bounds\": {\"sys_efficiency\": 0.5, \"sys_efficiency_bandwidth\": 0.5, "                    \
    "\"dilation_bandwidth\": 1},\n\"applications\": [\n"
#define APP_A                                                                                      \
    "{\"name\": \"a\", \"instances\": 1, \"efficiency\": 0.5, \"dilation\": 1, \"nodes\": 4,\n"    \
    " \"work\": 10, \"volume\": 10e9, \"schedule\": [\n"                                           \
    "{\"start\":0,\"io\":[[10,20,1e9]]}]}"
#define APP_B                                                                                      \
    "{\"name\": \"b \\\"x\\\".1\", \"instances\": 2, \"efficiency\": 0.4, \"dilation\": 1,\n"      \
    " \"nodes\": 2, \"work\": 4, \"volume\": 6e9, \"schedule\": [\n"                               \
    "{\"start\":-3.5,\"io\":[[0.5,2.5,1e9],[2.5,6.5,1e9]]},\n"                                     \
    "{\"start\":6.5,\"io\":[[10.5,16.5,1e9]]}]}"
#define TAIL "],\n\"seconds\": 0.25}\n"

static const char good[] = HEAD APP_A ",\n" APP_B TAIL;

static struct plan_file *parse(const char *text, const struct tasks *wanted, struct err *err)
{
    return plan_file_parse(text, strlen(text), "f", wanted, err);
}

static struct plan_file *accept(const char *text)
{
    struct err err = {0};
    struct plan_file *file = parse(text, &tasks, &err);
    if (!file)
        fail_msg("refused: %s", err.text);
    return file;
}

static void refuse(const char *text, const struct tasks *wanted, const char *message)
{
    struct err err = {0};
    struct plan_file *file = parse(text, wanted, &err);
    if (file)
        fail_msg("accepted, expected '%s'", message);
    assert_string_equal(err.text, message);
}

/* The good text with the first `old` in it replaced; free() frees. */
static char *edit(const char *old, const char *new)
{
    const char *at = strstr(good, old);
    assert_non_null(at);
    char *text = mem_alloc(sizeof good + strlen(new), 1);
    assert_non_null(text);
    snprintf(text, sizeof good + strlen(new), "%.*s%s%s", (int)(at - good), good, new,
             at + strlen(old));
    return text;
}

static char *write_out(const struct plan_file *file, bool schedule)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    plan_file_write(out, file, &tasks, schedule);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_plan_is_read_as_it_stands(void **state)
{
    (void)state;
    struct plan_file *file = accept(good);
    const struct plan *plan = file->plan;
    assert_string_equal(file->method, "persched");
    assert_string_equal(file->objective, "dilation");
    assert_true(file->seconds == 0.25 && file->bounds.sys_efficiency_bandwidth == 0.5);
    assert_true(plan->period == 20);
    assert_int_equal(plan->count, 2);
    assert_int_equal(plan->apps[1].first, 1);
    assert_int_equal(plan->apps[1].count, 2);
    const struct plan_instance *instance = &plan->instances[1];
    assert_true(instance->start == -3.5);
    assert_int_equal(instance->count, 2);
    assert_true(plan->pieces[instance->first + 1].end == 6.5);
    assert_true(plan->pieces[instance->first + 1].rate == 1e9);
    plan_file_free(file);
}

static void a_written_plan_reads_back_to_the_same_bytes(void **state)
{
    (void)state;
    struct plan_file *file = accept(good);
    file->plan->period += 1.0 / 3; /* more room, and a number that needs all its digits */
    char *first = write_out(file, true);
    struct plan_file *again = accept(first);
    char *second = write_out(again, true);
    assert_string_equal(first, second);
    free(first);
    free(second);
    plan_file_free(file);
    plan_file_free(again);
}

static void without_the_schedule_a_plan_is_short_and_cannot_be_followed(void **state)
{
    (void)state;
    struct plan_file *file = accept(good);
    char *text = write_out(file, false);
    assert_null(strstr(text, "schedule"));
    assert_non_null(strstr(text, "\"instances\": 2"));
    refuse(text, &tasks, "f:13: missing key 'nodes' in an application");
    free(text);
    plan_file_free(file);
}

static void a_plan_for_another_scenario_is_refused(void **state)
{
    (void)state;
    struct task other[2];
    struct tasks wanted = tasks;
    wanted.list = other;

    memcpy(other, list, sizeof other);
    other[1].name = "c";
    refuse(good, &wanted,
           "f:11: the plan is for another scenario: it has application 'b \"x\".1' where the "
           "scenario has 'c'");
    memcpy(other, list, sizeof other);
    other[0].work = 11;
    refuse(good, &wanted,
           "f:8: the plan is for another scenario: application 'a' has 10 seconds of work, there "
           "11");
    memcpy(other, list, sizeof other);
    other[1].volume = 7e9;
    refuse(good, &wanted,
           "f:11: the plan is for another scenario: application 'b \"x\".1' has 6e+09 bytes of "
           "I/O, there 7e+09");
    memcpy(other, list, sizeof other);
    other[0].nodes = 5;
    refuse(good, &wanted,
           "f:8: the plan is for another scenario: application 'a' has 4 nodes, there 5");
}

static void more_or_fewer_applications_than_the_scenario_are_refused(void **state)
{
    (void)state;
    struct tasks fewer = tasks;
    fewer.count = 1;
    refuse(good, &fewer, "f:11: the plan is for another scenario, which has only 1 application");
    refuse(HEAD APP_A TAIL, &tasks, "f: the plan is for 1 applications, the scenario has 2");
}

static void a_machine_that_is_slower_than_planned_is_told(void **state)
{
    (void)state;
    struct tasks slower = tasks;
    slower.bandwidth = 1.5e9;
    /* b transfers from 0.5 to 6.5 and from 10.5 to 16.5, a from 10 to 20: together from 10.5 on. */
    refuse(good, &slower,
           "f: at 10.5 s of the period 2e+09 bytes/s are planned, the file system has 1.5e+09");
}

static void a_hand_edited_plan_is_refused_with_what_is_violated_where(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"\"persched\"", "\"magic\"", "f:1: unknown method 'magic'"},
        {"\"period\": 20", "\"period\": 0", "f: the period is 0 s, expected a positive number"},
        {"\"period\": 20", "\"period\": nan",
         "f:3: period: 'nan' is not a time such as '90 s' or '1.5 h'"},
        {"\"period\": 20", "\"period\": 19",
         "f: application 'a': its last I/O ends at 20 s, but its first work begins again at 19 s"},
        {"0.46666666666666667", "0.5",
         "f: sys_efficiency is 0.5, that of the schedule 0.466666667"},
        {"\"dilation\": 1,", "\"dilation\": 1.1,", "f: dilation is 1.1, that of the schedule 1"},
        {"\"instances\": 2", "\"instances\": 3",
         "f:11: application 'b \"x\".1' has 3 instances, its schedule 2"},
        {"[10,20,1e9]", "[9,19,1e9]",
         "f: application 'a', instance 1: I/O at 9 s begins before its work ends at 10 s"},
        {"[10,20,1e9]", "[10,20,2e9]",
         "f: application 'a', instance 1: I/O at 10 s has 2e+09 bytes/s, the application can take "
         "1e+09"},
        {"[10,20,1e9]", "[10,19,1e9]",
         "f: application 'a', instance 1: it moves 9e+09 bytes, the application 1e+10"},
        {"[10,20,1e9]", "[10,20]", "f:10: a transfer must be [start, end, bandwidth]"},
        {"[10,20,1e9]", "[10,20,1e9,4]", "f:10: a transfer must be [start, end, bandwidth]"},
        {"[10,20,1e9]", "7", "f:10: a transfer must be [start, end, bandwidth]"},
        {"[10,20,1e9]", "[10,20,-1]", "f:10: bandwidth must be above 0, not '-1'"},
        {"\"start\":6.5", "\"start\":6",
         "f: application 'b \"x\".1', instance 2: work at 6 s begins before the I/O of the one "
         "before ends at 6.5 s"},
        {"\"start\":6.5", "\"begin\":6.5",
         "f:14: unknown key 'begin' in an instance, expected start or io"},
        {"\"volume\"", "\"volum\"",
         "f:9: unknown key 'volum' in an application, did you mean 'volume'?"},
        {"{\"start\":0,", "7, {\"start\":0,",
         "f:10: an instance must be a mapping, such as {start: ...}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = edit(cases[i].old, cases[i].new);
        refuse(text, &tasks, cases[i].message);
        free(text);
    }
}

static void a_plan_that_ends_too_early_is_refused_wherever_it_ends(void **state)
{
    (void)state;
    size_t whole = strlen(good) - strlen("}\n");
    for (size_t length = 0; length <= whole; length++) {
        struct err err = {0};
        char *text = mem_alloc(length + 1, 1);
        assert_non_null(text);
        memcpy(text, good, length);
        assert_null(plan_file_parse(text, length, "f", &tasks, &err));
        assert_int_equal(strncmp(err.text, "f:", 2), 0);
        free(text);
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    struct plan_file *file = NULL;
    long n = 0;
    for (; !file; n++) {
        struct err err = {0};
        mem_fail_after(n);
        file = parse(good, &tasks, &err);
        mem_fail_after(-1);
        if (!file)
            assert_non_null(strstr(err.text, "out of memory"));
        assert_true(n < 1000);
    }
    assert_true(n > 5); /* the hook was really reached */
    plan_file_free(file);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    struct err err = {0};
    assert_null(plan_file_load("nowhere.json", &tasks, &err));
    assert_non_null(strstr(err.text, "nowhere.json"));
}

/* --- on its own ------------------------------------------------------------------------------- */

static struct plan_file *parse_own(const char *text, struct plan_own *own, struct err *err)
{
    *own = (struct plan_own){.platform = {.node_bandwidth = 0.5e9, .bandwidth = 2e9}};
    return plan_file_parse_own(text, strlen(text), "f", own, err);
}

static void a_plan_is_read_for_the_applications_that_it_has(void **state)
{
    (void)state;
    struct err err = {0};
    struct plan_own own;
    struct plan_file *file = parse_own(good, &own, &err);
    if (!file)
        fail_msg("%s", err.text);
    assert_int_equal(own.tasks.count, 2);
    assert_string_equal(own.tasks.list[1].name, "b \"x\".1");
    /* Four and two nodes of 0.5 GB/s. */
    assert_true(own.tasks.list[0].bmax == 2e9 && own.tasks.list[1].bmax == 1e9);
    assert_true(own.tasks.list[0].io == 5 && own.tasks.nodes == 6);
    assert_int_equal(file->plan->apps[1].count, 2);
    plan_file_free(file);
    tasks_fini(&own.tasks);
}

static void a_plan_that_the_platform_cannot_do_is_refused(void **state)
{
    (void)state;
    struct err err = {0};
    struct plan_own own;
    char *fast = edit("\"nodes\": 2", "\"nodes\": 1"), *idle = edit("\"nodes\": 4", "\"nodes\": 0");
    assert_null(parse_own(fast, &own, &err));
    assert_non_null(strstr(err.text, "has 1e+09 bytes/s, the application can take 500000000"));
    tasks_fini(&own.tasks);
    assert_null(parse_own(idle, &own, &err));
    assert_string_equal(err.text, "f:8: nodes must be above 0, not '0'");
    tasks_fini(&own.tasks);
    free(fast);
    free(idle);
}

static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    struct plan_file *file = NULL;
    for (long n = 0; !file; n++) {
        struct err err = {0};
        struct plan_own own;
        mem_fail_after(n);
        file = parse_own(good, &own, &err);
        mem_fail_after(-1);
        if (!file)
            assert_non_null(strstr(err.text, "out of memory"));
        tasks_fini(&own.tasks);
    }
    plan_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_read_for_the_applications_that_it_has),
        cmocka_unit_test(a_plan_that_the_platform_cannot_do_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_reported),
        cmocka_unit_test(a_plan_is_read_as_it_stands),
        cmocka_unit_test(a_written_plan_reads_back_to_the_same_bytes),
        cmocka_unit_test(without_the_schedule_a_plan_is_short_and_cannot_be_followed),
        cmocka_unit_test(a_plan_for_another_scenario_is_refused),
        cmocka_unit_test(more_or_fewer_applications_than_the_scenario_are_refused),
        cmocka_unit_test(a_machine_that_is_slower_than_planned_is_told),
        cmocka_unit_test(a_hand_edited_plan_is_refused_with_what_is_violated_where),
        cmocka_unit_test(a_plan_that_ends_too_early_is_refused_wherever_it_ends),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
