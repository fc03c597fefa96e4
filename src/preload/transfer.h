/* Whether a transfer may be made in several. */
#ifndef WEIR_PRELOAD_TRANSFER_H
#define WEIR_PRELOAD_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether there is a limit, and nobody can see that bytes are written to a file in pieces, at `at`
 * or, if that is -1, at the file's own offset: that is this thread's alone, the file is neither
 * appended to nor written past its buffers, and the size limit is out of reach. */
bool transfer_may_split(int fd, size_t bytes, off64_t at);

#endif
