#include "model/usage.h"
#include "base/maths.h"

void usage_init(struct usage *usage, double start, double width)
{
    *usage = (struct usage){.start = start, .width = width};
}

static void usage_merge(struct usage *usage)
{
    for (uint32_t i = 0; i < USAGE_PARTS; i++)
        for (int kind = 0; kind < USAGE_KINDS; kind++) {
            double sum = 0;
            if (i < USAGE_PARTS / 2)
                sum = usage->parts[2 * i][kind] + usage->parts[2 * i + 1][kind];
            usage->parts[i][kind] = sum;
        }
    usage->width *= 2;
}

void usage_add(struct usage *usage, enum usage_kind kind, const double span[2], double nodes)
{
    double start = span[0] - usage->start, end = span[1] - usage->start;
    while (end > USAGE_PARTS * usage->width)
        usage_merge(usage);
    for (uint32_t i = (uint32_t)(start / usage->width); i < USAGE_PARTS && start < end; i++) {
        double next = maths_max(start, maths_min(end, (i + 1) * usage->width));
        usage->parts[i][kind] += nodes * (next - start);
        start = next;
    }
}
