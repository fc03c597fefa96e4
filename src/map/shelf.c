#include "map/shelf.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Packs in a block. A search looks at each block and then into one, so the best size is about the
 * square root of the number of packs; this one suits a quarter of a million. */
enum { BLOCK = 512 };

struct block {
    struct shelf_pack packs[BLOCK];
    uint32_t count;      /* at least 1 */
    double least_nodes;  /* of its packs: the last one's */
    double most_room;    /* largest limit - volume */
    double least_volume; /* of its packs */
};

struct shelf {
    struct block **blocks;
    size_t count, capacity;
};

struct shelf *shelf_new(void)
{
    return mem_alloc(1, sizeof(struct shelf));
}

void shelf_free(struct shelf *shelf)
{
    if (!shelf)
        return;
    for (size_t i = 0; i < shelf->count; i++)
        free(shelf->blocks[i]);
    free(shelf->blocks);
    free(shelf);
}

/* Renews a block's bounds after a change. Linear in the block, as the shift of its packs is anyway.
 */
static void shelf_summarise(struct block *block)
{
    block->least_nodes = block->packs[block->count - 1].nodes;
    block->most_room = -INFINITY;
    block->least_volume = INFINITY;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct shelf_pack *pack = &block->packs[i];
        block->most_room = maths_max(block->most_room, pack->limit - pack->volume);
        block->least_volume = maths_min(block->least_volume, pack->volume);
    }
}

static bool shelf_before(const struct shelf_pack *a, const struct shelf_pack *b)
{
    return a->nodes != b->nodes ? a->nodes > b->nodes : a->id < b->id;
}

/* The first block whose last pack is not before this one; the last block if there is none. */
static size_t block_for(const struct shelf *shelf, const struct shelf_pack *pack)
{
    size_t low = 0, high = shelf->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct block *block = shelf->blocks[middle];
        if (shelf_before(&block->packs[block->count - 1], pack))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An empty block at `index`; 0, or -1 when memory is out. */
static int shelf_add_block(struct shelf *shelf, size_t index)
{
    struct block **blocks =
        mem_reserve(shelf->blocks, &shelf->capacity, shelf->count + 1, sizeof *blocks);
    if (!blocks)
        return -1;
    shelf->blocks = blocks;
    struct block *block = mem_alloc(1, sizeof *block);
    if (!block)
        return -1;
    memmove(&blocks[index + 1], &blocks[index], (shelf->count - index) * sizeof(struct block *));
    blocks[index] = block;
    shelf->count++;
    return 0;
}

/* Moves the second half of a full block to a new one after it. */
static int shelf_split(struct shelf *shelf, size_t index)
{
    if (shelf_add_block(shelf, index + 1) != 0)
        return -1;
    struct block *full = shelf->blocks[index], *half = shelf->blocks[index + 1];
    memcpy(half->packs, &full->packs[BLOCK / 2], BLOCK / 2 * sizeof *half->packs);
    full->count = half->count = BLOCK / 2;
    shelf_summarise(full);
    shelf_summarise(half);
    return 0;
}

int shelf_put(struct shelf *shelf, struct shelf_pack pack)
{
    if (shelf->count == 0 && shelf_add_block(shelf, 0) != 0)
        return -1;
    size_t index = block_for(shelf, &pack);
    if (shelf->blocks[index]->count == BLOCK) {
        if (shelf_split(shelf, index) != 0)
            return -1;
        index = block_for(shelf, &pack);
    }
    struct block *block = shelf->blocks[index];
    uint32_t at = block->count;
    while (at > 0 && shelf_before(&pack, &block->packs[at - 1]))
        at--;
    memmove(&block->packs[at + 1], &block->packs[at], (block->count - at) * sizeof pack);
    block->packs[at] = pack;
    block->count++;
    shelf_summarise(block);
    return 0;
}

static void take_out(struct shelf *shelf, size_t index, uint32_t at)
{
    struct block *block = shelf->blocks[index];
    block->count--;
    memmove(&block->packs[at], &block->packs[at + 1],
            (block->count - at) * sizeof(struct shelf_pack));
    if (block->count > 0) {
        shelf_summarise(block);
        return;
    }
    free(block);
    shelf->count--;
    memmove(&shelf->blocks[index], &shelf->blocks[index + 1],
            (shelf->count - index) * sizeof(struct block *));
}

/* Whether the volumes of pack and job together are within the pack's limit, or within the job's if
 * it is the longer one. For a block, with its largest room and smallest volume, a "no" is certain
 * and a "yes" is not: they may be of different packs. */
static bool has_room(double room, double volume, const struct shelf_want *want)
{
    return want->volume <= room || want->volume <= want->limit - volume;
}

bool shelf_take(struct shelf *shelf, const struct shelf_want *want, struct shelf_pack *found)
{
    for (size_t index = 0; index < shelf->count; index++) {
        const struct block *block = shelf->blocks[index];
        if (block->least_nodes > want->nodes ||
            !has_room(block->most_room, block->least_volume, want))
            continue;
        for (uint32_t at = 0; at < block->count; at++) {
            const struct shelf_pack *pack = &block->packs[at];
            if (pack->nodes > want->nodes ||
                !has_room(pack->limit - pack->volume, pack->volume, want))
                continue;
            *found = *pack;
            take_out(shelf, index, at);
            return true;
        }
    }
    return false;
}
