#include "detect/fourier.h"
#include "base/mem.h"
#include <kiss_fftr.h>
#include <stdlib.h>
#include <string.h>

/* KissFFT's tables for 2 * count points, in our memory. */
static kiss_fftr_cfg fourier_prepare(size_t count, int inverse)
{
    size_t size = 0;
    int points = (int)(2 * count);
    kiss_fftr_alloc(points, inverse, NULL, &size);
    void *memory = mem_alloc(1, size);
    return memory ? kiss_fftr_alloc(points, inverse, memory, &size) : NULL;
}

int fourier_power(const float *samples, size_t count, float *power)
{
    kiss_fftr_cfg tables = fourier_prepare(count, 0);
    float *padded = mem_alloc(2 * count, sizeof *padded);
    kiss_fft_cpx *transform = mem_alloc(count + 1, sizeof *transform);
    int status = tables && padded && transform ? 0 : -1;
    if (status == 0) {
        memcpy(padded, samples, count * sizeof *samples);
        kiss_fftr(tables, padded, transform);
        for (size_t k = 0; k <= count; k++)
            power[k] = transform[k].r * transform[k].r + transform[k].i * transform[k].i;
    }
    free(tables);
    free(padded);
    free(transform);
    return status;
}

int fourier_correlate(const float *power, size_t count, float *correlation)
{
    kiss_fftr_cfg tables = fourier_prepare(count, 1);
    float *padded = mem_alloc(2 * count, sizeof *padded);
    kiss_fft_cpx *transform = mem_alloc(count + 1, sizeof *transform);
    int status = tables && padded && transform ? 0 : -1;
    if (status == 0) {
        for (size_t k = 0; k <= count; k++)
            transform[k].r = power[k];
        kiss_fftri(tables, transform, padded);
        memcpy(correlation, padded, count * sizeof *correlation);
    }
    free(tables);
    free(padded);
    free(transform);
    return status;
}
