#include "cli/rate.h"
#include "base/units.h"
#include "wire/message.h"

int rate_check(double rate, struct err *err)
{
    char text[32], bound[32];
    units_print(rate, UNIT_RATE, text, sizeof text);
    if (rate < WIRE_LEAST_RATE)
        return err_set(err, "%s is below %s; a unit such as in '%gMB/s' may be missing", text,
                       units_print(WIRE_LEAST_RATE, UNIT_RATE, bound, sizeof bound), rate);
    if (rate > WIRE_MOST_RATE)
        return err_set(err, "%s is above %s", text,
                       units_print(WIRE_MOST_RATE, UNIT_RATE, bound, sizeof bound));
    return 0;
}
