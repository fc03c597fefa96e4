#include "cluster/divide.h"
#include "base/maths.h"
#include <stdlib.h>

static int divide_by_need(const void *a, const void *b)
{
    const struct divide_claim *one = a, *two = b;
    return (one->need > two->need) - (one->need < two->need);
}

/* What a claim can use beyond its need. */
static double divide_room(const struct divide_claim *claim)
{
    return maths_max(0, claim->most - claim->need);
}

static int divide_by_room(const void *a, const void *b)
{
    double one = divide_room(a), two = divide_room(b);
    return (one > two) - (one < two);
}

/* The next of `count` claims in rising order takes what it asks for, at most an equal part of what
 * is left: those that ask for less leave more to those after them. */
static double divide_next(double *left, double asked, uint32_t count)
{
    double part = maths_min(asked, *left / count);
    *left = maths_max(0, *left - part);
    return part;
}

void divide(struct divide_claim *claims, uint32_t count, double amount)
{
    double left = amount;
    qsort(claims, count, sizeof *claims, divide_by_need);
    for (uint32_t i = 0; i < count; i++)
        claims[i].part = divide_next(&left, claims[i].need, count - i);
    if (!(left > 0))
        return;
    /* All have what they need. */
    qsort(claims, count, sizeof *claims, divide_by_room);
    for (uint32_t i = 0; i < count; i++)
        claims[i].part += divide_next(&left, divide_room(&claims[i]), count - i);
}
