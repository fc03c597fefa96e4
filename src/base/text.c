#include "base/text.h"
#include "base/mem.h"
#include <ctype.h>
#include <errno.h>
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

/* What is needed for the value of a decimal literal without reading it again. */
struct decimal {
    uint64_t mantissa;
    int digits;   /* in the mantissa; it is exact up to 19 of them */
    int exponent; /* of ten */
};

static const char *read_digits(struct decimal *decimal, const char *at, const char *end)
{
    for (; is_digit(at, end); at++) {
        decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(*at - '0');
        decimal->digits += decimal->mantissa != 0 && decimal->digits < 100;
    }
    return at;
}

/* Behind an exponent if there is one; "2e" and "2 EB" have none. */
static const char *read_exponent(struct decimal *decimal, const char *at, const char *end)
{
    if (at == end || (*at | 0x20) != 'e')
        return at;
    const char *digit = at + 1;
    bool minus = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (!is_digit(digit, end))
        return at;
    int exponent = 0;
    for (; is_digit(digit, end); digit++)
        exponent = exponent < 100000 ? exponent * 10 + (*digit - '0') : exponent;
    decimal->exponent += minus ? -exponent : exponent;
    return digit;
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

int text_number(const char **at, const char *end, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal decimal = {0};
    const char *start = *at, *first = start;
    bool minus = first < end && *first == '-';
    if (first < end && (*first == '-' || *first == '+'))
        first++;
    const char *stop = read_digits(&decimal, first, end);
    ptrdiff_t length = stop - first;
    if (stop < end && *stop == '.') {
        const char *point = stop;
        stop = read_digits(&decimal, point + 1, end);
        ptrdiff_t decimals = stop - point - 1;
        length += decimals;
        decimal.exponent = decimals < 100000 ? -(int)decimals : -100000;
    }
    if (length == 0 || (stop < end && (*stop | 0x20) == 'x'))
        return -1;
    stop = read_exponent(&decimal, stop, end);
    *at = stop;
    /* Both operands are exact, so the one operation rounds correctly. */
    if (decimal.digits <= 19 && decimal.mantissa <= UINT64_C(1) << 53 && decimal.exponent <= 22 &&
        decimal.exponent >= -22) {
        double exact = (double)decimal.mantissa;
        exact =
            decimal.exponent < 0 ? exact / tens[-decimal.exponent] : exact * tens[decimal.exponent];
        *value = minus ? -exact : exact;
        return 0;
    }
    if (read_slowly(start, stop, value) == 0)
        return 0;
    *at = start;
    return -1;
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
    } while (got > 0);
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
