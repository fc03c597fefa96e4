/* Orders of magnitude of iterations, by which set-10 forms its sets (002 section 4.2). */
#ifndef WEIR_MODEL_MAGNITUDE_H
#define WEIR_MODEL_MAGNITUDE_H

/* Shorter and longer iterations count as these. */
enum { MAGNITUDE_FIRST = -12, MAGNITUDE_LAST = 18 };
enum { MAGNITUDES = MAGNITUDE_LAST - MAGNITUDE_FIRST + 1 };

/* round(log10(seconds)), the same on every machine; 10^(n + 1/2) itself belongs to n. */
int magnitude_of(double seconds);

/* The same, looked for from a guess on. */
int magnitude_near(double seconds, int guess);

#endif
