/* Dates and times of day, as people and logs write them.
 *
 * A moment is seconds since 1970 in UTC. A date without a time zone is one of this machine's (TZ),
 * daylight saving included; "Z" and "+01:00" say which it is. */
#ifndef WEIR_BASE_MOMENT_H
#define WEIR_BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

/* How moments are shown: so many seconds ahead of UTC; or as the clocks of this machine show them,
 * whose offset changes with the seasons. */
struct moment_zone {
    int32_t offset;
    bool system;
};

/* Reads "2024-02-29T13:00:00", whose seconds may be missing or have a fraction, perhaps with "Z" or
 * "+01:00" after it, a blank in place of the T, or seconds since 1970. The offset, which may be
 * NULL, is that of the text, or of this machine then. 0, or -1 if it is none of these, there is no
 * such day, or the clocks skip that time. */
int moment_parse(const char *text, double *date, int32_t *offset);

/* Reads "14:00" or "14:00:30" as seconds since midnight. 0 or -1. */
int moment_parse_time(const char *text, double *seconds);

/* The zone in which a moment has this offset: that of this machine, if it has it then. */
struct moment_zone moment_zone(double date, int32_t offset);
struct moment_zone moment_here(double date);

/* What clocks show at a moment, as seconds since 1970 as if that were UTC; and the moment at which
 * they show this. Of a time that comes twice, when clocks are set back, the first; one that they
 * skip is as long after the change as it seems. */
double moment_shown(double date, struct moment_zone zone);
double moment_of_shown(double shown, struct moment_zone zone);

/* Whether a moment is near enough to be printed as a date. */
bool moment_is_date(double date);

/* "2026-11-10 14:00:05", with as many digits of a second; or with `iso`,
 * "2026-11-10T14:00:05+01:00". Returns `buffer`. */
enum { MOMENT_SIZE = 48 };
char *moment_print(double date, struct moment_zone zone, int digits, char buffer[MOMENT_SIZE]);
char *moment_print_iso(double date, struct moment_zone zone, char buffer[MOMENT_SIZE]);

#endif
