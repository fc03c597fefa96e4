#include "control/lend.h"
#include "base/maths.h"
#include <stdbool.h>
#include <stdlib.h>

/* What it can use; and beyond what it is granted, below 0 = that much can be lent. */
static double lend_use(const struct lend_claim *claim)
{
    return maths_min(claim->most, (1 + LEND_ROOM) * claim->need);
}

static double lend_want(const struct lend_claim *claim)
{
    return lend_use(claim) - claim->rate;
}

/* Those that are granted something come first, by the factor at which they have all they can use;
 * then those that wait. */
static int lend_in_order(const void *a, const void *b)
{
    const struct lend_claim *one = a, *two = b;
    bool served = one->rate > 0;
    if (served != (two->rate > 0))
        return served ? -1 : 1;
    double first = served ? lend_use(one) / one->rate : one->posted;
    double second = served ? lend_use(two) / two->rate : two->posted;
    if (first != second)
        return first < second ? -1 : 1;
    return (one->id > two->id) - (one->id < two->id);
}

/* The sum of all that is wanted, or can be lent. */
static double lend_sum(const struct lend_claim *claims, uint32_t count, double sign)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += maths_max(0, sign * lend_want(&claims[i]));
    return sum;
}

static void lend_take(struct lend_claim *claims, uint32_t count, double part)
{
    for (uint32_t i = 0; i < count; i++)
        claims[i].rate -= part * maths_max(0, -lend_want(&claims[i]));
}

/* Gives to those whose want is above 0, in order: `weight` is what all of them are granted from
 * there on. */
static void lend_give(struct lend_claim *claims, uint32_t count, double left)
{
    double weight = 0;
    for (uint32_t i = 0; i < count; i++)
        weight += lend_want(&claims[i]) > 0 ? claims[i].rate : 0;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        double want = lend_want(&claims[i]), rate = claims[i].rate;
        if (!(want > 0))
            continue;
        double more = maths_min(want, rate > 0 ? left * maths_min(1, rate / weight) : left);
        claims[i].rate += more;
        left -= more;
        weight -= rate;
    }
}

void lend(struct lend_claim *claims, uint32_t count)
{
    double spare = lend_sum(claims, count, -1), wanted = lend_sum(claims, count, 1);
    double lent = maths_min(spare, wanted);
    if (!(lent > 0))
        return;
    qsort(claims, count, sizeof *claims, lend_in_order);
    lend_give(claims, count, lent);
    lend_take(claims, count, lent / spare);
}
