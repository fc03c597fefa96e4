#include "metric/map_metric.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

double map_stretch(const struct workload *workload, const struct mapping *mapping, uint32_t job)
{
    const struct placed_job *placed = &mapping->jobs[job];
    double ideal = app_ideal(&workload->apps[job]);
    return ideal > 0 ? maths_max(1, (placed->end - placed->start) / ideal) : 1;
}

/* NAN without packs; -1 when memory is out. */
static int measure_packs(const struct workload *workload, const struct mapping *mapping,
                         struct map_metrics *metrics)
{
    metrics->packs = metrics->pack_stretch = NAN;
    if (mapping->packs == 0)
        return 0;
    double *worst = mem_alloc(mapping->packs, sizeof *worst), sum = 0;
    if (!worst)
        return -1;
    for (uint32_t i = 0; i < mapping->count; i++) {
        double *pack = &worst[mapping->jobs[i].pack];
        *pack = maths_max(*pack, map_stretch(workload, mapping, i));
    }
    for (uint32_t i = 0; i < mapping->packs; i++)
        sum += worst[i];
    free(worst);
    metrics->packs = mapping->packs;
    metrics->pack_stretch = sum / mapping->packs;
    return 0;
}

static void measure_jobs(const struct workload *workload, const struct mapping *mapping,
                         struct map_metrics *metrics)
{
    double work = 0, useful = 0, held = 0, nodes = workload->platform.nodes * mapping->io_nodes;
    for (uint32_t i = 0; i < mapping->count; i++) {
        const struct placed_job *job = &mapping->jobs[i];
        const struct app *app = &workload->apps[i];
        double stretch = map_stretch(workload, mapping, i), wait = job->start - job->arrival;
        metrics->max_stretch = maths_max(metrics->max_stretch, stretch);
        metrics->mean_stretch += stretch / mapping->count;
        metrics->max_wait = maths_max(metrics->max_wait, wait);
        metrics->mean_wait += wait / mapping->count;
        work += app->facts.nodes * app->facts.total_work;
        useful += app->facts.nodes * app_ideal(app);
        held += app->facts.nodes * (job->end - job->start);
    }
    /* Before the first job arrives there is nothing to map. */
    double span = mapping->makespan - mapping->usage.start;
    metrics->makespan = mapping->makespan;
    metrics->useful = useful / nodes;
    metrics->delayed = maths_max(0, held - useful) / nodes;
    metrics->idle = maths_max(0, span - maths_max(held, useful) / nodes);
    metrics->efficiency = metrics->useful / span;
    metrics->utilization = work / nodes / span;
}

int map_metrics_compute(const struct workload *workload, const struct mapping *mapping,
                        struct map_metrics *metrics)
{
    *metrics = (struct map_metrics){0};
    measure_jobs(workload, mapping, metrics);
    return measure_packs(workload, mapping, metrics);
}

void map_usage(const struct workload *workload, const struct mapping *mapping, const double span[2],
               double shares[USAGE_KINDS])
{
    const struct usage *usage = &mapping->usage;
    double nodes = workload->platform.nodes * mapping->io_nodes;
    double start = span[0] - usage->start, end = span[1] - usage->start;
    double makespan = mapping->makespan - usage->start;
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        shares[kind] = 0;
    for (uint32_t i = (uint32_t)maths_min(USAGE_PARTS, start / usage->width);
         i < USAGE_PARTS && i * usage->width < end; i++) {
        double first = i * usage->width, last = (i + 1) * usage->width;
        if (makespan > first)
            last = maths_min(last, makespan);
        double covered = maths_min(end, last) - maths_max(start, first);
        for (int kind = 0; kind < USAGE_KINDS && covered > 0; kind++)
            shares[kind] += usage->parts[i][kind] * covered / (last - first);
    }
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        shares[kind] /= nodes * (end - start);
}
