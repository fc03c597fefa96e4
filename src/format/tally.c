#include "format/tally.h"

void tally_add(struct tally *tally, double value, double seconds)
{
    int i = 0, least = 0;
    for (; i < tally->count && tally->values[i] != value; i++)
        if (tally->seconds[i] < tally->seconds[least])
            least = i;
    if (i == TALLY_MOST)
        i = least;
    if (i == tally->count)
        tally->count++;
    if (tally->values[i] != value)
        tally->seconds[i] = 0;
    tally->values[i] = value;
    tally->seconds[i] += seconds;
}

double tally_most(const struct tally *tally, double *part)
{
    int best = 0;
    double sum = 0;
    for (int i = 0; i < tally->count; i++) {
        sum += tally->seconds[i];
        best = tally->seconds[i] >= tally->seconds[best] ? i : best;
    }
    *part = sum > 0 ? tally->seconds[best] / sum : 1;
    return tally->values[best];
}
