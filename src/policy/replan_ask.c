/* What replan asks for, and what it makes of the answer. */
#include "base/maths.h"
#include "policy/replan.h"

/* More applications than this are not planned: planning them takes about a third of a second, and
 * grows with the square of their number. */
enum { MOST_PLANNED = 200 };

/* Applications whose means differ by less than this part of `drift` are of one kind. */
#define KIND 0.5

/* A plan is dropped if what it reaches is worse than what the online strategy did by this part. */
#define WORSE 0.005

/* --- how good it is --------------------------------------------------------------------------- */

/* What the tasks have reached with the lengths that their iterations had, 0 if one is not known,
 * and what a plan promises: larger is better. */
static double replan_score(const struct replan *replan)
{
    const struct tasks *tasks = &replan->tasks;
    double sum = 0, worst = INFINITY;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->list[i];
        if (replan->lengths[i] == 0)
            return 0;
        sum += task->nodes * task->work / replan->lengths[i];
        worst = maths_min(worst, (task->work + task->io) / replan->lengths[i]);
    }
    return replan->objective == PLAN_SYS_EFFICIENCY ? sum / tasks->nodes : worst;
}

static double replan_promise(const struct replan *replan, const struct plan *plan)
{
    return replan->objective == PLAN_SYS_EFFICIENCY ? plan_sys_efficiency(plan, &replan->tasks)
                                                    : 1 / plan_max_dilation(plan, &replan->tasks);
}

/* How long an iteration has taken, in the mean since the beginning of the epoch: the last few may
 * not have met the rare I/O of another application. 0 if it is not known. */
static double replan_length(const struct replan *replan, const struct learner *learner)
{
    if (learner->epoch != replan->epoch || learner->iterations == 0)
        return 0;
    return (learner->ended - learner->begun) / learner->iterations;
}

/* The lengths of all tasks. */
static void replan_measure(struct replan *replan, const struct weir_view *view)
{
    for (uint32_t app = 0; app < view->count; app++)
        if (replan->places[app] > 0)
            replan->lengths[replan->places[app] - 1] =
                replan_length(replan, &replan->learners[app]);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* The means of all that belong to the plan, in the order of their ids. */
static void replan_gather(struct replan *replan, const struct weir_view *view)
{
    struct tasks *tasks = &replan->tasks;
    tasks->count = 0;
    tasks->nodes = 0;
    tasks->bandwidth = view->bandwidth;
    for (uint32_t app = 0; app < view->count; app++) {
        const struct weir_app *facts = view->runs[app].app;
        replan->places[app] = 0;
        if (view->runs[app].state == WEIR_ABSENT || !replan->learners[app].known)
            continue;
        struct iterated mean = habit_mean(&replan->learners[app].habit, replan->stable);
        tasks->list[tasks->count++] = (struct task){.name = "",
                                                    .nodes = facts->nodes,
                                                    .work = mean.work,
                                                    .volume = mean.volume,
                                                    .bmax = facts->bmax,
                                                    .io = mean.volume / facts->bmax};
        tasks->nodes += facts->nodes;
        replan->places[app] = tasks->count;
    }
}

static bool replan_is_same_kind(const struct replan *replan, const struct task *a,
                                const struct task *b)
{
    return a->nodes == b->nodes && a->bmax == b->bmax &&
           habit_is_like((struct iterated){a->work, a->volume},
                         (struct iterated){b->work, b->volume}, a->bmax, KIND * replan->drift);
}

/* Gives all tasks of a kind its mean, from the first one on. */
static void replan_unite_kind(struct replan *replan, uint32_t first)
{
    struct task *list = replan->tasks.list;
    double work = 0, volume = 0;
    uint32_t members = 0;
    for (uint32_t i = first; i < replan->tasks.count; i++) {
        if (replan->kinds[i] != first)
            continue;
        work += list[i].work;
        volume += list[i].volume;
        members++;
    }
    for (uint32_t i = first; i < replan->tasks.count; i++) {
        if (replan->kinds[i] != first)
            continue;
        list[i].work = work / members;
        list[i].volume = volume / members;
        list[i].io = list[i].volume / list[i].bmax;
    }
}

/* Applications of one kind differ by noise. A plan that is best in SysEfficiency serves those first
 * that work most for their bytes, however small the difference is: then noise would starve some. */
static void replan_unite(struct replan *replan)
{
    const struct tasks *tasks = &replan->tasks;
    for (uint32_t i = 0; i < tasks->count; i++) {
        uint32_t kind = 0;
        for (; kind < i; kind++)
            if (replan->kinds[kind] == kind &&
                replan_is_same_kind(replan, &tasks->list[kind], &tasks->list[i]))
                break;
        replan->kinds[i] = kind;
    }
    for (uint32_t i = 0; i < tasks->count; i++)
        if (replan->kinds[i] == i)
            replan_unite_kind(replan, i);
}

void replan_ask(struct replan *replan, const struct weir_view *view)
{
    const struct planner *planner = replan->planner;
    if (!planner || !planner->ask || replan->known < 2 || replan->known > MOST_PLANNED ||
        replan->unsteady > 0 || view->now < replan->next_ask)
        return;
    replan_gather(replan, view);
    replan_measure(replan, view);
    double score = replan_score(replan);
    if (score > 0) /* else what it was before */
        replan->score = score;
    replan_unite(replan);
    replan->number =
        planner->ask(planner->context, &(struct planner_question){.tasks = &replan->tasks,
                                                                  .objective = replan->objective,
                                                                  .thorough = replan->thorough});
    if (replan->number == 0)
        return;
    replan->stage = REPLAN_ASKING;
    replan->next_ask = view->now + replan->longest;
}

void replan_hear(struct replan *replan, const struct weir_view *view)
{
    const struct planner *planner = replan->planner;
    const struct plan *plan;
    if (!planner->answer(planner->context, replan->number, &plan))
        return;
    replan->stage = REPLAN_DECLINED;
    replan->again = view->now + (view->now - replan->since);
    if (!plan || !(replan_promise(replan, plan) > replan->score))
        return;
    replan->stage = REPLAN_FOLLOWING;
    replan->again = view->now + replan->stable * replan->longest;
    replan_begin_epoch(replan, view);
    follow_begin(&replan->follow, plan, view);
}

void replan_judge(struct replan *replan, const struct weir_view *view)
{
    replan->again = view->now + replan->longest;
    replan_measure(replan, view);
    double score = replan_score(replan);
    if (score == 0 || score >= (1 - WORSE) * replan->score)
        return;
    /* The next attempt comes later and later. */
    replan->wait = maths_max(2 * replan->wait, view->now - replan->since);
    replan->again = view->now + replan->wait;
    replan->stage = REPLAN_DECLINED;
    replan->follow.plan = NULL;
    replan_begin_epoch(replan, view);
}
