/* What holds without a connection, and after agents and controllers were restarted. */
#include "cluster/frame.h"
#include "common_hub.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- leases ----------------------------------------------------------------------------------- */

static void programs_run_free_when_the_lease_ends_and_come_back(void **state)
{
    (void)state;
    program_hold(0, 60);
    world_pass(10); /* beats renew it */
    assert_false(program_is_free(0));
    agent_cut(0);
    world_pass(2.9);
    assert_false(program_is_free(0));
    assert_held(60);
    world_pass(1.15);
    assert_true(program_is_free(0));
    assert_held(0);
    world_forget();
    agent_connect(0);
    world_settle();
    assert_heard("0:begins 0:JOIN 0:POST 0:RESUME 0:PROGRESS 0:ends");
    world_grant(0, 30);
    world_settle();
    assert_false(program_is_free(0));
    assert_rate(0, 30);
}

static void programs_fall_to_a_floor_if_there_is_one(void **state)
{
    (void)state;
    world.agents[0].floor = 5;
    agent_restart(0);
    program_post(0); /* no controller has ever answered */
    assert_rate(0, 5);
    agent_connect(0);
    world_settle();
    world_grant(0, 60);
    world_settle();
    assert_rate(0, 60);
    agent_cut(0);
    world_pass(4.1);
    assert_false(program_is_free(0));
    assert_rate(0, 5);
    program_end(0);
    program_post(0);
    assert_rate(0, 5);
}

static void an_agent_that_comes_back_in_time_keeps_what_it_holds(void **state)
{
    (void)state;
    program_hold(0, 60);
    agent_cut(0);
    world_pass(1);
    world_grant(0, 40); /* it does not hear of it now */
    world_settle();
    assert_held(60);
    agent_connect(0);
    world_settle();
    assert_false(program_is_free(0));
    assert_rate(0, 40);
    assert_held(40);
}

static void a_program_without_a_controller_waits_at_most_for_the_lease(void **state)
{
    (void)state;
    world_pass(20); /* an agent that needs nothing says nothing */
    uint64_t before = hub_counts(world.hub).received;
    world_pass(20);
    assert_int_equal(hub_counts(world.hub).received, before);
    program_post(0);
    for (int i = 0; i < 79; i++) {
        world.now += 50 * MS;
        world_agents();
        mail_drop(&world.up); /* the controller hears nothing */
        assert_false(program_is_free(0));
    }
    world.now += 50 * MS;
    world_agents();
    assert_true(program_is_free(0));
}

static void a_late_frame_renews_nothing(void **state)
{
    (void)state;
    program_wait(0);
    world_grant(0, 60);
    world_hub();
    world.now += 4 * (uint64_t)S; /* the grant is under way for as long as it is valid */
    world_deliver_down();
    assert_rate(0, 0);
    world_agents();
    assert_true(program_is_free(0));
}

/* --- restarts --------------------------------------------------------------------------------- */

static void what_a_restarted_agent_held_counts_until_its_lease_ends(void **state)
{
    (void)state;
    program_hold(0, 60);
    agent_restart(0);
    world_forget();
    agent_connect(0); /* before the end of its old connection is noticed */
    assert_int_equal(world.closed, 1);
    assert_int_equal(world.agents[0].member, 1);
    assert_heard("0:lost");
    world_settle();
    program_hold(0, 100);
    assert_rate(0, 40); /* what is left of it */
    world_pass(4.1);
    assert_rate(0, 100);
}

/* Another controller takes over, which knows so much of what agents hold. */
static void change_controllers(const double *held)
{
    agent_cut(0);
    agent_cut(1);
    world_lead_after(2, held);
    agent_connect(0);
    agent_connect(1);
    world_settle();
}

static void a_new_controller_raises_into_what_was_reported_for_a_lease(void **state)
{
    (void)state;
    program_hold(0, 60);
    change_controllers(NULL);
    assert_held(60);
    program_wait(1);
    world_grant(0, 50);
    world_grant(1, 50);
    world_settle();
    assert_rate(0, 50); /* lowered at once, */
    assert_rate(1, 10); /* which the other one gets: together 60; */
    world_pass(3.9);
    assert_rate(0, 50); /* renewed, */
    assert_rate(1, 10);
    world_pass(0.2);
    assert_rate(1, 50); /* and raised later */
}

static void a_controller_that_follows_one_that_knew_begins_at_once(void **state)
{
    (void)state;
    program_hold(0, 60);
    const double held = hub_owed(world.hub, 0, HUB_NONE);
    assert_true(held == 60);
    change_controllers(&held);
    program_wait(1);
    world_grant(0, 50);
    world_grant(1, 50);
    world_settle();
    assert_rate(0, 50);
    assert_rate(1, 50);
}

static void what_an_agent_does_not_report_is_held_for_a_lease(void **state)
{
    (void)state;
    program_hold(0, 60);
    const double held = 80; /* another agent, which is cut off, has 20 */
    change_controllers(&held);
    program_wait(1);
    world_grant(0, 60);
    world_grant(1, 40);
    world_settle();
    assert_rate(1, 20);
    assert_true(fabs(hub_owed(world.hub, 0, HUB_NONE) - 100) < 1e-6); /* should this one end too */
    world_pass(4.1);
    assert_rate(1, 40);
}

static void a_program_waits_for_one_lease_over_two_controllers(void **state)
{
    (void)state;
    program_hold(0, 100);
    program_wait(1);
    agent_cut(1); /* the controller ends, */
    world_pass(3);
    assert_false(program_is_free(1));
    agent_cut(0);
    world_lead(2); /* and is back after 3 s, when it cannot grant anything */
    agent_connect(1);
    world_pass(0.9);
    assert_false(program_is_free(1));
    world_pass(0.2);
    assert_true(program_is_free(1));
    world_grant(1, 50);
    world_pass(3.1); /* 4.1 s after it is back */
    assert_rate(1, 50);
}

static void an_old_controller_steps_down_and_is_not_obeyed(void **state)
{
    (void)state;
    program_wait(0);
    world_grant(0, 60);
    world_hub();
    /* A frame of a new controller overtakes the grant. */
    struct frame frame;
    struct err err = {0};
    frame_clear(&frame);
    frame_seal(&frame, &(struct frame_head){.epoch = 9, .sequence = 5});
    assert_int_equal(uplink_frame(world.agents[0].uplink, world.now, frame.bytes, frame.size, &err),
                     0);
    assert_int_equal(uplink_epoch(world.agents[0].uplink), 9);
    assert_int_equal(uplink_frame(world.agents[0].uplink, world.now, world.down.parcels[0].bytes,
                                  world.down.parcels[0].size, &err),
                     -1);
    assert_string_equal(err.text, "another controller has taken its place");
    assert_rate(0, 0);
    mail_drop(&world.down);
    world_agents();
    world_deliver_up(); /* it hears that it was replaced */
    assert_false(hub_is_active(world.hub));
    assert_int_equal(world.superseded, 9);
    assert_int_equal(hub_heard(world.hub), 9);
}

/* Whatever an agent says that it has heard of, there is an epoch that all agents obey. */
static void epochs_never_begin_again(void **state)
{
    struct err err = {0};
    (void)state;
    struct hub_hello liar = {"n9", 1, UINT64_MAX, 1};
    assert_int_equal(hub_connect(world.hub, world.now, &liar, &err), HUB_NONE);
    assert_true(hub_is_active(world.hub));
    assert_int_equal(hub_heard(world.hub), 1);
    liar.epoch = FRAME_LAST_EPOCH;
    assert_int_equal(hub_connect(world.hub, world.now, &liar, &err), HUB_NONE);
    assert_false(hub_is_active(world.hub));
    assert_true(hub_next_epoch(world.hub, 7) == FRAME_LAST_EPOCH);
    /* A controller that starts then, and the one after it, are obeyed. */
    for (int i = 0; i < 2; i++) {
        agent_cut(0);
        world_lead(FRAME_LAST_EPOCH);
        agent_connect(0);
        world_pass(4.1);
        assert_true(uplink_epoch(world.agents[0].uplink) == FRAME_LAST_EPOCH);
        if (i == 0)
            program_post(0);
        world_settle();
        world_grant(0, 30 + i);
        world_settle();
        assert_rate(0, 30 + i);
    }
    struct frame frame;
    frame_clear(&frame);
    frame_seal(&frame, &(struct frame_head){.epoch = FRAME_LAST_EPOCH + 1, .sequence = 99});
    assert_int_equal(uplink_frame(world.agents[0].uplink, world.now, frame.bytes, frame.size, &err),
                     -1);
    assert_string_equal(err.text, "the frame has an epoch that no controller can have");
}

static void of_several_controllers_only_the_first_needs_no_election(void **state)
{
    (void)state;
    struct uplink *uplink = world.agents[0].uplink;
    struct frame frame;
    struct err err = {0};
    frame_clear(&frame);
    frame_seal(&frame, &(struct frame_head){.epoch = 9, .sequence = 50, .flags = FRAME_ALONE});
    uplink_demand_election(uplink, true); /* it is the second of a list */
    assert_int_equal(uplink_frame(uplink, world.now, frame.bytes, frame.size, &err), -1);
    assert_string_equal(err.text,
                        "it is not elected: of several controllers only the first is used");
    assert_int_equal(uplink_epoch(uplink), 1); /* nothing of it counts */
    uplink_demand_election(uplink, false);
    assert_int_equal(uplink_frame(uplink, world.now, frame.bytes, frame.size, &err), 0);
    assert_true(uplink_is_alone(uplink));
}

static void an_elected_controller_is_silent_after_its_term(void **state)
{
    struct err err = {0};
    (void)state;
    program_wait(0);
    hub_extend(world.hub, world.now + S);
    world_grant(0, 60);
    world.now += S;
    world_hub();
    assert_int_equal(world.down.count, 0);
    assert_false(hub_is_active(world.hub));
    const struct hub_hello hello = {"n9", 1, 0, 1};
    assert_int_equal(hub_connect(world.hub, world.now, &hello, &err), HUB_NONE);
    assert_string_equal(err.text, "this controller is not active");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_AGENTS(1, programs_run_free_when_the_lease_ends_and_come_back),
        WITH_AGENTS(1, programs_fall_to_a_floor_if_there_is_one),
        WITH_AGENTS(1, an_agent_that_comes_back_in_time_keeps_what_it_holds),
        WITH_AGENTS(1, a_program_without_a_controller_waits_at_most_for_the_lease),
        WITH_AGENTS(1, a_late_frame_renews_nothing),
        WITH_AGENTS(1, what_a_restarted_agent_held_counts_until_its_lease_ends),
        WITH_AGENTS(2, a_new_controller_raises_into_what_was_reported_for_a_lease),
        WITH_AGENTS(2, a_controller_that_follows_one_that_knew_begins_at_once),
        WITH_AGENTS(2, what_an_agent_does_not_report_is_held_for_a_lease),
        WITH_AGENTS(2, a_program_waits_for_one_lease_over_two_controllers),
        WITH_AGENTS(1, an_old_controller_steps_down_and_is_not_obeyed),
        WITH_AGENTS(1, epochs_never_begin_again),
        WITH_AGENTS(1, of_several_controllers_only_the_first_needs_no_election),
        WITH_AGENTS(1, an_elected_controller_is_silent_after_its_term),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
