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
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 5);
    crowd_join(&crowd, 3, 2, 5); /* with another number */
    assert_int_equal(gather_applications(crowd.gather), 1);
    assert_int_equal(gather_parts(crowd.gather), 2);
    assert_true(crowd.events[0].join.nodes == 1 && crowd.events[1].join.nodes == 2);
    assert_int_equal(crowd.events[0].join.app, crowd.events[1].join.app);
    crowd_heard(&crowd, "JOIN JOIN");
    crowd_join(&crowd, 3, 2, 5); /* repeated */
    crowd_heard(&crowd, "");
    crowd_join(&crowd, 3, 1, 6);
    assert_int_equal(crowd.events[0].join.app, 1);
    crowd_heard(&crowd, "JOIN");
    /* Another user's with the same token, and one with another name. */
    struct node_message event = {
        .type = NODE_JOIN,
        .join = {.app = 3, .uid = 8, .token = {5, 1}, .nodes = 1, .weight = 1, .name = "a"}};
    assert_int_equal(crowd_hear(&crowd, 3, event), 0);
    assert_int_equal(crowd.events[0].join.app, 2);
    event.join.uid = 7;
    strcpy(event.join.name, "b");
    assert_int_equal(crowd_hear(&crowd, 4, event), 0);
    assert_string_equal(crowd.events[1].join.name, "a");
    assert_true(crowd.events[1].join.nodes == 3);
    crowd_heard(&crowd, "JOIN JOIN");
    gather_free(crowd.gather);
}

static void nodes_are_those_that_were_said_or_that_are_there(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    struct node_message event = {
        .type = NODE_JOIN,
        .join = {.uid = 7, .token = {5, 1}, .nodes = 2, .weight = 1, .name = "a"}};
    static const double nodes[] = {2, 2, 3, 4};
    for (uint32_t member = 0; member < 4; member++) {
        assert_int_equal(crowd_hear(&crowd, member, event), 0);
        const struct node_message *last = &crowd.events[crowd.count - 1];
        assert_true(last->join.nodes == nodes[member]);
    }
    crowd_heard(&crowd, "JOIN JOIN JOIN");
    for (uint32_t member = 0; member < 3; member++) { /* 3, 2, and 2 again */
        crowd_leave(&crowd, member, 0, 0);
        assert_true(member == 2 || crowd.events[crowd.count - 1].join.nodes == nodes[2 - member]);
    }
    crowd_heard(&crowd, "PROGRESS JOIN PROGRESS JOIN PROGRESS");
    crowd_leave(&crowd, 3, 0, 0);
    crowd_heard(&crowd, "LEAVE");
    assert_int_equal(gather_applications(crowd.gather), 0);
    gather_free(crowd.gather);
}

static void numbers_are_used_again(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 5);
    crowd_join(&crowd, 0, 1, 6);
    crowd_leave(&crowd, 0, 0, 3);
    crowd_join(&crowd, 0, 0, 7);
    assert_int_equal(crowd.events[3].join.app, 0);
    assert_int_equal(crowd.events[3].join.token[0], 7);
    crowd_heard(&crowd, "JOIN JOIN LEAVE JOIN");
    /* The LEAVE before was lost. */
    crowd_join(&crowd, 0, 1, 8);
    assert_int_equal(crowd.events[1].join.app, 1);
    crowd_heard(&crowd, "LEAVE JOIN");
    gather_free(crowd.gather);
}

static void what_the_controller_refuses_does_not_exist(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd.refuses = true;
    struct node_message event = {
        .type = NODE_JOIN,
        .join = {.uid = 7, .token = {5, 1}, .nodes = 2, .weight = 1, .name = "a"}};
    assert_int_equal(crowd_hear(&crowd, 2, event), -1);
    assert_int_equal(gather_parts(crowd.gather), 0);
    crowd_heard(&crowd, "JOIN");
    crowd_post(&crowd, 2, 1, 10);
    crowd_leave(&crowd, 2, 0, 0);
    crowd_heard(&crowd, "");
    crowd.refuses = false;
    assert_int_equal(crowd_hear(&crowd, 2, event), 0);
    crowd_heard(&crowd, "JOIN");
    gather_free(crowd.gather);
}

static void without_memory_nothing_joins(void **state)
{
    (void)state;
    struct err err;
    struct crowd crowd;
    struct gather *gather = NULL;
    for (long n = 0; !gather; n++) {
        mem_fail_after(n);
        gather = gather_new(NULL, NULL, NULL, &err);
    }
    mem_fail_after(-1);
    gather_free(gather);
    crowd_open(&crowd);
    struct node_message event = {
        .type = NODE_JOIN,
        .join = {.uid = 7, .token = {5, 1}, .nodes = 2, .weight = 1, .name = "a"}};
    int failed = 0;
    for (long n = 0, status = -1; status != 0; n++) {
        mem_fail_after(n);
        status = crowd_hear(&crowd, 2, event);
        mem_fail_after(-1);
        failed += status != 0;
        assert_int_equal(gather_parts(crowd.gather), status == 0);
        assert_int_equal(gather_applications(crowd.gather), status == 0);
    }
    assert_true(failed >= 3); /* what could be had is kept for the next try */
    crowd_heard(&crowd, "JOIN");
    gather_free(crowd.gather);
}

/* --- one I/O ---------------------------------------------------------------------------------- */

static void one_io_begins_with_the_first_part_and_ends_with_the_last(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 0);
    crowd_join(&crowd, 1, 0, 0);
    crowd.count = 0;
    crowd_post(&crowd, 0, 1, 10);
    crowd_post(&crowd, 1, 1, 30);
    assert_true(crowd.events[0].post.volume == 10 && crowd.events[1].post.volume == 40);
    assert_true(crowd.events[0].post.phase == 1 && crowd.events[1].post.phase == 1);
    crowd_heard(&crowd, "POST POST");
    crowd_end(&crowd, 0, 1, 10);
    assert_true(crowd.events[0].progress.moved == 10);
    crowd_heard(&crowd, "PROGRESS");
    /* One begins its next I/O before the other has ended the last: that is one I/O for both. */
    crowd_post(&crowd, 0, 2, 5);
    assert_true(crowd.events[0].post.phase == 1 && crowd.events[0].post.volume == 45);
    crowd_heard(&crowd, "POST");
    crowd_end(&crowd, 1, 1, 30);
    crowd_heard(&crowd, "PROGRESS");
    crowd_end(&crowd, 0, 2, 15);
    assert_true(crowd.events[0].end.phase == 1 && crowd.events[0].end.moved == 45);
    crowd_heard(&crowd, "END");
    crowd_post(&crowd, 0, 3, 10);
    assert_true(crowd.events[0].post.phase == 2 && crowd.events[0].post.volume == 10);
    crowd_heard(&crowd, "POST");
    gather_free(crowd.gather);
}

static void a_volume_is_unknown_until_a_part_announces_some(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 0);
    crowd_join(&crowd, 1, 0, 0);
    crowd.count = 0;
    crowd_post(&crowd, 0, 1, 0);
    assert_true(crowd.events[0].post.volume == 0 && !crowd.events[0].post.announced);
    crowd_heard(&crowd, "POST");
    crowd_progress(&crowd, 0, 7);
    crowd_post(&crowd, 1, 1, 30);
    /* 7 bytes moved without a volume, and 30 to come. */
    assert_true(crowd.events[1].post.volume == 37 && crowd.events[1].post.announced);
    crowd_heard(&crowd, "PROGRESS POST");
    crowd_post(&crowd, 0, 1, 20); /* the 7 are among these */
    assert_true(crowd.events[0].post.volume == 50);
    crowd_post(&crowd, 0, 1, 20);
    crowd_post(&crowd, 0, 1, 0);
    crowd_heard(&crowd, "POST");
    gather_free(crowd.gather);
}

static void an_io_pauses_when_no_part_moves(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open_two(&crowd);
    crowd_pause(&crowd, 0, 1, false);
    crowd_heard(&crowd, "");
    crowd_end(&crowd, 1, 1, 10); /* the other one pauses */
    assert_true(crowd.events[0].pause.moved == 10 && !crowd.events[0].pause.probing);
    crowd_heard(&crowd, "PAUSE");
    crowd_post(&crowd, 1, 2, 3);
    assert_true(crowd.events[1].post.volume == 23);
    crowd_heard(&crowd, "RESUME POST");
    crowd_pause(&crowd, 1, 2, false);
    assert_true(crowd.events[0].pause.quiet == 0.5);
    crowd_pause(&crowd, 1, 2, false);
    crowd_heard(&crowd, "PAUSE");
    crowd_pause(&crowd, 1, 2, true); /* one is to prove that it moves */
    assert_true(crowd.events[0].pause.probing);
    crowd_heard(&crowd, "PAUSE");
    crowd_resume(&crowd, 1, 2);
    crowd_resume(&crowd, 0, 1);
    crowd_heard(&crowd, "RESUME");
    crowd_end(&crowd, 1, 2, 13);
    crowd_end(&crowd, 0, 1, 10);
    crowd_heard(&crowd, "PROGRESS END");
    gather_free(crowd.gather);
}

static void what_does_not_fit_does_nothing(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open_two(&crowd);
    crowd_pause(&crowd, 0, 2, false);
    crowd_resume(&crowd, 0, 1);
    crowd_end(&crowd, 0, 7, 5);
    crowd_end(&crowd, 5, 1, 5);
    crowd_heard(&crowd, "");
    crowd_end(&crowd, 0, 1, 5);
    crowd_end(&crowd, 1, 1, 5);
    crowd.count = 0;
    crowd_post(&crowd, 0, 1, 20); /* it is over */
    crowd_end(&crowd, 1, 1, 5);
    crowd_resume(&crowd, 1, 1);
    crowd_heard(&crowd, "");
    crowd_post(&crowd, 0, 2, 10);
    assert_true(crowd.events[0].post.volume == 10);
    gather_obey(crowd.gather, crowd.now,
                &(struct node_message){.type = NODE_GRANT, .grant = {.app = 9}});
    gather_free(crowd.gather);
}

static void an_end_that_was_lost_is_found_by_the_next_post(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 0);
    crowd_post(&crowd, 0, 1, 10);
    crowd_post(&crowd, 0, 2, 10);
    assert_int_equal(crowd.events[3].post.phase, 2);
    assert_true(crowd.events[3].post.volume == 10);
    crowd_heard(&crowd, "JOIN POST END POST");
    gather_free(crowd.gather);
}

static void a_part_that_leaves_or_is_lost_keeps_its_bytes(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open_two(&crowd);
    crowd_progress(&crowd, 0, 4);
    crowd_progress(&crowd, 1, 6);
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 0);
    assert_true(crowd.events[0].progress.moved == 10);
    assert_int_equal(crowd.events[0].progress.processes, 2);
    assert_int_equal(crowd.events[0].progress.pid, 0); /* of the PROGRESS of the other */
    crowd_heard(&crowd, "PROGRESS JOIN");
    crowd_join(&crowd, 2, 0, 0); /* one joins in the middle, */
    crowd_post(&crowd, 2, 1, 10);
    crowd_heard(&crowd, "JOIN POST");
    crowd_leave(&crowd, 1, 0, 9); /* and one leaves */
    assert_true(crowd.events[0].progress.moved == 13);
    crowd_heard(&crowd, "PROGRESS PROGRESS JOIN");
    crowd_leave(&crowd, 2, 0, 2);
    assert_true(crowd.events[0].leave.moved == 15);
    crowd_heard(&crowd, "LEAVE");
    gather_lose(crowd.gather, crowd.now, 5);
    gather_lose(crowd.gather, crowd.now, 500);
    gather_free(crowd.gather);
}

static void an_io_ends_when_the_part_that_has_it_leaves(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open_two(&crowd);
    crowd_end(&crowd, 1, 1, 10);
    crowd.count = 0;
    crowd_leave(&crowd, 0, 0, 3);
    assert_true(crowd.events[0].end.moved == 13);
    crowd_heard(&crowd, "END PROGRESS JOIN");
    gather_free(crowd.gather);
}

static void escapes_and_processes_are_those_of_all_parts(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open(&crowd);
    crowd_join(&crowd, 0, 0, 0);
    crowd_join(&crowd, 1, 0, 0);
    struct node_message event = {.type = NODE_PROGRESS,
                                 .progress = {.processes = 3,
                                              .uncontrolled = 1,
                                              .failure = 0,
                                              .escaped = 5,
                                              .why = WIRE_ESCAPE_RING,
                                              .pid = 11}};
    crowd_hear(&crowd, 0, event);
    event.progress = (struct node_progress){.processes = 2,
                                            .failure = WIRE_FAILURES_COUNT,
                                            .escaped = 8,
                                            .why = WIRE_ESCAPE_MEMORY,
                                            .pid = 12};
    crowd_hear(&crowd, 1, event);
    const struct node_progress *all = &crowd.events[crowd.count - 1].progress;
    assert_int_equal(all->processes, 5);
    assert_int_equal(all->uncontrolled, 1);
    assert_int_equal(all->failure, 0);
    assert_true(all->escaped == 13);
    assert_int_equal(all->why, WIRE_ESCAPE_MEMORY);
    assert_int_equal(all->pid, 11); /* of the oldest part */
    crowd.count = 0;
    gather_lose(crowd.gather, crowd.now, 0);
    all = &crowd.events[0].progress;
    assert_int_equal(all->processes, 2);
    assert_int_equal(all->uncontrolled, 0);
    assert_true(all->escaped == 13);
    assert_int_equal(all->pid, 12);
    gather_free(crowd.gather);
}

/* --- reports ---------------------------------------------------------------------------------- */

static void what_a_report_does_not_hold_is_over(void **state)
{
    (void)state;
    struct crowd crowd;
    crowd_open_two(&crowd);
    crowd_join(&crowd, 0, 1, 9);
    crowd_pause(&crowd, 1, 1, false);
    crowd.count = 0;
    gather_report_begins(crowd.gather, 0);
    crowd_join(&crowd, 0, 0, 0);
    crowd_post(&crowd, 0, 1, 10);
    gather_report_ends(crowd.gather, crowd.now, 0);
    crowd_heard(&crowd, "LEAVE"); /* of the one with token 9 */
    gather_report_begins(crowd.gather, 0);
    crowd_join(&crowd, 0, 0, 0);
    gather_report_ends(crowd.gather, crowd.now, 0);
    crowd_heard(&crowd, "PAUSE"); /* its END was lost, and the other one pauses */
    gather_report_begins(crowd.gather, 1);
    crowd_join(&crowd, 1, 0, 0);
    crowd_post(&crowd, 1, 1, 10);
    gather_report_ends(crowd.gather, crowd.now, 1);
    crowd_heard(&crowd, "RESUME"); /* its RESUME was lost */
    gather_report_begins(crowd.gather, 1);
    gather_report_begins(crowd.gather, 1);
    gather_report_ends(crowd.gather, crowd.now, 1);
    crowd_heard(&crowd, "END PROGRESS JOIN");
    gather_report_begins(crowd.gather, 7);
    gather_report_ends(crowd.gather, crowd.now, 7);
    gather_free(crowd.gather);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_one_identity_are_one_application),
        cmocka_unit_test(nodes_are_those_that_were_said_or_that_are_there),
        cmocka_unit_test(numbers_are_used_again),
        cmocka_unit_test(what_the_controller_refuses_does_not_exist),
        cmocka_unit_test(without_memory_nothing_joins),
        cmocka_unit_test(one_io_begins_with_the_first_part_and_ends_with_the_last),
        cmocka_unit_test(a_volume_is_unknown_until_a_part_announces_some),
        cmocka_unit_test(an_io_pauses_when_no_part_moves),
        cmocka_unit_test(what_does_not_fit_does_nothing),
        cmocka_unit_test(an_end_that_was_lost_is_found_by_the_next_post),
        cmocka_unit_test(a_part_that_leaves_or_is_lost_keeps_its_bytes),
        cmocka_unit_test(an_io_ends_when_the_part_that_has_it_leaves),
        cmocka_unit_test(escapes_and_processes_are_those_of_all_parts),
        cmocka_unit_test(what_a_report_does_not_hold_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
