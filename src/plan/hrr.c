#include "plan/hrr.h"
#include "base/maths.h"
#include "base/mem.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Lengths that differ by less are the same up to the rounding of means. */
static const double same = 1e-9;

/* A plan holds every I/O; without a bound a short scenario could ask for all memory. */
static const double most_operations = 1e7;

/* The schedule is n blocks, each ending with an I/O of the longest job (thesis Lemma 2). Block 0
 * holds l operations, blocks 1 to r hold q + 1, and the others q. */
struct blocks {
    uint32_t count;   /* n */
    uint64_t longest; /* l: jobs with n iterations */
    uint64_t size;    /* q */
    uint64_t larger;  /* r */
};

/* One pass: a longer job than those before starts the count of the longest again. */
static struct blocks hrr_count_blocks(const uint32_t *iterations, uint32_t count)
{
    struct blocks blocks = {0};
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += iterations[i];
        if (iterations[i] > blocks.count)
            blocks = (struct blocks){.count = iterations[i]};
        blocks.longest += iterations[i] == blocks.count;
    }
    if (blocks.count > 1) {
        blocks.size = (total - blocks.longest) / (blocks.count - 1);
        blocks.larger = (total - blocks.longest) % (blocks.count - 1);
    }
    return blocks;
}

/* A block takes as long as its I/Os, or as a round of the longest job if there are too few to fill
 * it; the first is preceded by work. */
double hrr_makespan(double work, double io, const uint32_t *iterations, uint32_t count)
{
    struct blocks blocks = hrr_count_blocks(iterations, count);
    double size = (double)blocks.size, larger = (double)blocks.larger;
    double smaller = (double)(blocks.count - 1) - larger;
    return work + (double)blocks.longest * io + smaller * maths_max(work + io, size * io) +
           larger * maths_max(work + io, (size + 1) * io);
}

/* --- the order ------------------------------------------------------------------------------ */

struct hrr_job {
    uint32_t iterations, app;
};

/* The algorithm deals out jobs by decreasing length; equal ones by index, to be deterministic. */
static int hrr_by_length(const void *a, const void *b)
{
    const struct hrr_job *x = a, *y = b;
    if (x->iterations != y->iterations)
        return x->iterations < y->iterations ? 1 : -1;
    return (x->app > y->app) - (x->app < y->app);
}

/* The stacks of the algorithm in one array: stack k is what lies below its bottom down to its top,
 * so that reading the array forwards pops all of them, one after the other. */
struct stacks {
    struct blocks blocks;
    struct hrr_job *jobs; /* the longest first */
    uint64_t *tops;
    uint32_t *order; /* the applications in the order in which they are served */
};

static int stacks_init(struct stacks *stacks, const struct tasks *tasks, uint32_t *iterations)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < tasks->count; i++)
        total += iterations[i] = tasks->list[i].iterations;
    struct blocks blocks = hrr_count_blocks(iterations, tasks->count);
    *stacks = (struct stacks){.blocks = blocks,
                              .jobs = mem_alloc(tasks->count, sizeof(*stacks->jobs)),
                              .tops = mem_alloc(blocks.count, sizeof(*stacks->tops)),
                              .order = mem_alloc(total, sizeof(*stacks->order))};
    if (!stacks->jobs || !stacks->tops || !stacks->order)
        return -1;
    for (uint32_t i = 0; i < tasks->count; i++)
        stacks->jobs[i] = (struct hrr_job){iterations[i], i};
    qsort(stacks->jobs, tasks->count, sizeof(*stacks->jobs), hrr_by_length);
    for (uint64_t k = 0; k < blocks.count; k++)
        stacks->tops[k] =
            blocks.longest + k * blocks.size + (k < blocks.larger ? k : blocks.larger);
    return 0;
}

static void stacks_fini(struct stacks *stacks)
{
    free(stacks->jobs);
    free(stacks->tops);
    free(stacks->order);
}

/* Pushes one operation of a job on each of `count` stacks from `first` on. */
static void hrr_push(struct stacks *stacks, uint32_t app, uint32_t first, uint32_t count)
{
    for (uint32_t k = first; k < first + count; k++)
        stacks->order[--stacks->tops[k]] = app;
}

/* Deals the operations out. The printed algorithm has slips in its indices; here a job goes on
 * where the one before ended, round and round over stacks 1 to n - 1. Its own operations are served
 * in the order of the stacks whichever of them it was dealt first. */
static void hrr_fill(struct stacks *stacks, uint32_t count)
{
    uint32_t n = stacks->blocks.count, begin = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct hrr_job job = stacks->jobs[i];
        if (job.iterations == n) {
            hrr_push(stacks, job.app, 0, n);
            continue;
        }
        uint32_t end = (uint32_t)(((uint64_t)begin + job.iterations) % (n - 1));
        /* Either its operations lie on consecutive stacks, or they go over the last one and
         * continue on the first. */
        if (begin < end) {
            hrr_push(stacks, job.app, begin + 1, job.iterations);
        } else {
            hrr_push(stacks, job.app, 1, end);
            hrr_push(stacks, job.app, n - (job.iterations - end), job.iterations - end);
        }
        begin = end;
    }
}

/* --- the times ------------------------------------------------------------------------------ */

/* Makes room for all instances, one piece each; they are counted again as they are served. */
static int hrr_reserve(struct plan *plan, const struct tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->count; i++) {
        plan->apps[i].first = plan->instance_count;
        for (uint32_t j = 0; j < tasks->list[i].iterations; j++)
            if (plan_add_instance(plan, (struct plan_instance){0}) ||
                plan_add_piece(plan, (struct plan_piece){0}))
                return -1;
    }
    return 0;
}

/* Serves the next I/O of an application as soon as its work is done and the last I/O of any,
 * where the period ends so far, is over. */
static void hrr_serve(struct plan *plan, const struct task *task, struct plan_app *app)
{
    size_t at = app->first + app->count;
    double start = app->count > 0 ? plan->pieces[at - 1].end : 0;
    double begin = maths_max(start + task->work, plan->period);
    plan->instances[at] = (struct plan_instance){.start = start, .first = at, .count = 1};
    plan->pieces[at] = (struct plan_piece){begin, begin + task->io, task->bmax};
    plan->period = begin + task->io;
    app->count++;
}

static struct plan *hrr_write(const struct stacks *stacks, const struct tasks *tasks)
{
    struct plan *plan = plan_new(tasks->count);
    if (!plan || hrr_reserve(plan, tasks)) {
        plan_free(plan);
        return NULL;
    }
    for (size_t i = 0; i < plan->instance_count; i++)
        hrr_serve(plan, &tasks->list[stacks->order[i]], &plan->apps[stacks->order[i]]);
    return plan;
}

/* --- the front door ------------------------------------------------------------------------- */

static bool hrr_differ(double a, double b)
{
    return fabs(a - b) > same * maths_max(a, b);
}

static int hrr_check(const struct tasks *tasks, struct err *err)
{
    const struct task *first = tasks->list;
    double total = 0;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->list[i];
        bool work = hrr_differ(task->work, first->work);
        if (work || hrr_differ(task->io, first->io))
            return err_set(
                err, "expected uniform applications, but %s of '%s' takes %.9g s, of '%s' %.9g s",
                work ? "work" : "I/O", task->name, work ? task->work : task->io, first->name,
                work ? first->work : first->io);
        if (task->iterations == 0)
            return err_set(err, "'%s' has no number of iterations, expected at least 1",
                           task->name);
        total += task->iterations;
    }
    if (total > most_operations)
        return err_set(err, "%.0f iterations in all, expected at most %.0f", total,
                       most_operations);
    return 0;
}

struct plan *hrr_plan(const struct tasks *tasks, struct err *err)
{
    assert(tasks->count > 0);
    if (hrr_check(tasks, err))
        return NULL;
    struct stacks stacks = {0};
    struct plan *plan = NULL;
    uint32_t *iterations = mem_alloc(tasks->count, sizeof(*iterations));
    if (iterations && !stacks_init(&stacks, tasks, iterations)) {
        hrr_fill(&stacks, tasks->count);
        plan = hrr_write(&stacks, tasks);
    }
    if (!plan)
        err_memory(err);
    stacks_fini(&stacks);
    free(iterations);
    return plan;
}
