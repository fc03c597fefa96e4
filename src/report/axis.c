#include "report/axis.h"
#include <math.h>
#include <stdio.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* Steps that people count in between the decimal ones of seconds and of days. */
static const double clock_steps[] = {
    15,          30,   MINUTE,   2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE,
    30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR,   6 * HOUR,   12 * HOUR,
};

static double axis_round_up(double least)
{
    double power = pow(10, floor(log10(least)));
    for (const double *factor = (const double[]){1, 2, 5, 0}; *factor > 0; factor++)
        if (*factor * power >= least * (1 - 1e-9))
            return *factor * power;
    return 10 * power;
}

void axis_choose_step(struct axis *axis, int most)
{
    double least = (axis->end - axis->start) / most;
    double step = axis_round_up(least);
    if (step > 10) {
        step = DAY * fmax(1, axis_round_up(least / DAY));
        for (size_t i = sizeof clock_steps / sizeof *clock_steps; i-- > 0;)
            if (clock_steps[i] >= least)
                step = clock_steps[i];
    }
    axis->step = step;
}

double axis_position(const struct axis *axis, double time)
{
    double share = (time - axis->start) / (axis->end - axis->start);
    return axis->width * fmin(fmax(share, 0), 1);
}

static bool axis_is_dated(const struct axis *axis)
{
    return axis->calendar && axis->calendar->start > 0;
}

double axis_first(const struct axis *axis)
{
    double shift = axis_is_dated(axis)
                       ? fmod(moment_shown(axis->calendar->start, axis->calendar->zone), axis->step)
                       : 0;
    return ceil((axis->start + shift) / axis->step - 1e-9) * axis->step - shift;
}

/* "14:00", "14:00:05", or "11-10 14:00", as the step and the span need. */
static char *axis_date(const struct axis *axis, double time, char *buffer, size_t size)
{
    char date[MOMENT_SIZE];
    bool seconds = axis->step<MINUTE, days = axis->end - axis->start> 20 * HOUR;
    moment_print(axis->calendar->start + time, axis->calendar->zone, 0, date);
    date[seconds ? 19 : 16] = 0;
    snprintf(buffer, size, "%s", days ? date + 5 : date + 11);
    return buffer;
}

char *axis_label(const struct axis *axis, double time, char *buffer, size_t size)
{
    if (axis_is_dated(axis))
        return axis_date(axis, time, buffer, size);
    /* Half hours read better as "1.5 h" than as "90 min". */
    double unit = axis->step < MINUTE        ? 1
                  : axis->step < 30 * MINUTE ? MINUTE
                  : axis->step < DAY         ? HOUR
                                             : DAY;
    const char *name = unit == 1 ? "s" : unit == MINUTE ? "min" : unit == HOUR ? "h" : "d";
    double count = time / unit;
    if (fabs(count) < 1e-9 * axis->step / unit)
        snprintf(buffer, size, "0");
    else
        snprintf(buffer, size, "%.10g %s", count, name);
    return buffer;
}
