/* What the benchmarks share: a clock, medians, and how they give up. */
#ifndef WEIR_BENCH_BENCH_H
#define WEIR_BENCH_BENCH_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define BENCH_SECOND 1000000000ull

static inline _Noreturn void bench_die(const char *text)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
    exit(1);
}

/* The same for a system call that failed. */
static inline _Noreturn void bench_fail(const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
    exit(1);
}

/* The date, in nanoseconds and in seconds. */
static inline uint64_t bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * BENCH_SECOND + (uint64_t)now.tv_nsec;
}

static inline double bench_seconds(void)
{
    return 1e-9 * (double)bench_now();
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which this part of them lies; sorts them. */
static inline double bench_quantile(double *values, size_t count, double part)
{
    qsort(values, count, sizeof *values, bench_compare);
    return values[(size_t)(part * (double)(count - 1))];
}

static inline double bench_median(double *values, size_t count)
{
    return bench_quantile(values, count, 0.5);
}

/* Writes "place/name" and returns it. */
static inline char *bench_path(const char *place, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", place, name);
    return path;
}

/* A child that ends with this process. 0 in the child. */
static inline pid_t bench_spawn(void)
{
    pid_t child = fork();
    if (child < 0)
        bench_fail("fork");
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

#endif
