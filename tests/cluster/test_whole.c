/* Nodes, gatherer and controller together, in made-up time: processes move what their nodes let
 * them. */
#include "cluster/gather.h"
#include "controller/controller.h"
#include "node/node.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS        1000000u
#define BANDWIDTH 100e6

enum { NODES = 4, PROCESSES = 8, LENGTH = 2000 };

/* One I/O of a process of an application, on a node, from a millisecond on. */
struct process {
    uint32_t app, node;
    unsigned from;
    double volume;
    unsigned works, until; /* between these it works, and makes no call */
    /* What came of it. */
    struct seat seat;
    double moved;
    bool begun;
    unsigned ended;
};

struct machine {
    struct service service;
    struct controller *controller;
    struct gather *gather;
    uint64_t now;
    struct node *nodes[NODES];
    struct machine_hook {
        struct machine *machine;
        uint32_t member;
    } hooks[NODES];
    struct process processes[PROCESSES];
    uint32_t count;
    double most;          /* that nodes have held together */
    double rates[LENGTH]; /* of the first application of the first node, each millisecond */
};

static int machine_hear(void *context, uint64_t now, const struct node_message *event,
                        struct err *err)
{
    const struct machine_hook *hook = context;
    return gather_hear(hook->machine->gather, now, hook->member, event, err);
}

static int machine_tell(void *context, uint64_t now, const struct node_message *event,
                        struct err *err)
{
    const struct machine *machine = context;
    return controller_hear(machine->controller, now, event, err);
}

static void machine_order(void *context, uint64_t now, const struct node_message *order)
{
    const struct machine *machine = context;
    gather_obey(machine->gather, now, order);
}

static void machine_obey(void *context, uint64_t now, uint32_t member,
                         const struct node_message *order)
{
    const struct machine *machine = context;
    node_obey(machine->nodes[member], now, order);
}

static void machine_open(struct machine *machine, double node_bandwidth)
{
    const struct node_terms terms = {.rule = {SERVICE_SOFT_RELEASE, SERVICE_PHASE_GAP}};
    struct err err = {0};
    *machine = (struct machine){
        .service = {.platform = {.node_bandwidth = node_bandwidth, .bandwidth = BANDWIDTH},
                    .policy = "fcfs",
                    .soft_release = SERVICE_SOFT_RELEASE,
                    .phase_gap = SERVICE_PHASE_GAP,
                    .max_wait = SERVICE_MAX_WAIT},
        .now = 1000000000000u,
    };
    machine->controller =
        controller_new(&machine->service, policy_open("fcfs", &err), NULL, machine->now, &err);
    machine->gather =
        gather_new((struct event_sink){machine_tell, machine}, machine_obey, machine, &err);
    assert_true(machine->controller && machine->gather);
    machine->controller->down = (struct order_sink){machine_order, machine};
    gather_bound(machine->gather, node_bandwidth);
    for (uint32_t i = 0; i < NODES; i++) {
        machine->hooks[i] = (struct machine_hook){machine, i};
        machine->nodes[i] = node_new(&terms, (struct event_sink){machine_hear, &machine->hooks[i]},
                                     machine->now, &err);
        assert_non_null(machine->nodes[i]);
    }
}

static void machine_close(struct machine *machine)
{
    for (uint32_t i = 0; i < NODES; i++)
        node_free(machine->nodes[i]);
    gather_free(machine->gather);
    controller_free(machine->controller);
}

static void machine_settle(struct machine *machine)
{
    double held = 0;
    controller_decide(machine->controller, machine->now);
    gather_settle(machine->gather, machine->now);
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t app = 0; app < machine->nodes[i]->capacity; app++)
            held += machine->nodes[i]->apps[app] ? machine->nodes[i]->apps[app]->rate : 0;
    machine->most = fmax(machine->most, held);
}

/* Moves what a process may in a millisecond: processes of one node take equal parts. */
static void machine_move(struct machine *machine, struct process *process)
{
    struct node_app *app = process->seat.app;
    struct usage_page *usage = app->pages.usage;
    uint32_t sharing = 0;
    for (uint32_t i = 0; i < machine->count; i++)
        sharing += machine->processes[i].begun && machine->processes[i].seat.app == app;
    double bytes = fmin(app->rate / 1000 / sharing, process->volume - process->moved);
    usage->used += (uint64_t)bytes * LINE_BYTE;
    usage->slots[process->seat.slot].moved += (uint64_t)bytes;
    usage->calls += bytes > 0;
    usage->last = machine->now;
    process->moved += floor(bytes);
}

static void machine_drive(struct machine *machine, struct process *process, unsigned ms)
{
    struct node *node = machine->nodes[process->node];
    struct page_slot *slot = &process->seat.app->pages.usage->slots[process->seat.slot];
    const struct wire_post post = {.begun = 1, .volume = process->volume};
    if (process->ended > 0)
        return;
    if (!process->begun && ms >= process->from) {
        node_post(node, machine->now, &process->seat, &post);
        process->begun = true;
        slot->busy = 1;
    } else if (process->begun && ms >= process->works && ms < process->until) {
        slot->busy = 0;
    } else if (process->begun) {
        slot->busy = 1;
        if (process->seat.app->pages.usage->phase != PHASE_OPEN) /* as a client does */
            node_post(node, machine->now, &process->seat, &(struct wire_post){0});
        machine_move(machine, process);
        if (process->moved >= process->volume - 1) {
            slot->busy = 0;
            node_end(node, machine->now, &process->seat);
            process->begun = false;
            process->ended = ms;
        }
    }
}

/* Lets all processes do their I/O and leave. */
static void machine_run(struct machine *machine)
{
    struct err err = {0};
    for (uint32_t i = 0; i < machine->count; i++) {
        struct process *process = &machine->processes[i];
        const struct wire_attach who = {
            .token = {process->app, 1}, .nodes = 1, .weight = 1, .name = "a"};
        process->seat = (struct seat){.uid = 7};
        assert_int_equal(
            node_attach(machine->nodes[process->node], machine->now, &process->seat, &who, &err),
            0);
    }
    for (unsigned ms = 1; ms < LENGTH; ms++) {
        machine->now += MS;
        for (uint32_t i = 0; i < machine->count; i++)
            machine_drive(machine, &machine->processes[i], ms);
        machine_settle(machine);
        for (uint32_t i = 0; i < NODES; i++) {
            if (ms % 50 == 0)
                node_beat(machine->nodes[i], machine->now);
            node_look(machine->nodes[i], machine->now);
        }
        controller_look(machine->controller, machine->now);
        if (ms % 50 == 0)
            controller_beat(machine->controller, machine->now);
        machine_settle(machine);
        machine->rates[ms] = machine->nodes[0]->apps[0]->rate;
    }
    for (uint32_t i = 0; i < machine->count; i++) {
        struct process *process = &machine->processes[i];
        node_detach(machine->nodes[process->node], machine->now, &process->seat);
    }
}

static void machine_add(struct machine *machine, uint32_t app, uint32_t node, unsigned from,
                        double volume)
{
    machine->processes[machine->count++] =
        (struct process){.app = app, .node = node, .from = from, .volume = volume};
}

/* The record of the application that moved this much. */
static const struct wire_done *machine_done(const struct machine *machine, double moved)
{
    const struct accounts *accounts = &machine->controller->finished;
    for (uint64_t i = 0; i < accounts->count; i++)
        if (fabs(accounts->list[i].moved - moved) < 10)
            return &accounts->list[i];
    return NULL;
}

/* The first application moves 30 MB in three processes, in 0.3 s; the second 20 MB in two, one of
 * which begins late, and waits for the first. */
static void an_application_on_many_nodes_does_what_it_does_on_one(void **state)
{
    (void)state;
    for (int spread = 0; spread <= 1; spread++) {
        struct machine machine;
        machine_open(&machine, INFINITY);
        machine_add(&machine, 1, 0, 10, 5e6);
        machine_add(&machine, 1, spread ? 1 : 0, 10, 10e6);
        machine_add(&machine, 1, spread ? 2 : 0, 12, 15e6);
        machine_add(&machine, 2, spread ? 2 : 0, 20, 12e6);
        machine_add(&machine, 2, spread ? 3 : 0, 200, 8e6);
        machine_run(&machine);
        assert_true(machine.most <= BANDWIDTH * (1 + 1e-12));
        unsigned first = 0, second = 0;
        for (int i = 0; i < 5; i++) {
            unsigned ended = machine.processes[i].ended;
            assert_true(ended > 0);
            first = i < 3 && ended > first ? ended : first;
            second = i >= 3 && ended > second ? ended : second;
        }
        /* 310 ms and 510 ms, and a few for what moves in steps of a millisecond; shares that move
         * when a part ends take 2 ms more. */
        assert_in_range(first, 309, 320);
        assert_in_range(second, 509, 530);
        assert_int_equal(machine.controller->finished.count, 2);
        const struct wire_done *one = machine_done(&machine, 30e6);
        const struct wire_done *two = machine_done(&machine, 20e6);
        assert_true(one && two && one->phases == 1 && two->phases == 1);
        assert_true(fabs(one->io_time - 0.3) < 0.015 && fabs(two->io_time - 0.49) < 0.02);
        assert_true(one->waited < 0.015 && fabs(two->waited - 0.29) < 0.02);
        assert_int_equal(gather_applications(machine.gather), 0);
        machine_close(&machine);
    }
}

/* Nodes of 40 MB/s: three can use all of the bandwidth, one cannot. When only one of three moves
 * data, it has what one node can use; it announced 30 MB more than the others. */
static void bandwidth_follows_the_nodes(void **state)
{
    (void)state;
    struct machine machine;
    machine_open(&machine, 40e6);
    machine_add(&machine, 1, 0, 10, 10e6);
    machine_add(&machine, 1, 1, 10, 10e6);
    machine_add(&machine, 1, 2, 10, 40e6);
    machine_run(&machine);
    /* 30 MB at 100 MB/s, and 30 MB at 40 MB/s. */
    assert_in_range(machine.processes[0].ended, 309, 320);
    assert_in_range(machine.processes[2].ended, 1058, 1080);
    const struct wire_done *done = machine_done(&machine, 60e6);
    assert_true(done && done->phases == 1);
    assert_true(fabs(done->io_time - 1.05) < 0.02);
    machine_close(&machine);
}

/* A process that makes no call from 100 ms to 200 ms: its node waits WATCH_STALL, since it
 * announced its I/O, and then lends its share to the other one. It has it back at once. */
static void the_share_of_a_quiet_node_moves_within_a_few_milliseconds(void **state)
{
    (void)state;
    struct machine machine;
    machine_open(&machine, INFINITY);
    machine_add(&machine, 1, 0, 10, 40e6);
    machine_add(&machine, 1, 1, 10, 40e6);
    machine.processes[1].works = 100;
    machine.processes[1].until = 200;
    machine_run(&machine);
    assert_true(machine.rates[90] == BANDWIDTH / 2);
    assert_true(machine.rates[149] == BANDWIDTH / 2 && machine.rates[156] == BANDWIDTH);
    assert_true(machine.rates[199] == BANDWIDTH && machine.rates[203] == BANDWIDTH / 2);
    assert_true(machine.most <= BANDWIDTH * (1 + 1e-12));
    assert_in_range(machine.processes[1].ended, 833, 850); /* 50 MB/s were lost for 50 ms */
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_on_many_nodes_does_what_it_does_on_one),
        cmocka_unit_test(bandwidth_follows_the_nodes),
        cmocka_unit_test(the_share_of_a_quiet_node_moves_within_a_few_milliseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
