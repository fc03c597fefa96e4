/* Faults: what goes wrong, when, and for how long. */
#include "world.h"

#define FAULT_KINDS(X)                                                                             \
    X(CUT, "a path is cut in both directions")                                                     \
    X(CUT_UP, "what an agent sends is lost, or late")                                              \
    X(CUT_DOWN, "what an agent is sent is lost, or late")                                          \
    X(APART, "an agent reaches no controller")                                                     \
    X(NOISE, "frames are lost, late, repeated and out of order")                                   \
    X(KILL_AGENT, "an agent is killed, and started again later")                                   \
    X(FREEZE_AGENT, "an agent is stopped for a while")                                             \
    X(RESET, "a connection breaks")                                                                \
    X(DEAF, "an agent does not read")                                                              \
    X(MUTE, "an agent cannot send")                                                                \
    X(KILL_CONTROLLER, "a controller is killed, and started again later")                          \
    X(END_CONTROLLER, "a controller ends as it should, and is started again later")                \
    X(FREEZE_CONTROLLER, "a controller is stopped for a while")                                    \
    X(NO_ETCD, "a controller cannot reach etcd")
#define FAULT_ENUM(name, text) FAULT_##name,
enum fault_kind { FAULT_KINDS(FAULT_ENUM) FAULT_KINDS_COUNT };

static const char *const texts[] = {
#define FAULT_TEXT(name, text) text,
    FAULT_KINDS(FAULT_TEXT)};

void fault_plan(struct world *world)
{
    int count = 1 + (int)random_below(&world->random, FAULTS);
    uint32_t first = world->calm ? FAULT_KILL_CONTROLLER : 0; /* these, and what follows */
    for (int i = 0; i < count; i++) {
        struct fault *fault = &world->fault[i];
        double begin = world_between(world, 1, HEAL - 0.5), length = world_between(world, 0.05, 5);
        double end = begin + length < HEAL ? begin + length : HEAL;
        uint32_t kind = first + random_below(&world->random, FAULT_KINDS_COUNT - first);
        *fault = (struct fault){.kind = (int)kind,
                                .who = (int)random_below(&world->random, (uint32_t)world->agents),
                                .with = (int)random_below(&world->random, CONTROLLERS),
                                .until = SECONDS(end),
                                .much = random_uniform(&world->random)};
        world_push(world, SECONDS(begin), (struct event){.kind = KIND_FAULT, .who = i});
        world_push(world, SECONDS(end), (struct event){.kind = KIND_MEND, .who = i});
    }
}

/* --- paths ------------------------------------------------------------------------------------ */

static void fault_cut(struct world *world, const struct fault *fault, bool cut)
{
    for (int c = 0; c < CONTROLLERS; c++)
        for (int d = GOES_UP; d <= GOES_DOWN; d++) {
            bool hit = (fault->kind == FAULT_APART || c == fault->with) &&
                       !(fault->kind == FAULT_CUT_UP && d == GOES_DOWN) &&
                       !(fault->kind == FAULT_CUT_DOWN && d == GOES_UP);
            if (hit)
                world->path[fault->who][c][d] =
                    (struct path){.cut = cut, .keeps = fault->much < 0.5, .until = fault->until};
        }
}

static void fault_reset(struct world *world, int agent)
{
    int number = world->agent[agent].connection;
    if (!world->agent[agent].process.alive || number == NOBODY)
        return;
    network_end(world, number, GOES_DOWN);
    if (world->connection[number].controller_open)
        network_end(world, number, GOES_UP);
}

/* --- beginning and end ------------------------------------------------------------------------ */

static void fault_freeze(struct process *process, uint64_t until)
{
    if (process->frozen < until)
        process->frozen = until;
}

void fault_begin(struct world *world, int number)
{
    struct fault *fault = &world->fault[number];
    struct agent *agent = &world->agent[fault->who];
    struct candidate *candidate = &world->candidate[fault->with];
    world_say(world, "fault: %s (agent %d, controller %d) until %.3f", texts[fault->kind],
              fault->who, fault->with, (double)fault->until / 1e9);
    switch (fault->kind) {
    case FAULT_NOISE:
        world->noisy++;
        break;
    case FAULT_KILL_AGENT:
        if (agent->process.alive)
            agent_kill(world, fault->who);
        break;
    case FAULT_FREEZE_AGENT:
        fault_freeze(&agent->process, fault->until);
        break;
    case FAULT_KILL_CONTROLLER:
        if (candidate->process.alive)
            candidate_kill(world, fault->with);
        break;
    case FAULT_END_CONTROLLER:
        if (candidate->process.alive)
            candidate_stop(world, fault->with);
        break;
    case FAULT_FREEZE_CONTROLLER:
        fault_freeze(&candidate->process, fault->until);
        break;
    case FAULT_NO_ETCD:
        candidate->apart = true;
        break;
    case FAULT_RESET:
        fault_reset(world, fault->who);
        break;
    case FAULT_DEAF:
        agent->deaf = true;
        break;
    case FAULT_MUTE:
        agent->mute = true;
        break;
    default:
        fault_cut(world, fault, true);
        break;
    }
}

/* Tells the hubs that the agent reads again. */
static void fault_hear(struct world *world, int number)
{
    world->agent[number].deaf = false;
    for (int i = 0; i < (int)world->connections_made; i++) {
        const struct connection *connection = &world->connection[i];
        if (connection->agent != number || !connection->controller_open)
            continue;
        hub_writable(world->candidate[connection->controller].hub, connection->member);
        world->candidate[connection->controller].process.due = world->now;
    }
}

void fault_mend(struct world *world, int number)
{
    struct fault *fault = &world->fault[number];
    struct agent *agent = &world->agent[fault->who];
    struct candidate *candidate = &world->candidate[fault->with];
    switch (fault->kind) {
    case FAULT_NOISE:
        world->noisy--;
        break;
    case FAULT_KILL_AGENT:
        if (!agent->process.alive)
            agent_start(world, fault->who);
        break;
    case FAULT_KILL_CONTROLLER:
    case FAULT_END_CONTROLLER:
        if (!candidate->process.alive)
            candidate_start(world, fault->with);
        break;
    case FAULT_NO_ETCD:
        candidate->apart = false;
        break;
    case FAULT_DEAF:
        fault_hear(world, fault->who);
        break;
    case FAULT_MUTE:
        agent->mute = false;
        if (agent->process.alive) {
            uplink_writable(agent->uplink);
            agent->process.due = world->now;
        }
        break;
    case FAULT_FREEZE_AGENT:
    case FAULT_FREEZE_CONTROLLER:
    case FAULT_RESET:
        break;
    default:
        fault_cut(world, fault, false);
        break;
    }
    world_say(world, "mended: %s (agent %d, controller %d)", texts[fault->kind], fault->who,
              fault->with);
}
