/* What agents may hold, in a file beside the controller's socket: it outlives the process, so the
 * next controller there need not wait until the leases of this one have ended. The file is mapped,
 * and writing to it costs no system call. For this room only. */
#ifndef WEIR_SERVE_HOLDINGS_H
#define WEIR_SERVE_HOLDINGS_H

#include "base/err.h"
#include "wire/message.h"
#include <stdbool.h>

struct holdings_page;

struct holdings {
    struct holdings_page *page; /* NULL = there is none */
    int fd;
    uint32_t channels;
    bool begun; /* what is in it is of this controller */
};

/* Opens the file of this socket, or creates it. 0, or -1 with err: another controller has it, or it
 * cannot be had; `holdings` can be used all the same, and knows nothing. */
int holdings_open(struct holdings *holdings, const char *socket, uint32_t channels,
                  struct err *err);
void holdings_close(struct holdings *holdings);

/* What the controller before left. False: nobody knows, since there was none, the machine was
 * started again since, or the channels were others. */
bool holdings_read(const struct holdings *holdings, uint64_t now, double held[WIRE_CHANNELS]);

/* What agents may hold from now on, but not beyond the time `until`. Before the first frame of a
 * turn is sent. */
void holdings_write(struct holdings *holdings, uint64_t until, const double held[WIRE_CHANNELS]);

#endif
