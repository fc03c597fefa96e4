/* A node whose controller is played by the test. */
#include "base/mem.h"
#include "node/node.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000u

/* What was told, in order. */
struct ear {
    struct node *node;
    uint64_t now;
    struct node_message events[64];
    int count;
    bool refuses;
};

static int ear_hear(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    struct ear *ear = context;
    assert_int_equal(node_direction_of(event->type), NODE_EVENT);
    assert_int_equal(now, ear->now);
    if (ear->count < 64)
        ear->events[ear->count++] = *event;
    return ear->refuses && event->type == NODE_JOIN ? err_set(err, "no room") : 0;
}

static void ear_open(struct ear *ear)
{
    const struct node_terms terms = {.rule = {0.002, 0.05}, .patience = 7000000000u};
    struct err err = {0};
    *ear = (struct ear){.now = 1000000000000u};
    ear->node = node_new(&terms, (struct event_sink){ear_hear, ear}, ear->now, &err);
    assert_non_null(ear->node);
}

/* The events since the last call: these types and no others. */
static void ear_heard(struct ear *ear, const char *types)
{
    char all[1024] = "";
    for (int i = 0; i < ear->count; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, node_type_name(ear->events[i].type));
    }
    assert_string_equal(all, types);
    ear->count = 0;
}

static struct seat ear_attach(struct ear *ear, uint64_t number, int32_t pid)
{
    struct err err = {0};
    struct seat seat = {.uid = 7, .pid = pid};
    const struct wire_attach who = {.token = {number, 1}, .nodes = 2, .weight = 3, .name = "a"};
    assert_int_equal(node_attach(ear->node, ear->now, &seat, &who, &err), 0);
    return seat;
}

static void ear_pass(struct ear *ear, unsigned milliseconds)
{
    for (unsigned i = 0; i < milliseconds; i++) {
        ear->now += MS;
        node_look(ear->node, ear->now);
    }
}

static void ear_order(struct ear *ear, struct node_message order)
{
    node_obey(ear->node, ear->now, &order);
}

static struct node_message grant_of(const struct seat *seat, double rate)
{
    return (struct node_message){
        .type = NODE_GRANT,
        .grant = {.app = seat->app->who.app, .phase = seat->app->number, .rate = rate}};
}

/* The most that it can have, in bytes/s. */
static void ear_bound(struct ear *ear, const struct seat *seat, double bmax)
{
    ear_order(ear, (struct node_message){
                       .type = NODE_LIMIT,
                       .limit = {.app = seat->app->who.app, .bmax = bmax, .alone = bmax}});
}

/* A call that moves bytes, and the POST that a client sends. */
static void ear_move(struct ear *ear, struct seat *seat, uint64_t bytes)
{
    struct usage_page *usage = seat->app->pages.usage;
    usage->used += bytes * LINE_BYTE;
    usage->slots[seat->slot].moved += bytes;
    usage->calls++;
    usage->last = ear->now;
    if (usage->phase != PHASE_OPEN)
        node_post(ear->node, ear->now, seat, &(struct wire_post){0});
}

static struct page_grant page_of(const struct seat *seat)
{
    struct page_grant grant;
    assert_true(page_read(seat->app->pages.grant, &grant));
    return grant;
}

/* Bytes/s in the page: 0 = it waits, -1 = not limited. */
static double rate_of(const struct seat *seat)
{
    const struct page_grant grant = page_of(seat);
    return grant.mode == PAGE_OPEN ? -1
                                   : (double)(int64_t)(line_speed(&grant.bytes) / LINE_BYTE + 0.5);
}

/* --- coming and going ------------------------------------------------------------------------- */

static void an_application_joins_with_its_first_process_and_leaves_with_its_last(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 50);
    const struct node_join *join = &ear.events[0].join;
    assert_true(join->uid == 7 && join->token[0] == 1 && join->nodes == 2 && join->weight == 3);
    assert_true(join->pid == 50 && join->age == 0 && strcmp(join->name, "a") == 0);
    assert_int_equal(ear.events[1].progress.processes, 1);
    ear_heard(&ear, "JOIN PROGRESS");
    struct seat b = ear_attach(&ear, 1, 51), other = ear_attach(&ear, 2, 60);
    assert_ptr_equal(a.app, b.app);
    assert_int_equal(ear.events[0].progress.processes, 2);
    assert_int_not_equal(ear.events[1].join.app, a.app->who.app);
    ear_heard(&ear, "PROGRESS JOIN PROGRESS");
    node_fail(ear.node, ear.now, &b, WIRE_FAILED_MAPPING);
    assert_true(ear.events[0].progress.uncontrolled == 1 &&
                ear.events[0].progress.failure == WIRE_FAILED_MAPPING);
    ear_heard(&ear, "PROGRESS");
    node_detach(ear.node, ear.now, &a);
    assert_true(ear.events[0].progress.processes == 1 && ear.events[0].progress.pid == 51);
    ear_heard(&ear, "PROGRESS");
    b.app->pages.usage->slots[b.slot].moved = 12;
    b.app->pages.usage->escaped = 5;
    node_detach(ear.node, ear.now, &b);
    assert_true(ear.events[0].leave.moved == 12 && ear.events[0].leave.escaped == 5);
    assert_int_equal(ear.events[0].leave.why, WIRE_ESCAPE_MEMORY);
    ear_heard(&ear, "LEAVE");
    assert_true(ear.node->count == 1 && ear.node->processes == 1);
    /* The number is free again. */
    assert_int_equal(ear_attach(&ear, 3, 70).app->who.app, 0);
    node_detach(ear.node, ear.now, &other);
    node_free(ear.node);
}

static void a_process_with_more_filters_than_it_came_with_is_told_to_make_no_calls(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, getpid()), b = ear_attach(&ear, 1, 51);
    int32_t before = a.app->slots[a.slot].filters; /* under a container's */
    node_app_look_at_filters(a.app, getpid(), before);
    node_app_look_at_filters(a.app, getpid(), -1); /* not known */
    assert_int_equal(a.app->uncontrolled, 0);
    a.app->pages.usage->slots[a.slot].busy = 1;
    assert_true(node_app_is_busy(a.app));
    node_app_look_at_filters(a.app, getpid(), before + 1);
    node_app_look_at_filters(a.app, getpid(), before + 1);
    assert_true(a.app->uncontrolled == 1 && a.app->failure == WIRE_FAILED_SEALED);
    assert_true(page_forbids(a.app->pages.grant, a.slot) &&
                !page_forbids(a.app->pages.grant, b.slot));
    assert_false(node_app_is_busy(a.app)); /* it says nothing any more */
    node_detach(ear.node, ear.now, &a);
    assert_true(b.app->uncontrolled == 0 && !page_forbids(b.app->pages.grant, 0));
    node_free(ear.node);
}

/* The processor time in nanoseconds, at best, of a look at an application with `count` processes
 * that are all busy and move nothing. */
static double time_of_look(uint32_t count)
{
    struct ear ear;
    ear_open(&ear);
    struct seat seat = ear_attach(&ear, 1, getpid());
    struct node_app *app = seat.app;
    struct watch_sample sample;
    struct err err = {0};
    double best = INFINITY;
    for (uint32_t slot = 0; slot < count; slot++) {
        if (slot > 0)
            assert_int_equal(node_app_take_slot(app, 1, &(uint32_t){0}, &err), 0);
        app->slots[slot].pid = 1; /* which sleeps */
        app->pages.usage->slots[slot].busy = 1;
    }
    for (int i = 0; i < 20; i++) {
        struct timespec start, end;
        app->watch.unclaimed = 1;
        app->asked = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        node_app_sample(app, 0, 1000000000000u, &sample);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        assert_true(sample.busy && sample.sleeping && !sample.running);
        double took =
            1e9 * (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec);
        best = took < best ? took : best;
    }
    node_free(ear.node);
    return best;
}

/* Of 2,000 processes the kernel is asked about 8. */
static void a_look_at_many_busy_processes_is_short(void **state)
{
    (void)state;
    assert_true(time_of_look(2000) < 20 * time_of_look(8));
}

static void an_application_that_is_refused_leaves_nothing(void **state)
{
    (void)state;
    struct ear ear;
    struct err err = {0};
    struct seat seat = {.uid = 7};
    const struct wire_attach who = {.token = {1, 1}, .nodes = 1, .weight = 1, .name = "a"};
    ear_open(&ear);
    ear.refuses = true;
    assert_int_equal(node_attach(ear.node, ear.now, &seat, &who, &err), -1);
    assert_string_equal(err.text, "no room");
    assert_null(seat.app);
    ear_heard(&ear, "JOIN");
    assert_true(ear.node->count == 0 && ear.node->processes == 0);
    ear.refuses = false;
    assert_int_equal(node_attach(ear.node, ear.now, &seat, &who, &err), 0);
    node_free(ear.node);
}

static void without_memory_a_process_is_not_attached_and_nothing_is_told(void **state)
{
    (void)state;
    struct ear ear;
    struct err err = {0};
    const struct wire_attach who = {.token = {1, 1}, .nodes = 1, .weight = 1, .name = "a"};
    int status = -1;
    ear_open(&ear);
    for (int n = 0; status != 0; n++) {
        struct seat seat = {.uid = 7};
        assert_in_range(n, 0, 10);
        ear.count = 0;
        mem_fail_after(n);
        status = node_attach(ear.node, ear.now, &seat, &who, &err);
        mem_fail_after(-1);
        assert_int_equal(ear.node->count, status == 0);
        assert_int_equal(ear.count > 0, status == 0);
    }
    node_free(ear.node);
}

/* --- large calls ------------------------------------------------------------------------------ */

/* Puts a call into the store, after all that the last look saw there have returned. */
static void ear_enter(struct seat *seat, uint64_t bytes)
{
    struct usage_page *usage = seat->app->pages.usage;
    usage->slots[seat->slot].moved += usage->slots[seat->slot].inside;
    usage->slots[seat->slot].inside = bytes;
    usage->used += bytes * LINE_BYTE;
}

static void every_large_call_is_told_once(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat seat = ear_attach(&ear, 1, 50);
    ear_bound(&ear, &seat, 1e6);
    ear_move(&ear, &seat, 1);
    ear.count = 0;
    for (int i = 0; i < 3; i++) {
        ear_enter(&seat, 100000);
        node_look(ear.node, ear.now);
        assert_true(ear.count == 1 && ear.events[0].type == NODE_CALLS);
        assert_true(ear.events[0].calls.moved == 1 + 100000 * i &&
                    ear.events[0].calls.inside == 100000);
        node_look(ear.node, ear.now);
        ear_heard(&ear, "CALLS");
    }
    node_free(ear.node);
}

/* --- I/Os ------------------------------------------------------------------------------------- */

static void an_io_begins_pauses_continues_and_ends(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    ear.count = 0;
    ear_move(&ear, &a, 10);
    const struct node_post *post = &ear.events[0].post;
    /* The POST says what was moved before it began, as far as that was seen by then. */
    assert_true(post->phase == 1 && post->volume == 0 && post->age == 0 && post->moved == 10);
    ear_heard(&ear, "POST");
    ear_bound(&ear, &a, 5000);
    ear_order(&ear, grant_of(&a, 5000));
    ear_move(&ear, &a, 20);
    ear_pass(&ear, 1);
    ear_heard(&ear, "");
    ear_pass(&ear, 2);
    assert_true(ear.events[0].pause.phase == 1 && ear.events[0].pause.moved == 30);
    assert_true(ear.events[0].pause.quiet > 0.0019 && ear.events[0].pause.quiet < 0.0031);
    ear_heard(&ear, "PAUSE");
    ear_move(&ear, &a, 40);
    ear_heard(&ear, "RESUME");
    ear_pass(&ear, 60);
    assert_int_equal(ear.events[1].end.phase, 1);
    assert_true(ear.events[1].end.moved == 70);
    ear_heard(&ear, "PAUSE END");
    assert_true(rate_of(&a) == 0);
    ear_move(&ear, &a, 10);
    assert_int_equal(ear.events[0].post.phase, 2);
    ear_heard(&ear, "POST");
    node_free(ear.node);
}

/* Two ranks, of which the first has announced an I/O of this volume. */
static void ear_open_ranks(struct ear *ear, struct seat *a, struct seat *b, double volume)
{
    ear_open(ear);
    *a = ear_attach(ear, 1, 50);
    *b = ear_attach(ear, 1, 51);
    ear->count = 0;
    node_post(ear->node, ear->now, a, &(struct wire_post){.volume = volume, .begun = 1});
}

static void an_announced_io_has_the_volume_of_all_its_processes(void **state)
{
    (void)state;
    struct ear ear;
    struct seat a, b;
    ear_open_ranks(&ear, &a, &b, 500);
    assert_true(ear.events[0].post.volume == 500 && ear.events[0].post.announced);
    /* The controller may be far away: the second announcement does not wait for its LIMIT. */
    node_post(ear.node, ear.now, &b, &(struct wire_post){.volume = 300, .begun = 1});
    assert_true(ear.events[1].post.volume == 800 && ear.events[1].post.phase == 1);
    ear_heard(&ear, "POST POST");
    node_end(ear.node, ear.now, &a);
    ear_heard(&ear, "");
    node_end(ear.node, ear.now, &b);
    ear_heard(&ear, "END");
    node_free(ear.node);
}

/* The other rank's bytes came before their announcement, so the controller expects more. */
static void a_guess_of_the_controller_does_not_count_as_announced(void **state)
{
    (void)state;
    struct ear ear;
    struct seat a, b;
    ear_open_ranks(&ear, &a, &b, 500);
    ear_order(&ear, (struct node_message){
                        .type = NODE_LIMIT,
                        .limit = {.app = a.app->who.app, .phase = a.app->number, .volume = 1100}});
    ear.count = 0;
    node_post(ear.node, ear.now, &b, &(struct wire_post){.volume = 300, .begun = 1});
    assert_true(ear.events[0].post.volume == 800);
    ear_heard(&ear, "POST");
    node_free(ear.node);
}

/* The first ends before what the second announces is read. */
static void a_process_that_begins_while_another_ends_continues_its_io(void **state)
{
    (void)state;
    struct ear ear;
    struct seat a, b;
    ear_open_ranks(&ear, &a, &b, 100);
    ear_move(&ear, &a, 100);
    a.app->pages.usage->slots[b.slot].busy = 1;
    ear_move(&ear, &b, 30);
    node_end(ear.node, ear.now, &a);
    ear_heard(&ear, "POST");
    node_post(ear.node, ear.now, &b, &(struct wire_post){.volume = 100, .begun = 1});
    assert_true(ear.events[0].post.volume == 200); /* not 230: its 30 are of the 100 */
    ear_heard(&ear, "POST");
    ear_move(&ear, &b, 70);
    a.app->pages.usage->slots[b.slot].busy = 0;
    node_end(ear.node, ear.now, &b);
    assert_true(ear.events[0].end.moved == 200);
    ear_heard(&ear, "END");
    node_free(ear.node);
}

/* What it announces may never come. */
static void an_io_that_only_a_call_keeps_open_ends_when_that_is_over(void **state)
{
    (void)state;
    struct ear ear;
    struct seat a, b;
    ear_open_ranks(&ear, &a, &b, 100);
    a.app->pages.usage->slots[b.slot].busy = 1;
    node_detach(ear.node, ear.now, &a);
    ear_heard(&ear, "POST PROGRESS");
    b.app->pages.usage->slots[b.slot].busy = 0;
    ear_pass(&ear, 200);
    ear_heard(&ear, "PAUSE END");
    node_free(ear.node);
}

/* Is granted 1 MB/s and moves nothing: after 2 ms it pauses. Then it goes on. */
static void ear_waste(struct ear *ear, struct seat *seat, int times)
{
    for (int i = 0; i < times; i++) {
        ear_order(ear, grant_of(seat, 1e6));
        ear_pass(ear, 3);
        ear_move(ear, seat, 10);
    }
}

static void an_application_that_wastes_its_bandwidth_has_to_prove_itself(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    ear_bound(&ear, &a, 1e6);
    ear_move(&ear, &a, 10);
    ear_waste(&ear, &a, 3); /* 6000 bytes are granted, and hardly any moved */
    assert_int_equal(ear.events[ear.count - 2].pause.probing, 0);
    assert_int_equal(ear.events[ear.count - 1].pause.probing, 1);
    ear_heard(&ear, "JOIN PROGRESS POST PAUSE RESUME PAUSE RESUME PAUSE PAUSE");
    ear_move(&ear, &a, 5000); /* more than 2.5 ms worth */
    ear_pass(&ear, 1);
    assert_true(ear.events[0].resume.moved == 5040);
    ear_heard(&ear, "RESUME");
    /* Nor does it have a place at once if it begins another I/O. */
    ear_waste(&ear, &a, 2);
    ear_order(&ear, grant_of(&a, 1e6));
    ear_pass(&ear, 80);
    ear_heard(&ear, "PAUSE RESUME PAUSE RESUME PAUSE END");
    ear_move(&ear, &a, 10);
    assert_int_equal(ear.events[0].post.idle, 1);
    ear_heard(&ear, "POST");
    node_free(ear.node);
}

/* The ranks of a collective come to it one after the other, and exchange their data first. */
static void an_application_that_uses_its_bandwidth_may_hesitate(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    ear_bound(&ear, &a, 1e6);
    ear_move(&ear, &a, 10);
    ear_order(&ear, grant_of(&a, 1e6));
    for (int i = 0; i < 100; i++) {
        ear_move(&ear, &a, 1000);
        ear_pass(&ear, 1);
    }
    ear_pass(&ear, 80);
    ear_heard(&ear, "JOIN PROGRESS POST NEED PAUSE END");
    ear_move(&ear, &a, 10);
    ear_waste(&ear, &a, 4);
    ear_heard(&ear, "POST PAUSE RESUME PAUSE RESUME PAUSE RESUME PAUSE RESUME");
    node_free(ear.node);
}

static void a_post_that_was_lost_is_found(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    ear.count = 0;
    a.app->pages.usage->phase = PHASE_OPEN;
    node_recover(ear.node, ear.now);
    ear_heard(&ear, ""); /* it may be on its way */
    node_recover(ear.node, ear.now);
    ear_heard(&ear, "POST");
    node_recover(ear.node, ear.now);
    ear_heard(&ear, "");
    node_free(ear.node);
}

static void a_beat_reports_only_what_is_new(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    ear.count = 0;
    ear.now += 50 * MS;
    node_beat(ear.node, ear.now);
    ear_heard(&ear, "");
    assert_int_equal(a.app->pages.grant->beat, ear.now);
    a.app->pages.usage->slots[a.slot].moved = 3;
    node_beat(ear.node, ear.now);
    assert_true(ear.events[0].progress.moved == 3);
    ear_heard(&ear, "PROGRESS");
    node_beat(ear.node, ear.now);
    ear_heard(&ear, "");
    ear_order(&ear, (struct node_message){.type = NODE_COUNT, .count = {a.app->who.app}});
    ear_heard(&ear, "PROGRESS");
    node_free(ear.node);
}

/* --- orders ----------------------------------------------------------------------------------- */

static void a_grant_is_obeyed_once_and_only_for_its_io(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    node_post(ear.node, ear.now, &a, &(struct wire_post){.volume = 9, .begun = 1});
    struct node_message late = grant_of(&a, 1000);
    ear_order(&ear, late);
    assert_true(rate_of(&a) == 1000);
    uint32_t change = page_of(&a).change;
    ear_order(&ear, late);
    assert_int_equal(page_of(&a).change, change);
    node_end(ear.node, ear.now, &a);
    assert_true(rate_of(&a) == 0);
    node_post(ear.node, ear.now, &a, &(struct wire_post){.volume = 9, .begun = 1});
    ear_order(&ear, late);
    assert_true(rate_of(&a) == 0);
    ear_order(&ear, grant_of(&a, 500));
    assert_true(rate_of(&a) == 500);
    node_free(ear.node);
}

static void an_open_application_is_limited_again_by_the_next_grant(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    uint32_t app = a.app->who.app;
    ear_order(&ear, (struct node_message){.type = NODE_OPEN, .open = {app}});
    assert_true(rate_of(&a) == -1);
    ear_order(&ear, (struct node_message){.type = NODE_LIMIT, .limit = {.app = app, .ops = 50}});
    assert_true(rate_of(&a) == -1 && page_of(&a).ops.rate == 0);
    ear_order(&ear, grant_of(&a, 0));
    assert_true(rate_of(&a) == 0);
    assert_int_equal(page_of(&a).ops.rate, line_rate(50 * (double)LINE_OPERATION));
    node_free(ear.node);
}

static void an_order_that_fits_nothing_does_nothing(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    uint32_t change = page_of(&a).change;
    ear.count = 0;
    static const uint32_t others[] = {1, 255, 256, UINT32_MAX};
    for (int i = 0; i < 4 * NODE_TYPES; i++) {
        struct node_message order = {.type = (enum node_type)(i / 4)};
        order.open.app = others[i % 4]; /* the first member of all */
        ear_order(&ear, order);
    }
    assert_int_equal(page_of(&a).change, change);
    ear_heard(&ear, "");
    node_free(ear.node);
}

static void other_terms_hold_for_those_that_are_there(void **state)
{
    (void)state;
    struct ear ear;
    ear_open(&ear);
    struct seat a = ear_attach(&ear, 1, 0);
    assert_int_equal(page_of(&a).patience, 7000000000u);
    node_configure(ear.node, &(struct node_terms){.rule = {0.002, 0.05}, .patience = 3000000000u});
    assert_int_equal(page_of(&a).patience, 3000000000u);
    node_free(ear.node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_joins_with_its_first_process_and_leaves_with_its_last),
        cmocka_unit_test(a_process_with_more_filters_than_it_came_with_is_told_to_make_no_calls),
        cmocka_unit_test(a_look_at_many_busy_processes_is_short),
        cmocka_unit_test(an_application_that_is_refused_leaves_nothing),
        cmocka_unit_test(without_memory_a_process_is_not_attached_and_nothing_is_told),
        cmocka_unit_test(every_large_call_is_told_once),
        cmocka_unit_test(an_io_begins_pauses_continues_and_ends),
        cmocka_unit_test(an_announced_io_has_the_volume_of_all_its_processes),
        cmocka_unit_test(a_guess_of_the_controller_does_not_count_as_announced),
        cmocka_unit_test(a_process_that_begins_while_another_ends_continues_its_io),
        cmocka_unit_test(an_io_that_only_a_call_keeps_open_ends_when_that_is_over),
        cmocka_unit_test(an_application_that_wastes_its_bandwidth_has_to_prove_itself),
        cmocka_unit_test(an_application_that_uses_its_bandwidth_may_hesitate),
        cmocka_unit_test(a_post_that_was_lost_is_found),
        cmocka_unit_test(a_beat_reports_only_what_is_new),
        cmocka_unit_test(a_grant_is_obeyed_once_and_only_for_its_io),
        cmocka_unit_test(an_open_application_is_limited_again_by_the_next_grant),
        cmocka_unit_test(an_order_that_fits_nothing_does_nothing),
        cmocka_unit_test(other_terms_hold_for_those_that_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
