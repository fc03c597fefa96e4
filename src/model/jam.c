#include "model/jam.h"
#include <math.h>

/* How many more I/Os are posted than end, in units of 1 / w, where k of n are in I/O. */
static double jam_growth(const struct curve *curve, double wide, double n, uint32_t k, double ratio)
{
    return n - k - ratio * fmin(k, wide * curve_factor(curve, k));
}

struct jam jam_find(const struct workload *workload)
{
    struct jam jam = {NAN, NAN, NAN, NAN};
    const struct curve *curve = platform_curve(&workload->platform);
    double n = 0, moving = 0, used = 0; /* if each were alone: in I/O on average, and bytes/s */
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *app = &workload->apps[id].facts;
        if (!(app->total_io > 0))
            continue;
        double part = app->total_io / (app->total_work + app->total_io);
        n++;
        moving += part;
        used += part * app->bmax;
    }
    if (!curve || n < 2)
        return jam;
    double wide = workload->platform.bandwidth * moving / used; /* r */
    jam.ratio = n / moving - 1;
    jam.edge = 0;
    for (uint32_t k = 1; k < n; k++) {
        double full = wide * curve_factor(curve, k);
        if (k < full)
            continue; /* the store is not full: each one more is served as well */
        jam.edge = fmax(jam.edge, (n - k) / full);
        double growth = jam_growth(curve, wide, n, k, jam.ratio);
        if (growth > 0 && isnan(jam.tips))
            jam.tips = k;
        if (growth > 0)
            jam.rest = k;
    }
    return jam;
}
