#include "detect/period.h"
#include "base/mem.h"
#include "base/text.h"
#include "detect/fourier.h"
#include "detect/signal.h"
#include <math.h>
#include <stdlib.h>

enum {
    LEAST_PULSES = 4,
    MOST_PULSES = 1024,
    SAMPLES_PER_PULSE = 16,
    LEAST_SAMPLES = 512,
    LEAST_CYCLES = 3, /* of an accepted period */
    MOST_MULTIPLE = 10
};

/* No trace has more exact times. */
static const double least_length = 1e-6;

/* A signal and what was computed from it. Frequencies count in steps of 1 / (2 length), lags in
 * samples. */
struct analysis {
    struct signal signal;
    size_t samples;
    float *values, *power, *correlation; /* power smoothed */
    double distance;                     /* mean, between I/Os, in samples */
    size_t highest;                      /* highest frequency considered */
};

static int period_allocate(struct analysis *analysis)
{
    size_t wanted = SAMPLES_PER_PULSE * analysis->signal.count;
    analysis->samples = LEAST_SAMPLES;
    while (analysis->samples < wanted)
        analysis->samples *= 2;
    analysis->values = mem_alloc(analysis->samples, sizeof *analysis->values);
    analysis->power = mem_alloc(analysis->samples + 1, sizeof *analysis->power);
    analysis->correlation = mem_alloc(analysis->samples, sizeof *analysis->correlation);
    return analysis->values && analysis->power && analysis->correlation ? 0 : -1;
}

/* Multiplies the power by that of a Gaussian of standard deviation d / 8. */
static void period_smooth(struct analysis *analysis)
{
    static const double two_pi = 6.283185307179586;
    double deviation = two_pi * analysis->distance / 8 / (2 * (double)analysis->samples);
    for (size_t k = 0; k <= analysis->samples; k++) {
        double x = deviation * (double)k;
        analysis->power[k] *= (float)exp(-x * x);
    }
    analysis->power[0] = 0;
}

/* Normalises the autocorrelation to 1 at lag 0, and corrects for the fewer products at longer lags.
 */
static void period_normalise(struct analysis *analysis)
{
    double count = (double)analysis->samples, whole = analysis->correlation[0];
    for (size_t lag = 0; lag < analysis->samples; lag++) {
        double share = analysis->correlation[lag] / whole;
        analysis->correlation[lag] = (float)(share * count / (count - (double)lag));
    }
}

static int period_analyse(struct analysis *analysis)
{
    size_t periods = analysis->signal.count - 1;
    if (period_allocate(analysis) < 0)
        return -1;
    signal_sample(&analysis->signal, analysis->values, analysis->samples);
    if (fourier_power(analysis->values, analysis->samples, analysis->power) < 0)
        return -1;
    analysis->distance = (double)analysis->samples / (double)periods;
    /* Beyond three times 1 / d the Gaussian leaves nothing. */
    analysis->highest = 6 * periods < analysis->samples ? 6 * periods : analysis->samples;
    period_smooth(analysis);
    if (fourier_correlate(analysis->power, analysis->samples, analysis->correlation) < 0)
        return -1;
    period_normalise(analysis);
    return 0;
}

/* --- the candidate --------------------------------------------------------------------------- */

/* Jitter spreads a line over its neighbours: this many on either side. */
static size_t reach_of(size_t k)
{
    return 1 + k / 32;
}

static double power_around(const struct analysis *analysis, size_t k)
{
    size_t reach = reach_of(k);
    double sum = 0;
    for (size_t i = k - reach; i <= k + reach && i <= analysis->samples; i++)
        sum += analysis->power[i];
    return sum / (double)(2 * reach + 1);
}

/* The highest power in the strongest neighbourhood. */
static size_t period_strongest(const struct analysis *analysis)
{
    size_t centre = 2 * LEAST_CYCLES;
    double most = 0;
    for (size_t k = 2 * LEAST_CYCLES; k <= analysis->highest; k++) {
        double power = power_around(analysis, k);
        if (power > most)
            centre = k;
        most = fmax(most, power);
    }
    size_t reach = reach_of(centre), best = centre;
    for (size_t k = centre - reach; k <= centre + reach && k <= analysis->highest; k++)
        best = analysis->power[k] > analysis->power[best] ? k : best;
    return best;
}

/* The highest autocorrelation within 10 % of a lag. */
static double correlation_near(const struct analysis *analysis, double lag)
{
    size_t from = (size_t)(0.9 * lag), to = (size_t)ceil(1.1 * lag);
    double most = -1;
    for (size_t i = from; i <= to && i < analysis->samples; i++)
        most = fmax(most, analysis->correlation[i]);
    return most;
}

/* --- the confidence -------------------------------------------------------------------------- */

/* The share of the power at the multiples of a frequency, minus what chance would give. */
static double share_of(const struct analysis *analysis, double k)
{
    double reach = fmin(fmax(1.5, 0.1 * k), 0.35 * k), all = 0, inside = 0, covered = 0;
    for (size_t i = 1; i <= analysis->highest; i++) {
        double multiple = fmax(round((double)i / k), 1);
        bool near = fabs((double)i - multiple * k) <= reach;
        all += analysis->power[i];
        inside += near ? analysis->power[i] : 0;
        covered += near;
    }
    double chance = covered / (double)analysis->highest;
    return all > 0 && chance < 1 ? fmax((inside / all - chance) / (1 - chance), 0) : 0;
}

/* How many of the strongest periods make one: more than one if the autocorrelation is clearly
 * higher there. Sets the correlation. */
static int multiple_of(const struct analysis *analysis, double lag, struct detection *period)
{
    static const double clearly = 0.25;
    double most = correlation_near(analysis, lag), samples = (double)analysis->samples;
    int multiple = 1;
    for (int m = 2; m <= MOST_MULTIPLE && m * lag * LEAST_CYCLES <= samples; m++) {
        double correlation = correlation_near(analysis, m * lag);
        if (correlation <= most + clearly)
            continue;
        most = correlation;
        multiple = m;
    }
    period->correlation = fmin(fmax(most, 0), 1);
    return multiple;
}

/* In whole periods. What begins in the last quarter of one belongs to the next, which is early. */
static double share_of_io(const struct signal *signal, double length)
{
    double periods = fmax(floor(signal->length / length + 0.25), 1);
    return fmin(signal_busy(signal, (periods - 0.25) * length) / (periods * length), 1);
}

static void period_judge(const struct analysis *analysis, struct detection *period)
{
    const struct signal *signal = &analysis->signal;
    double k = (double)period_strongest(analysis), found = k / (2 * signal->length);
    int multiple = multiple_of(analysis, 2 * (double)analysis->samples / k, period);
    double frequency = signal_follow(signal, found, 2 * multiple);
    if (!(frequency > found / 2 && frequency < 2 * found)) /* there was nothing to follow */
        frequency = found;
    frequency /= multiple;
    double cycles = frequency * signal->length;
    period->length = text_round(1 / frequency, 6);
    period->spectrum = share_of(analysis, 2 * cycles);
    period->io_share = share_of_io(signal, 1 / frequency);
    double both = sqrt(period->spectrum * period->correlation);
    period->confidence = text_round(both * cycles / (cycles + 2), 4);
}

int period_detect(const struct app *app, struct detection *period, struct err *err)
{
    struct analysis analysis = {0};
    *period = (struct detection){0};
    int status = signal_init(&analysis.signal, app, MOST_PULSES);
    if (status == 0 && analysis.signal.count >= LEAST_PULSES &&
        analysis.signal.length > least_length) {
        status = period_analyse(&analysis);
        if (status == 0)
            period_judge(&analysis, period);
    }
    signal_fini(&analysis.signal);
    free(analysis.values);
    free(analysis.power);
    free(analysis.correlation);
    return status < 0 ? err_memory(err) : 0;
}
