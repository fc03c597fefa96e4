#include "model/busiest.h"
#include "base/agenda.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* Where an application is: at the next change of its rate. */
struct busiest_app {
    struct sum time;
    uint32_t iteration;
    bool moving; /* the next change ends an I/O, else it begins one */
};

/* All applications in the order of time. */
struct busiest_flow {
    const struct workload *workload;
    struct busiest_app *apps;
    struct agenda next;
    struct sum rate; /* bytes/s wanted now */
};

/* Moves to the I/O of an iteration, passing over those without one. */
static void busiest_seek(struct busiest_flow *flow, uint32_t id)
{
    struct busiest_app *at = &flow->apps[id];
    const struct app *app = &flow->workload->apps[id];
    for (; at->iteration < app->facts.iterations; at->iteration++) {
        struct iteration iteration = app_iteration(app, at->iteration);
        sum_add(&at->time, iteration.work);
        if (iteration.volume > 0)
            break;
    }
    bool more = at->iteration < app->facts.iterations;
    agenda_set(&flow->next, id, more ? sum_value(&at->time) : INFINITY);
}

/* Takes the next change of a rate. */
static void busiest_step(struct busiest_flow *flow)
{
    uint32_t id = agenda_first(&flow->next);
    struct busiest_app *at = &flow->apps[id];
    const struct app *app = &flow->workload->apps[id];
    double bmax = app_bmax(app, at->iteration);
    at->moving = !at->moving;
    sum_add(&flow->rate, at->moving ? bmax : -bmax);
    if (at->moving) {
        sum_add(&at->time, app_iteration(app, at->iteration).volume / bmax);
        agenda_set(&flow->next, id, sum_value(&at->time));
    } else {
        at->iteration++;
        busiest_seek(flow, id);
    }
}

static int busiest_init(struct busiest_flow *flow, const struct workload *workload)
{
    *flow = (struct busiest_flow){.workload = workload};
    flow->apps = mem_alloc(workload->count, sizeof *flow->apps);
    if (!flow->apps || agenda_init(&flow->next, workload->count) < 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++) {
        flow->apps[id].time.high = app_start(&workload->apps[id]);
        busiest_seek(flow, id);
    }
    return 0;
}

static void busiest_fini(struct busiest_flow *flow)
{
    agenda_fini(&flow->next);
    free(flow->apps);
}

/* Moves from one time to another and returns the bytes wanted between them. */
static double busiest_advance(struct busiest_flow *flow, double from, double to)
{
    struct sum bytes = {0};
    for (; agenda_time(&flow->next) < to; busiest_step(flow)) {
        double now = maths_max(from, agenda_time(&flow->next));
        sum_add(&bytes, sum_value(&flow->rate) * (now - from));
        from = now;
    }
    sum_add(&bytes, sum_value(&flow->rate) * (to - from));
    return sum_value(&bytes);
}

/* Two flows, one at either end of the time, pass all changes. Between two changes the bytes inside
 * grow or shrink evenly, so they are most at one. */
static void busiest_slide(struct busiest_flow *tail, struct busiest_flow *head,
                          const double span[2], double length, struct busiest *busiest)
{
    double start = span[0], last = span[1] - length;
    busiest_advance(tail, 0, start);
    busiest_advance(head, 0, start);
    struct sum inside = {busiest_advance(head, start, start + length), 0};
    double most = sum_value(&inside);
    busiest->start = start;
    for (bool more = true; more;) {
        double leaves = agenda_time(&tail->next), enters = agenda_time(&head->next) - length;
        double next = maths_max(start, maths_min(last, maths_min(leaves, enters)));
        double growth = sum_value(&head->rate) - sum_value(&tail->rate);
        sum_add(&inside, growth * (next - start));
        start = next;
        if (sum_value(&inside) > most * (1 + 1e-9)) {
            most = sum_value(&inside);
            busiest->start = start;
        }
        if (leaves <= start)
            busiest_step(tail);
        if (enters <= start)
            busiest_step(head);
        more = start < last;
    }
    busiest->pressure = most / (tail->workload->platform.bandwidth * length);
}

int workload_busiest(const struct workload *workload, const double span[2], double length,
                     struct busiest *busiest)
{
    struct busiest_flow tail = {0}, head = {0};
    *busiest = (struct busiest){.start = NAN, .pressure = NAN};
    if (!(span[1] - span[0] >= length))
        return 0;
    int status = busiest_init(&tail, workload) < 0 || busiest_init(&head, workload) < 0 ? -1 : 0;
    if (status == 0)
        busiest_slide(&tail, &head, span, length, busiest);
    busiest_fini(&tail);
    busiest_fini(&head);
    return status;
}
