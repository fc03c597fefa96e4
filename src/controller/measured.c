/* The bandwidth as it is estimated from what applications are granted and move. */
#include "controller/controller.h"
#include <math.h>

/* Changes of the estimate below this part are not told to the journal. */
#define MEASURED_NEWS 0.05

double measured_bandwidth(const struct controller *controller)
{
    return controller->estimates ? controller->estimate.bandwidth : controller->platform.bandwidth;
}

void measured_start(struct controller *controller, double now)
{
    const struct platform *asked = &controller->service->platform;
    double low = asked->least, high = asked->bandwidth;
    /* One who sets a bandwidth knows better. */
    bool estimates = low > 0 && controller->platform.bandwidth == high;
    const struct estimate *estimate = &controller->estimate;
    if (estimates && (!controller->estimates || estimate->low != low || estimate->high != high)) {
        controller->estimate = estimate_start(low, high);
        controller->estimated_at = now;
        controller->estimated_told = high;
    }
    controller->estimates = estimates;
    if (estimates)
        control_set_bandwidth(controller->control, now, controller->estimate.bandwidth);
}

/* What it was granted and moved since the last sample becomes part of this one. */
static void measured_add(struct controller *controller, double now, struct application *app,
                         struct estimate_sample *sample)
{
    controller_settle(controller, now, app);
    double granted = (app->allotted - app->sampled_allotted) / sample->seconds;
    double moved = (app->moved - app->sampled_moved) / sample->seconds;
    bool eager = app->need == INFINITY; /* it does not pause between its calls */
    app->sampled_allotted = app->allotted;
    app->sampled_moved = app->moved;
    sample->wanted |= app->phase == PHASE_OPEN && eager && app->rate < app->may.alone * (1 - 1e-6);
    if (!(granted > 0))
        return;
    sample->granted += granted;
    sample->delivered += moved;
    sample->moving++;
    if (!eager || !estimate_is_behind(granted, moved))
        return;
    sample->behind++;
    sample->lagging += granted;
}

void measured_sample(struct controller *controller, double now)
{
    struct estimate_sample sample = {.seconds = now - controller->estimated_at, .factor = 1};
    if (!controller->estimates || controller->off || sample.seconds < ESTIMATE_EVERY)
        return;
    controller->estimated_at = now;
    for (uint32_t id = 0; id < controller->capacity; id++)
        if (controller->apps[id])
            measured_add(controller, now, controller->apps[id], &sample);
    const double *curve = control_view(controller->control, now)->curve;
    if (curve && sample.moving > 0)
        sample.factor = curve[sample.moving];
    if (!estimate_take(&controller->estimate, &sample))
        return;
    double bandwidth = controller->estimate.bandwidth;
    control_set_bandwidth(controller->control, now, bandwidth);
    controller->changed = true;
    if (fabs(bandwidth - controller->estimated_told) < MEASURED_NEWS * controller->estimated_told)
        return;
    controller->estimated_told = bandwidth;
    journal_estimate(controller->journal, now, bandwidth);
}
