#include "base/random.h"
#include "base/text.h"
#include "decimals.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 1200 };

/* Digits with a point somewhere, or none, and maybe a sign and zeros in front. */
static char *put_digits(char *at, struct random *random, uint32_t count)
{
    uint32_t point = random_below(random, 2 * count);
    if (random_below(random, 8) == 0)
        *at++ = random_below(random, 2) ? '-' : '+';
    for (uint32_t zeros = random_below(random, 8) ? 0 : random_below(random, 25); zeros; zeros--)
        *at++ = '0';
    for (uint32_t i = 0, word = 0; i < count; i++, word /= 10) {
        if (i % 9 == 0)
            word = random_below(random, 1000000000);
        if (i == point)
            *at++ = '.';
        *at++ = (char)('0' + word % 10);
    }
    *at = 0;
    return at;
}

static void put_exponent(char *at, struct random *random, uint32_t most)
{
    snprintf(at, 16, "%c%d", random_below(random, 2) ? 'e' : 'E',
             (int)random_below(random, 2 * most + 1) - (int)most);
}

static double draw_bits(struct random *random)
{
    uint64_t bits = (uint64_t)random_below(random, UINT32_MAX) << 32;
    bits |= random_below(random, UINT32_MAX);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 1;
}

/* The middle between two neighbours, which has one bit more, to all its digits or to fewer; or one
 * unit beside it in the last of them. */
static void put_middle(char *text, struct random *random)
{
    bool usual = random_below(random, 2);
    double low = usual ? random_uniform(random) * 1e6 : fabs(draw_bits(random));
    long double middle = ((long double)low + (long double)nextafter(low, INFINITY)) / 2;
    int digits = random_below(random, 4) ? 16 + (int)random_below(random, 5) : 800;
    snprintf(text, LONGEST, "%.*Lg", digits, middle);
    char *last = text + strcspn(text, "e") - 1;
    if (*last != '.' && *last != '0' && *last != '9')
        *last = (char)(*last + (int)random_below(random, 3) - 1);
}

static void put_text(char *text, struct random *random)
{
    uint32_t kind = random_below(random, 256);
    if (kind < 4)
        put_middle(text, random);
    else if (kind == 4)
        put_digits(text, random, 800);
    else if (kind == 5)
        put_exponent(put_digits(text, random, 800), random, 1200);
    else if (kind < 32)
        snprintf(text, LONGEST, "%.*g", 1 + (int)random_below(random, 20), draw_bits(random));
    else if (kind < 64) /* subnormal, or hardly normal */
        snprintf(text, LONGEST, "%.*g", 1 + (int)random_below(random, 20),
                 ldexp(random_uniform(random), -1020 - (int)random_below(random, 56)));
    else if (kind < 96)
        put_exponent(put_digits(text, random, 1 + random_below(random, 25)), random, 350);
    else if (kind < 100)
        put_exponent(put_digits(text, random, 1 + random_below(random, 25)), random, 1000000000);
    else
        put_digits(text, random, 1 + random_below(random, 20));
}

static void compare(const char *text)
{
    char *end;
    const char *at = text;
    double value = NAN, expected = strtod(text, &end);
    int status = text_number(&at, text + strlen(text), &value);
    bool right = isfinite(expected)
                     ? status == 0 && at == end && memcmp(&value, &expected, sizeof value) == 0
                     : status == -1 && at == text;
    if (!right)
        fail_msg("'%s' is %.17g, not %.17g", text, expected, value);
}

void decimals_compare(uint64_t seed, uint32_t count)
{
    char text[LONGEST];
    for (uint32_t i = 0; i < count; i++) {
        struct random random = random_at(seed, i, 0);
        put_text(text, &random);
        compare(text);
    }
}
