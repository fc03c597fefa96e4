#include "detect/signal.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* Adds the I/O, or makes the last one longer. */
static int signal_add(struct signal *signal, size_t *capacity, struct pulse pulse)
{
    if (signal->count > 0 && pulse.start <= signal->pulses[signal->count - 1].end) {
        signal->pulses[signal->count - 1].end = pulse.end;
        return 0;
    }
    struct pulse *pulses = mem_reserve(signal->pulses, capacity, signal->count + 1, sizeof *pulses);
    if (!pulses)
        return -1;
    signal->pulses = pulses;
    pulses[signal->count++] = pulse;
    return 0;
}

int signal_init(struct signal *signal, const struct app *app, size_t most)
{
    *signal = (struct signal){0};
    size_t capacity = 0;
    struct sum time = {0};
    for (uint32_t k = 0; k < app->facts.iterations && signal->count < most; k++) {
        struct iteration iteration = app_iteration(app, k);
        double length = iteration.volume / app_bmax(app, k);
        sum_add(&time, signal->count > 0 ? iteration.work : 0);
        double start = sum_value(&time);
        if (!(length > 0))
            continue;
        sum_add(&time, length);
        if (signal_add(signal, &capacity, (struct pulse){start, sum_value(&time)}) < 0)
            return -1;
    }
    if (signal->count > 0)
        signal->length = signal->pulses[signal->count - 1].start;
    return 0;
}

void signal_fini(struct signal *signal)
{
    free(signal->pulses);
    *signal = (struct signal){0};
}

double signal_busy(const struct signal *signal, double time)
{
    double busy = 0;
    for (size_t k = 0; k < signal->count && signal->pulses[k].start < time; k++)
        busy += signal->pulses[k].end - signal->pulses[k].start;
    return busy;
}

void signal_sample(const struct signal *signal, float *samples, size_t count)
{
    double step = signal->length / (double)count,
           mean = signal_busy(signal, signal->length) / signal->length;
    for (size_t i = 0; i < count; i++)
        samples[i] = 0;
    for (size_t k = 0; k + 1 < signal->count; k++) {
        double from = signal->pulses[k].start / step, to = signal->pulses[k].end / step;
        size_t last = (size_t)fmin(to, (double)(count - 1));
        for (size_t i = (size_t)fmin(from, (double)(count - 1)); i <= last; i++)
            samples[i] += (float)fmax(fmin(to, (double)(i + 1)) - fmax(from, (double)i), 0);
    }
    for (size_t i = 0; i < count; i++)
        samples[i] -= (float)mean;
}

static const double two_pi = 6.283185307179586;

/* A piece of the signal, transformed at one frequency. */
struct piece {
    double real, imaginary;
    double weight, moment; /* of the time of its I/O */
};

static void signal_transform(struct piece *piece, const struct pulse *pulse, double frequency)
{
    double from = two_pi * fmod(frequency * pulse->start, 1);
    double to = two_pi * fmod(frequency * pulse->end, 1);
    double length = pulse->end - pulse->start;
    piece->real += sin(to) - sin(from);
    piece->imaginary += cos(to) - cos(from);
    piece->weight += length;
    piece->moment += length * pulse->start;
}

/* The piece that contains an I/O. Pieces end between two periods, the first I/O being the start of
 * one, so that they do not cut what belongs together. */
static double piece_of(const struct pulse *pulse, double frequency, int periods)
{
    return floor((pulse->start * frequency + 0.5) / periods);
}

/* The phase over time: sums for the straight line through it, each piece weighted by its I/O. */
struct course {
    double weight, time, phase, squares, both;
    double last; /* phase */
    size_t pieces;
};

/* The phase continues from the last one by at most half a turn. */
static void signal_extend(struct course *course, const struct piece *piece)
{
    double time = piece->moment / piece->weight, weight = piece->weight;
    double phase = atan2(piece->imaginary, piece->real);
    if (course->pieces++ > 0)
        phase -= two_pi * round((phase - course->last) / two_pi);
    course->last = phase;
    course->weight += weight;
    course->time += weight * time;
    course->phase += weight * phase;
    course->squares += weight * time * time;
    course->both += weight * time * phase;
}

static double signal_slope(const struct course *course)
{
    double time = course->time / course->weight;
    return (course->both - time * course->phase) / (course->squares - time * course->time);
}

double signal_follow(const struct signal *signal, double frequency, int periods)
{
    struct course course = {0};
    for (size_t k = 0; k < signal->count;) {
        struct piece piece = {0};
        double number = piece_of(&signal->pulses[k], frequency, periods);
        for (; k < signal->count && piece_of(&signal->pulses[k], frequency, periods) == number; k++)
            signal_transform(&piece, &signal->pulses[k], frequency);
        signal_extend(&course, &piece);
    }
    return frequency + signal_slope(&course) / two_pi;
}
