/* The kernel's clocks, bypassing libraries that show the program another time (libfaketime). */
#ifndef WEIR_CLIENT_CLOCK_H
#define WEIR_CLIENT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock, which must exist. As fast as libc's clock_gettime: where possible it uses
 * the code that the kernel maps into every process. */
uint64_t clock_read(clockid_t clock);

/* Seconds of CLOCK_MONOTONIC, which all processes share and which never goes back. */
double clock_now(void);

#endif
