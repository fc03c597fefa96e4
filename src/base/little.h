/* Numbers as bytes, the least significant first, whatever the machine does. */
#ifndef WEIR_BASE_LITTLE_H
#define WEIR_BASE_LITTLE_H

#include <stddef.h>
#include <stdint.h>

/* `size` is at most 8. */
static inline void little_put(unsigned char *at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

static inline uint64_t little_get(const unsigned char *at, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}

#endif
