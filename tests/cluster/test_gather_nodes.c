/* The same processes on one node, and on several that are gathered: the controller hears the same.
 */
#include "cluster/gather.h"
#include "node/node.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 4, PROCESSES = 10 };

/* What a controller heard since the last step, as a text: which I/Os began and ended, and with
 * which volumes and bytes. */
struct ear {
    char text[1024];
    uint32_t phase, begun; /* number of the latest I/O, and of how many it is */
    double volume;
};

static void ear_note(struct ear *ear, const struct node_message *event)
{
    char *end = ear->text + strlen(ear->text);
    size_t room = sizeof ear->text - strlen(ear->text);
    if (event->type == NODE_JOIN)
        *ear = (struct ear){.text = "join "};
    if (event->type == NODE_POST && event->post.phase != ear->phase)
        snprintf(end, room, "begin %u of %g ", ++ear->begun, event->post.volume);
    else if (event->type == NODE_POST && event->post.volume > 0 &&
             event->post.volume != ear->volume)
        snprintf(end, room, "is %g ", event->post.volume);
    else if (event->type == NODE_PAUSE || event->type == NODE_RESUME)
        snprintf(end, room, "pauses or continues ");
    else if (event->type == NODE_END)
        snprintf(end, room, "end %u after %g ", ear->begun, event->end.moved);
    else if (event->type == NODE_LEAVE)
        snprintf(end, room, "leave after %g ", event->leave.moved);
    if (event->type == NODE_POST) {
        ear->phase = event->post.phase;
        ear->volume = event->post.volume;
    }
}

/* A process, here and there. */
struct process {
    struct seat one, many;
    uint32_t node;
    bool attached, begun, silent;
};

struct worlds {
    uint64_t now;
    struct node *one, *many[NODES];
    struct ear one_ear, many_ear;
    struct gather *gather;
    struct process processes[PROCESSES];
    struct hook {
        struct worlds *worlds;
        uint32_t member;
    } hooks[NODES];
};

static int one_tells(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    (void)now, (void)err;
    ear_note(context, event);
    return 0;
}

static int many_tell(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    const struct hook *hook = context;
    return gather_hear(hook->worlds->gather, now, hook->member, event, err);
}

static void many_obey(void *context, uint64_t now, uint32_t member,
                      const struct node_message *order)
{
    const struct worlds *worlds = context;
    node_obey(worlds->many[member], now, order);
}

static int gather_tells(void *context, uint64_t now, const struct node_message *event,
                        struct err *err)
{
    struct worlds *worlds = context;
    (void)now, (void)err;
    ear_note(&worlds->many_ear, event);
    return 0;
}

static void worlds_open(struct worlds *worlds)
{
    const struct node_terms terms = {.rule = {0.002, 0.05}, .patience = 7000000000u};
    struct err err = {0};
    *worlds = (struct worlds){.now = 1000000000000u};
    worlds->one =
        node_new(&terms, (struct event_sink){one_tells, &worlds->one_ear}, worlds->now, &err);
    worlds->gather = gather_new((struct event_sink){gather_tells, worlds}, many_obey, worlds, &err);
    assert_true(worlds->one && worlds->gather);
    for (uint32_t i = 0; i < NODES; i++) {
        worlds->hooks[i] = (struct hook){worlds, i};
        worlds->many[i] =
            node_new(&terms, (struct event_sink){many_tell, &worlds->hooks[i]}, worlds->now, &err);
        assert_non_null(worlds->many[i]);
    }
}

static void worlds_close(struct worlds *worlds)
{
    node_free(worlds->one);
    for (uint32_t i = 0; i < NODES; i++)
        node_free(worlds->many[i]);
    gather_free(worlds->gather);
}

static void worlds_attach(struct worlds *worlds, struct process *process)
{
    /* As many nodes as Slurm gave it: their number does not follow from where processes are. */
    const struct wire_attach who = {.token = {1, 2}, .nodes = NODES, .weight = 1, .name = "a"};
    struct err err = {0};
    process->attached = true;
    process->begun = false;
    process->one = process->many = (struct seat){.uid = 7};
    assert_int_equal(node_attach(worlds->one, worlds->now, &process->one, &who, &err), 0);
    assert_int_equal(
        node_attach(worlds->many[process->node], worlds->now, &process->many, &who, &err), 0);
}

static void move(const struct seat *seat, uint64_t bytes)
{
    seat->app->pages.usage->slots[seat->slot].moved += bytes;
}

/* A process does something. One that announces no volume moves nothing: of such bytes, what several
 * nodes know of each other is what they have told. */
static void worlds_step(struct worlds *worlds, struct process *process)
{
    struct node *there = worlds->many[process->node];
    long dice = lrand48() % 16;
    if (!process->attached) {
        worlds_attach(worlds, process);
    } else if (dice == 0) {
        node_detach(worlds->one, worlds->now, &process->one);
        node_detach(there, worlds->now, &process->many);
        process->attached = false;
    } else if (!process->begun) {
        process->silent = dice < 4;
        const struct wire_post post = {.begun = 1,
                                       .volume = process->silent ? 0 : 1 + (double)(dice * 10)};
        node_post(worlds->one, worlds->now, &process->one, &post);
        node_post(there, worlds->now, &process->many, &post);
        process->begun = true;
    } else if (dice < 8 && !process->silent) {
        move(&process->one, (uint64_t)dice);
        move(&process->many, (uint64_t)dice);
    } else {
        node_end(worlds->one, worlds->now, &process->one);
        node_end(there, worlds->now, &process->many);
        process->begun = false;
    }
}

static void processes_on_many_nodes_are_heard_as_those_of_one(void **state)
{
    (void)state;
    size_t heard = 0;
    srand48(7);
    for (int round = 0; round < 100; round++) {
        struct worlds worlds;
        worlds_open(&worlds);
        uint32_t nodes = 1 + (uint32_t)round % NODES, processes = 1 + (uint32_t)round % PROCESSES;
        for (uint32_t i = 0; i < processes; i++)
            worlds.processes[i].node = (uint32_t)lrand48() % nodes;
        for (int step = 0; step < 200; step++) {
            worlds.now += 100;
            worlds_step(&worlds, &worlds.processes[(uint32_t)lrand48() % processes]);
            gather_settle(worlds.gather, worlds.now);
            assert_string_equal(worlds.one_ear.text, worlds.many_ear.text);
            heard += strlen(worlds.one_ear.text);
            worlds.one_ear.text[0] = worlds.many_ear.text[0] = '\0';
        }
        worlds_close(&worlds);
    }
    assert_true(heard > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_on_many_nodes_are_heard_as_those_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
