/* Jobs written down in a line each. */
#ifndef WEIR_TESTS_MAP_COMMON_H
#define WEIR_TESTS_MAP_COMMON_H

#include "base/random.h"
#include "map/mapper.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST_JOBS = 4096 };

/* Behind an I/O node of 10 nodes and 1 byte/s, so that a volume is the time that it takes. */
struct bench {
    struct map_jobs jobs;
    struct map_job list[MOST_JOBS];
    double late[MOST_JOBS]; /* how much longer than foreseen each takes */
    struct workload workload; /* only for the names in messages */
    struct app apps[MOST_JOBS];
};

void bench_init(struct bench *bench);

/* A job that arrives at 0, with its place as its key. */
struct map_job *bench_add(struct bench *bench, double nodes, double ideal, double volume);

/* So many jobs of up to 10 nodes with small whole lengths and volumes, so that ties are common;
 * keys are those of the order. */
void bench_draw(struct bench *bench, uint32_t count, uint64_t seed, enum map_order order);

/* When jobs start, and where. */
struct bench_run {
    double start[MOST_JOBS], end[MOST_JOBS];
    uint32_t io_node[MOST_JOBS], pack[MOST_JOBS];
    bool arrived[MOST_JOBS], over[MOST_JOBS];
    uint32_t started;
};
void bench_map(const struct bench *bench, struct bench_run *run, const struct map_rules *rules);

#endif
