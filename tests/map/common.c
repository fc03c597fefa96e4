#include "common.h"
#include <math.h>
#include <string.h>

void bench_init(struct bench *bench)
{
    bench->workload = (struct workload){.apps = bench->apps};
    bench->jobs = (struct map_jobs){
        .workload = &bench->workload, .list = bench->list, .nodes = 10, .bandwidth = 1};
}

struct map_job *bench_add(struct bench *bench, double nodes, double ideal, double volume)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    uint32_t i = bench->jobs.count++;
    bench->list[i] = (struct map_job){
        .nodes = nodes, .ideal = ideal, .volume = volume, .period = ideal, .key = i};
    bench->apps[i] = (struct app){.name = names[i % 8]};
    return &bench->list[i];
}

void bench_draw(struct bench *bench, uint32_t count, uint64_t seed, enum map_order order)
{
    static double keys[MOST_JOBS];
    bench_init(bench);
    for (uint32_t i = 0; i < count; i++) {
        struct random random = random_at(seed, i, 0);
        double ideal = 1 + random_below(&random, 12);
        struct map_job *job = bench_add(bench, 1 + random_below(&random, 10), ideal,
                                        random_below(&random, (uint32_t)ideal + 1));
        job->period = ideal / (1 + random_below(&random, 3));
        keys[i] = random_uniform(&random);
    }
    map_jobs_order(&bench->jobs, order, keys);
}

static double next_time(const struct bench *bench, const struct bench_run *run)
{
    double next = INFINITY;
    for (uint32_t i = 0; i < bench->jobs.count; i++) {
        if (!run->arrived[i])
            next = fmin(next, bench->list[i].release);
        if (run->arrived[i] && !run->over[i])
            next = fmin(next, run->end[i]);
    }
    return next;
}

static void apply(const struct bench *bench, struct bench_run *run, struct mapper *mapper,
                  double now)
{
    for (uint32_t i = 0; i < bench->jobs.count; i++)
        if (run->arrived[i] && !run->over[i] && run->end[i] == now) {
            run->over[i] = true;
            mapper_end(mapper, i);
        }
    for (uint32_t i = 0; i < bench->jobs.count; i++)
        if (!run->arrived[i] && bench->list[i].release == now) {
            run->arrived[i] = true;
            run->end[i] = INFINITY;
            mapper_arrive(mapper, i);
        }
}

void bench_map(const struct bench *bench, struct bench_run *run, const struct map_rules *rules)
{
    struct err err = {0};
    struct mapper *mapper = mapper_new(rules, &bench->jobs, &err);
    struct map_start start;
    if (!mapper)
        fail_msg("%s", err.text);
    memset(run, 0, sizeof *run);
    for (double now; (now = next_time(bench, run)) < INFINITY;) {
        apply(bench, run, mapper, now);
        while (mapper_next(mapper, now, &start)) {
            run->start[start.job] = now;
            run->end[start.job] = now + bench->list[start.job].ideal + bench->late[start.job];
            run->io_node[start.job] = start.io_node;
            run->pack[start.job] = start.pack;
            run->started++;
        }
    }
    assert_int_equal(run->started, bench->jobs.count);
    mapper_free(mapper);
}
