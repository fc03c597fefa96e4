#include "world.h"
#include "base/mem.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lease_rule lease_broken = LEASE_RULES_COUNT;

/* --- time and chance -------------------------------------------------------------------------- */

uint64_t clock_read(const struct clock *clock, uint64_t now)
{
    return clock->base + (uint64_t)((double)now * clock->rate);
}

uint64_t clock_when(const struct clock *clock, uint64_t shown)
{
    if (shown == UINT64_MAX)
        return UINT64_MAX;
    if (shown <= clock->base)
        return 0;
    uint64_t now = (uint64_t)((double)(shown - clock->base) / clock->rate);
    while (clock_read(clock, now) < shown)
        now++;
    return now;
}

double world_between(struct world *world, double low, double high)
{
    return random_between(&world->random, low, high);
}

bool world_chance(struct world *world, double p)
{
    return random_uniform(&world->random) < p;
}

/* --- what is told ----------------------------------------------------------------------------- */

void world_say(struct world *world, const char *format, ...)
{
    va_list args;
    if (!world->trace)
        return;
    va_start(args, format);
    printf("%10.6f  ", (double)world->now / 1e9);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

void world_break(struct world *world, const char *format, ...)
{
    va_list args;
    char text[200];
    if (world->broken[0])
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(world->broken, sizeof world->broken, "at %.6f: %s", (double)world->now / 1e9, text);
    world_say(world, "BROKEN: %s", text);
}

/* --- the heap of events ----------------------------------------------------------------------- */

static bool event_is_before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void event_insert(struct world *world, struct event event)
{
    world->events = mem_reserve(world->events, &world->event_capacity, world->event_count + 1,
                                sizeof *world->events);
    if (!world->events)
        abort();
    size_t at = world->event_count++;
    for (; at > 0 && event_is_before(&event, &world->events[(at - 1) / 2]); at = (at - 1) / 2)
        world->events[at] = world->events[(at - 1) / 2];
    world->events[at] = event;
}

void world_push(struct world *world, uint64_t delay, struct event event)
{
    event.at = world->now + delay;
    event.order = world->order++;
    event_insert(world, event);
}

static struct event event_pop(struct world *world)
{
    struct event first = world->events[0], last = world->events[--world->event_count];
    size_t at = 0, count = world->event_count;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && event_is_before(&world->events[child + 1], &world->events[child]))
            child++;
        if (!event_is_before(&world->events[child], &last))
            break;
        world->events[at] = world->events[child];
    }
    world->events[at] = last;
    return first;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The process that an event is for, or NULL. */
static struct process *event_process(struct world *world, const struct event *event)
{
    switch (event->kind) {
    case KIND_UP:
    case KIND_HELLO:
    case KIND_LOST_UP:
    case KIND_CAMPAIGN:
    case KIND_ELECTED:
        return &world->candidate[event->who].process;
    case KIND_DOWN:
    case KIND_WELCOME:
    case KIND_REFUSED:
    case KIND_DIAL:
    case KIND_LOST_DOWN:
        return &world->agent[event->who].process;
    default:
        return NULL;
    }
}

static void world_heal(struct world *world)
{
    world->healed = true;
    world_say(world, "healed");
    for (int i = 0; i < world->programs; i++)
        program_heal(world, i);
}

static void world_handle(struct world *world, struct event *event)
{
    switch (event->kind) {
    case KIND_PROGRAM:
        program_step(world, event->who, event->number);
        break;
    case KIND_REQUEST:
        etcd_serve(world, event);
        break;
    case KIND_FAULT:
        fault_begin(world, event->who);
        break;
    case KIND_MEND:
        fault_mend(world, event->who);
        break;
    case KIND_HEALED:
        world_heal(world);
        break;
    case KIND_UP:
    case KIND_HELLO:
    case KIND_LOST_UP:
    case KIND_CAMPAIGN:
    case KIND_ELECTED:
        candidate_hear(world, event);
        candidate_act(world, event->who);
        break;
    default:
        agent_hear(world, event);
        agent_act(world, event->who);
        break;
    }
}

/* One event. A process that is stopped hears of it when it goes on; one that is gone does not. */
static void world_step(struct world *world)
{
    struct event event = event_pop(world);
    struct process *process = event_process(world, &event);
    if (process && process->alive && process->frozen > world->now) {
        event.at = process->frozen;
        event_insert(world, event);
        return;
    }
    if (!process || process->alive)
        world_handle(world, &event);
    free(event.bytes);
}

static uint64_t process_due(const struct process *process)
{
    if (!process->alive)
        return UINT64_MAX;
    return process->due > process->frozen ? process->due : process->frozen;
}

/* Advances to the first thing that is due, and does it. */
static void world_advance(struct world *world)
{
    uint64_t next = world->events[0].at;
    struct process *first = NULL;
    int who = 0;
    bool agent = false;
    for (int i = 0; i < world->agents + CONTROLLERS; i++) {
        struct process *process = i < world->agents ? &world->agent[i].process
                                                    : &world->candidate[i - world->agents].process;
        if (process_due(process) < next) {
            next = process_due(process);
            first = process;
            agent = i < world->agents;
            who = agent ? i : i - world->agents;
        }
    }
    world->now = next > world->now ? next : world->now;
    if (!first)
        world_step(world);
    else if (agent)
        agent_act(world, who);
    else
        candidate_act(world, who);
}

/* --- a whole run ------------------------------------------------------------------------------ */

static struct clock world_clock(struct world *world)
{
    /* Two clocks differ by less than DRIFT. */
    return (struct clock){.base = SECONDS(world_between(world, 1000, 2000)),
                          .rate = 1 + world_between(world, -0.49, 0.49) * DRIFT};
}

static void world_begin(struct world *world, uint64_t seed, bool trace)
{
    struct event *events = world->events;
    size_t capacity = world->event_capacity;
    *world = (struct world){.seed = seed, .trace = trace, .random = random_at(seed, 0, 0)};
    world->events = events;
    world->event_capacity = capacity;
    world->agents = 3 + (int)random_below(&world->random, AGENTS - 2);
    world->programs = 3 + (int)random_below(&world->random, PROGRAMS - 2);
    world->calm = world_chance(world, 0.2);
    world->version = !world->calm && world_chance(world, 0.2) ? NODE_OLDEST : NODE_NEWEST;
    world->policy = !world->calm && world_chance(world, 0.25) ? "fcfs" : "fair-share";
    world->service = (struct service){
        .platform = {.node_bandwidth = INFINITY, .bandwidth = BANDWIDTH},
        .policy = world->policy,
        .soft_release = SERVICE_SOFT_RELEASE,
        .phase_gap = SERVICE_PHASE_GAP,
        .max_wait = 1e6,
    };
    world->latency = world_chance(world, 0.7) ? 500e-6 : world_between(world, 0.005, 0.05);
    world->terms = world_chance(world, 0.9);
    world->etcd.holder = NOBODY;
    for (int i = 0; i < CONTROLLERS; i++) {
        world->candidate[i].process.clock = world_clock(world);
        candidate_start(world, i);
    }
    for (int i = 0; i < world->agents; i++) {
        world->agent[i].process.clock = world_clock(world);
        agent_start(world, i);
    }
    for (int i = 0; i < world->programs; i++)
        program_start(world, i);
    fault_plan(world);
    world_push(world, SECONDS(HEAL), (struct event){.kind = KIND_HEALED});
}

static void world_end(struct world *world)
{
    for (size_t i = 0; i < world->event_count; i++)
        free(world->events[i].bytes);
    for (int i = 0; i < world->agents; i++)
        if (world->agent[i].process.alive)
            agent_kill(world, i);
    for (int i = 0; i < CONTROLLERS; i++)
        if (world->candidate[i].process.alive)
            candidate_kill(world, i);
    world->event_count = 0;
}

/* A share that moves from one node of an application to another is held by neither while the orders
 * are under way: what is divided must be so at one moment of the time that this takes. */
static bool world_is_over(const struct world *world)
{
    if (world->broken[0] || world->now >= SECONDS(END + TRANSIT))
        return true;
    return world->now >= SECONDS(END) && (!world->terms || check_is_divided(world));
}

bool world_run(struct world *world, uint64_t seed, bool trace)
{
    world_begin(world, seed, trace);
    while (!world_is_over(world)) {
        world_advance(world);
        check_step(world);
        world->steps++;
    }
    if (!world->broken[0] && world->terms)
        check_end(world);
    world_end(world);
    return !world->broken[0];
}
