/* Orders of a hub, and what it does about lost and odd frames, and about two agents of one name. */
#include "base/mem.h"
#include "cluster/frame.h"
#include "common_hub.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- grants ----------------------------------------------------------------------------------- */

static void an_event_comes_back_as_a_grant_in_one_turn(void **state)
{
    (void)state;
    program_post(0);
    world_agents();
    assert_int_equal(world.up.count, 1); /* JOIN, POST */
    world_deliver_up();
    assert_heard("0:JOIN 0:POST 0:PROGRESS");
    world_grant(0, 60);
    world_hub();
    assert_int_equal(world.down.count, 1);
    world_deliver_down();
    assert_rate(0, 60);
    assert_held(60);
    world_agents();
    assert_int_equal(world.up.count, 0); /* a raise needs no answer */
}

static void a_grant_is_raised_when_what_it_needs_is_acknowledged(void **state)
{
    (void)state;
    program_hold(0, 100);
    program_wait(1);
    world_grant(0, 50);
    world_grant(1, 50);
    world_hub();
    assert_int_equal(world.down.count, 1); /* the second waits for the first */
    world_deliver_down();
    assert_rate(0, 50);
    assert_held(100);
    world_agents();
    assert_int_equal(world.up.count, 1); /* acknowledged at once */
    world_deliver_up();
    world_answer();
    assert_rate(1, 50);
}

static void a_pause_or_an_end_frees_bandwidth_without_an_order(void **state)
{
    (void)state;
    program_hold(0, 100);
    program_wait(1);
    program_end(0);
    world_tell();
    assert_held(0);
    world_grant(1, 100);
    world_answer();
    assert_rate(1, 100);
}

static void a_grant_that_crosses_a_pause_is_not_obeyed(void **state)
{
    (void)state;
    program_wait(0);
    world_grant(0, 80);
    world_hub(); /* it is under way, */
    struct node_app *app = world.agents[0].seat.app;
    uplink_hear(world.agents[0].uplink, world.now, 0,
                &(struct node_message){.type = NODE_PAUSE, .pause = {.phase = app->number}});
    uplink_hear(world.agents[0].uplink, world.now, 0,
                &(struct node_message){.type = NODE_RESUME, .resume = {.phase = app->number}});
    world_deliver_down();
    assert_rate(0, 0);
    world_settle(); /* the controller hears of the pause, and its order holds again */
    assert_rate(0, 80);
}

/* --- lost frames ------------------------------------------------------------------------------ */

static void a_lost_event_is_made_up_for_by_a_report(void **state)
{
    (void)state;
    program_post(0);
    world_agents();
    mail_drop(&world.up);
    world_pass(1.1); /* the next beat shows the gap */
    assert_heard("0:begins 0:JOIN 0:POST 0:RESUME 0:PROGRESS 0:ends");
    world_grant(0, 60);
    world_hub();
    mail_drop(&world.down); /* the same in the other direction */
    world_pass(1.1);
    assert_rate(0, 60);
}

static void an_application_that_a_report_lacks_has_left(void **state)
{
    (void)state;
    program_hold(0, 60);
    node_detach(world.agents[0].node, world.now, &world.agents[0].seat);
    world_agents();
    mail_drop(&world.up); /* its LEAVE */
    world_forget();
    world_pass(1.1);
    assert_heard("0:begins 0:GONE 0:ends");
    assert_held(0);
}

static void a_departure_is_told_until_it_is_acknowledged(void **state)
{
    (void)state;
    program_wait(0);
    world_forget();
    agent_cut(0);
    node_detach(world.agents[0].node, world.now, &world.agents[0].seat);
    agent_connect(0);
    world_settle();
    assert_heard("0:begins 0:GONE 0:ends");
    world_forget();
    agent_cut(0);
    agent_connect(0);
    world_settle();
    assert_heard("0:begins 0:ends"); /* it is known */
}

static void a_deaf_agent_gets_the_newest_state_when_it_reads_again(void **state)
{
    (void)state;
    program_wait(0);
    world.agents[0].deaf = true;
    for (int rate = 10; rate < 50; rate += 10) {
        world_grant(0, rate);
        world_settle();
    }
    world.agents[0].deaf = false;
    hub_writable(world.hub, world.agents[0].member);
    world_settle();
    assert_rate(0, 40);
}

static void a_refused_application_runs_free(void **state)
{
    (void)state;
    world.refuses = true;
    program_wait(0);
    assert_true(program_is_free(0));
    assert_heard("0:JOIN");
}

/* Returns why the hub refuses a frame. */
static const char *assert_refused(struct frame *frame, struct frame_head head)
{
    static struct err err;
    head.epoch = 1;
    frame_seal(frame, &head);
    assert_int_equal(hub_frame(world.hub, world.now, 0, frame->bytes, frame->size, &err), -1);
    return err.text;
}

/* Every byte of a frame can be anything. */
static void malformed_frames_are_refused(void **state)
{
    struct err err = {0};
    (void)state;
    program_post(0);
    world_agents();
    struct parcel *sent = &world.up.parcels[0];
    for (size_t size = 0; size < FRAME_HEAD; size++)
        assert_int_equal(hub_frame(world.hub, world.now, 0, sent->bytes, size, &err), -1);
    struct frame frame;
    frame_clear(&frame);
    assert_refused(&frame, (struct frame_head){.sequence = 2, .acknowledged = 99});
    assert_refused(&frame, (struct frame_head){.sequence = 2, .flags = 1 << 20});
    frame_add(
        &frame, 1, 0,
        &(struct node_message){.type = NODE_JOIN,
                               .join = {.app = UINT32_MAX, .nodes = 1, .weight = 1, .name = "a"}});
    assert_refused(&frame, (struct frame_head){.sequence = 2});
    frame_clear(&frame);
    frame_add(&frame, 1, 1, &(struct node_message){.type = NODE_LEAVE});
    assert_string_equal(assert_refused(&frame, (struct frame_head){.sequence = 3}),
                        "the message is of an unknown channel");
}

static void a_hub_without_memory_refuses_an_agent(void **state)
{
    struct err err;
    (void)state;
    for (long n = 0; n < 3; n++) {
        const struct hub_hello hello = {"other", 1, 0, 1};
        mem_fail_after(0);
        uint32_t member = hub_connect(world.hub, world.now, &hello, &err);
        mem_fail_after(-1);
        assert_int_equal(member, HUB_NONE);
    }
    for (long n = 0;; n++) {
        mem_fail_after(n);
        struct hub *hub = world_new_hub(&err);
        mem_fail_after(-1);
        hub_free(hub);
        if (hub)
            break;
    }
}

/* --- two agents of one name ------------------------------------------------------------------- */

static void a_second_agent_of_a_name_waits_while_the_first_lives(void **state)
{
    const struct hub_hello same = {"n0", 0, 0, 1}, other = {"n9", 77, 0, 1};
    struct hub_hello second = {"n0", 77, 0, 1};
    (void)state;
    struct agent *first = &world.agents[0];
    second.epoch = uplink_epoch(first->uplink);
    assert_false(hub_has_rival(world.hub, world.now, &other));
    assert_true(hub_has_rival(world.hub, world.now, &second));
    struct hub_hello again = same;
    again.incarnation = first->incarnation;
    assert_false(hub_has_rival(world.hub, world.now, &again)); /* the same one connects again */
    for (int i = 0; i < 3; i++) { /* it has nothing to say, but answers when it is asked */
        world_pass(5);
        assert_true(hub_has_rival(world.hub, world.now, &second));
        world_pass(1.5);
        assert_true(hub_has_rival(world.hub, world.now, &second));
    }
    first->deaf = true; /* it hangs: the second takes its place */
    world_pass(5);
    assert_true(hub_has_rival(world.hub, world.now, &second));
    world_pass(1.5);
    assert_false(hub_has_rival(world.hub, world.now, &second));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_AGENTS(1, an_event_comes_back_as_a_grant_in_one_turn),
        WITH_AGENTS(2, a_grant_is_raised_when_what_it_needs_is_acknowledged),
        WITH_AGENTS(2, a_pause_or_an_end_frees_bandwidth_without_an_order),
        WITH_AGENTS(1, a_grant_that_crosses_a_pause_is_not_obeyed),
        WITH_AGENTS(1, a_lost_event_is_made_up_for_by_a_report),
        WITH_AGENTS(1, an_application_that_a_report_lacks_has_left),
        WITH_AGENTS(1, a_departure_is_told_until_it_is_acknowledged),
        WITH_AGENTS(1, a_deaf_agent_gets_the_newest_state_when_it_reads_again),
        WITH_AGENTS(1, a_refused_application_runs_free),
        WITH_AGENTS(1, malformed_frames_are_refused),
        WITH_AGENTS(1, a_hub_without_memory_refuses_an_agent),
        WITH_AGENTS(1, a_second_agent_of_a_name_waits_while_the_first_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
