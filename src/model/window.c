/* The time that is measured, as people write it. */
#include "base/units.h"
#include "model/scenario.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DAY = 86400 };

char *calendar_print(const struct calendar *calendar, double time, char buffer[MOMENT_SIZE])
{
    if (!(calendar->start > 0))
        return units_print(time, UNIT_SECONDS, buffer, MOMENT_SIZE);
    return moment_print(calendar->start + time, calendar->zone, 0, buffer);
}

/* A date, with or without a zone, or a time of day. 0 or -1. */
static int window_parse_point(const char *text, double *value, enum window_point *point)
{
    char utc[64];
    const char *time = strpbrk(text, "T ");
    bool zoned = time && strpbrk(time, "Z+-");
    if (moment_parse_time(text, value) == 0) {
        *point = WINDOW_TIME;
        return 0;
    }
    *point = zoned ? WINDOW_MOMENT : WINDOW_SHOWN;
    snprintf(utc, sizeof utc, "%s%s", text, zoned ? "" : "Z");
    return time ? moment_parse(utc, value, NULL) : -1;
}

static int window_parse_clock(struct window *window, const char *text, const char *slash,
                              struct err *err)
{
    char from[64];
    size_t length = (size_t)(slash - text);
    window->kind = WINDOW_CLOCK;
    if (length < sizeof from) {
        memcpy(from, text, length);
        from[length] = 0;
        if (strlen(slash + 1) < sizeof from - 1 &&
            window_parse_point(from, &window->start, &window->from) == 0 &&
            window_parse_point(slash + 1, &window->end, &window->to) == 0)
            return 0;
    }
    return err_set(err,
                   "invalid window '%s', expected FROM/TO such as 14:00/15:00 or "
                   "2026-11-10T14:00/15:00",
                   text);
}

int window_parse(struct window *window, const char *text, struct err *err)
{
    const char *colon = strchr(text, ':'), *slash = strchr(text, '/');
    char start[64];
    *window = (struct window){.kind = WINDOW_FIXED};
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0) {
        window->kind = *text == 'a' ? WINDOW_AUTO : WINDOW_NONE;
        return 0;
    }
    if (slash)
        return window_parse_clock(window, text, slash, err);
    if (!colon || (size_t)(colon - text) >= sizeof start)
        return err_set(err, "invalid window '%s', expected auto, none, START:END or FROM/TO", text);
    memcpy(start, text, (size_t)(colon - text));
    start[colon - text] = 0;
    if (units_parse(start, UNIT_SECONDS, &window->start, err) < 0 ||
        units_parse(colon + 1, UNIT_SECONDS, &window->end, err) < 0)
        return -1;
    if (window->start < 0 || window->end <= window->start)
        return err_set(err, "invalid window '%s', expected 0 <= START < END", text);
    return 0;
}

/* The moment that is meant; a time of day is the first after another moment. */
static double window_moment(double value, enum window_point point, double after,
                            struct moment_zone zone)
{
    if (point == WINDOW_MOMENT)
        return value;
    if (point == WINDOW_SHOWN)
        return moment_of_shown(value, zone);
    double day = floor(moment_shown(after, zone) / DAY) * DAY;
    double date = moment_of_shown(day + value, zone);
    return date > after ? date : moment_of_shown(day + DAY + value, zone);
}

int window_resolve(struct window *window, const struct calendar *calendar, struct err *err)
{
    if (window->kind != WINDOW_CLOCK)
        return 0;
    if (!(calendar->start > 0))
        return err_set(err, "a window of dates needs the key 'start' in the scenario: when time 0 "
                            "was");
    /* A time of day at which the scenario starts is that day's. */
    double from = window_moment(window->start, window->from, calendar->start - 1, calendar->zone);
    double to = window_moment(window->end, window->to, from, calendar->zone);
    char start[MOMENT_SIZE];
    if (!(to > from))
        return err_set(err, "the window ends before it starts");
    if (!(to > calendar->start))
        return err_set(err, "the window ends before the scenario starts, at %s",
                       moment_print(calendar->start, calendar->zone, 0, start));
    *window = (struct window){.kind = WINDOW_FIXED,
                              .start = fmax(0, from - calendar->start),
                              .end = to - calendar->start};
    return 0;
}
