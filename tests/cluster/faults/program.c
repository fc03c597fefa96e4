/* Programs: they work, and do I/O as fast as their pages let them. */
#include "world.h"
#include <string.h>

static bool agent_answers(const struct world *world, int number)
{
    const struct process *process = &world->agent[number].process;
    return process->alive && process->frozen <= world->now;
}

static void program_after(struct world *world, int number, double seconds)
{
    world_push(world, SECONDS(seconds),
               (struct event){
                   .kind = KIND_PROGRAM, .who = number, .number = ++world->program[number].serial});
}

void program_start(struct world *world, int number)
{
    struct program *program = &world->program[number];
    /* Some programs are parts of one application on several nodes. */
    bool part = number > 0 && world_chance(world, 0.3);
    program->agent = (int)random_below(&world->random, (uint32_t)world->agents);
    program->token = (uint64_t)number + 1;
    if (part && world->program[number - 1].agent != program->agent)
        program->token = world->program[number - 1].token;
    for (int i = 0; i < number; i++) /* one process per node, which is simpler */
        if (world->program[i].token == program->token && world->program[i].agent == program->agent)
            program->token = (uint64_t)number + 1;
    program->waiting = UINT64_MAX;
    program->seat.uid = 1000;
    program_after(world, number, world_between(world, 0, 1));
}

/* --- I/O -------------------------------------------------------------------------------------- */

/* Bytes/s that it moves now. */
static double program_speed(const struct world *world, const struct program *program)
{
    const struct node_app *app = program->seat.app;
    if (!program->io || program->stalls)
        return 0;
    if (!app) /* its agent is gone */
        return world->now < program->keeps ? program->kept : FREE;
    return app->open ? FREE : app->rate;
}

/* Writes to its page what it has claimed and moved. */
static void program_write(struct world *world, struct program *program, double moved)
{
    struct usage_page *usage = program->seat.app->pages.usage;
    const struct page_grant *grant = &program->seat.app->pages.last;
    struct page_slot *slot = &usage->slots[program->seat.slot];
    slot->moved += (uint64_t)moved;
    slot->busy = program->io && !program->stalls;
    if (program->io && !program->stalls && grant->mode == PAGE_PACED) {
        uint64_t now = agent_now(world, program->agent);
        uint64_t claimed = line_at(&grant->bytes, now + 2000000);
        if ((int64_t)(claimed - usage->used) > 0)
            usage->used = claimed;
    }
    usage->calls += moved > 0;
    usage->last = agent_now(world, program->agent);
}

/* It goes on after it has done nothing for a while, as a client does. */
static void program_continue(struct world *world, int number)
{
    struct program *program = &world->program[number];
    program->stalls = false;
    program->speed = -1; /* a new one is found */
    if (program->seat.app && program->seat.app->phase != PHASE_OPEN) {
        node_post(world->agent[program->agent].node, agent_now(world, program->agent),
                  &program->seat, &(struct wire_post){0});
        program->seat.app->pages.usage->phase = PHASE_OPEN;
    }
}

void program_move(struct world *world, int number)
{
    struct program *program = &world->program[number];
    double moved = program->speed * (double)(world->now - program->since) / 1e9;
    if (program->io)
        program->left -= moved;
    program->moved += moved > 0 ? moved : 0;
    if (program->seat.app)
        program_write(world, program, moved);
    program->since = world->now;
    if (program->io && !program->stalls && program->seat.app &&
        program->seat.app->pages.usage->phase != PHASE_OPEN)
        program_continue(world, number);
    double speed = program_speed(world, program);
    bool waits = program->io && !program->stalls && program->seat.app && speed == 0;
    if (!waits)
        program->waiting = UINT64_MAX;
    else if (program->waiting == UINT64_MAX)
        program->waiting = world->now;
    if (speed == program->speed || program->stalls || !program->io)
        return;
    program->speed = speed;
    program_after(world, number, speed > 0 ? program->left / speed + 1e-6 : 1e3);
}

/* --- steps ------------------------------------------------------------------------------------ */

static void program_attach(struct world *world, int number)
{
    struct program *program = &world->program[number];
    struct agent *agent = &world->agent[program->agent];
    double nodes = 0;
    for (int i = 0; i < world->programs; i++)
        nodes += world->program[i].token == program->token;
    const struct wire_attach who = {
        .token = {program->token, world->seed}, .nodes = nodes, .weight = 1, .name = "a"};
    if (node_attach(agent->node, agent_now(world, program->agent), &program->seat, &who, NULL) != 0)
        world_break(world, "program %d cannot attach", number);
    world_say(world, "program %d attaches to agent %d as %llu", number, program->agent,
              (unsigned long long)program->token);
}

static void program_post(struct world *world, int number)
{
    struct program *program = &world->program[number];
    struct wire_post post = {.volume = program->left > 1 ? program->left : 1, .begun = 1};
    node_post(world->agent[program->agent].node, agent_now(world, program->agent), &program->seat,
              &post);
    program->seat.app->pages.usage->phase = PHASE_OPEN;
    world_say(world, "program %d begins an I/O", number);
}

static void program_begin(struct world *world, int number)
{
    struct program *program = &world->program[number];
    program->io = true;
    program->left = world->healed ? 1e15 : BANDWIDTH * world_between(world, 0.05, 2);
    program->speed = 0;
    if (program->seat.app)
        program_post(world, number);
}

static void program_end(struct world *world, int number)
{
    struct program *program = &world->program[number];
    program->io = false;
    program->speed = 0;
    program->waiting = UINT64_MAX;
    world_say(world, "program %d ends its I/O", number);
    if (!program->seat.app)
        return;
    program->seat.app->pages.usage->slots[program->seat.slot].busy = 0;
    node_end(world->agent[program->agent].node, agent_now(world, program->agent), &program->seat);
}

static void program_stall(struct world *world, int number)
{
    struct program *program = &world->program[number];
    program->stalls = true;
    program->speed = 0;
    if (program->seat.app)
        program->seat.app->pages.usage->slots[program->seat.slot].busy = 0;
    program_after(world, number, world_between(world, 0.01, 0.3));
}

/* Some go on right after they were found to be quiet. */
void program_look(struct world *world, int number)
{
    const struct program *program = &world->program[number];
    if (program->stalls && program->seat.app && program->seat.app->phase == PHASE_PAUSED &&
        world_chance(world, 0.3))
        program_after(world, number, world_between(world, 0, world->latency));
}

static void program_leave(struct world *world, int number)
{
    struct program *program = &world->program[number];
    world_say(world, "program %d leaves", number);
    node_detach(world->agent[program->agent].node, agent_now(world, program->agent),
                &program->seat);
}

/* What it does when nothing keeps it from going on. */
static void program_go_on(struct world *world, int number)
{
    struct program *program = &world->program[number];
    if (!program->seat.app && world->now < program->keeps)
        program_after(world, number, (double)(program->keeps - world->now) / 1e9 + 1e-6);
    else if (!program->seat.app) {
        program_attach(world, number);
        program->speed = 0;
        if (program->io)
            program_post(world, number);
        else
            program_after(world, number, 0.01);
    } else if (program->stalls) {
        program_continue(world, number);
    } else if (!program->io && !(world->healed && number % 3 == 0)) {
        program_begin(world, number);
    } else if (program->io && program->left <= 1) {
        program_end(world, number);
        if (world_chance(world, 0.1))
            program_leave(world, number);
        program_after(world, number, world_between(world, 0.01, 0.8));
    } else if (program->io && program->speed > 0 && !world->healed && world_chance(world, 0.3)) {
        program_stall(world, number);
    }
}

void program_step(struct world *world, int number, uint64_t serial)
{
    struct program *program = &world->program[number];
    if (serial != program->serial)
        return;
    program_move(world, number);
    if (serial != program->serial)
        return;
    if (!agent_answers(world, program->agent)) {
        program_after(world, number, 0.05);
        return;
    }
    program_go_on(world, number);
    agent_act(world, program->agent);
}

/* From now on it does I/O for ever, or none. */
void program_heal(struct world *world, int number)
{
    struct program *program = &world->program[number];
    program_move(world, number);
    program->left = program->io ? (number % 3 == 0 ? 1 : 1e15) : 0;
    program->speed = 0;
    program_after(world, number, 0.001);
}
