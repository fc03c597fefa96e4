/* Quantities as people write them: "3 GB/s", "512 MiB", "1.5 h", "20 %", or plain numbers.
 *
 * Inside the program everything is bytes, seconds and bytes/s in doubles; this is the door. */
#ifndef WEIR_BASE_UNITS_H
#define WEIR_BASE_UNITS_H

#include "base/err.h"

enum unit { UNIT_NONE, UNIT_SECONDS, UNIT_BYTES, UNIT_RATE, UNIT_RATIO };

/* Parses `text` (all of it) as a finite number of the unit's dimension: seconds, bytes, bytes/s,
 * or a ratio (where "20 %" is 0.2). A number without a unit is taken as it is. Negative numbers
 * are accepted; ranges are the caller's business. 0 or -1. */
int units_parse(const char *text, enum unit unit, double *value, struct err *err);

/* What a person may write for this unit, for messages: "a time such as '90 s' or '1.5 h'". */
const char *units_expected(enum unit unit);

/* Prints a value as a person would: "1.5 h", "3 GB/s" (decimal prefixes, up to 4 digits).
 * Returns `buffer`. */
char *units_print(double value, enum unit unit, char *buffer, int size);

#endif
