/* Whether memory that the program points to is readable. Where the kernel would return EFAULT, a
 * hook that looks there first must not crash. Never changes errno. */
#ifndef WEIR_PRELOAD_MEMORY_H
#define WEIR_PRELOAD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/* Whether these bytes are readable. Asks the kernel once per page: about 0.1 us. */
bool memory_readable(const void *at, size_t size);

/* Whether a text is readable up to its end. */
bool memory_has_text(const char *at);

/* The sum of a vector's lengths; 0 if the vector is unreadable, or has more parts than allowed. */
size_t memory_vector_bytes(const struct iovec *vector, size_t count);

#endif
