/* Theorem 4 of Vidal (2022): for jobs that repeat their own (a, b) equally often, n times,
 * Hierarchical Round-Robin takes at most 1 + 1/n times the optimum, and the bound is tight. Remark
 * 1: "one can slightly improve the result by sorting the jobs by decreasing values of a". The
 * optimum is found by exhaustive search. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include <math.h>

enum { CHAIN_MOST_JOBS = 4 };

struct job_chain {
    double work, io;
};

struct chains {
    struct job_chain list[CHAIN_MOST_JOBS];
    uint32_t count, periods;
};

/* What has been served, one I/O at a time: when the file system is free, and when the next I/O of
 * each job is posted. */
struct chain_progress {
    double free, posted[CHAIN_MOST_JOBS];
    uint32_t left[CHAIN_MOST_JOBS];
};

static struct chain_progress chain_begin(const struct chains *chains)
{
    struct chain_progress progress = {0};
    for (uint32_t job = 0; job < chains->count; job++) {
        progress.posted[job] = chains->list[job].work;
        progress.left[job] = chains->periods;
    }
    return progress;
}

static struct chain_progress chain_serve(const struct chains *chains,
                                         struct chain_progress progress, uint32_t job)
{
    progress.free = fmax(progress.free, progress.posted[job]) + chains->list[job].io;
    progress.posted[job] = progress.free + chains->list[job].work;
    progress.left[job]--;
    return progress;
}

/* No schedule that goes on from here ends earlier. */
static double chain_bound(const struct chains *chains, const struct chain_progress *progress)
{
    double all = progress->free, longest = 0;
    for (uint32_t job = 0; job < chains->count; job++) {
        const struct job_chain *chain = &chains->list[job];
        uint32_t left = progress->left[job];
        all += left * chain->io;
        if (left > 0)
            longest = fmax(longest, fmax(progress->free, progress->posted[job]) + left * chain->io +
                                        (left - 1) * chain->work);
    }
    return fmax(all, longest);
}

/* Every order of I/Os, each as early as it can be. */
static double chain_optimum(const struct chains *chains, struct chain_progress progress,
                            double best)
{
    bool done = true;
    if (chain_bound(chains, &progress) >= best)
        return best;
    for (uint32_t job = 0; job < chains->count; job++) {
        if (progress.left[job] == 0)
            continue;
        done = false;
        best = chain_optimum(chains, chain_serve(chains, progress, job), best);
    }
    return done ? progress.free : best;
}

/* Round-robin in this order. */
static double chain_round_robin(const struct chains *chains, const uint32_t *order)
{
    struct chain_progress progress = chain_begin(chains);
    for (uint32_t period = 0; period < chains->periods; period++)
        for (uint32_t i = 0; i < chains->count; i++)
            progress = chain_serve(chains, progress, order[i]);
    return progress.free;
}

/* The largest ratio of any order that begins with `fixed` jobs. */
static double chain_worst_order(const struct chains *chains, uint32_t *order, uint32_t fixed,
                                double best)
{
    if (fixed == chains->count)
        return chain_round_robin(chains, order) / best;
    double worst = 0;
    for (uint32_t i = fixed; i < chains->count; i++) {
        uint32_t job = order[i];
        order[i] = order[fixed];
        order[fixed] = job;
        worst = fmax(worst, chain_worst_order(chains, order, fixed + 1, best));
        order[fixed] = order[i];
        order[i] = job;
    }
    return worst;
}

static void chain_by_work(const struct chains *chains, uint32_t *order, bool increasing)
{
    for (uint32_t job = 0; job < chains->count; job++) {
        uint32_t to = job;
        for (; to > 0 && increasing == (chains->list[order[to - 1]].work > chains->list[job].work);
             to--)
            order[to] = order[to - 1];
        order[to] = job;
    }
}

/* --- experiment ----------------------------------------------------------------------------- */

enum { ANY_ORDER, DECREASING, INCREASING };
static const char *const theorem_4_series[] = {[ANY_ORDER] = "worst order",
                                               [DECREASING] = "decreasing a",
                                               [INCREASING] = "increasing a",
                                               NULL};
enum { EXCESS, RATIO };
static const char *const theorem_4_columns[] = {
    [EXCESS] = "makespan / optimum - (1 + 1/n)", [RATIO] = "makespan / optimum", NULL};

/* Each group is a number of jobs; x is the number of periods. */
static const char *const theorem_4_groups[] = {"2 jobs", "3 jobs", "4 jobs", NULL};
static const struct theorem_4_size {
    uint32_t jobs, periods, chunks;
} theorem_4_sizes[] = {{2, 2, 40}, {2, 4, 40}, {2, 6, 8}, {3, 2, 40}, {3, 3, 8}, {4, 2, 8}};
enum { THEOREM_4_SIZES = sizeof theorem_4_sizes / sizeof *theorem_4_sizes, THEOREM_4_CHUNK = 500 };

/* The full run has ten times as many instances. */
static uint32_t theorem_4_chunks(int size, bool quick)
{
    return theorem_4_sizes[size].chunks * (quick ? 1 : 10);
}

static uint32_t theorem_4_units(bool quick)
{
    uint32_t units = 0;
    for (int i = 0; i < THEOREM_4_SIZES; i++)
        units += theorem_4_chunks(i, quick);
    return units;
}

/* Lengths over three decades. */
static struct chains theorem_4_draw(uint32_t index, const struct theorem_4_size *size)
{
    struct chains chains = {.count = size->jobs, .periods = size->periods};
    double draws[2 * CHAIN_MOST_JOBS];
    gen_shuffle(index, draws, 2 * size->jobs);
    for (uint32_t job = 0; job < size->jobs; job++) {
        chains.list[job].work = pow(10, 3 * draws[2 * job] - 2);
        chains.list[job].io = pow(10, 3 * draws[2 * job + 1] - 2);
    }
    return chains;
}

static void theorem_4_compare(const struct chains *chains, double largest[3])
{
    uint32_t order[CHAIN_MOST_JOBS];
    chain_by_work(chains, order, false);
    double decreasing = chain_round_robin(chains, order);
    chain_by_work(chains, order, true);
    double increasing = chain_round_robin(chains, order);
    double best =
        chain_optimum(chains, chain_begin(chains), fmin(decreasing, increasing) * (1 + 1e-12));
    largest[DECREASING] = fmax(largest[DECREASING], decreasing / best);
    largest[INCREASING] = fmax(largest[INCREASING], increasing / best);
    largest[ANY_ORDER] = fmax(largest[ANY_ORDER], chain_worst_order(chains, order, 0, best));
}

/* The largest ratios of a chunk of instances. */
static int theorem_4_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    int size = 0;
    for (; unit >= theorem_4_chunks(size, quick); size++)
        unit -= theorem_4_chunks(size, quick);
    const struct theorem_4_size *now = &theorem_4_sizes[size];
    double largest[3] = {0};
    for (uint32_t k = 0; k < THEOREM_4_CHUNK; k++) {
        struct chains chains = theorem_4_draw(unit * THEOREM_4_CHUNK + k, now);
        theorem_4_compare(&chains, largest);
    }
    for (uint16_t i = 0; i < 3; i++) {
        double limit = 1 + 1.0 / now->periods;
        const struct sample sample = {(uint16_t)(now->jobs - 2),
                                      i,
                                      now->periods,
                                      {[EXCESS] = largest[i] - limit, [RATIO] = largest[i]}};
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

const struct experiment experiment_theorem_4 = {
    .workloads = "2 to 4 jobs (a, b)^n with lengths over three decades, the optimum by exhaustive "
                 "search: 72,000 instances in the quick run, 720,000 in the full one; each sample "
                 "is the largest ratio of 500",
    .series = theorem_4_series,
    .columns = theorem_4_columns,
    .groups = theorem_4_groups,
    .x = "periods n",
    .quick_time = 0.1,
    .full_time = 0.7,
    .units = theorem_4_units,
    .run = theorem_4_run,
};
