/* What the comparisons with published numbers share. Each prints its table beside its checks. */
#ifndef WEIR_TESTS_PAPER_COMMON_H
#define WEIR_TESTS_PAPER_COMMON_H

#include "metric/metric.h"
#include "model/workload.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka compares floats only. */
#define assert_near(a, b, tolerance) near_or_fail(a, b, tolerance, __FILE__, __LINE__)
void near_or_fail(double a, double b, double tolerance, const char *file, int line);

/* Realises a scenario with the given window (WINDOW_AUTO, or its own); fails the test on error. */
struct workload *realise(const struct scenario *scenario, enum window_kind window);

/* Simulates with all invariants checked. */
struct weir_metrics simulate(const struct workload *workload, const char *policy);

/* A CSV file under data/: calls `row` with the fields of each line but the first. */
enum { CSV_FIELDS = 16 };
void read_csv(const char *name, void (*row)(void *context, char **fields), void *context);

#endif
