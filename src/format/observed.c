#include "format/observed.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this part of the bandwidth on, the file system counts as busy; below this one as unused. */
static const double busy_part = 0.95, unused_part = 0.05;

/* Of the bytes of a program, undisturbed, this part is moved no faster than it can. */
static const double usual_part = 0.9;

/* Of all bytes, this part is moved no faster than the file system can. */
static const double certain_part = 0.95;

/* Dates are rounded: the rate of a shorter I/O says little. */
static const double shortest_io = 1e-3, finest = 1e-4;

int observed_add(struct observed *observed, struct observed_io io)
{
    struct observed_io *list =
        mem_reserve(observed->list, &observed->capacity, observed->count + 1, sizeof *list);
    if (!list)
        return -1;
    observed->list = list;
    list[observed->count++] = io;
    return 0;
}

void observed_fini(struct observed *observed)
{
    free(observed->list);
    *observed = (struct observed){0};
}

/* Without the digits that only rounding made. */
static double observed_round(double rate, int digits)
{
    if (!(rate > 0) || !isfinite(rate))
        return rate;
    double unit = pow(10, floor(log10(rate)) + 1 - digits);
    return unit < 1 ? round(rate / unit) / round(1 / unit) : round(rate / unit) * unit;
}

static double observed_rate(const struct observed_io *io)
{
    return io->busy > 0 ? io->volume / io->busy : 0;
}

/* --- disturbance ----------------------------------------------------------------------------- */

/* The bytes that all I/Os have moved until some times, each at its mean rate. */
struct observed_change {
    double time, rate; /* by which the sum of the rates changes, and then that sum */
    double moved;      /* until then */
};

static int observed_compare_times(const void *a, const void *b)
{
    const struct observed_change *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->rate > y->rate) - (x->rate < y->rate);
}

static double observed_length(const struct observed_io *io)
{
    return maths_max(io->end - io->start, 1e-6);
}

static struct observed_change *observed_sum(const struct observed *observed)
{
    size_t count = 2 * observed->count;
    struct observed_change *changes = mem_alloc(count, sizeof *changes);
    struct sum rate = {0}, moved = {0};
    if (!changes)
        return NULL;
    for (size_t i = 0; i < observed->count; i++) {
        const struct observed_io *io = &observed->list[i];
        double length = observed_length(io), mean = io->volume / length;
        changes[2 * i] = (struct observed_change){.time = io->start, .rate = mean};
        changes[2 * i + 1] = (struct observed_change){.time = io->start + length, .rate = -mean};
    }
    if (count)
        qsort(changes, count, sizeof *changes, observed_compare_times);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            sum_add(&moved, sum_value(&rate) * (changes[i].time - changes[i - 1].time));
        sum_add(&rate, changes[i].rate);
        changes[i].rate = maths_max(0, sum_value(&rate));
        changes[i].moved = sum_value(&moved);
    }
    return changes;
}

static int observed_compare_rates(const void *a, const void *b)
{
    const struct observed_change *x = a, *y = b;
    return (x->rate > y->rate) - (x->rate < y->rate);
}

/* After `time` has become a length, and `moved` what was moved in it: the first in the list until
 * which a part of the bytes was moved. */
static const struct observed_change *observed_quantile(const struct observed_change *changes,
                                                       size_t count, double part)
{
    double all = 0, below = 0;
    for (size_t i = 0; i < count; i++)
        all += changes[i].moved;
    for (size_t i = 0; i < count; i++)
        if (changes[i].moved > 0 && (below += changes[i].moved) >= part * all)
            return &changes[i];
    return NULL;
}

/* The total rate at or below which a part of the bytes was moved. Where pieces of different logs
 * meet, their sum is inexact for the length of a part of a trace: what is clearly shorter than
 * usual does not count. */
static double observed_total(struct observed_change *changes, size_t count, double part)
{
    for (size_t i = 0; i < count; i++) {
        double length = i + 1 < count ? changes[i + 1].time - changes[i].time : 0;
        changes[i].moved = length >= shortest_io ? changes[i].rate * length : 0;
        changes[i].time = length;
    }
    qsort(changes, count, sizeof *changes, observed_compare_times);
    const struct observed_change *usual = observed_quantile(changes, count, 0.5);
    double shortest = usual ? 0.5 * usual->time : 0;
    for (size_t i = 0; i < count; i++)
        changes[i].moved = changes[i].time >= shortest ? changes[i].moved : 0;
    qsort(changes, count, sizeof *changes, observed_compare_rates);
    const struct observed_change *found = observed_quantile(changes, count, part);
    return found ? found->rate : 0;
}

/* Of totals it is not known when the bytes were moved, unless that took all the time. */
static bool observed_is_dated(const struct observed_io *io)
{
    return !io->totals || io->busy >= usual_part * (io->end - io->start);
}

double observed_peak(const struct observed *observed)
{
    struct observed dated = {.list = mem_alloc(observed->count, sizeof *dated.list)};
    double best = 0, brief = 0;
    if (!dated.list)
        return -1;
    for (size_t i = 0; i < observed->count; i++) {
        const struct observed_io *io = &observed->list[i];
        if (io->totals && io->busy >= shortest_io)
            best = maths_max(best, observed_rate(io));
        brief = maths_max(brief, io->volume / maths_max(io->busy, finest));
        if (observed_is_dated(io))
            dated.list[dated.count++] = *io;
    }
    struct observed_change *changes = observed_sum(&dated);
    if (changes && dated.count)
        best = maths_max(best, observed_total(changes, 2 * dated.count, certain_part));
    bool failed = !changes;
    free(changes);
    free(dated.list);
    return failed ? -1 : observed_round(best > 0 ? best : brief, 6);
}

/* What was moved until a time. */
static double observed_moved(const struct observed_change *changes, size_t count, double time)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (changes[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    return changes[low - 1].moved + changes[low - 1].rate * (time - changes[low - 1].time);
}

int observed_judge(struct observed *observed, double bandwidth)
{
    struct observed_change *changes = observed_sum(observed);
    size_t count = 2 * observed->count;
    if (!changes)
        return -1;
    for (size_t i = 0; i < observed->count; i++) {
        struct observed_io *io = &observed->list[i];
        double length = observed_length(io), end = io->start + length;
        double all =
            observed_moved(changes, count, end) - observed_moved(changes, count, io->start);
        double others = maths_max(0, all - io->volume) / length;
        io->alone = others <= unused_part * bandwidth;
        io->disturbed = !io->alone && observed_rate(io) + others >= busy_part * bandwidth;
    }
    free(changes);
    return 0;
}

/* --- applications ---------------------------------------------------------------------------- */

/* What an I/O says of its program. */
struct observed_sample {
    const char *program;
    int size;    /* class of the number of nodes */
    double rate; /* per node */
    double volume;
    uint32_t app;
};

static const char *observed_program(const struct app_spec *app)
{
    const char *program = app->extra ? app->extra->names[PARTY_PROGRAM] : NULL;
    return program ? program : app->name;
}

/* Sizes within a factor of two of each other are alike. */
static int observed_size(const struct app_spec *app)
{
    return (int)floor(log2(maths_max(app->nodes, 1)) + 0.5);
}

static int observed_compare_groups(const struct observed_sample *x, const struct observed_sample *y)
{
    int order = strcmp(x->program, y->program);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

static int observed_compare_samples(const void *a, const void *b)
{
    const struct observed_sample *x = a, *y = b;
    int order = observed_compare_groups(x, y);
    if (order)
        return order;
    if (x->rate != y->rate)
        return x->rate < y->rate ? -1 : 1;
    return (x->app > y->app) - (x->app < y->app);
}

/* The samples of I/O that was not disturbed, in order; *count of them. NULL when memory is out. */
static struct observed_sample *observed_samples(const struct observed *observed,
                                                const struct app_spec *apps, size_t *count)
{
    struct observed_sample *samples = mem_alloc(observed->count, sizeof *samples);
    *count = 0;
    for (size_t i = 0; samples && i < observed->count; i++) {
        const struct observed_io *io = &observed->list[i];
        const struct app_spec *app = &apps[io->app];
        if (io->disturbed || !(observed_rate(io) > 0))
            continue;
        samples[(*count)++] =
            (struct observed_sample){.program = observed_program(app),
                                     .size = observed_size(app),
                                     .rate = observed_rate(io) / maths_max(app->nodes, 1),
                                     .volume = io->volume,
                                     .app = io->app};
    }
    if (samples && *count)
        qsort(samples, *count, sizeof *samples, observed_compare_samples);
    return samples;
}

/* Keeps, of each group, one sample with the rate that 90 % of its bytes do not pass. Returns how
 * many there are. */
static size_t observed_reduce(struct observed_sample *samples, size_t count)
{
    size_t kept = 0;
    for (size_t first = 0, end; first < count; first = end) {
        double volume = 0, below = 0;
        for (end = first; end < count && !observed_compare_groups(&samples[first], &samples[end]);
             end++)
            volume += samples[end].volume;
        size_t at = first;
        while (at + 1 < end && (below += samples[at].volume) < usual_part * volume)
            at++;
        samples[kept++] = samples[at];
    }
    return kept;
}

static int observed_compare_keys(const void *a, const void *b)
{
    return observed_compare_groups(a, b);
}

/* Sets the mean rate of each application, disturbed or not. */
static int observed_means(const struct observed *observed, struct own_bandwidth *own,
                          uint32_t count)
{
    double *busy = mem_alloc(count, sizeof *busy);
    if (!busy)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        own[i].mean = 0;
    for (size_t i = 0; i < observed->count; i++) {
        own[observed->list[i].app].mean += observed->list[i].volume;
        busy[observed->list[i].app] += observed->list[i].busy;
    }
    for (uint32_t i = 0; i < count; i++)
        own[i].mean = busy[i] > 0 ? own[i].mean / busy[i] : 0;
    free(busy);
    return 0;
}

int observed_own(const struct observed *observed, const struct app_spec *apps,
                 const struct platform *platform, struct own_bandwidth *own, uint32_t count)
{
    size_t groups;
    struct observed_sample *samples = observed_samples(observed, apps, &groups);
    int status = samples ? observed_means(observed, own, count) : -1;
    groups = status == 0 ? observed_reduce(samples, groups) : 0;
    for (uint32_t i = 0; i < count && status == 0; i++) {
        double nodes = maths_max(apps[i].nodes, 1);
        const struct observed_sample key = {.program = observed_program(&apps[i]),
                                            .size = observed_size(&apps[i])};
        const struct observed_sample *found =
            groups ? bsearch(&key, samples, groups, sizeof key, observed_compare_keys) : NULL;
        own[i].rate = INFINITY;
        own[i].source = OWN_UNKNOWN;
        if (isfinite(platform->node_bandwidth)) {
            own[i].rate = nodes * platform->node_bandwidth;
            own[i].source = OWN_OF_NODES;
        } else if (found) {
            own[i].rate = observed_round(maths_max(found->rate * nodes, own[i].mean), 12);
            own[i].source = OWN_OF_PROGRAM;
        }
    }
    free(samples);
    return status;
}
