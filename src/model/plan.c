#include "model/plan.h"
#include "base/mem.h"
#include "model/workload.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding in times and rates stays far below this, relative. */
#define TOLERANCE 1e-9

const char *const plan_objectives[] = {
#define X(name, text) text,
    PLAN_OBJECTIVES(X)
#undef X
        NULL,
};

const char *const plan_searched_objectives[] = {
#define X(name, text) text,
    PLAN_SEARCHED_OBJECTIVES(X)
#undef X
        NULL,
};

/* --- tasks ----------------------------------------------------------------------------------- */

static bool plan_varies(const struct app *app)
{
    struct iteration first = app_iteration(app, 0);
    for (uint32_t k = 1; app->stride && k < app->facts.iterations; k++) {
        struct iteration it = app_iteration(app, k);
        if (it.work != first.work || it.volume != first.volume)
            return true;
    }
    return false;
}

int tasks_init(struct tasks *tasks, const struct workload *workload, struct err *err)
{
    *tasks = (struct tasks){.count = workload->count, .bandwidth = workload->platform.bandwidth};
    double nodes = 0;
    if (workload_check_one_store(workload, err) != 0)
        return err_prepend(err, "no plan");
    tasks->list = arena_alloc(&tasks->arena, workload->count, sizeof(*tasks->list));
    if (!tasks->list)
        return err_memory(err);
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        char label[256];
        app_label(app, label, sizeof(label));
        double count = app->facts.iterations, io = app->facts.total_io / count;
        tasks->means |= plan_varies(app);
        nodes += app->facts.nodes;
        tasks->list[i] = (struct task){.name = arena_strndup(&tasks->arena, label, strlen(label)),
                                       .nodes = app->facts.nodes,
                                       .work = app->facts.total_work / count,
                                       .volume = io * app->facts.bmax,
                                       .bmax = app->facts.bmax,
                                       .io = io,
                                       .iterations = app->facts.iterations};
        if (!tasks->list[i].name)
            return err_memory(err);
        if (!(tasks->list[i].work > 0 && io > 0))
            return err_set(err, "application '%s' has no %s: there is nothing to plan", label,
                           io > 0 ? "work" : "I/O");
    }
    tasks->nodes = fmax(workload->platform.nodes, nodes);
    return 0;
}

void tasks_fini(struct tasks *tasks)
{
    arena_fini(&tasks->arena);
}

/* --- making ---------------------------------------------------------------------------------- */

struct plan *plan_new(uint32_t count)
{
    struct plan *plan = mem_alloc(1, sizeof(*plan));
    struct plan_app *apps = mem_alloc(count, sizeof(*apps));
    if (!plan || !apps) {
        free(plan);
        free(apps);
        return NULL;
    }
    plan->count = count;
    plan->apps = apps;
    return plan;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    free(plan->apps);
    free(plan->instances);
    free(plan->pieces);
    free(plan);
}

int plan_add_instance(struct plan *plan, struct plan_instance instance)
{
    void *grown = mem_reserve(plan->instances, &plan->instance_capacity, plan->instance_count + 1,
                              sizeof(*plan->instances));
    if (!grown)
        return -1;
    plan->instances = grown;
    plan->instances[plan->instance_count++] = instance;
    return 0;
}

int plan_add_piece(struct plan *plan, struct plan_piece piece)
{
    void *grown =
        mem_reserve(plan->pieces, &plan->piece_capacity, plan->piece_count + 1, sizeof(piece));
    if (!grown)
        return -1;
    plan->pieces = grown;
    plan->pieces[plan->piece_count++] = piece;
    return 0;
}

/* --- measures -------------------------------------------------------------------------------- */

double plan_efficiency(const struct plan *plan, const struct tasks *tasks, uint32_t app)
{
    return (double)plan->apps[app].count * tasks->list[app].work / plan->period;
}

double plan_dilation(const struct plan *plan, const struct tasks *tasks, uint32_t app)
{
    const struct task *task = &tasks->list[app];
    return plan->period / ((double)plan->apps[app].count * (task->work + task->io));
}

double plan_sys_efficiency(const struct plan *plan, const struct tasks *tasks)
{
    double sum = 0;
    for (uint32_t app = 0; app < plan->count; app++)
        sum += tasks->list[app].nodes * plan_efficiency(plan, tasks, app);
    return sum / tasks->nodes;
}

double plan_max_dilation(const struct plan *plan, const struct tasks *tasks)
{
    double most = 0;
    for (uint32_t app = 0; app < plan->count; app++)
        most = fmax(most, plan_dilation(plan, tasks, app));
    return most;
}

/* --- validation ------------------------------------------------------------------------------ */

/* One instance on its own: its pieces after its work and in order, within bmax, moving its volume.
 * *end is the time at which its I/O ends. */
static int check_instance(const struct plan *plan, const struct task *task,
                          const struct plan_instance *instance, double *end, struct err *err)
{
    double slack = TOLERANCE * plan->period, moved = 0;
    *end = instance->start + task->work;
    if (!isfinite(instance->start) || instance->count == 0 ||
        instance->first + instance->count > plan->piece_count)
        return err_set(err, "its work has no start, or it has no I/O");
    for (size_t i = 0; i < instance->count; i++) {
        const struct plan_piece *piece = &plan->pieces[instance->first + i];
        if (!(piece->start >= *end - slack))
            return err_set(err, "I/O at %.9g s begins before %s at %.9g s", piece->start,
                           i ? "the I/O before it ends" : "its work ends", *end);
        if (!(piece->end > piece->start) || !isfinite(piece->end))
            return err_set(err, "I/O at %.9g s ends at %.9g s", piece->start, piece->end);
        if (!(piece->rate > 0) || piece->rate > task->bmax * (1 + TOLERANCE))
            return err_set(err, "I/O at %.9g s has %.9g bytes/s, the application can take %.9g",
                           piece->start, piece->rate, task->bmax);
        moved += piece->rate * (piece->end - piece->start);
        *end = piece->end;
    }
    if (fabs(moved - task->volume) > 1e-6 * task->volume)
        return err_set(err, "it moves %.9g bytes, the application %.9g", moved, task->volume);
    return 0;
}

/* The instances of one application, one after the other and around the period. */
static int plan_check_app(const struct plan *plan, const struct task *task,
                          const struct plan_app *app, struct err *err)
{
    double slack = TOLERANCE * plan->period, end = 0;
    if (app->count == 0)
        return err_set(err, "application '%s' has no instance", task->name);
    if (app->first + app->count > plan->instance_count)
        return err_set(err, "application '%s' has instances that do not exist", task->name);
    for (size_t i = 0; i < app->count; i++) {
        const struct plan_instance *instance = &plan->instances[app->first + i];
        if (i > 0 && instance->start < end - slack)
            return err_set(err,
                           "application '%s', instance %zu: work at %.9g s begins before the "
                           "I/O of the one before ends at %.9g s",
                           task->name, i + 1, instance->start, end);
        if (check_instance(plan, task, instance, &end, err))
            return err_prepend(err, "application '%s', instance %zu", task->name, i + 1);
    }
    double again = plan->instances[app->first].start + plan->period;
    if (end > again + slack)
        return err_set(err,
                       "application '%s': its last I/O ends at %.9g s, but its first work "
                       "begins again at %.9g s",
                       task->name, end, again);
    return 0;
}

/* A change of the total bandwidth at a time in the folded pattern. */
struct change {
    double time, rate;
};

static int plan_by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Folds a piece into [0, T): as often as it lies over the end of a period. */
static size_t model_plan_fold(const struct plan_piece *piece, double period, struct change *changes)
{
    double start = piece->start - floor(piece->start / period) * period;
    double end = start + (piece->end - piece->start);
    changes[0] = (struct change){start, piece->rate};
    if (end <= period) {
        changes[1] = (struct change){end, -piece->rate};
        return 2;
    }
    changes[1] = (struct change){0, piece->rate};
    changes[2] = (struct change){end - period, -piece->rate};
    return 3;
}

static int check_total(const struct plan *plan, const struct tasks *tasks, struct err *err)
{
    struct change *changes = mem_alloc(3 * plan->piece_count, sizeof(*changes));
    size_t count = 0;
    if (!changes)
        return err_memory(err);
    for (size_t i = 0; i < plan->piece_count; i++)
        count += model_plan_fold(&plan->pieces[i], plan->period, changes + count);
    qsort(changes, count, sizeof(*changes), plan_by_time);
    double total = 0, since = 0, instant = fmin(1e-4, 1e-6 * plan->period);
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        /* Dates that differ only by rounding are one instant. */
        if (total > tasks->bandwidth * (1 + 1e-7) && changes[i].time - since > instant)
            failed = err_set(err,
                             "at %.9g s of the period %.9g bytes/s are planned, the file "
                             "system has %.9g",
                             since, total, tasks->bandwidth);
        total += changes[i].rate;
        since = changes[i].time;
    }
    free(changes);
    return failed;
}

int plan_validate(const struct plan *plan, const struct tasks *tasks, struct err *err)
{
    if (!(plan->period > 0) || !isfinite(plan->period))
        return err_set(err, "the period is %g s, expected a positive number", plan->period);
    if (plan->count != tasks->count)
        return err_set(err, "the plan is for %u applications, the scenario has %u", plan->count,
                       tasks->count);
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan_check_app(plan, &tasks->list[i], &plan->apps[i], err))
            return -1;
    return check_total(plan, tasks, err);
}
