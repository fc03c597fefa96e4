#include "bound/most.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>

static int most_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

int most_init(struct most *most, const struct workload *workload, uint32_t channel,
              struct err *err)
{
    const struct platform platform = {.store = workload_nature(workload, channel)};
    *most = (struct most){.bandwidth = workload_bandwidth(workload, channel),
                          .curve = platform_curve(&platform),
                          .health = platform_health(&platform),
                          .count = workload->count};
    if (!most->curve)
        return 0;
    most->sums = mem_alloc(most->count, sizeof *most->sums);
    if (!most->sums)
        return err_memory(err);
    for (uint32_t id = 0; id < most->count; id++) {
        const struct app *app = &workload->apps[id];
        most->sums[id] = app->placed ? app_places(app)->bmax[channel] : app->facts.bmax;
    }
    qsort(most->sums, most->count, sizeof *most->sums, most_compare);
    for (uint32_t k = 1; k < most->count; k++)
        most->sums[k] += most->sums[k - 1];
    return 0;
}

void most_fini(struct most *most)
{
    free(most->sums);
}

double most_bandwidth(const struct most *most, double health)
{
    double bandwidth = most->bandwidth * health;
    if (!most->curve)
        return bandwidth;
    /* The sums rise and the curve falls: the largest minimum is where they cross. */
    uint32_t low = 1, high = most->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (most->sums[middle - 1] >= bandwidth * curve_factor(most->curve, middle))
            high = middle;
        else
            low = middle + 1;
    }
    double best = maths_min(most->sums[low - 1], bandwidth * curve_factor(most->curve, low));
    return low > 1 ? maths_max(best, most->sums[low - 2]) : best;
}
