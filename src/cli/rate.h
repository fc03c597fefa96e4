/* Bandwidths that a live controller takes. */
#ifndef WEIR_CLI_RATE_H
#define WEIR_CLI_RATE_H

#include "base/err.h"

/* 0, or -1 and why not: below 1 kB/s, which is a forgotten unit, or above 1 PB/s. */
int rate_check(double rate, struct err *err);

#endif
