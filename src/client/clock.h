/* The kernel's clocks, past any library that shows the program another time (libfaketime). */
#ifndef WEIR_CLIENT_CLOCK_H
#define WEIR_CLIENT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that there is. No slower than libc's clock_gettime: it is read by the code
 * that the kernel maps into every process, where that can be found. */
uint64_t clock_read(clockid_t clock);

/* Seconds of CLOCK_MONOTONIC, which all processes share and which never goes back. */
double clock_now(void);

#endif
