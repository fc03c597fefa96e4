/* The only way to allocate memory, so that tests can make the n-th allocation fail. */
#ifndef WEIR_BASE_MEM_H
#define WEIR_BASE_MEM_H

#include <stddef.h>

/* As calloc and realloc, but with count * size checked for overflow, and an address even for an
 * empty array. NULL with errno = ENOMEM on failure; free() frees. */
void *mem_alloc(size_t count, size_t size);
void *mem_grow(void *old, size_t count, size_t size);

/* Doubles an array so that it holds at least `need` elements; *capacity is updated.
 * Returns the new array, or NULL with the old one untouched. */
void *mem_reserve(void *old, size_t *capacity, size_t need, size_t size);

/* To be called first in a program: large arrays go back to the system when they are freed, whatever
 * was freed before, so that the program never holds more than it needs. */
void mem_return_large(void);

/* Test hook: after `n` more successful allocations one fails; negative switches it off. */
void mem_fail_after(long n);

#endif
