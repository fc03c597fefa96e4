/* What is written down of applications that have left. */
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool is_near(double value, double expected)
{
    return fabs(value - expected) < 0.02;
}

static const struct wire_done *last(const struct stage *stage)
{
    const struct accounts *finished = &stage->channel.controller->finished;
    return accounts_find(finished, finished->count - 1);
}

/* Moves so many bytes in so many seconds, with a call for each. */
static void move(struct stage *stage, struct seat *seat, int bytes, double seconds)
{
    for (int i = 0; i < bytes; i++) {
        stage_enter(stage, seat, 1);
        stage_pass(stage, seconds / bytes);
        stage_exit(stage, seat, 1);
    }
}

/* The same as an I/O that is announced. */
static void do_io(struct stage *stage, struct seat *seat, int bytes, double seconds)
{
    stage_begin(stage, seat, bytes);
    move(stage, seat, bytes, seconds);
    stage_end(stage, seat);
}

static void an_entry_tells_work_from_io_and_waiting(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    stage_pass(&stage, 5);
    struct seat seat = stage_attach(&stage, 7, "a", 1), other = stage_attach(&stage, 7, "b", 2);
    stage_pass(&stage, 2); /* of work */
    do_io(&stage, &seat, 100, 1);
    stage_pass(&stage, 3);
    stage_begin(&stage, &other, 300); /* comes first: 3 s of waiting inside a call */
    move(&stage, &other, 1, 0.01);
    stage_begin(&stage, &seat, 100);
    stage_enter(&stage, &seat, 1);
    move(&stage, &other, 299, 2.99);
    stage_end(&stage, &other);
    stage_exit(&stage, &seat, 1);
    move(&stage, &seat, 99, 1);
    stage_end(&stage, &seat);
    seat.app->pages.usage->escaped = 12;
    node_detach(stage.channel.node, stage.now, &seat);
    const struct wire_done *done = last(&stage);
    assert_string_equal(done->name, "a");
    assert_int_equal(done->uid, 7);
    assert_int_equal(done->phases, 2);
    assert_true(is_near(done->started, 5) && is_near(done->ended, 15));
    assert_true(done->moved == 200 && done->escaped == 12);
    assert_true(is_near(done->io_time, 5) && is_near(done->waited, 3));
    assert_true(is_near(done->ideal, 7) && is_near(done->stretch, 10.0 / 7));
    stage_close(&stage);
}

/* Calls of 1 byte that take `call` seconds, with gaps between them. */
static void write_with_gaps(struct stage *stage, struct seat *seat, double call, double gap)
{
    for (int i = 0; i < 100; i++) {
        stage_enter(stage, seat, 1);
        stage_pass(stage, call);
        stage_exit(stage, seat, 1);
        stage_pass(stage, gap);
    }
}

static void one_that_is_alone_loses_nothing(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat seat = stage_attach(&stage, 7, "a", 1);
    write_with_gaps(&stage, &seat, 0.01, 0.0015); /* many small files, say */
    write_with_gaps(&stage, &seat, 0.02, 0);      /* on a slow store */
    assert_true(is_near(stage_describe(&stage, &seat).stretch, 1));
    node_detach(stage.channel.node, stage.now, &seat);
    assert_true(is_near(last(&stage)->waited, 0) && is_near(last(&stage)->stretch, 1));
    stage_close(&stage);
}

static void gaps_between_calls_are_work(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat seat = stage_attach(&stage, 7, "a", 1), other = stage_attach(&stage, 7, "b", 2);
    stage_enter(&stage, &seat, 0);
    stage_enter(&stage, &other, 1); /* waits */
    stage_exit(&stage, &seat, 0);
    write_with_gaps(&stage, &seat, 0.01, 0.0016);
    node_detach(stage.channel.node, stage.now, &seat);
    /* 1 s inside calls, and .16 s outside; looks are a millisecond apart. */
    assert_true(fabs(last(&stage)->waited) < 0.05 && fabs(last(&stage)->io_time - 1) < 0.05);
    stage_close(&stage);
}

static void an_io_that_was_cut_short_counts(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat seat = stage_attach(&stage, 7, "a", 1);
    stage_begin(&stage, &seat, 500);
    move(&stage, &seat, 100, 1);
    node_detach(stage.channel.node, stage.now, &seat);
    assert_int_equal(last(&stage)->phases, 1);
    assert_true(last(&stage)->moved == 100 && is_near(last(&stage)->io_time, 1));
    stage_close(&stage);
}

/* 100 bytes at 100 bytes/s, then 400 at 10: ideal is 41 s, whatever the bandwidth is at the end. */
static void each_io_is_judged_by_the_bandwidth_of_its_time(void **state)
{
    (void)state;
    struct stage stage;
    struct err err;
    stage_open(&stage, "fcfs");
    struct seat seat = stage_attach(&stage, 7, "a", 1);
    do_io(&stage, &seat, 100, 1);
    struct wire_set set = {.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = 10};
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &set, &err), 0);
    do_io(&stage, &seat, 400, 40);
    set.value = 1000;
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &set, &err), 0);
    assert_true(is_near(stage_describe(&stage, &seat).stretch, 1));
    node_detach(stage.channel.node, stage.now, &seat);
    assert_true(is_near(last(&stage)->ideal, 41) && is_near(last(&stage)->stretch, 1));
    assert_true(is_near(last(&stage)->waited, 0));
    stage_close(&stage);
}

static struct seat attach(struct stage *stage, int32_t pid, uint32_t leader)
{
    struct err err = {0};
    struct seat seat = {.uid = 7, .pid = pid};
    struct wire_attach who = {
        .token = {1, 1}, .nodes = 1, .weight = 1, .leader = leader, .name = "a", .job = "1234"};
    assert_int_equal(channel_attach(&stage->channel, stage->now, &seat, &who, &err), 0);
    return seat;
}

static void an_application_is_known_by_its_leader(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat first = attach(&stage, 11, 0);
    struct seat second = attach(&stage, 12, 0);
    assert_int_equal(stage_describe(&stage, &first).pid, 11);
    struct seat leader = attach(&stage, 13, 1); /* to a controller that was restarted */
    assert_int_equal(stage_describe(&stage, &first).pid, 13);
    assert_string_equal(stage_describe(&stage, &first).job, "1234");
    node_detach(stage.channel.node, stage.now, &leader);
    node_detach(stage.channel.node, stage.now, &first);
    assert_int_equal(stage_describe(&stage, &second).pid, 12);
    node_detach(stage.channel.node, stage.now, &second);
    assert_int_equal(last(&stage)->pid, 12);
    assert_string_equal(last(&stage)->job, "1234");
    stage_close(&stage);
}

static void the_last_ones_are_kept(void **state)
{
    (void)state;
    static struct accounts accounts;
    struct wire_done done = {0};
    assert_int_equal(accounts_first(&accounts, 10), 0);
    assert_null(accounts_find(&accounts, 0));
    for (uint32_t i = 0; i < ACCOUNTS_KEPT + 5; i++) {
        done.pid = i;
        accounts_add(&accounts, &done);
    }
    assert_int_equal(accounts_first(&accounts, 10), ACCOUNTS_KEPT - 5);
    assert_int_equal(accounts_first(&accounts, UINT32_MAX), 5);
    assert_int_equal(accounts_first(&accounts, 0), ACCOUNTS_KEPT + 5);
    assert_null(accounts_find(&accounts, 4));
    for (uint32_t i = 5; i < ACCOUNTS_KEPT + 5; i++)
        assert_int_equal(accounts_find(&accounts, i)->pid, i);
    assert_null(accounts_find(&accounts, ACCOUNTS_KEPT + 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_tells_work_from_io_and_waiting),
        cmocka_unit_test(one_that_is_alone_loses_nothing),
        cmocka_unit_test(gaps_between_calls_are_work),
        cmocka_unit_test(an_io_that_was_cut_short_counts),
        cmocka_unit_test(each_io_is_judged_by_the_bandwidth_of_its_time),
        cmocka_unit_test(an_application_is_known_by_its_leader),
        cmocka_unit_test(the_last_ones_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
