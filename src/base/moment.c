#include "base/moment.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY = 86400, MOST_OFFSET = 16 * 3600 };
static const double latest = 1e11; /* the year 5138 */

/* Days from 1970-01-01 to this day of the Gregorian calendar; years count from March. */
static double count_days(int year, int month, int day)
{
    year -= month <= 2;
    int era = year / 400, of_era = year % 400;
    int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* The inverse. */
static void moment_find_day(double days, int *year, int *month, int *day)
{
    int64_t shifted = (int64_t)days + 719468, era = shifted / 146097, of_era = shifted % 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t part = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * part + 2) / 5 + 1);
    *month = (int)(part < 10 ? part + 3 : part - 9);
    *year = (int)(years + era * 400 + (*month <= 2));
}

static int moment_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* --- zones ----------------------------------------------------------------------------------- */

/* How far this machine's clocks are ahead of UTC. */
static int32_t moment_system_offset(double date)
{
    time_t seconds = (time_t)floor(date);
    struct tm tm;
    return localtime_r(&seconds, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

struct moment_zone moment_here(double date)
{
    return (struct moment_zone){moment_system_offset(date), true};
}

struct moment_zone moment_zone(double date, int32_t offset)
{
    return (struct moment_zone){offset, moment_system_offset(date) == offset};
}

static int32_t moment_offset(double date, struct moment_zone zone)
{
    return zone.system ? moment_system_offset(date) : zone.offset;
}

/* The moment at which this machine's clocks show a time, which is given as if it were UTC. Of a
 * time that comes twice, when clocks are set back, the first. -1 if they skip it. */
static int moment_from_system(double shown, double *date)
{
    double early = shown - moment_system_offset(shown - DAY);
    double late = shown - moment_system_offset(shown + DAY);
    double first = early < late ? early : late, second = early < late ? late : early;
    *date = first + moment_system_offset(first) == shown ? first : second;
    return *date + moment_system_offset(*date) == shown ? 0 : -1;
}

/* --- reading --------------------------------------------------------------------------------- */

/* "+01:00", "-0330", "Z": seconds. 1 if there is one at the end of the text, which becomes shorter;
 * 0 if there is none, -1 if it is wrong. */
static int moment_cut_offset(const char *text, const char **end, int32_t *offset)
{
    if (*end > text && (*end)[-1] == 'Z') {
        *offset = 0;
        --*end;
        return 1;
    }
    const char *time = strpbrk(text, "T "), *sign = time ? strpbrk(time, "+-") : NULL;
    int hours, minutes = 0, length = 0;
    if (!sign)
        return 0;
    if (strspn(sign + 1, "0123456789:") != strlen(sign + 1))
        return -1;
    if ((sscanf(sign + 1, "%2d:%2d%n", &hours, &minutes, &length) != 2 || sign[1 + length]) &&
        (sscanf(sign + 1, "%2d%2d%n", &hours, &minutes, &length) != 2 || sign[1 + length]) &&
        (sscanf(sign + 1, "%2d%n", &hours, &length) != 1 || sign[1 + length]))
        return -1;
    *offset = (hours * 3600 + minutes * 60) * (*sign == '-' ? -1 : 1);
    *end = sign;
    return minutes < 60 && *offset <= MOST_OFFSET && *offset >= -MOST_OFFSET ? 1 : -1;
}

/* "13:00:00.5" or "13:00", up to the end. */
static int moment_read_time(const char *text, const char *end, double *seconds)
{
    int hour, minute, length = 0;
    double second = 0;
    if (strspn(text, "0123456789:.") < (size_t)(end - text) ||
        sscanf(text, "%2d:%2d%n", &hour, &minute, &length) != 2 || !length)
        return -1;
    const char *at = text + length;
    if (at < end && *at++ != ':')
        return -1;
    if (text + length < end && (text_number(&at, end, &second) != 0 || second < 0 || second >= 61))
        return -1;
    if (at != end || hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return -1;
    *seconds = hour * 3600 + minute * 60 + second;
    return 0;
}

int moment_parse_time(const char *text, double *seconds)
{
    return moment_read_time(text, text + strlen(text), seconds);
}

int moment_parse(const char *text, double *date, int32_t *offset)
{
    int year, month, day, length = 0;
    const char *at = text, *end = text + strlen(text);
    int32_t ahead = 0;
    double seconds;
    if (text_number(&at, end, date) == 0 && at == end) {
        if (offset)
            *offset = moment_system_offset(*date);
        return *date >= 0 && *date < latest ? 0 : -1;
    }
    int zoned = moment_cut_offset(text, &end, &ahead);
    if (zoned < 0 || strspn(text, "0123456789-T :.") < (size_t)(end - text) ||
        sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &length) != 3 || !length ||
        (text[length] != 'T' && text[length] != ' '))
        return -1;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > moment_days(year, month) ||
        moment_read_time(text + length + 1, end, &seconds) != 0)
        return -1;
    *date = count_days(year, month, day) * DAY + seconds - ahead;
    if (zoned == 0 && moment_from_system(*date, date) != 0)
        return -1;
    if (offset)
        *offset = zoned ? ahead : moment_system_offset(*date);
    return 0;
}

/* --- clocks ---------------------------------------------------------------------------------- */

double moment_shown(double date, struct moment_zone zone)
{
    return date + moment_offset(date, zone);
}

double moment_of_shown(double shown, struct moment_zone zone)
{
    double date;
    if (!zone.system)
        return shown - zone.offset;
    if (moment_from_system(shown, &date) != 0)
        date = shown - moment_system_offset(shown - DAY);
    return date;
}

/* --- printing -------------------------------------------------------------------------------- */

static int moment_print_shown(double shown, char between, int digits, char buffer[MOMENT_SIZE])
{
    int year, month, day;
    double unit = pow(10, -digits);
    shown = floor(shown / unit + 1e-6) * unit;
    double days = floor(shown / DAY), rest = shown - days * DAY;
    moment_find_day(days, &year, &month, &day);
    int minutes = (int)(rest / 60);
    return snprintf(buffer, MOMENT_SIZE, "%04d-%02d-%02d%c%02d:%02d:%0*.*f", year, month, day,
                    between, minutes / 60, minutes % 60, digits > 0 ? digits + 3 : 2, digits,
                    rest - minutes * 60.0);
}

bool moment_is_date(double date)
{
    return date >= -latest && date <= latest;
}

char *moment_print(double date, struct moment_zone zone, int digits, char buffer[MOMENT_SIZE])
{
    if (moment_is_date(date))
        moment_print_shown(date + moment_offset(date, zone), ' ', digits, buffer);
    else
        snprintf(buffer, MOMENT_SIZE, "unknown");
    return buffer;
}

char *moment_print_iso(double date, struct moment_zone zone, char buffer[MOMENT_SIZE])
{
    int32_t offset = moment_offset(date, zone), minutes = (offset < 0 ? -offset : offset) / 60;
    int digits = date == floor(date) ? 0 : 6;
    if (!moment_is_date(date)) {
        snprintf(buffer, MOMENT_SIZE, "unknown");
        return buffer;
    }
    int length = moment_print_shown(date + offset, 'T', digits, buffer);
    snprintf(buffer + length, (size_t)(MOMENT_SIZE - length), "%c%02d:%02d", offset < 0 ? '-' : '+',
             minutes / 60, minutes % 60);
    return buffer;
}
