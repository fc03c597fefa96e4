/* An arena: many small allocations that are freed together. A zeroed struct is an empty arena. */
#ifndef WEIR_BASE_ARENA_H
#define WEIR_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *blocks;
};

/* Zeroed memory, aligned for any type; NULL when memory is out. Lives until arena_fini. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* A copy of the first `length` bytes, followed by a 0 byte; NULL when memory is out. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Takes over what another has allocated, which is empty then. */
void arena_adopt(struct arena *arena, struct arena *other);

/* Frees everything and leaves an empty arena. */
void arena_fini(struct arena *arena);

#endif
