#include "replay/scale.h"
#include "base/maths.h"

/* Factors for times, and for bytes per second. */
struct factors {
    double time, rate;
};

static struct iteration scale_resize(void *context, uint32_t app, uint32_t k,
                                     struct iteration iteration)
{
    const struct factors *factors = context;
    (void)app, (void)k;
    double volume = iteration.volume * factors->time * factors->rate;
    return (struct iteration){.work = iteration.work * factors->time,
                              .volume = volume > 0 ? maths_max(1, round(volume)) : 0};
}

static void resize_app(struct app *app, const struct factors *factors, bool nodes_known)
{
    app->facts.bmax *= factors->rate;
    if (!nodes_known)
        app->facts.nodes = app->facts.bmax;
    app->facts.release *= factors->time;
    app->facts.period *= factors->time;
    app_profile(app);
}

static int check_beginning(const struct workload *workload, struct err *err)
{
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app *app = &workload->apps[id];
        if (app->facts.release < 0 || app->facts.progress > 0 ||
            workload_rare(workload, id).waiting > 0)
            return err_set(err, "application '%s' begins before time 0 and cannot be replayed",
                           app->name);
    }
    return 0;
}

struct workload *scale_workload(const struct workload *workload, const struct scale *scale,
                                struct err *err)
{
    if (platform_health(&workload->platform)) {
        err_set(err, "a store whose 'health' varies cannot be replayed");
        return NULL;
    }
    struct factors factors = {1 / scale->faster, scale->bandwidth / workload->platform.bandwidth};
    if (check_beginning(workload, err))
        return NULL;
    struct workload *scaled = workload_transform(workload, scale_resize, &factors, err);
    if (!scaled)
        return NULL;
    scaled->rare = NULL;    /* its programs make small calls, */
    scaled->lengths = NULL; /* and declare no lengths */
    scaled->platform.bandwidth = scale->bandwidth;
    scaled->platform.node_bandwidth *= factors.rate;
    for (uint32_t id = 0; id < scaled->count; id++)
        resize_app(&scaled->apps[id], &factors, scaled->nodes_known);
    if (workload_set_window(scaled, (struct window){.kind = WINDOW_NONE}, err) == 0)
        return scaled;
    workload_free(scaled);
    return NULL;
}
