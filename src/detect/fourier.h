/* The Fourier transform of a sampled signal, by KissFFT. */
#ifndef WEIR_DETECT_FOURIER_H
#define WEIR_DETECT_FOURIER_H

#include <stddef.h>

/* The power |X_k|^2 of `count` samples followed by as many zeros, for k = 0 .. count: at frequency
 * k / (2 count) of the sampling rate. The zeros keep the end of the signal from wrapping into its
 * beginning, so that fourier_correlate gives the linear autocorrelation. `count` is even and
 * positive; about seven digits are exact. 0, or -1 when memory is out. */
int fourier_power(const float *samples, size_t count, float *power);

/* The inverse (Wiener and Khinchin): the sum over i of x_i x_(i + lag), for lag = 0 .. count - 1,
 * times a constant. */
int fourier_correlate(const float *power, size_t count, float *correlation);

#endif
