#include "base/text.h"
#include "base/decimal.h"
#include "base/mem.h"
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

static bool is_digit(const char *at, const char *end)
{
    return at < end && (unsigned char)(*at - '0') < 10;
}

/* Eight bytes, the first of them in the lowest one: of a digit its value, of others above 9. */
static inline uint64_t load_digits(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return le64toh(bytes) ^ 0x3030303030303030;
}

/* A bit in each of these bytes that is not a digit's, up to the first one. */
static inline uint64_t find_others(uint64_t bytes)
{
    return (bytes | (bytes + 0x7676767676767676)) & 0x8080808080808080;
}

/* The value of eight digits: pairs of neighbours are joined three times. */
static uint64_t eight_digits(uint64_t bytes)
{
    bytes = bytes * 10 + (bytes >> 8);
    bytes = ((bytes & 0x00FF00FF00FF00FF) * (1 + (UINT64_C(100) << 16)) >> 16) & 0x0000FFFF0000FFFF;
    return (bytes * (1 + (UINT64_C(10000) << 32))) >> 32;
}

/* A whole number that wraps beyond 19 digits, and what is behind its digits. */
struct digits {
    uint64_t value;
    const char *stop;
};

/* Puts the digits at `at` behind those of `value`, one by one. */
static inline struct digits read_few_digits(uint64_t value, const char *at, const char *end)
{
    for (; is_digit(at, end); at++)
        value = value * 10 + (uint64_t)(*at - '0');
    return (struct digits){value, at};
}

/* The same, the first eight at once if there are as many: few numbers have more. */
static inline struct digits read_many_digits(uint64_t value, const char *at, const char *end)
{
    uint64_t bytes;
    if (end - at >= 8 && !find_others(bytes = load_digits(at)))
        return read_few_digits(value * 100000000 + eight_digits(bytes), at + 8, end);
    return read_few_digits(value, at, end);
}

/* The value of eight digits with a point before the last of them, or -1 if there is something else
 * at `at`; *point is where it is. */
static inline int64_t read_around_point(const char *at, const char *end, const char **point)
{
    if (end - at < 9)
        return -1;
    uint64_t bytes = load_digits(at), others = find_others(bytes);
    if (!others)
        return -1;
    *point = at + __builtin_ctzll(others) / 8;
    if (**point != '.')
        return -1;
    /* The bits below the point's byte, whose highest bit is the lowest of the others. */
    uint64_t before = (others ^ (others - 1)) >> 8, after = load_digits(at + 1);
    bytes = after ^ ((bytes ^ after) & before);
    return find_others(bytes) ? -1 : (int64_t)eight_digits(bytes);
}

/* Adds the exponent at an 'e', and returns what is behind it; "2e" and "2 EB" have none. */
static const char *read_exponent(int *exponent, const char *at, const char *end)
{
    const char *digit = at + 1;
    bool minus = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (!is_digit(digit, end))
        return at;
    int given = 0;
    for (; is_digit(digit, end); digit++)
        given = given < 100000 ? given * 10 + (*digit - '0') : given;
    *exponent += minus ? -given : given;
    return digit;
}

/* Whether at most 19 digits follow the zeros in front: as many as 64 bits always hold. */
static bool is_short(const char *first, const char *stop)
{
    int digits = 0;
    for (; first < stop; first++)
        digits += *first != '.' && (digits > 0 || *first != '0') && digits < 20;
    return digits < 20;
}

/* Any literal, through the C library. */
static int read_slowly(const char *start, const char *stop, double *value)
{
    char small[64], *copy = small;
    size_t length = (size_t)(stop - start);
    if (length >= sizeof small && !(copy = mem_alloc(length + 1, 1)))
        return -1;
    memcpy(copy, start, length);
    copy[length] = 0;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *value = plain ? strtod_l(copy, NULL, plain) : strtod(copy, NULL);
    if (plain)
        freelocale(plain);
    if (copy != small)
        free(copy);
    return isfinite(*value) ? 0 : -1;
}

/* Any number, also with a sign, an exponent, more than 19 digits, or a value that is hard to round.
 */
static __attribute__((noinline)) int read_literal(const char **at, const char *end, double *value)
{
    const char *start = *at, *first = start;
    if (first < end && (*first == '-' || *first == '+'))
        first++;
    struct digits digits = read_few_digits(0, first, end);
    ptrdiff_t length = digits.stop - first, decimals = 0;
    if (digits.stop < end && *digits.stop == '.') {
        const char *fraction = digits.stop + 1;
        digits = read_few_digits(digits.value, fraction, end);
        decimals = digits.stop - fraction;
        length += decimals;
    }
    const char *stop = digits.stop;
    char next = stop < end ? *stop | 0x20 : 0;
    if (length == 0 || next == 'x')
        return -1;
    /* So low that no exponent makes up for it. */
    int exponent = decimals < 100000 ? -(int)decimals : INT_MIN / 2;
    if (next == 'e')
        stop = read_exponent(&exponent, stop, end);
    double size = is_short(first, digits.stop) ? decimal_value(digits.value, exponent) : NAN;
    if (!isnan(size))
        *value = *start == '-' ? -size : size;
    else if (read_slowly(start, stop, value) != 0)
        return -1;
    *at = stop;
    return 0;
}

/* Digits, maybe a point and digits: most numbers are no more. */
int text_number(const char **at, const char *end, double *value)
{
    const char *start = *at, *point;
    struct digits digits;
    int64_t eight = read_around_point(start, end, &point);
    if (eight >= 0) {
        digits = read_many_digits((uint64_t)eight, start + 9, end);
    } else {
        digits = read_few_digits(0, start, end);
        point = digits.stop < end && *digits.stop == '.' ? digits.stop : NULL;
        if (point)
            digits = read_many_digits(digits.value, point + 1, end);
    }
    ptrdiff_t decimals = point ? digits.stop - point - 1 : 0;
    ptrdiff_t length = digits.stop - start - (point != NULL);
    bool letter = digits.stop < end && (unsigned char)*digits.stop > '9'; /* maybe an exponent */
    if (length > 0 && length <= 19 && !letter) {
        double number = decimal_quick(digits.value, -(int)decimals);
        if (!isnan(number)) {
            *value = number;
            *at = digits.stop;
            return 0;
        }
    }
    return read_literal(at, end, value);
}

char *text_print_number(double value, char buffer[TEXT_NUMBER_SIZE])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, TEXT_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

double text_round(double value, int digits)
{
    char text[TEXT_NUMBER_SIZE];
    const char *at = text;
    int length = snprintf(text, sizeof text, "%.*g", digits, value);
    return text_number(&at, text + length, &value) == 0 ? value : NAN;
}

/* --- words ------------------------------------------------------------------------------------ */

enum { LONGEST_WORD = 63 };

static int text_least(int a, int b)
{
    return a < b ? a : b;
}

/* Letters to insert, remove, replace, or swap with their neighbour to turn a into b. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        above[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        row[0] = i;
        int x = tolower((unsigned char)a[i - 1]);
        for (int j = 1; j <= length; j++) {
            int y = tolower((unsigned char)b[j - 1]);
            row[j] = text_least(above[j - 1] + (x != y), 1 + text_least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = text_least(row[j], before[j - 2] + 1);
        }
        int *unused = before;
        before = above;
        above = row;
        row = unused;
    }
    return above[length];
}

const char *text_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST_WORD)
        return NULL;
    int bound = (int)(length + 2) / 3;
    for (; *names; names++) {
        if (strlen(*names) > LONGEST_WORD)
            continue;
        int d = distance(word, *names);
        if (d < bound || (d == bound && !nearest)) {
            nearest = *names;
            bound = d;
        }
    }
    return nearest;
}

void text_append(char *buffer, size_t size, const char *text)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

/* --- characters ------------------------------------------------------------------------------- */

void text_clean(char *text, size_t length)
{
    const char *from = text, *end = text + length;
    char *to = text;
    while (from < end) {
        uint32_t code;
        int bytes = text_character(from, end, &code);
        if (bytes == 0 || !text_is_printable(code))
            *to++ = '?';
        else
            to = (char *)memmove(to, from, (size_t)bytes) + bytes;
        from += bytes ? bytes : 1;
    }
    *to = 0;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

int text_width(const char *text, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += !continues(text[i]);
    return width;
}

size_t text_cut(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return length;
    while (most > 0 && continues(text[most]))
        most--;
    return most;
}

/* --- files ------------------------------------------------------------------------------------ */

static char *read_stream(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0, got;
    *length = 0;
    do {
        char *grown = mem_reserve(text, &capacity, *length + 64 * 1024, 1);
        if (!grown) {
            free(text);
            return NULL;
        }
        text = grown;
        got = fread(text + *length, 1, capacity - *length - 1, file);
        *length += got;
        /* A text has no 0 byte, and a device that gives nothing else never ends. */
    } while (got > 0 && !memchr(text + *length - got, 0, got));
    text[*length] = 0;
    if (!ferror(file))
        return text;
    int cause = errno;
    free(text);
    errno = cause;
    return NULL;
}

char *text_load(const char *path, size_t *length, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    char *text = file ? read_stream(file, length) : NULL;
    int cause = errno;
    if (file && !standard)
        fclose(file);
    if (!text)
        err_set(err, "cannot read '%s': %s", path, strerror(cause));
    return text;
}

void text_clip(char *text, size_t most)
{
    static const char ellipsis[] = "\u2026";
    size_t seen = 0;
    char *end = NULL; /* where the ellipsis would go */
    for (char *s = text; *s; s++) {
        if (((unsigned char)*s & 0xC0) == 0x80)
            continue;
        if (++seen == most)
            end = s;
    }
    if (seen > most && (size_t)(end - text) + sizeof ellipsis <= strlen(text) + 1)
        memcpy(end, ellipsis, sizeof ellipsis);
    else if (seen > most)
        *end = 0;
}
