/* The time, for progress, limits and how long something took. */
#ifndef WEIR_CLI_CLOCK_H
#define WEIR_CLI_CLOCK_H

/* Seconds of a clock that never goes back. */
double clock_now(void);

#endif
