/* replan: an online strategy that learns the habits of the applications, and follows a PerSched
 * plan of them while they last (003 sections 3.3 and 4.1).
 *
 * An application belongs to the plan from its first I/O on. When the last iterations of all that
 * belong to it are alike, the host's planner is asked for a plan of their means. It is followed if
 * it promises more than the online strategy has reached with them (follow.h). When an application
 * comes, leaves or changes its habits, all are served by the online strategy again, until the next
 * plan. */
#include "policy/replan.h"
#include "base/maths.h"
#include "policy/strategies.h"

static const char *const replan_searches[] = {"quick", "best", NULL};

enum { PARAM_ONLINE, PARAM_SEARCH, PARAM_OBJECTIVE, PARAM_STABLE, PARAM_DRIFT };

static const struct weir_param params[] = {
    ONLINE_PARAM,
    {.name = "search",
     .kind = WEIR_PARAM_CHOICE,
     .choices = replan_searches,
     .help = "best: as 'weir plan' searches; quick: the same for a small part of the time"},
    {.name = "objective",
     .kind = WEIR_PARAM_CHOICE,
     .choices = plan_searched_objectives,
     .help = "what a plan optimises, and by what it is compared with the online strategy"},
    {.name = "stable",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 3,
     .low = 1,
     .high = HABIT_MOST,
     .help = "iterations of each application that must be alike before there is a plan"},
    {.name = "drift",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 0.1,
     .low = 0,
     .high = 1,
     .help = "the largest difference, relative, of iterations that are alike"},
    {.name = NULL},
};

/* An unsteady application that has been working for this many of the longest iterations, and of its
 * own last one, is left out until its next I/O: it must not keep the others from having a plan. */
#define SILENT 2

/* An I/O of less than this part of the one before is not an iteration, but part of the work: live,
 * a program may write a line between two checkpoints. */
#define CRUMB 0.01

/* --- who belongs to the plan ------------------------------------------------------------------ */

/* What was planned, or would have been, is no longer so. */
static void replan_learn_again(struct replan *replan, const struct weir_view *view)
{
    replan->stage = REPLAN_LEARNING;
    replan->follow.plan = NULL;
    replan_begin_epoch(replan, view);
}

/* Other applications: how good the online strategy is with them is not known. */
static void replan_begin_again(struct replan *replan, const struct weir_view *view)
{
    replan->score = replan->wait = 0;
    replan_learn_again(replan, view);
}

static void replan_note_steady(struct replan *replan, struct learner *learner, bool steady)
{
    replan->unsteady += learner->steady;
    replan->unsteady -= steady;
    learner->steady = steady;
}

static void replan_admit(struct replan *replan, const struct weir_view *view,
                         struct learner *learner)
{
    learner->known = true;
    learner->steady = false;
    replan->known++;
    replan->unsteady++;
    replan_begin_again(replan, view);
}

static void replan_dismiss(struct replan *replan, const struct weir_view *view,
                           struct learner *learner)
{
    if (!learner->known)
        return;
    replan->known--;
    replan->unsteady -= !learner->steady;
    learner->known = false;
    replan_begin_again(replan, view);
}

/* Looks once in a while, so that the cost of each decision stays small. */
static void replan_dismiss_silent(struct replan *replan, const struct weir_view *view)
{
    if (replan->unsteady == 0 || !(replan->longest > 0) || view->now < replan->next_look)
        return;
    replan->next_look = view->now + replan->longest;
    for (uint32_t app = 0; app < view->count; app++) {
        struct learner *learner = &replan->learners[app];
        if (view->runs[app].state == WEIR_WORKING && !learner->steady &&
            view->now - learner->ended > SILENT * maths_max(replan->longest, learner->length))
            replan_dismiss(replan, view, learner);
    }
}

/* --- learning --------------------------------------------------------------------------------- */

/* Whether the application still does what was planned, or what a plan was asked for. */
static bool replan_as_planned(const struct replan *replan, uint32_t app, double bmax)
{
    const struct learner *learner = &replan->learners[app];
    uint32_t place = replan->places[app];
    if (replan->stage == REPLAN_LEARNING || place == 0)
        return true;
    const struct task *task = &replan->tasks.list[place - 1];
    return habit_is_like((struct iterated){.work = task->work, .volume = task->volume},
                         habit_mean(&learner->habit, replan->stable), bmax, replan->drift);
}

/* Counts an iteration that has ended, unless it began before the epoch. */
static void replan_count(const struct replan *replan, struct learner *learner)
{
    if (learner->epoch == replan->epoch) {
        learner->iterations++;
        return;
    }
    learner->epoch = replan->epoch;
    learner->begun = learner->ended;
    learner->iterations = 0;
}

static void replan_learn(struct replan *replan, const struct weir_view *view, uint32_t app)
{
    struct learner *learner = &replan->learners[app];
    const struct weir_run *run = &view->runs[app];
    if (learner->habit.count > 0 && run->volume < CRUMB * habit_mean(&learner->habit, 1).volume) {
        follow_return(&replan->follow, app);
        return;
    }
    /* Iterations without I/O are part of the next one that has some. */
    double done = run->done_work + run->work;
    double bmax = run->app->bmax;
    habit_add(&learner->habit,
              (struct iterated){.work = done - learner->done_work, .volume = run->volume});
    learner->done_work = done;
    learner->length = view->now - learner->ended;
    learner->ended = view->now;
    replan_count(replan, learner);
    bool steady = habit_is_steady(&learner->habit, replan->stable, bmax, replan->drift);
    replan_note_steady(replan, learner, steady);
    if (steady)
        replan->longest = maths_max(replan->longest, learner->length);
    if (!replan_as_planned(replan, app, bmax))
        replan_learn_again(replan, view);
}

/* --- the strategy ----------------------------------------------------------------------------- */

static void replan_init(void *self, const struct weir_setup *setup)
{
    struct replan *replan = self;
    const double *values = setup->params;
    size_t count = setup->capacity;
    char *rest = (char *)(replan + 1) + count * ONLINE_ROOM;
    *replan = (struct replan){.planner = setup->planner,
                              .thorough = values[PARAM_SEARCH] > 0,
                              .objective = (enum plan_objective)values[PARAM_OBJECTIVE],
                              .stable = (uint32_t)values[PARAM_STABLE],
                              .drift = values[PARAM_DRIFT],
                              .epoch = 1};
    replan->learners = (struct learner *)(void *)rest;
    replan->tasks.list = (struct task *)(replan->learners + count);
    replan->follow.followers = (struct follower *)(replan->tasks.list + count);
    replan->lengths = (double *)(replan->follow.followers + count);
    replan->places = (uint32_t *)(replan->lengths + count);
    replan->kinds = replan->places + count;
    replan->follow.places = replan->places;
    replan->follow.pacing = &replan->pacing;
    replan->pacing.limit = 1; /* only the means are used */
    pacing_init(&replan->pacing, replan->kinds + count, setup->capacity);
    online_init(&replan->online, setup, values[PARAM_ONLINE]);
}

static void replan_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct replan *replan = self;
    replan->learners[app] =
        (struct learner){.ended = view->now, .done_work = view->runs[app].done_work};
    replan->places[app] = 0;
    pacing_joined(&replan->pacing, view, app);
    follow_joined(&replan->follow, view, app);
    online_joined(&replan->online, view, app);
}

static void replan_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct replan *replan = self;
    if (!replan->learners[app].known)
        replan_admit(replan, view, &replan->learners[app]);
    online_posted(&replan->online, view, app);
    pacing_posted(&replan->pacing, view, app);
    follow_posted(&replan->follow, view, app);
}

static void replan_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct replan *replan = self;
    online_completed(&replan->online, view, app);
    pacing_completed(&replan->pacing, view, app);
    if (!(view->runs[app].remaining > 0)) /* else it only pauses */
        replan_learn(replan, view, app);
}

static void replan_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct replan *replan = self;
    replan_dismiss(replan, view, &replan->learners[app]);
    pacing_left(&replan->pacing, app);
    follow_left(&replan->follow, app);
    replan->places[app] = 0;
    online_left(&replan->online, view, app);
}

static void replan_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct replan *replan = self;
    if (replan->stage == REPLAN_FOLLOWING && view->now >= replan->again)
        replan_judge(replan, view);
    if (replan->stage == REPLAN_DECLINED && view->now >= replan->again)
        replan->stage = REPLAN_LEARNING;
    if (replan->stage == REPLAN_LEARNING) {
        replan_dismiss_silent(replan, view);
        replan_ask(replan, view);
    }
    if (replan->stage == REPLAN_ASKING)
        replan_hear(replan, view);
    if (follow_serve(&replan->follow, view, grants))
        return;
    for (uint32_t i = 0; i < view->active_count; i++)
        online_add(&replan->online, view->active[i]);
    online_decide(&replan->online, view, view->bandwidth, grants);
}

const struct weir_policy_ops policy_replan = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_HISTORY | WEIR_NEEDS_VOLUME,
    .name = "replan",
    .summary = "learns what applications repeat, and follows a plan of it while they do",
    .paper = "Aupy et al. 2017, sections 3.3 and 4.1",
    .params = params,
    .state_size = sizeof(struct replan),
    .app_size = ONLINE_ROOM + sizeof(struct learner) + sizeof(struct task) +
                sizeof(struct follower) + sizeof(double) + 2 * sizeof(uint32_t) + PACING_ROOM,
    .init = replan_init,
    .joined = replan_joined,
    .posted = replan_posted,
    .completed = replan_completed,
    .left = replan_left,
    .decide = replan_decide,
};
