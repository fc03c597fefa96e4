/* What happens to frames on their way. */
#include "base/mem.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

/* Nanoseconds under way; UINT64_MAX = it is lost. */
static uint64_t network_delay(struct world *world, const struct path *path)
{
    uint64_t delay = SECONDS(world_between(world, 0.1, 1) * world->latency);
    if (world->noisy > 0) {
        if (world_chance(world, 0.1))
            return UINT64_MAX;
        if (world_chance(world, 0.3))
            delay += SECONDS(world_between(world, 0, world_chance(world, 0.2) ? 3 : 0.2));
    }
    if (path->cut && path->keeps)
        return path->until - world->now + delay;
    return path->cut ? UINT64_MAX : delay;
}

static void *network_copy(const void *bytes, size_t size)
{
    void *copy = bytes ? mem_alloc(size, 1) : NULL;
    if (bytes && !copy)
        abort();
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

void network_carry(struct world *world, const struct path *path, struct event event)
{
    uint64_t delay = network_delay(world, path);
    if (delay < UINT64_MAX)
        world_push(world, delay, event);
}

void network_send(struct world *world, int number, enum direction direction, const void *bytes,
                  size_t size)
{
    struct connection *connection = &world->connection[number];
    const struct path *path = &world->path[connection->agent][connection->controller][direction];
    int copies = world->noisy > 0 && world_chance(world, 0.1) ? 2 : 1;
    for (; copies > 0; copies--) {
        uint64_t delay = network_delay(world, path);
        if (delay == UINT64_MAX)
            continue;
        uint64_t at = world->now + delay, *last = &connection->last[direction];
        if (world->noisy == 0 && at <= *last) /* in order, unless frames are disturbed */
            delay = *last + 1 - world->now;
        *last = world->now + delay > *last ? world->now + delay : *last;
        world_push(
            world, delay,
            (struct event){.kind = direction == GOES_UP ? KIND_UP : KIND_DOWN,
                           .who = direction == GOES_UP ? connection->controller : connection->agent,
                           .with = number,
                           .bytes = network_copy(bytes, size),
                           .size = size});
    }
}

void network_end(struct world *world, int number, enum direction direction)
{
    const struct connection *connection = &world->connection[number];
    const struct path *path = &world->path[connection->agent][connection->controller][direction];
    uint64_t delay = network_delay(world, path);
    if (delay == UINT64_MAX) /* the kernel tries again */
        delay = (path->cut ? path->until - world->now : 0) + SECONDS(world_between(world, 0, 1));
    world_push(
        world, delay,
        (struct event){.kind = direction == GOES_UP ? KIND_LOST_UP : KIND_LOST_DOWN,
                       .who = direction == GOES_UP ? connection->controller : connection->agent,
                       .with = number});
}
