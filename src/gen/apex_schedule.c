#include "base/maths.h"
#include "gen/apex.h"
#include "gen/draw.h"
#include "gen/profile.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static const double gib = 0x1p30;
static const double cielo_nodes = 8894, cores_per_node = 16;

/* 10 % of gaussian noise on the nodes and the walltime of a job, but never less than this. */
static const double spread = 0.1, least_factor = 0.95;

double apex_nodes(const struct apex_class *class)
{
    return ceil(class->cores / cores_per_node);
}

static double apex_walltime(const struct apex_class *class)
{
    return class->hours * 3600;
}

/* 002 section 6.3.1, with alpha = 10: computing power doubles every ten units of time, and the
 * bandwidth lags linearly. */
static struct platform machine_at(int t)
{
    static const double ln2 = 0.69314718055994531;
    double growth = maths_exp(ln2 * t / 10);
    return (struct platform){.nodes = round(cielo_nodes * growth),
                             .node_bandwidth = 1.2 * gib,
                             .bandwidth = 200 * gib * growth / (t > 1 ? t : 1)};
}

/* --- what is wanted -------------------------------------------------------------------------- */

/* Everything while a schedule is made. */
struct apex_making {
    const struct apex_request *request;
    struct schedule *schedule;
    struct profile profile;
    uint32_t goal[APEX_MOST_CLASSES], done[APEX_MOST_CLASSES];
    double earliest[APEX_MOST_CLASSES]; /* the smallest job of the class fits nowhere before */
    double end;                         /* of the job that ends last */
};

/* The shares of the table do not sum up to 100 %: the APEX report leaves out other work, which 002
 * does not ("12 % of the overall core-hours" are its SkySurvey's 6 of 48.2). */
static void set_goals(struct apex_making *making)
{
    const struct apex_request *request = making->request;
    double total = 0, room = making->schedule->platform.nodes * request->horizon;
    for (uint32_t i = 0; i < request->workload->count; i++)
        total += request->classes[i].share;
    for (uint32_t i = 0; i < request->workload->count; i++) {
        const struct apex_class *class = &request->classes[i];
        double goal = class->share / total * room / (apex_walltime(class) * apex_nodes(class));
        making->goal[i] = (uint32_t)fmax(round(goal), 1);
    }
}

static bool apex_schedule_is_complete(const struct apex_making *making)
{
    bool enough = making->end >= making->request->horizon;
    for (uint32_t i = 0; i < making->request->workload->count; i++)
        enough &= making->done[i] >= 0.9 * making->goal[i];
    return enough;
}

/* A class, with a probability in proportion to what it lacks; none may lack anything while there is
 * still time to fill. */
static uint32_t draw_class(const struct apex_making *making, struct random *random)
{
    uint32_t count = making->request->workload->count, class = 0;
    double weight[APEX_MOST_CLASSES], total = 0;
    bool satisfied = true;
    for (uint32_t i = 0; i < count; i++)
        satisfied &= making->done[i] >= making->goal[i];
    for (uint32_t i = 0; i < count; i++) {
        double lack = (double)making->goal[i] - making->done[i];
        weight[i] = satisfied ? making->goal[i] : fmax(lack, 0);
        total += weight[i];
    }
    double at = random_uniform(random) * total;
    for (uint32_t i = 0; i < count; i++) {
        if (weight[i] > 0)
            class = i;
        if (at < weight[i])
            break;
        at -= weight[i];
    }
    return class;
}

/* --- placing --------------------------------------------------------------------------------- */

static double draw_factor(struct random *random)
{
    return fmax(least_factor, 1 + spread * random_normal(random));
}

static uint32_t scale_nodes(const struct apex_class *class, double factor)
{
    return (uint32_t)fmax(round(apex_nodes(class) * factor), 1);
}

/* Places one job more. 1 if it would end too late, then it is not placed; -1 when memory is out. */
static int apex_schedule_place(struct apex_making *making)
{
    const struct apex_request *request = making->request;
    struct schedule *schedule = making->schedule;
    struct random random = draw_at(request->seed, (uint32_t)schedule->count);
    uint32_t kind = draw_class(making, &random);
    const struct apex_class *class = &request->classes[kind];
    uint32_t nodes = scale_nodes(class, draw_factor(&random));
    double length = apex_walltime(class) * draw_factor(&random);
    /* Nodes are only ever taken, so what is too full for the smallest job of a class stays so. */
    double *earliest = &making->earliest[kind];
    *earliest = profile_fit(&making->profile, *earliest, scale_nodes(class, least_factor),
                            apex_walltime(class) * least_factor);
    double start = profile_fit(&making->profile, *earliest, nodes, length);
    struct schedule_job job = {.start = start,
                               .end = start + length,
                               .nodes = nodes,
                               .kind = kind,
                               .number = ++making->done[kind]};
    if (job.end > 2 * request->horizon)
        return 1;
    making->end = fmax(making->end, job.end);
    if (profile_take(&making->profile, job.start, job.end, nodes) < 0)
        return -1;
    return schedule_add(schedule, &job);
}

struct schedule *apex_schedule(const struct apex_request *request, struct err *err)
{
    struct platform platform = machine_at(request->machine);
    struct apex_making making = {.request = request};
    char name[64];
    snprintf(name, sizeof name, "%s%s-t%d-%llu", request->workload->name,
             request->classes == request->workload->paper ? "-paper" : "", request->machine,
             (unsigned long long)request->seed);
    int status = profile_init(&making.profile, (uint32_t)platform.nodes);
    making.schedule = schedule_new(name, &platform, request->workload->names);
    if (status == 0 && making.schedule) {
        set_goals(&making);
        while (status == 0 && !apex_schedule_is_complete(&making))
            status = apex_schedule_place(&making);
    }
    profile_fini(&making.profile);
    if (status < 0 || !making.schedule) {
        schedule_free(making.schedule);
        err_memory(err);
        return NULL;
    }
    schedule_sort(making.schedule);
    return making.schedule;
}
