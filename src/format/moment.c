#include "format/moment.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>

/* Days from 1970-01-01 to this day of the Gregorian calendar; years count from March. */
static double count_days(int year, int month, int day)
{
    year -= month <= 2;
    int era = year / 400, of_era = year % 400;
    int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int moment_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

int moment_parse(const char *text, double *date)
{
    int year, month, day, hour, minute, length = 0;
    const char *at = text, *end = text + strlen(text);
    double second;
    if (text_number(&at, end, date) == 0 && at == end)
        return *date >= 0 && *date < 1e11 ? 0 : -1;
    end -= end > text && end[-1] == 'Z';
    if (strspn(text, "0123456789-T:.") != (size_t)(end - text) ||
        sscanf(text, "%4d-%2d-%2dT%2d:%2d:%n", &year, &month, &day, &hour, &minute, &length) != 5 ||
        !length)
        return -1;
    at = text + length;
    if (text_number(&at, end, &second) != 0 || at != end || second < 0 || second >= 61)
        return -1;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > moment_days(year, month) ||
        hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return -1;
    *date = count_days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return 0;
}
