#include "base/arena.h"
#include "base/mem.h"
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the first block; each one is twice as large as the one before, up to the second size. Large
 * blocks are new pages, which the system has cleared. */
enum { FIRST_BLOCK = 64 * 1024 - 64, LARGEST_BLOCK = 16 * FIRST_BLOCK };

struct arena_block {
    struct arena_block *next;
    size_t used, size; /* what is free lies between */
    alignas(max_align_t) unsigned char data[];
};

static size_t arena_next_size(const struct arena *arena)
{
    if (!arena->blocks)
        return FIRST_BLOCK;
    return arena->blocks->size < LARGEST_BLOCK / 2 ? 2 * arena->blocks->size : LARGEST_BLOCK;
}

/* Adds a block with room for so much. */
static struct arena_block *arena_add_block(struct arena *arena, size_t bytes)
{
    size_t usual = arena_next_size(arena), size = bytes > usual ? bytes : usual;
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *block = mem_alloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    /* A block for one large object is full from the start: it goes after the first one, which small
     * objects can continue to fill. */
    struct arena_block **link = &arena->blocks;
    if (*link && bytes > usual)
        link = &(*link)->next;
    block->next = *link;
    *link = block;
    return block;
}

/* A block with so much room, NULL when memory is out. */
static struct arena_block *find_room(struct arena *arena, size_t bytes)
{
    struct arena_block *block = arena->blocks;
    if (block && block->size - block->used >= bytes)
        return block;
    return arena_add_block(arena, bytes);
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t align = alignof(max_align_t);
    size_t bytes = (count * size + align - 1) / align * align;
    struct arena_block *block = find_room(arena, bytes);
    if (!block)
        return NULL;
    void *place = block->data + block->used;
    block->used += bytes;
    return place;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    struct arena_block *block = find_room(arena, length + 1);
    if (!block)
        return NULL;
    /* From the end of the block, where nothing has to be aligned. */
    block->size -= length + 1;
    char *copy = memcpy(block->data + block->size, text, length);
    copy[length] = 0;
    return copy;
}

void arena_adopt(struct arena *arena, struct arena *other)
{
    /* Behind its own first block, which small objects can continue to fill. */
    struct arena_block **link = arena->blocks ? &arena->blocks->next : &arena->blocks;
    struct arena_block *rest = *link, **end = &other->blocks;
    while (*end)
        end = &(*end)->next;
    *end = rest;
    *link = other->blocks;
    other->blocks = NULL;
}

void arena_fini(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}
