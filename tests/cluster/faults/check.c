/* The promises. */
#include "world.h"
#include <math.h>
#include <string.h>

/* Bytes/s of all grants of an agent that are valid now. What proves that it moves is not counted:
 * that is on top, by design. */
static double check_grants(const struct world *world, int number)
{
    const struct agent *agent = &world->agent[number];
    double sum = 0;
    if (!agent->process.alive || agent_now(world, number) >= uplink_lease(agent->uplink))
        return 0;
    for (uint32_t i = 0; i < agent->node->open_count; i++) {
        const struct node_app *app = agent->node->apps[agent->node->open[i]];
        sum += app->open || app->probing ? 0 : app->rate;
    }
    return sum;
}

/* The sum of valid grants is at most the bandwidth. */
static void check_sum(struct world *world)
{
    double sum = 0;
    for (int i = 0; i < world->agents; i++)
        sum += check_grants(world, i);
    for (int i = 0; i < world->programs; i++)
        sum += world->now < world->program[i].keeps ? world->program[i].kept : 0;
    if (sum > BANDWIDTH * (1 + 1e-6))
        world_break(world, "grants of %.3f of the bandwidth are valid", sum / BANDWIDTH);
}

/* No program waits longer than the lease after its agent has last heard from a controller in
 * office. If only controllers fail, and the strategy lets nobody wait, then that is so of all of
 * its waiting, whatever controllers say of themselves. */
static void check_waits(struct world *world)
{
    const uint64_t patience = SECONDS(SPAN * (1 + DRIFT) + 0.1);
    for (int i = 0; i < world->programs; i++) {
        const struct program *program = &world->program[i];
        const struct agent *agent = &world->agent[program->agent];
        if (program->waiting == UINT64_MAX || !agent->process.alive)
            continue;
        uint64_t since = program->waiting;
        if (!world->calm)
            since = agent->served > since ? agent->served : since;
        since = agent->process.frozen > since ? agent->process.frozen : since;
        if (world->now > since + patience)
            world_break(world, "program %d has waited %.3f s without a controller", i,
                        (double)(world->now - since) / 1e9);
    }
}

void check_step(struct world *world)
{
    if (world->terms)
        check_sum(world);
    check_waits(world);
}

/* --- at the end ------------------------------------------------------------------------------- */

/* The controller in office, or NOBODY. */
static int check_leader(struct world *world)
{
    int leader = NOBODY, count = 0;
    for (int i = 0; i < CONTROLLERS; i++)
        if (hub_is_active(world->candidate[i].hub)) {
            leader = i;
            count++;
        }
    if (count != 1)
        world_break(world, "%d controllers lead in the end", count);
    return leader;
}

static void check_agents(struct world *world, int leader)
{
    for (int i = 0; i < world->agents; i++) {
        const struct agent *agent = &world->agent[i];
        if (agent->connection == NOBODY ||
            world->connection[agent->connection].controller != leader)
            world_break(world, "agent %d is not connected to the controller in the end", i);
        for (uint32_t k = 0; k < agent->node->capacity; k++)
            if (agent->node->apps[k] && agent->node->apps[k]->open)
                world_break(world, "agent %d has programs that run unthrottled in the end", i);
    }
}

/* What the application of a token gets on all nodes; -1: none of its programs does I/O. */
static double check_rate(const struct world *world, uint64_t token)
{
    double rate = -1;
    for (int i = 0; i < world->programs; i++) {
        const struct program *program = &world->program[i];
        if (program->token == token && program->io && program->seat.app)
            rate = (rate > 0 ? rate : 0) + program->seat.app->rate;
    }
    return rate;
}

/* How the bandwidth is divided now. */
struct division {
    double sum, most;
    int active;
};

static struct division check_add_up(const struct world *world)
{
    struct division division = {0};
    for (uint64_t token = 1; token <= (uint64_t)world->programs; token++) {
        double rate = check_rate(world, token);
        if (rate < 0)
            continue;
        division.active++;
        division.sum += rate;
        division.most = rate > division.most ? rate : division.most;
    }
    return division;
}

/* Among all that do I/O, or to one of them. */
bool check_is_divided(const struct world *world)
{
    struct division division = check_add_up(world);
    if (division.active == 0)
        return true;
    double expected = strcmp(world->policy, "fcfs") == 0 ? BANDWIDTH : BANDWIDTH / division.active;
    return fabs(division.sum - BANDWIDTH) <= 1e-6 * BANDWIDTH &&
           fabs(division.most - expected) <= 1e-6 * expected;
}

/* The bandwidth is divided as the strategy divides it. */
static void check_division(struct world *world)
{
    struct division division = check_add_up(world);
    if (!check_is_divided(world))
        world_break(world, "%d applications get %.4f of the bandwidth, one %.4f", division.active,
                    division.sum / BANDWIDTH, division.most / BANDWIDTH);
}

/* The controller knows what there is, and no more. */
static void check_view(struct world *world, int leader)
{
    const struct candidate *candidate = &world->candidate[leader];
    uint32_t applications = 0, parts = 0;
    for (uint64_t token = 1; token <= (uint64_t)world->programs; token++) {
        uint32_t here = 0;
        for (int i = 0; i < world->programs; i++)
            here += world->program[i].token == token && world->program[i].seat.app;
        applications += here > 0;
        parts += here;
    }
    if (gather_applications(candidate->gather) != applications ||
        gather_parts(candidate->gather) != parts || candidate->controller->count < applications)
        world_break(world, "the controller knows %u applications in %u parts instead of %u in %u",
                    gather_applications(candidate->gather), gather_parts(candidate->gather),
                    applications, parts);
}

/* No byte is in two accounts, open or closed. Older agents do not tell which bytes they count. */
static void check_bytes(struct world *world, int leader)
{
    const struct controller *controller = world->candidate[leader].controller;
    double counted = 0, moved = 0;
    for (int i = 0; i < world->programs; i++)
        moved += world->program[i].moved;
    for (uint32_t id = 0; id < controller->capacity; id++)
        counted += controller->apps[id] ? controller->apps[id]->moved : 0;
    for (uint64_t i = accounts_first(&controller->finished, ACCOUNTS_KEPT);
         i < controller->finished.count; i++)
        counted += accounts_find(&controller->finished, i)->moved;
    if (world->version >= 2 && counted > moved + 1e3)
        world_break(world, "%.0f bytes are in accounts, but %.0f were moved", counted, moved);
}

/* For a trace: what there is in the end. */
static void check_describe(struct world *world, int leader)
{
    static const char *const phases[] = {"no I/O", "an I/O", "a paused I/O"};
    for (int i = 0; i < world->programs; i++) {
        const struct program *program = &world->program[i];
        const struct node_app *app = program->seat.app;
        if (app)
            world_say(world, "program %d of %llu on agent %d has %s, %.4f of the bandwidth%s%s", i,
                      (unsigned long long)program->token, program->agent, phases[app->phase],
                      app->rate / BANDWIDTH, app->open ? ", runs unthrottled" : "",
                      app->probing ? ", proves that it moves" : "");
    }
    world_say(world, "controller %d counts %.4f", leader,
              hub_held(world->candidate[leader].hub, 0) / BANDWIDTH);
}

void check_end(struct world *world)
{
    int leader = check_leader(world);
    if (leader == NOBODY)
        return;
    check_describe(world, leader);
    check_agents(world, leader);
    check_view(world, leader);
    check_bytes(world, leader);
    check_division(world);
}
