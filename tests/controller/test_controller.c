/* A controller whose node is played by the test; and both, which exchange bytes. */
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND 1000000000u

/* What was ordered last, of each type and application. */
enum { APPS = 256 };
struct crew {
    struct service service;
    struct controller *controller;
    uint64_t now;
    double moved; /* what COUNT is answered with */
    struct node_message orders[NODE_TYPES][APPS];
    int counts[NODE_TYPES];
};

static void crew_obey(void *context, uint64_t now, const struct node_message *order)
{
    struct crew *crew = context;
    struct err err;
    assert_int_equal(node_direction_of(order->type), NODE_ORDER);
    assert_in_range(order->open.app, 0, APPS - 1); /* the first member of all */
    crew->orders[order->type][order->open.app] = *order;
    crew->counts[order->type]++;
    const struct node_message progress = {
        .type = NODE_PROGRESS,
        .progress = {.app = order->open.app, .processes = 1, .moved = crew->moved}};
    if (order->type == NODE_COUNT && crew->moved > 0)
        controller_hear(crew->controller, now, &progress, &err);
}

static void crew_open(struct crew *crew, const char *policy)
{
    struct err err = {0};
    *crew = (struct crew){
        .service = {.platform = {.node_bandwidth = INFINITY, .bandwidth = 100},
                    .policy = policy,
                    .soft_release = SERVICE_SOFT_RELEASE,
                    .phase_gap = SERVICE_PHASE_GAP,
                    .max_wait = SERVICE_MAX_WAIT},
        .now = 1000000000000u,
    };
    crew->controller =
        controller_new(&crew->service, policy_open(policy, &err), NULL, crew->now, &err);
    assert_non_null(crew->controller);
    crew->controller->down = (struct order_sink){crew_obey, crew};
}

static void crew_tell(struct crew *crew, struct node_message event)
{
    struct err err;
    assert_int_equal(controller_hear(crew->controller, crew->now, &event, &err), 0);
    controller_decide(crew->controller, crew->now);
}

static struct node_message join_of(uint32_t app)
{
    return (struct node_message){
        .type = NODE_JOIN,
        .join = {.app = app, .uid = 7, .token = {app, 1}, .nodes = 1, .weight = 1, .name = "a"}};
}

static struct node_message post_of(uint32_t app, uint32_t phase, double volume)
{
    return (struct node_message){
        .type = NODE_POST, .post = {.app = app, .phase = phase, .volume = volume, .announced = 1}};
}

static struct node_message end_of(uint32_t app, uint32_t phase, double moved)
{
    return (struct node_message){.type = NODE_END,
                                 .end = {.app = app, .phase = phase, .moved = moved}};
}

/* The rate that the application was granted last. */
static double crew_rate(const struct crew *crew, uint32_t app)
{
    return crew->orders[NODE_GRANT][app].grant.rate;
}

static struct wire_app crew_describe(struct crew *crew, uint32_t app)
{
    struct wire_app out;
    controller_describe(crew->controller, crew->now, app, &out);
    return out;
}

/* --- events and orders ------------------------------------------------------------------------ */

static void an_event_is_answered_with_orders(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fcfs");
    crew_tell(&crew, join_of(3));
    const struct node_limit *limit = &crew.orders[NODE_LIMIT][3].limit;
    assert_true(limit->bmax == 100 && limit->alone == 100 && limit->ops == 0);
    crew_tell(&crew, join_of(4));
    crew_tell(&crew, post_of(3, 1, 500));
    assert_true(limit->volume == 500 && limit->phase == 1);
    assert_true(crew_rate(&crew, 3) == 100);
    assert_int_equal(crew.orders[NODE_GRANT][3].grant.phase, 1);
    crew_tell(&crew, post_of(4, 1, 500));
    assert_true(crew_rate(&crew, 4) == 0);
    crew.now += 5 * (uint64_t)SECOND;
    crew_tell(&crew, end_of(3, 1, 500));
    assert_true(crew_rate(&crew, 4) == 100);
    assert_int_equal(crew_describe(&crew, 3).phases, 1);
    controller_free(crew.controller);
}

/* Without a band each of the second hundred I/Os changes the rates of all before: 15,050 orders. */
static void small_changes_among_many_are_not_ordered_within_a_band(void **state)
{
    (void)state;
    static struct crew crew;
    crew_open(&crew, "fair-share");
    crew.controller->band = 0.02;
    for (uint32_t app = 0; app < 200; app++) {
        if (app == 100)
            crew.counts[NODE_GRANT] = 0;
        crew_tell(&crew, join_of(app));
        crew_tell(&crew, post_of(app, 1, 1e6));
        double sum = 0, share = 100.0 / (app + 1);
        for (uint32_t other = 0; other <= app; other++) {
            double rate = crew_rate(&crew, other);
            assert_true(rate <= share * (1 + 1e-12) && rate >= share / 1.0401);
            sum += rate;
        }
        assert_true(sum <= 100 * (1 + 1e-12) && (app >= 16 || sum > 99.999));
    }
    assert_in_range(crew.counts[NODE_GRANT], 100, 100 + 15050 / 3);
    controller_free(crew.controller);
}

static void what_starves_takes_its_share_from_the_others_on_many_nodes(void **state)
{
    (void)state;
    static struct crew crew;
    for (int many = 0; many < 2; many++) {
        crew_open(&crew, "fcfs");
        crew.controller->band = many ? CONTROLLER_BAND : 0;
        for (uint32_t app = 0; app < 2; app++) {
            crew_tell(&crew, join_of(app));
            crew_tell(&crew, post_of(app, 1, 1e6));
        }
        crew.now += (uint64_t)(SERVICE_MAX_WAIT + 1) * SECOND;
        controller_look(crew.controller, crew.now);
        controller_decide(crew.controller, crew.now);
        assert_true(crew_rate(&crew, 1) == 1);
        assert_true(crew_rate(&crew, 0) == (many ? 99 : 100));
        controller_free(crew.controller);
    }
}

/* It has waited since it resumed, not since it paused. */
static void a_pause_is_no_wait(void **state)
{
    (void)state;
    static struct crew crew;
    crew_open(&crew, "fcfs");
    for (uint32_t app = 0; app < 2; app++) {
        crew_tell(&crew, join_of(app));
        crew_tell(&crew, post_of(app, 1, 1e6));
    }
    crew_tell(&crew, (struct node_message){.type = NODE_PAUSE, .pause = {.app = 1, .phase = 1}});
    for (int waits = 0; waits < 2; waits++) {
        crew.now += (uint64_t)(SERVICE_MAX_WAIT + 1) * SECOND;
        if (waits == 0)
            crew_tell(&crew,
                      (struct node_message){.type = NODE_RESUME, .resume = {.app = 1, .phase = 1}});
        controller_look(crew.controller, crew.now);
        controller_decide(crew.controller, crew.now);
        assert_true(crew_rate(&crew, 1) == waits);
    }
    controller_free(crew.controller);
}

/* Its END is on the way when all is moved. */
static void an_io_of_known_volume_does_not_grow_at_its_end(void **state)
{
    (void)state;
    static struct crew crew;
    crew_open(&crew, "fcfs");
    crew_tell(&crew, join_of(0));
    crew_tell(&crew, post_of(0, 1, 500));
    crew.moved = 500;
    for (int ms = 0; ms < 5005; ms++) {
        crew.now += SECOND / 1000;
        controller_decide(crew.controller, crew.now);
    }
    assert_true(crew_describe(&crew, 0).volume == 500);
    for (int ms = 0; ms < 10; ms++) { /* more than the grace */
        crew.now += SECOND / 1000;
        controller_decide(crew.controller, crew.now);
    }
    assert_true(crew_describe(&crew, 0).volume > 500);
    controller_free(crew.controller);
}

static void an_event_that_is_repeated_changes_nothing(void **state)
{
    (void)state;
    struct crew crew;
    const struct node_message events[] = {
        join_of(1),
        join_of(2),
        post_of(1, 1, 300),
        post_of(2, 1, 200),
        {.type = NODE_PAUSE, .pause = {.app = 1, .phase = 1, .moved = 50, .quiet = 0.5}},
        {.type = NODE_RESUME, .resume = {.app = 1, .phase = 1, .moved = 50}},
        {.type = NODE_PROGRESS, .progress = {.app = 1, .processes = 3, .moved = 60}},
        post_of(1, 1, 400),
        end_of(1, 1, 400),
        {.type = NODE_LEAVE, .leave = {.app = 1, .moved = 400}},
    };
    struct wire_app seen[2][sizeof events / sizeof *events];
    for (int times = 1; times <= 2; times++) {
        crew_open(&crew, "fcfs");
        for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
            crew.now += SECOND;
            for (int j = 0; j < times; j++)
                crew_tell(&crew, events[i]);
            seen[times - 1][i] = (struct wire_app){0};
            if (crew.controller->apps[1])
                seen[times - 1][i] = crew_describe(&crew, 1);
        }
        assert_true(crew.controller->count == 1 && crew.controller->finished.count == 1);
        assert_true(crew.controller->processes == 0 && crew_rate(&crew, 2) == 100);
        assert_true(crew.controller->finished.list[0].moved == 400);
        controller_free(crew.controller);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

static void crew_spread(struct crew *crew, uint32_t app, double nodes)
{
    struct node_message join = join_of(app);
    join.join.nodes = nodes;
    join.join.weight = 9; /* of a JOIN that is repeated only the nodes count */
    crew_tell(crew, join);
}

/* Nodes of 10 bytes/s in front of a file system of 100. */
static void an_application_that_joins_again_may_have_other_nodes(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fair-share");
    struct service wide = crew.service;
    wide.platform.node_bandwidth = 10;
    assert_int_equal(controller_reload(crew.controller, crew.now, &wide, NULL), 0);
    crew_tell(&crew, join_of(3));
    const struct node_limit *limit = &crew.orders[NODE_LIMIT][3].limit;
    assert_true(limit->bmax == 10 && limit->alone == 10);
    crew_spread(&crew, 3, 3);
    assert_true(limit->bmax == 30 && limit->alone == 30);
    crew_tell(&crew, post_of(3, 1, 500));
    assert_true(crew_rate(&crew, 3) == 30);
    crew_spread(&crew, 3, 8);
    assert_true(crew_rate(&crew, 3) == 80 && crew_describe(&crew, 3).nodes == 8);
    assert_int_equal(crew_describe(&crew, 3).phases, 0); /* still the same I/O */
    assert_true(crew_describe(&crew, 3).weight == 1);
    crew_tell(&crew, join_of(4));
    crew_spread(&crew, 4, 8);
    crew_tell(&crew, post_of(4, 1, 500));
    assert_true(crew_rate(&crew, 3) == 50 && crew_rate(&crew, 4) == 50);
    crew_spread(&crew, 3, 2);
    assert_true(crew_rate(&crew, 3) == 20 && crew_rate(&crew, 4) == 80);
    int orders = crew.counts[NODE_LIMIT] + crew.counts[NODE_COUNT];
    crew_spread(&crew, 3, 2);
    assert_int_equal(crew.counts[NODE_LIMIT] + crew.counts[NODE_COUNT], orders);
    controller_free(crew.controller);
}

static void shares_by_size_follow_the_nodes(void **state)
{
    (void)state;
    struct crew crew;
    static const struct shares by_size = {.levels = 1u << SHARE_SIZE, .period = 1};
    crew_open(&crew, "fair-share");
    struct service shared = crew.service;
    shared.shares = &by_size;
    assert_int_equal(controller_reload(crew.controller, crew.now, &shared, NULL), 0);
    for (uint32_t app = 3; app <= 4; app++) {
        crew_tell(&crew, join_of(app));
        crew_tell(&crew, post_of(app, 1, 500));
    }
    assert_true(crew_rate(&crew, 3) == 50 && crew_rate(&crew, 4) == 50);
    crew_spread(&crew, 3, 4);
    assert_true(fabs(crew_rate(&crew, 3) - 80) < 1e-9 && fabs(crew_rate(&crew, 4) - 20) < 1e-9);
    controller_free(crew.controller);
}

static void a_post_of_another_io_ends_the_one_before(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fcfs");
    crew_tell(&crew, join_of(1));
    crew_tell(&crew, post_of(1, 1, 300));
    crew.now += SECOND;
    struct node_message next = post_of(1, 2, 70);
    next.post.moved = 100;
    crew_tell(&crew, next);
    const struct wire_app app = crew_describe(&crew, 1);
    assert_true(app.phases == 1 && app.moved == 100 && app.volume == 70 && app.remaining == 70);
    assert_int_equal(crew.orders[NODE_GRANT][1].grant.phase, 2);
    controller_free(crew.controller);
}

static void durations_tell_when_something_happened(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fcfs");
    crew.now += 100 * (uint64_t)SECOND;
    struct node_message old = join_of(1);
    old.join.age = 40;
    crew_tell(&crew, old);
    assert_true(fabs(crew_describe(&crew, 1).age - 40) < 1e-9);
    crew_tell(&crew, join_of(2));
    crew_tell(&crew, post_of(2, 1, 500));
    struct node_message earlier = post_of(1, 1, 500);
    earlier.post.age = 10;
    crew_tell(&crew, earlier);
    /* First come, first served, by when they were posted. */
    assert_true(crew_rate(&crew, 1) == 100 && crew_rate(&crew, 2) == 0);
    crew.now += 5 * (uint64_t)SECOND;
    struct node_message late = end_of(1, 1, 500);
    late.end.quiet = 2;
    crew_tell(&crew, late);
    assert_true(fabs(crew.controller->apps[1]->working - 103) < 1e-9);
    controller_free(crew.controller);
}

static void an_application_that_probes_costs_the_others_nothing(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "fair-share");
    crew_tell(&crew, join_of(1));
    crew_tell(&crew, join_of(2));
    crew_tell(&crew, post_of(1, 1, 500));
    struct node_message idle = post_of(2, 1, 500);
    idle.post.idle = 1;
    crew_tell(&crew, idle);
    assert_true(crew_rate(&crew, 1) == 100 && crew_rate(&crew, 2) == 100);
    crew_tell(&crew, (struct node_message){.type = NODE_RESUME, .resume = {.app = 2, .phase = 1}});
    assert_true(crew_rate(&crew, 1) == 50 && crew_rate(&crew, 2) == 50);
    controller_free(crew.controller);
}

static void a_join_beyond_what_a_user_may_have_is_refused(void **state)
{
    (void)state;
    struct crew crew;
    struct err err = {0};
    crew_open(&crew, "fcfs");
    crew_tell(&crew, join_of(1));
    crew.controller->apps[1]->user->applications += 4095;
    const struct node_message more = join_of(2);
    assert_int_equal(controller_hear(crew.controller, crew.now, &more, &err), -1);
    assert_non_null(strstr(err.text, "this user already has 4096 applications"));
    assert_null(crew.controller->apps[2]);
    crew.controller->apps[1]->user->applications -= 4095;
    crew_tell(&crew, join_of(2));
    controller_free(crew.controller);
}

/* Events in any order, as if most were lost: nothing that a node may say harms the controller. */
static void events_that_do_not_fit_do_no_harm(void **state)
{
    (void)state;
    static const char *const policies[] = {"fcfs", "fair-share", "greedy-yield", "greedy-com"};
    srand48(1);
    for (int i = 0; i < 40000; i++) {
        static struct crew crew;
        if (i % 2000 == 0)
            crew_open(&crew, policies[i / 2000 % 4]);
        uint32_t dice = (uint32_t)lrand48(), app = dice % APPS, phase = dice / 8 % 3;
        double bytes = (double)(lrand48() % 1000), time = (double)(lrand48() % 100) / 50;
        const struct node_message events[] = {
            join_of(app),
            {.type = NODE_POST,
             .post = {app, phase, bytes, dice >> 8 & 1, dice >> 9 & 1, bytes, time}},
            {.type = NODE_PAUSE, .pause = {app, phase, bytes, time, dice >> 8 & 1}},
            {.type = NODE_RESUME, .resume = {app, phase, bytes}},
            {.type = NODE_PROGRESS, .progress = {.app = app, .moved = bytes, .processes = phase}},
            {.type = NODE_END, .end = {app, phase, bytes, time}},
            {.type = NODE_LEAVE, .leave = {.app = app, .moved = bytes}},
            {.type = NODE_OPEN, .open = {app}},
        };
        crew.moved = bytes;
        crew.now += (uint64_t)(lrand48() % 20000000);
        crew_tell(&crew, events[lrand48() % 8]);
        if (i % 5 == 0)
            controller_look(crew.controller, crew.now);
        if (i % 50 == 0)
            controller_beat(crew.controller, crew.now);
        double total = 0;
        for (uint32_t id = 0; id < APPS; id++)
            total += crew.controller->apps[id] ? control_rate(crew.controller->control, id) : 0;
        assert_true(total <= 100 * (1 + 1e-9));
        if (i % 2000 == 1999)
            controller_free(crew.controller);
    }
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Passes every message on as the bytes it would have on a connection. */
struct wires {
    struct event_sink up;
    struct order_sink down;
    uint64_t messages;
};

static struct node_message through_bytes(struct wires *wires, const struct node_message *message)
{
    unsigned char bytes[NODE_MOST];
    struct node_message again;
    const char *fault;
    size_t size = node_encode(message, NODE_NEWEST, bytes);
    assert_int_equal(node_decode(bytes, size, NODE_NEWEST, &again, &fault), size);
    wires->messages++;
    return again;
}

static int tell_by_wire(void *context, uint64_t now, const struct node_message *event,
                        struct err *err)
{
    struct wires *wires = context;
    const struct node_message again = through_bytes(wires, event);
    return wires->up.hear(wires->up.context, now, &again, err);
}

static void order_by_wire(void *context, uint64_t now, const struct node_message *order)
{
    struct wires *wires = context;
    const struct node_message again = through_bytes(wires, order);
    wires->down.obey(wires->down.context, now, &again);
}

static void wires_cut_in(struct wires *wires, struct channel *channel)
{
    *wires = (struct wires){channel->node->up, channel->controller->down, 0};
    channel->node->up = (struct event_sink){tell_by_wire, wires};
    channel->controller->down = (struct order_sink){order_by_wire, wires};
}

/* What a few applications do at random. */
static void play(struct stage *stage, struct wire_app *seen, int steps)
{
    struct seat seats[6];
    bool inside[6] = {false};
    srand48(7);
    for (int i = 0; i < 6; i++)
        seats[i] = stage_attach(stage, (uint32_t)i % 2, "a", (uint64_t)i / 2);
    for (int step = 0; step < steps; step++) {
        int i = (int)(lrand48() % 6);
        if (inside[i])
            stage_exit(stage, &seats[i], 10);
        else
            stage_enter(stage, &seats[i], 10);
        inside[i] = !inside[i];
        if (step % 17 == 0)
            stage_begin(stage, &seats[i], 40);
        if (step % 17 == 9)
            stage_end(stage, &seats[i]);
        stage_pass(stage, (double)(lrand48() % 1000) * (step % 5 == 0 ? 1e-4 : 1e-6));
        seen[step] = stage_describe(stage, &seats[i]);
    }
    for (int i = 0; i < 6; i++)
        node_detach(stage->channel.node, stage->now, &seats[i]);
}

static void bytes_between_them_change_nothing(void **state)
{
    (void)state;
    enum { STEPS = 600 };
    static struct wire_app direct[STEPS], by_wire[STEPS];
    static const char *const policies[] = {"fcfs", "fair-share", "greedy-yield"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct stage stage;
        struct wires wires;
        stage_open(&stage, policies[i]);
        play(&stage, direct, STEPS);
        stage_close(&stage);
        stage_open(&stage, policies[i]);
        wires_cut_in(&wires, &stage.channel);
        play(&stage, by_wire, STEPS);
        assert_true(wires.messages > 2 * STEPS);
        assert_memory_equal(direct, by_wire, sizeof direct);
        stage_close(&stage);
    }
}

/* --- large calls ------------------------------------------------------------------------------ */

static struct node_message calls_of(uint32_t app, double moved, double inside)
{
    return (struct node_message){
        .type = NODE_CALLS, .calls = {.app = app, .phase = 1, .moved = moved, .inside = inside}};
}

static void a_call_beyond_the_predicted_volume_shows_that_there_is_more(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "greedy-com");
    crew_tell(&crew, join_of(0));
    crew_tell(&crew, join_of(1));
    crew_tell(&crew, post_of(0, 1, 0)); /* a guess: what it moves alone in a second, 100 */
    crew_tell(&crew, post_of(1, 1, 150));
    assert_true(crew_rate(&crew, 0) == 100 && crew_rate(&crew, 1) == 0);
    /* It has moved 200, so 200 more are expected. */
    crew_tell(&crew, calls_of(0, 200, 100));
    assert_true(crew_rate(&crew, 0) == 0 && crew_rate(&crew, 1) == 100);
    controller_free(crew.controller);
}

static void a_large_call_has_moved_nothing_until_it_returns(void **state)
{
    (void)state;
    struct crew crew;
    crew_open(&crew, "greedy-com");
    crew_tell(&crew, join_of(0));
    crew_tell(&crew, join_of(1));
    crew_tell(&crew, post_of(0, 1, 300));
    crew_tell(&crew, calls_of(0, 0, 300));
    crew.now += SECOND;
    /* At its grant 200 would be left, less than the other has. */
    crew_tell(&crew, post_of(1, 1, 250));
    assert_true(crew_rate(&crew, 0) == 0 && crew_rate(&crew, 1) == 100);
    controller_free(crew.controller);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_is_answered_with_orders),
        cmocka_unit_test(small_changes_among_many_are_not_ordered_within_a_band),
        cmocka_unit_test(what_starves_takes_its_share_from_the_others_on_many_nodes),
        cmocka_unit_test(a_pause_is_no_wait),
        cmocka_unit_test(an_io_of_known_volume_does_not_grow_at_its_end),
        cmocka_unit_test(an_event_that_is_repeated_changes_nothing),
        cmocka_unit_test(an_application_that_joins_again_may_have_other_nodes),
        cmocka_unit_test(shares_by_size_follow_the_nodes),
        cmocka_unit_test(a_post_of_another_io_ends_the_one_before),
        cmocka_unit_test(durations_tell_when_something_happened),
        cmocka_unit_test(an_application_that_probes_costs_the_others_nothing),
        cmocka_unit_test(a_call_beyond_the_predicted_volume_shows_that_there_is_more),
        cmocka_unit_test(a_large_call_has_moved_nothing_until_it_returns),
        cmocka_unit_test(a_join_beyond_what_a_user_may_have_is_refused),
        cmocka_unit_test(events_that_do_not_fit_do_no_harm),
        cmocka_unit_test(bytes_between_them_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
