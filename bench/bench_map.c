/* How long it takes to generate 100,000 jobs, to make packs of them, and to map them and run the
 * I/O inside, by each method. */
#include "bench.h"
#include "gen/family.h"
#include "gen/gen.h"
#include "map/packs.h"
#include "sim/mapped.h"
#include <sys/resource.h>

enum { JOBS = 100000 };

static void print(const char *what, const char *how, double start, uint64_t instants)
{
    struct rusage usage;
    double time = bench_seconds() - start;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-10s %-12s %8.2f %10.0f", what, how, time, JOBS / time);
    if (instants > 0)
        printf(" %14.2f", (double)instants / time / 1e6);
    else
        printf(" %14s", "-");
    printf(" %10ld\n", usage.ru_maxrss);
}

static struct workload *generate(struct scenario **scenario)
{
    struct err err = {0};
    const struct family *family = family_find("mira-normal", &err);
    double values[FAMILY_MOST_PARAMS], start = bench_seconds();
    char count[32];
    snprintf(count, sizeof count, "applications=%d", JOBS);
    if (!family)
        bench_die(err.text);
    family_defaults(family, values);
    if (family_set(family, count, values, &err) != 0)
        bench_die(err.text);
    *scenario = family_make(family, values, 1, &err);
    struct workload *workload = *scenario ? workload_realise(*scenario, &err) : NULL;
    if (!workload)
        bench_die(err.text);
    print("generate", "", start, 0);
    return workload;
}

static void make_packs(const struct map_jobs *jobs)
{
    struct packs packs;
    double start = bench_seconds();
    if (packs_make(&packs, jobs, 1) != 0 || packs_deal(&packs, 1) != 0)
        bench_die("out of memory");
    print("make packs", "", start, 0);
    packs_fini(&packs);
}

static void measure(const struct map_jobs *jobs, const struct map_rules *rules)
{
    struct err err = {0};
    struct policy *policy = policy_open("list:order=fifo", &err);
    double start = bench_seconds();
    struct mapping *mapping = policy ? sim_map(jobs, rules, policy, NULL, &err) : NULL;
    if (!mapping)
        bench_die(err.text);
    print(map_method_names[rules->method], rules->backfill ? "backfilling" : "", start,
          mapping->instants);
    mapping_free(mapping);
    policy_free(policy);
}

int main(void)
{
    struct err err = {0};
    struct scenario *scenario;
    struct map_jobs jobs;
    printf("\nmap                            s     jobs/s  instants, M/s   peak KiB\n");
    struct workload *workload = generate(&scenario);
    if (map_jobs_init(&jobs, workload, true, &err) != 0)
        bench_die(err.text);
    map_jobs_order(&jobs, MAP_ORDER_MAX, NULL);
    make_packs(&jobs);
    for (int method = 0; method < MAP_METHODS_COUNT; method++)
        for (int backfill = 0; backfill < 2; backfill++) {
            const struct map_rules rules = {.method = (enum map_method)method,
                                            .sensitivity = 1,
                                            .backfill = backfill,
                                            .io_nodes = 1};
            measure(&jobs, &rules);
        }
    map_jobs_fini(&jobs);
    workload_free(workload);
    scenario_free(scenario);
    return 0;
}
