/* What the controller hears of many nodes. */
#include "base/mem.h"
#include "common_crowd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* --- coming and going ------------------------------------------------------------------------- */

static void parts_of_one_identity_are_one_application(void **state)
{
    (void)state;
    crowd_join(0, 0, 5);
    crowd_join(3, 2, 5); /* with another number */
    assert_int_equal(gather_applications(crowd.gather), 1);
    assert_int_equal(gather_parts(crowd.gather), 2);
    assert_true(crowd.events[0].join.nodes == 1 && crowd.events[1].join.nodes == 2);
    assert_int_equal(crowd.events[0].join.app, crowd.events[1].join.app);
    crowd_heard("JOIN JOIN");
    crowd_join(3, 2, 5); /* repeated */
    crowd_heard("");
    crowd_join(3, 1, 6);
    assert_int_equal(crowd.events[0].join.app, 1);
    crowd_heard("JOIN");
    /* Another user's with the same token, and one with another name. */
    struct node_message event = crowd_joining(5, 1);
    event.join.app = 3;
    event.join.uid = 8;
    assert_int_equal(crowd_hear(3, event), 0);
    assert_int_equal(crowd.events[0].join.app, 2);
    event.join.uid = 7;
    strcpy(event.join.name, "b");
    assert_int_equal(crowd_hear(4, event), 0);
    assert_string_equal(crowd.events[1].join.name, "a");
    assert_true(crowd.events[1].join.nodes == 3);
    crowd_heard("JOIN JOIN");
}

static void nodes_are_those_that_were_said_or_that_are_there(void **state)
{
    (void)state;
    struct node_message event = crowd_joining(5, 2);
    static const double nodes[] = {2, 2, 3, 4};
    for (uint32_t member = 0; member < 4; member++) {
        assert_int_equal(crowd_hear(member, event), 0);
        const struct node_message *last = &crowd.events[crowd.count - 1];
        assert_true(last->join.nodes == nodes[member]);
    }
    crowd_heard("JOIN JOIN JOIN");
    for (uint32_t member = 0; member < 3; member++) { /* 3, 2, and 2 again */
        crowd_leave(member, 0, 0);
        assert_true(member == 2 || crowd.events[crowd.count - 1].join.nodes == nodes[2 - member]);
    }
    crowd_heard("PROGRESS JOIN PROGRESS JOIN PROGRESS");
    crowd_leave(3, 0, 0);
    crowd_heard("LEAVE");
    assert_int_equal(gather_applications(crowd.gather), 0);
}

static void numbers_are_used_again(void **state)
{
    (void)state;
    crowd_join(0, 0, 5);
    crowd_join(0, 1, 6);
    crowd_leave(0, 0, 3);
    crowd_join(0, 0, 7);
    assert_int_equal(crowd.events[3].join.app, 0);
    assert_int_equal(crowd.events[3].join.token[0], 7);
    crowd_heard("JOIN JOIN LEAVE JOIN");
    /* The LEAVE before was lost. */
    crowd_join(0, 1, 8);
    assert_int_equal(crowd.events[1].join.app, 1);
    crowd_heard("LEAVE JOIN");
}

static void what_the_controller_refuses_does_not_exist(void **state)
{
    (void)state;
    crowd.refuses = true;
    struct node_message event = crowd_joining(5, 2);
    assert_int_equal(crowd_hear(2, event), -1);
    assert_int_equal(gather_parts(crowd.gather), 0);
    crowd_heard("JOIN");
    crowd_post(2, 1, 10);
    crowd_leave(2, 0, 0);
    crowd_heard("");
    crowd.refuses = false;
    assert_int_equal(crowd_hear(2, event), 0);
    crowd_heard("JOIN");
}

static void without_memory_nothing_joins(void **state)
{
    (void)state;
    struct err err;
    struct gather *gather = NULL;
    for (long n = 0; !gather; n++) {
        mem_fail_after(n);
        gather = gather_new((struct event_sink){0}, NULL, NULL, &err);
    }
    mem_fail_after(-1);
    gather_free(gather);
    struct node_message event = crowd_joining(5, 2);
    int failed = 0;
    for (long n = 0, status = -1; status != 0; n++) {
        mem_fail_after(n);
        status = crowd_hear(2, event);
        mem_fail_after(-1);
        failed += status != 0;
        assert_int_equal(gather_parts(crowd.gather), status == 0);
        assert_int_equal(gather_applications(crowd.gather), status == 0);
    }
    assert_true(failed >= 3); /* what could be had is kept for the next try */
    crowd_heard("JOIN");
}

/* --- one I/O ---------------------------------------------------------------------------------- */

static void one_io_begins_with_the_first_part_and_ends_with_the_last(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_join(1, 0, 0);
    crowd.count = 0;
    crowd_post(0, 1, 10);
    crowd_post(1, 1, 30);
    assert_true(crowd.events[0].post.volume == 10 && crowd.events[1].post.volume == 40);
    assert_true(crowd.events[0].post.phase == 1 && crowd.events[1].post.phase == 1);
    crowd_heard("POST POST");
    crowd_end(0, 1, 10);
    assert_true(crowd.events[0].progress.moved == 10);
    crowd_heard("PROGRESS");
    /* One begins its next I/O before the other has ended the last: that is one I/O for both. */
    crowd_post(0, 2, 5);
    assert_true(crowd.events[0].post.phase == 1 && crowd.events[0].post.volume == 45);
    crowd_heard("POST");
    crowd_end(1, 1, 30);
    crowd_heard("PROGRESS");
    crowd_end(0, 2, 15);
    assert_true(crowd.events[0].end.phase == 1 && crowd.events[0].end.moved == 45);
    crowd_heard("END");
    crowd_post(0, 3, 10);
    assert_true(crowd.events[0].post.phase == 2 && crowd.events[0].post.volume == 10);
    crowd_heard("POST");
}

static void a_volume_is_unknown_until_a_part_announces_some(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_join(1, 0, 0);
    crowd.count = 0;
    crowd_post(0, 1, 0);
    assert_true(crowd.events[0].post.volume == 0 && !crowd.events[0].post.announced);
    crowd_heard("POST");
    crowd_progress(0, 7);
    crowd_post(1, 1, 30);
    /* 7 bytes moved without a volume, and 30 to come. */
    assert_true(crowd.events[1].post.volume == 37 && crowd.events[1].post.announced);
    crowd_heard("PROGRESS POST");
    crowd_post(0, 1, 20); /* the 7 are among these */
    assert_true(crowd.events[0].post.volume == 50);
    crowd_post(0, 1, 20);
    crowd_post(0, 1, 0);
    crowd_heard("POST");
}

/* 7 bytes were moved without a volume, in the I/O before. */
static void what_was_moved_in_one_io_is_not_part_of_the_next(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_join(1, 0, 0);
    crowd_post(0, 1, 0);
    crowd_progress(0, 7);
    crowd_end(0, 1, 7);
    crowd.count = 0;
    crowd_post(1, 1, 30);
    assert_true(crowd.events[0].post.volume == 30);
    crowd_heard("POST");
}

static void an_io_pauses_when_no_part_moves(void **state)
{
    (void)state;
    crowd_pause(0, 1, false);
    crowd_heard("");
    crowd_end(1, 1, 10); /* the other one pauses */
    assert_true(crowd.events[0].pause.moved == 10 && !crowd.events[0].pause.probing);
    crowd_heard("PAUSE");
    crowd_post(1, 2, 3);
    assert_true(crowd.events[1].post.volume == 23);
    crowd_heard("RESUME POST");
    crowd_pause(1, 2, false);
    assert_true(crowd.events[0].pause.quiet == 0.5);
    crowd_pause(1, 2, false);
    crowd_heard("PAUSE");
    crowd_pause(1, 2, true); /* one is to prove that it moves */
    assert_true(crowd.events[0].pause.probing);
    crowd_heard("PAUSE");
    crowd_resume(1, 2);
    crowd_resume(0, 1);
    crowd_heard("RESUME");
    crowd_end(1, 2, 13);
    crowd_end(0, 1, 10);
    crowd_heard("PROGRESS END");
}

static void what_does_not_fit_does_nothing(void **state)
{
    (void)state;
    crowd_pause(0, 2, false);
    crowd_resume(0, 1);
    crowd_end(0, 7, 5);
    crowd_end(5, 1, 5);
    crowd_heard("");
    crowd_end(0, 1, 5);
    crowd_end(1, 1, 5);
    crowd.count = 0;
    crowd_post(0, 1, 20); /* it is over */
    crowd_end(1, 1, 5);
    crowd_resume(1, 1);
    crowd_heard("");
    crowd_post(0, 2, 10);
    assert_true(crowd.events[0].post.volume == 10);
    gather_obey(crowd.gather, crowd.now,
                &(struct node_message){.type = NODE_GRANT, .grant = {.app = 9}});
}

static void an_end_that_was_lost_is_found_by_the_next_post(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_post(0, 1, 10);
    crowd_post(0, 2, 10);
    assert_int_equal(crowd.events[3].post.phase, 2);
    assert_true(crowd.events[3].post.volume == 10);
    crowd_heard("JOIN POST END POST");
}

static void a_part_that_leaves_or_is_lost_keeps_its_bytes(void **state)
{
    (void)state;
    crowd_progress(0, 4);
    crowd_progress(1, 6);
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 0, false);
    assert_true(crowd.events[0].progress.moved == 10);
    assert_int_equal(crowd.events[0].progress.processes, 2);
    assert_int_equal(crowd.events[0].progress.pid, 0); /* of the PROGRESS of the other */
    crowd_heard("PROGRESS JOIN");
    crowd_join(2, 0, 0); /* one joins in the middle, */
    crowd_post(2, 1, 10);
    crowd_heard("JOIN POST");
    crowd_leave(1, 0, 9); /* and one leaves */
    assert_true(crowd.events[0].progress.moved == 13);
    crowd_heard("PROGRESS PROGRESS JOIN");
    crowd_leave(2, 0, 2);
    assert_true(crowd.events[0].leave.moved == 15);
    crowd_heard("LEAVE");
    gather_lose(crowd.gather, crowd.now, 5, false);
    gather_lose(crowd.gather, crowd.now, 500, false);
}

/* A member joins with application 0 of token 0, whose bytes have this counter. */
static void join_counted(uint32_t member, uint64_t counter)
{
    struct node_message event = crowd_joining(0, 1);
    event.join.counter[0] = 77;
    event.join.counter[1] = counter;
    assert_int_equal(crowd_hear(member, event), 0);
}

static void a_part_that_comes_back_counts_no_byte_twice(void **state)
{
    (void)state;
    join_counted(0, 1);
    crowd_progress(0, 40);
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 0, false);
    assert_int_equal(gather_applications(crowd.gather), 0);
    crowd_heard("PROGRESS"); /* it is not closed */
    crowd.now += 59000 * (uint64_t)MS;
    gather_expire(crowd.gather, crowd.now);
    crowd_heard("");
    join_counted(3, 1); /* the same agent, which is another member now */
    crowd_progress(3, 50);
    assert_true(crowd.events[crowd.count - 1].progress.moved == 50);
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 3, true);
    join_counted(3, 2); /* another start of it: its programs count from 0 */
    crowd_progress(3, 5);
    assert_true(crowd.events[crowd.count - 1].progress.moved == 55);
    crowd.now += 5000 * (uint64_t)MS; /* nobody comes back with the first counter */
    crowd.count = 0;
    crowd_leave(3, 0, 6);
    assert_true(crowd.events[0].leave.moved == 56);
    crowd_heard("LEAVE");
}

static void a_part_that_stays_away_is_closed_and_remembered(void **state)
{
    (void)state;
    join_counted(0, 1);
    crowd_progress(0, 40);
    gather_lose(crowd.gather, crowd.now, 0, false);
    crowd.now += 30000 * (uint64_t)MS;
    gather_await(crowd.gather, crowd.now); /* this controller could not be reached */
    crowd.now += 59000 * (uint64_t)MS;
    gather_expire(crowd.gather, crowd.now);
    crowd.count = 0;
    crowd.now += 1000 * (uint64_t)MS;
    gather_expire(crowd.gather, crowd.now);
    assert_true(crowd.events[0].leave.moved == 40);
    crowd_heard("LEAVE");
    join_counted(1, 1); /* it was away for long */
    crowd_progress(1, 45);
    assert_true(crowd.events[crowd.count - 1].progress.moved == 5);
}

static void a_part_that_ended_while_it_was_away_has_all_of_its_bytes(void **state)
{
    struct node_message gone = {
        .type = NODE_GONE,
        .gone = {.uid = crowd_joining(0, 1).join.uid,
                 .token = {crowd_joining(0, 1).join.token[0], crowd_joining(0, 1).join.token[1]},
                 .counter = {77, 1},
                 .moved = 44}};
    (void)state;
    join_counted(0, 1);
    crowd_progress(0, 40);
    gather_lose(crowd.gather, crowd.now, 0, false);
    crowd.count = 0;
    assert_int_equal(gather_hear(crowd.gather, crowd.now, 3, &gone, NULL), 0);
    assert_true(crowd.events[crowd.count - 1].leave.moved == 44);
    crowd_heard("PROGRESS LEAVE");
    assert_int_equal(gather_hear(crowd.gather, crowd.now, 3, &gone, NULL), 0);
    crowd_heard(""); /* again: it has one account */
    join_counted(0, 1);
    crowd.count = 0;
    gather_hear(crowd.gather, crowd.now, 0, &gone, NULL); /* its LEAVE was lost */
    assert_true(crowd.events[0].leave.moved == 44);
    crowd_heard("LEAVE");
}

static void an_io_ends_when_the_part_that_has_it_leaves(void **state)
{
    (void)state;
    crowd_end(1, 1, 10);
    crowd.count = 0;
    crowd_leave(0, 0, 3);
    assert_true(crowd.events[0].end.moved == 13);
    crowd_heard("END PROGRESS JOIN");
}

static void tell_need(uint32_t member, double rate)
{
    const struct node_message event = {.type = NODE_NEED, .need = {.rate = rate}};
    crowd_hear(member, event);
}

static void it_can_use_what_its_parts_with_an_io_can_use(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_join(1, 0, 0);
    crowd_post(0, 1, 0);
    crowd.count = 0;
    tell_need(0, 30);
    assert_true(crowd.events[0].need.rate == 30);
    crowd_heard("NEED");
    crowd_post(1, 1, 0); /* it may need all */
    assert_true(crowd.events[0].need.rate == 0);
    crowd_heard("NEED");
    tell_need(1, 12);
    assert_true(crowd.events[0].need.rate == 42);
    crowd_heard("NEED");
    crowd_end(0, 1, 0);
    assert_true(crowd.events[0].need.rate == 12);
    crowd_heard("NEED");
}

static void escapes_and_processes_are_those_of_all_parts(void **state)
{
    (void)state;
    crowd_join(0, 0, 0);
    crowd_join(1, 0, 0);
    struct node_message event = {.type = NODE_PROGRESS,
                                 .progress = {.processes = 3,
                                              .uncontrolled = 1,
                                              .failure = WIRE_FAILED_PAGES,
                                              .escaped = 5,
                                              .why = WIRE_ESCAPE_RING,
                                              .pid = 11}};
    crowd_hear(0, event);
    event.progress = (struct node_progress){.processes = 2,
                                            .failure = WIRE_FAILED_NONE,
                                            .escaped = 8,
                                            .why = WIRE_ESCAPE_MEMORY,
                                            .pid = 12};
    crowd_hear(1, event);
    const struct node_progress *all = &crowd.events[crowd.count - 1].progress;
    assert_int_equal(all->processes, 5);
    assert_int_equal(all->uncontrolled, 1);
    assert_int_equal(all->failure, WIRE_FAILED_PAGES);
    assert_true(all->escaped == 13);
    assert_int_equal(all->why, WIRE_ESCAPE_MEMORY);
    assert_int_equal(all->pid, 11); /* of the oldest part */
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 0, false);
    all = &crowd.events[0].progress;
    assert_int_equal(all->processes, 2);
    assert_int_equal(all->uncontrolled, 0);
    assert_true(all->escaped == 13);
    assert_int_equal(all->pid, 12);
}

/* --- reports ---------------------------------------------------------------------------------- */

static void what_a_report_does_not_hold_is_over(void **state)
{
    (void)state;
    crowd_join(0, 1, 9);
    crowd_pause(1, 1, false);
    crowd.count = 0;
    crowd_report(0, 1);
    crowd_heard("LEAVE"); /* of the one with token 9 */
    crowd_report(0, 0);
    crowd_heard("PAUSE"); /* its END was lost, and the other one pauses */
    crowd_report(1, 1);
    crowd_heard("RESUME"); /* its RESUME was lost */
    gather_report_begins(crowd.gather, 1);
    gather_report_begins(crowd.gather, 1);
    gather_report_ends(crowd.gather, crowd.now, 1);
    crowd_heard("END PROGRESS JOIN");
    gather_report_begins(crowd.gather, 7);
    gather_report_ends(crowd.gather, crowd.now, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_NONE(parts_of_one_identity_are_one_application),
        WITH_NONE(nodes_are_those_that_were_said_or_that_are_there),
        WITH_NONE(numbers_are_used_again),
        WITH_NONE(what_the_controller_refuses_does_not_exist),
        WITH_NONE(without_memory_nothing_joins),
        WITH_NONE(one_io_begins_with_the_first_part_and_ends_with_the_last),
        WITH_NONE(a_volume_is_unknown_until_a_part_announces_some),
        WITH_NONE(what_was_moved_in_one_io_is_not_part_of_the_next),
        WITH_TWO(an_io_pauses_when_no_part_moves),
        WITH_TWO(what_does_not_fit_does_nothing),
        WITH_NONE(an_end_that_was_lost_is_found_by_the_next_post),
        WITH_TWO(a_part_that_leaves_or_is_lost_keeps_its_bytes),
        WITH_NONE(a_part_that_comes_back_counts_no_byte_twice),
        WITH_NONE(a_part_that_stays_away_is_closed_and_remembered),
        WITH_NONE(a_part_that_ended_while_it_was_away_has_all_of_its_bytes),
        WITH_TWO(an_io_ends_when_the_part_that_has_it_leaves),
        WITH_NONE(it_can_use_what_its_parts_with_an_io_can_use),
        WITH_NONE(escapes_and_processes_are_those_of_all_parts),
        WITH_TWO(what_a_report_does_not_hold_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
