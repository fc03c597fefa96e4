/* Plans while programs run: from a file, and made by the strategy. */
#include "base/mem.h"
#include "plan/answer.h"
#include "serve/plan_worker.h"
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Of 100 bytes/s, every 10 s: a moves 200 bytes at 100 from 4 to 6, b 100 bytes at 50 from 7 to 9.
 */
#define PLAN                                                                                       \
    "{\"method\": \"persched\", \"objective\": \"dilation\", \"period\": 10,\n"                    \
    "\"sys_efficiency\": 0.5, \"dilation\": 1.25,\n"                                               \
    "\"bounds\": {\"sys_efficiency\": 0.5, \"sys_efficiency_bandwidth\": 0.5, "                    \
    "\"dilation_bandwidth\": 1},\n\"applications\": [\n"                                           \
    "{\"name\": \"a\", \"instances\": 1, \"efficiency\": 0.4, \"dilation\": 1.6, \"nodes\": 1,\n"  \
    " \"work\": 4, \"volume\": 200, \"schedule\": [{\"start\": 0, \"io\": [[4, 6, 100]]}]},\n"     \
    "{\"name\": \"b\", \"instances\": 1, \"efficiency\": 0.7, \"dilation\": 1.25, \"nodes\": 1,\n" \
    " \"work\": 7, \"volume\": 100, \"schedule\": [{\"start\": 0, \"io\": [[7, 9, 50]]}]}],\n"     \
    "\"seconds\": 0}\n"

static char path[64];

static int write_plan(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/weir-plan-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, PLAN, sizeof PLAN - 1) != sizeof PLAN - 1)
        return -1;
    return close(fd);
}

static int remove_plan(void **state)
{
    (void)state;
    return unlink(path);
}

static const char *policy(const char *before)
{
    static char text[128];
    snprintf(text, sizeof text, "%s%s", before, path);
    return text;
}

static int set_policy(struct stage *stage, const char *text, struct err *err)
{
    struct wire_set set = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL};
    snprintf(set.text, sizeof set.text, "%s", text);
    int status = controller_set(stage->channel.controller, stage->now, &set, err);
    channel_settle(&stage->channel, stage->now);
    return status;
}

/* An I/O whose process is in a call all the time. */
static void begin(struct stage *stage, struct seat *seat, uint64_t bytes)
{
    stage_begin(stage, seat, (double)bytes);
    stage_enter(stage, seat, bytes);
}

static void applications_follow_a_plan_by_their_names(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, policy("plan:file="));
    /* c is not part of the plan, and joins first: places have nothing to do with numbers. */
    struct seat c = stage_attach(&stage, 1, "c", 1), b = stage_attach(&stage, 1, "b", 2);
    struct seat a = stage_attach(&stage, 1, "a", 3);
    const struct controller *controller = stage.channel.controller;
    assert_int_equal(controller->places[stage_application(&stage, &a)->id], 1);
    assert_int_equal(controller->places[stage_application(&stage, &b)->id], 2);
    assert_int_equal(controller->places[stage_application(&stage, &c)->id], 0);
    stage_pass(&stage, 1);
    begin(&stage, &a, 200);
    begin(&stage, &b, 100);
    assert_true(stage_rate(&a) + stage_rate(&b) == 100);
    stage_exit(&stage, &a, 200);
    stage_end(&stage, &a);
    stage_exit(&stage, &b, 100);
    stage_end(&stage, &b);
    /* What is not part of the plan is served, too. */
    begin(&stage, &c, 5000);
    assert_true(stage_rate(&c) == 100);
    stage_close(&stage);
}

static void a_place_is_taken_once_and_free_when_its_application_leaves(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, policy("apio:file="));
    const struct controller *controller = stage.channel.controller;
    struct seat first = stage_attach(&stage, 1, "b", 1), second = stage_attach(&stage, 1, "b", 2);
    uint32_t one = stage_application(&stage, &first)->id;
    uint32_t two = stage_application(&stage, &second)->id;
    assert_int_equal(controller->places[one], 2);
    assert_int_equal(controller->places[two], 0);
    node_detach(stage.channel.node, stage.now, &first);
    stage_pass(&stage, 1);
    struct seat third = stage_attach(&stage, 1, "b", 3);
    assert_int_equal(controller->places[stage_application(&stage, &third)->id], 2);
    stage_close(&stage);
}

static void a_plan_is_loaded_under_running_applications(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fcfs");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2);
    begin(&stage, &b, 100);
    stage_pass(&stage, 0.01);
    begin(&stage, &a, 200);
    assert_true(stage_rate(&b) == 100 && stage_rate(&a) == 0);
    assert_int_equal(set_policy(&stage, policy("plan:file="), &err), 0);
    assert_true(stage_rate(&b) + stage_rate(&a) == 100);
    /* The file is read once. */
    char away[sizeof path + 8];
    snprintf(away, sizeof away, "%s-away", path);
    assert_int_equal(rename(path, away), 0);
    assert_int_equal(controller_rebuild(stage.channel.controller,
                                        controller_seconds(stage.channel.controller, stage.now),
                                        stage.channel.controller->policy, 1024, &err),
                     0);
    assert_int_equal(rename(away, path), 0);
    channel_settle(&stage.channel, stage.now);
    assert_true(stage_rate(&b) + stage_rate(&a) == 100);
    stage_close(&stage);
}

static void what_cannot_be_followed_changes_nothing(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct wire_set set = {.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = 60};
    stage_open(&stage, "fcfs");
    assert_int_equal(set_policy(&stage, "plan", &err), -1);
    assert_string_equal(err.text, "strategy 'plan' follows a plan: expected 'plan:file=FILE'");
    assert_int_equal(set_policy(&stage, "plan:file=/nowhere", &err), -1);
    assert_non_null(strstr(err.text, "cannot read '/nowhere'"));
    assert_int_equal(set_policy(&stage, "plan:file=/dev/zero", &err), -1);
    assert_non_null(strstr(err.text, "expected a regular file of at most 16 MiB"));
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &set, &err), 0);
    assert_int_equal(set_policy(&stage, policy("plan:file="), &err), -1);
    assert_non_null(strstr(err.text, "has 100 bytes/s, the application can take 60"));
    assert_string_equal(stage.channel.controller->policy->name, "fcfs");
    stage_close(&stage);
}

static void a_failing_allocation_leaves_the_strategy_as_it_is(void **state)
{
    (void)state;
    struct stage stage;
    int status = -1;
    stage_open(&stage, "fcfs");
    for (long n = 0; status != 0; n++) {
        struct err err = {0};
        assert_string_equal(stage.channel.controller->policy->name, "fcfs");
        mem_fail_after(n);
        status = set_policy(&stage, policy("plan:file="), &err);
        mem_fail_after(-1);
    }
    stage_close(&stage);
}

/* --- replan ----------------------------------------------------------------------------------- */

static void a_strategy_learns_what_an_io_really_moved(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat a = stage_attach(&stage, 1, "a", 1);
    stage_pass(&stage, 1);
    stage_begin(&stage, &a, 400); /* that is what it announces */
    stage_enter(&stage, &a, 200);
    stage_pass(&stage, 2);
    stage_exit(&stage, &a, 200);
    stage_end(&stage, &a);
    struct controller *controller = stage.channel.controller;
    const struct weir_view *view =
        control_view(controller->control, controller_seconds(controller, stage.now));
    const struct weir_run *run = &view->runs[stage_application(&stage, &a)->id];
    assert_true(run->volume == 200);
    assert_true(fabs(run->done_ideal - 3) < 1e-6); /* 1 s of work, 200 bytes at 100 bytes/s */
    stage_close(&stage);
}

/* 3 s of work; the I/O takes what its grant allows. */
static void iterate(struct stage *stage, struct seat *a, struct seat *b, double *took)
{
    double begun = (double)stage->now;
    stage_pass(stage, 3);
    stage_begin(stage, a, 200);
    stage_begin(stage, b, 200);
    struct seat *both[] = {a, b};
    for (double left[] = {200, 200}; left[0] > 0 || left[1] > 0;) {
        for (int i = 0; i < 2; i++) {
            double moved = fmin(left[i], 0.1 * stage_rate(both[i]));
            if (left[i] <= 0)
                continue;
            stage_enter(stage, both[i], (uint64_t)ceil(moved));
            stage_exit(stage, both[i], (uint64_t)ceil(moved));
            left[i] -= ceil(moved);
            if (left[i] <= 0)
                stage_end(stage, both[i]);
        }
        stage_pass(stage, 0.1);
    }
    *took = ((double)stage->now - begun) / 1e9;
}

static void replan_learns_from_running_applications(void **state)
{
    (void)state;
    struct stage stage;
    struct direct_planner direct;
    double took;
    stage_open(&stage, "replan:online=best-effort");
    direct_planner_init(&direct);
    stage.channel.controller->planner = direct.planner;
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2);
    for (int i = 0; i < 5; i++)
        iterate(&stage, &a, &b, &took);
    assert_int_equal(direct.asked, 1);
    assert_non_null(direct.plan);
    stage_close(&stage);
    direct_planner_fini(&direct);
}

/* --- the thread ------------------------------------------------------------------------------- */

static struct task list[] = {
    {.name = "a", .nodes = 1, .work = 6, .volume = 40, .bmax = 10, .io = 4},
    {.name = "b", .nodes = 1, .work = 6.3, .volume = 41, .bmax = 10, .io = 4.1},
    {.name = "c", .nodes = 1, .work = 5.1, .volume = 43, .bmax = 10, .io = 4.3},
};
static const struct tasks tasks = {.list = list, .count = 3, .bandwidth = 10, .nodes = 3};
static const struct planner_question quick = {.tasks = &tasks};
static const struct planner_question thorough = {.tasks = &tasks, .thorough = true};

static void note_answer(void *context)
{
    ++*(int *)context;
}

static void a_thread_plans_while_the_loop_goes_on(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct plan_worker worker;
    const struct plan *plan = NULL;
    int answers = 0;
    uv_loop_init(&loop);
    plan_worker_init(&worker, &loop);
    worker.answered = note_answer;
    worker.context = &answers;
    const struct planner *planner = &worker.planner;
    uint64_t first = planner->ask(planner->context, &quick);
    assert_true(first > 0);
    assert_false(planner->answer(planner->context, first, &plan));
    assert_int_equal(planner->ask(planner->context, &quick), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(answers, 1);
    assert_true(planner->answer(planner->context, first, &plan));
    assert_non_null(plan);
    assert_int_equal(plan_validate(plan, &tasks, NULL), 0);
    uint64_t second = planner->ask(planner->context, &quick);
    assert_true(second != first);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(planner->answer(planner->context, first, &plan));
    assert_true(planner->answer(planner->context, second, &plan));
    plan_worker_fini(&worker);
    uv_loop_close(&loop);
}

static void a_search_ends_when_the_controller_does(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct plan_worker worker;
    int answers = 0;
    uv_loop_init(&loop);
    plan_worker_init(&worker, &loop);
    worker.answered = note_answer;
    worker.context = &answers;
    assert_true(worker.planner.ask(worker.planner.context, &thorough) > 0);
    plan_worker_stop(&worker);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(answers, 0);
    plan_worker_fini(&worker);
    uv_loop_close(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_follow_a_plan_by_their_names),
        cmocka_unit_test(a_place_is_taken_once_and_free_when_its_application_leaves),
        cmocka_unit_test(a_plan_is_loaded_under_running_applications),
        cmocka_unit_test(what_cannot_be_followed_changes_nothing),
        cmocka_unit_test(a_failing_allocation_leaves_the_strategy_as_it_is),
        cmocka_unit_test(a_strategy_learns_what_an_io_really_moved),
        cmocka_unit_test(replan_learns_from_running_applications),
        cmocka_unit_test(a_thread_plans_while_the_loop_goes_on),
        cmocka_unit_test(a_search_ends_when_the_controller_does),
    };
    return cmocka_run_group_tests(tests, write_plan, remove_plan);
}
