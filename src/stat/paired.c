#include "stat/paired.h"
#include <math.h>

void paired_add(struct paired *paired, double value, double baseline)
{
    if (isnan(value) || isnan(baseline))
        return;
    double difference = value - baseline;
    double size = fmax(fabs(value), fabs(baseline));
    if (!(fabs(difference) > PAIRED_EQUAL * size)) {
        difference = 0;
        paired->equal++;
    }
    paired->above += difference > 0;
    summary_add(&paired->difference, difference);
}

double paired_win_rate(const struct paired *paired, bool higher)
{
    size_t count = paired->difference.count;
    size_t wins = higher ? paired->above : count - paired->above - paired->equal;
    return count > 0 ? ((double)wins + 0.5 * (double)paired->equal) / (double)count : NAN;
}

enum paired_verdict paired_judge(const struct paired *paired)
{
    if (paired->difference.count < 2)
        return PAIRED_UNKNOWN;
    bool beyond = fabs(paired->difference.mean) > summary_margin(&paired->difference);
    return beyond ? PAIRED_SIGNIFICANT : PAIRED_INDISTINCT;
}
