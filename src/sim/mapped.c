/* Jobs that are mapped while they run: one simulation for each I/O node, all on one clock. Files
 * behind different I/O nodes share nothing, so a simulation is asked only when something happens
 * there: an agenda holds the next time of each. Whenever a job arrives or ends, the mapper decides
 * which jobs start behind which I/O node. */
#include "sim/mapped.h"
#include "base/agenda.h"
#include "base/maths.h"
#include "base/mem.h"
#include "sim/sim.h"
#include <math.h>
#include <stdlib.h>

/* How often the caller hears of the progress, in instants. */
#define PROGRESS_EVERY 65536

struct mapped_run {
    struct workload workload; /* a copy whose jobs are released when they start */
    const struct map_jobs *jobs;
    const struct mapped_options *options;
    struct mapper *mapper;
    struct sim **sims;   /* by I/O node */
    struct agenda times; /* by I/O node: when something happens there next */
    uint32_t *busy;      /* I/O nodes where something happens at this instant */
    uint32_t busy_count;
    uint32_t *arrivals; /* jobs by release */
    uint32_t arrived, ended;
    bool changed;             /* a job has arrived or ended since the mapper was asked */
    struct timeline timeline; /* what has happened since the last instant */
    struct mapping *mapping;
    double now;
};

/* --- making and freeing ---------------------------------------------------------------------- */

static void mapped_on_end(void *context, uint32_t job)
{
    struct mapped_run *run = context;
    run->mapping->jobs[job].end = run->now;
    run->ended++;
    run->changed = true;
    mapper_end(run->mapper, job);
}

static int sort_arrivals(struct mapped_run *run)
{
    struct map_jobs jobs = *run->jobs;
    jobs.list = mem_alloc(jobs.count, sizeof *jobs.list);
    for (uint32_t i = 0; jobs.list && i < jobs.count; i++)
        jobs.list[i].key = run->jobs->list[i].release;
    run->arrivals = jobs.list ? map_jobs_sorted(&jobs) : NULL;
    free(jobs.list);
    return run->arrivals ? 0 : -1;
}

/* The parts of the usage are so short that there are many of them in the longest job. */
static double first_width(const struct map_jobs *jobs)
{
    double longest = 0;
    for (uint32_t i = 0; i < jobs->count; i++)
        longest = maths_max(longest, jobs->list[i].ideal);
    return longest > 0 ? longest / USAGE_PARTS : 1;
}

static int mapped_prepare(struct mapped_run *run, const struct map_rules *rules, struct err *err)
{
    const struct workload *workload = run->jobs->workload;
    run->mapper = mapper_new(rules, run->jobs, err);
    if (!run->mapper)
        return -1;
    run->workload = *workload;
    run->workload.apps = mem_alloc(workload->count, sizeof *run->workload.apps);
    run->sims = mem_alloc(rules->io_nodes, sizeof(struct sim *));
    run->busy = mem_alloc(rules->io_nodes, sizeof *run->busy);
    run->mapping = mapping_new(workload->count);
    if (!run->workload.apps || !run->sims || !run->busy || !run->mapping ||
        agenda_init(&run->times, rules->io_nodes) != 0 || sort_arrivals(run) != 0)
        return err_memory(err);
    for (uint32_t i = 0; i < workload->count; i++) {
        run->workload.apps[i] = workload->apps[i];
        run->mapping->jobs[i] = (struct placed_job){
            .arrival = run->jobs->list[i].release, .start = INFINITY, .end = INFINITY};
    }
    run->mapping->io_nodes = rules->io_nodes;
    usage_init(&run->mapping->usage, run->jobs->list[run->arrivals[0]].release,
               first_width(run->jobs));
    return 0;
}

static void mapped_fini(struct mapped_run *run, uint32_t io_nodes)
{
    for (uint32_t i = 0; run->sims && i < io_nodes; i++)
        sim_free(run->sims[i]);
    free(run->sims);
    free(run->busy);
    agenda_fini(&run->times);
    free(run->workload.apps);
    free(run->arrivals);
    timeline_fini(&run->timeline);
    mapper_free(run->mapper);
    mapping_free(run->mapping);
}

/* --- one instant ------------------------------------------------------------------------------ */

static double next_instant(const struct mapped_run *run)
{
    double next = agenda_time(&run->times);
    if (run->arrived < run->jobs->count)
        next = maths_min(next, run->jobs->list[run->arrivals[run->arrived]].release);
    return maths_max(next, run->now);
}

/* Applies what happens behind an I/O node now, once; `settle` puts it back into the agenda. */
static int mapped_advance(struct mapped_run *run, uint32_t io_node, struct err *err)
{
    /* A job may start where something has just happened: there is one decision for both. */
    for (uint32_t i = 0; i < run->busy_count; i++)
        if (run->busy[i] == io_node)
            return 0;
    run->busy[run->busy_count++] = io_node;
    agenda_set(&run->times, io_node, INFINITY);
    return sim_advance(run->sims[io_node], run->now, err);
}

static int mapped_apply_changes(struct mapped_run *run, struct err *err)
{
    while (agenda_time(&run->times) <= run->now * (1 + SIM_INSTANT))
        if (mapped_advance(run, agenda_first(&run->times), err) != 0)
            return -1;
    for (; run->arrived < run->jobs->count; run->arrived++) {
        uint32_t job = run->arrivals[run->arrived];
        if (!sim_is_now(run->now, run->jobs->list[job].release, run->jobs->list[job].ideal))
            break;
        mapper_arrive(run->mapper, job);
        run->changed = true;
    }
    return 0;
}

static int start_jobs(struct mapped_run *run, struct err *err)
{
    struct map_start start;
    if (!run->changed)
        return 0;
    run->changed = false;
    while (mapper_next(run->mapper, run->now, &start)) {
        struct placed_job *job = &run->mapping->jobs[start.job];
        job->start = run->now;
        job->io_node = start.io_node;
        job->pack = start.pack;
        if (start.pack != MAPPING_NO_PACK && start.pack >= run->mapping->packs)
            run->mapping->packs = start.pack + 1;
        if (mapped_advance(run, start.io_node, err) != 0)
            return -1;
        run->workload.apps[start.job].facts.release = run->now;
        sim_start(run->sims[start.io_node], start.job);
    }
    return 0;
}

/* Adds what was recorded to the usage, and forgets it. */
static void mapped_drain(struct mapped_run *run)
{
    static const enum usage_kind kinds[] = {
        [SEGMENT_WORK] = USAGE_WORK, [SEGMENT_WAIT] = USAGE_DELAYED, [SEGMENT_IO] = USAGE_IO};
    struct usage *usage = &run->mapping->usage;
    for (size_t i = 0; i < run->timeline.count; i++) {
        const struct segment *segment = &run->timeline.segments[i];
        const struct weir_app *app = &run->workload.apps[segment->app].facts;
        const double span[] = {segment->start, segment->end};
        double share = segment->kind == SEGMENT_IO ? segment->rate / app->bmax : 1;
        usage_add(usage, kinds[segment->kind], span, share * app->nodes);
        if (share < 1)
            usage_add(usage, USAGE_DELAYED, span, (1 - share) * app->nodes);
    }
    run->timeline.count = 0;
}

/* One decision behind each I/O node where something happened. */
static int mapped_settle(struct mapped_run *run, struct err *err)
{
    for (; run->busy_count > 0; run->busy_count--) {
        uint32_t io_node = run->busy[run->busy_count - 1];
        if (sim_decide(run->sims[io_node], err) != 0)
            return -1;
        agenda_set(&run->times, io_node, sim_next(run->sims[io_node]));
    }
    return 0;
}

static int mapped_step(struct mapped_run *run, struct err *err)
{
    /* Ends before starts: a job that ends now leaves its nodes to one that starts now. */
    if (mapped_apply_changes(run, err) != 0 || start_jobs(run, err) != 0 ||
        mapped_settle(run, err) != 0)
        return -1;
    mapped_drain(run);
    return 0;
}

/* --- the whole run ---------------------------------------------------------------------------- */

/* Nothing will happen of itself: some I/O node grants nothing to the applications that wait. */
static int give_up(const struct mapped_run *run, struct err *err)
{
    const struct placed_job *job = run->mapping->jobs;
    while (!(job->start < INFINITY && job->end == INFINITY))
        job++;
    return sim_stuck(run->sims[job->io_node], err);
}

static int mapped_go(struct mapped_run *run, struct err *err)
{
    uint64_t report = 0;
    while (run->ended < run->jobs->count) {
        double next = next_instant(run);
        if (next == INFINITY)
            return give_up(run, err);
        run->now = next;
        if (mapped_step(run, err) != 0)
            return -1;
        run->mapping->instants++;
        if (run->options->progress && run->mapping->instants >= report) {
            run->options->progress(run->options->context, (double)run->ended / run->jobs->count);
            report += PROGRESS_EVERY;
        }
    }
    run->mapping->makespan = run->now;
    for (uint32_t i = 0; i < run->mapping->io_nodes; i++)
        if (sim_end(run->sims[i], err) != 0)
            return -1;
    return 0;
}

struct mapping *sim_map(const struct map_jobs *jobs, const struct map_rules *rules,
                        const struct policy *policy, const struct mapped_options *options,
                        struct err *err)
{
    static const struct mapped_options defaults;
    struct mapped_run run = {.jobs = jobs, .options = options ? options : &defaults};
    const struct sim_options steps = {.check = run.options->check,
                                      .timeline = &run.timeline,
                                      .ended = mapped_on_end,
                                      .context = &run};
    int status = mapped_prepare(&run, rules, err);
    for (uint32_t i = 0; i < rules->io_nodes && status == 0; i++) {
        run.sims[i] = sim_new(&run.workload, policy, &steps, err);
        status = run.sims[i] ? 0 : -1;
    }
    struct mapping *mapping = NULL;
    if (status == 0 && mapped_go(&run, err) == 0) {
        mapping = run.mapping;
        run.mapping = NULL;
    }
    mapped_fini(&run, rules->io_nodes);
    return mapping;
}
