#include "replay/ledger.h"
#include "base/mem.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct ledger_phase *ledger_phases(struct ledger *ledger, uint32_t app)
{
    return (struct ledger_phase *)&ledger->apps[ledger->count] + ledger->apps[app].first;
}

void ledger_post(struct ledger *ledger, uint32_t app)
{
    struct ledger_phase *phase = ledger_phases(ledger, app) + atomic_load(&ledger->apps[app].now);
    uint32_t none = 0;
    if (atomic_load(&phase->turn) == 0)
        atomic_compare_exchange_strong(&phase->turn, &none,
                                       atomic_fetch_add(&ledger->turns, 1) + 1);
}

int ledger_order(struct ledger *ledger, struct sim_order *order)
{
    uint32_t turns = atomic_load(&ledger->turns);
    *order = (struct sim_order){.ids = mem_alloc(turns, sizeof *order->ids)};
    if (!order->ids)
        return -1;
    for (uint32_t id = 0; id < ledger->count; id++) {
        const struct ledger_phase *phases = ledger_phases(ledger, id);
        for (uint32_t k = 0; k < ledger->apps[id].count; k++)
            if (phases[k].turn > 0)
                order->ids[phases[k].turn - 1] = id + 1;
    }
    /* A turn is missing when two processes gave the same I/O one at the same moment. */
    for (uint32_t i = 0; i < turns; i++)
        if (order->ids[i] > 0)
            order->ids[order->count++] = order->ids[i] - 1;
    return 0;
}

/* Whether every bmax is what its nodes can move. Otherwise the controller gets nodes that move one
 * byte per second each. */
static bool nodes_explain(const struct workload *workload)
{
    const struct platform *platform = &workload->platform;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        double bmax = platform_bmax(platform, facts->nodes);
        if (fabs(facts->bmax - bmax) > 1e-9 * bmax)
            return false;
    }
    return workload->nodes_known;
}

static void ledger_fill(struct ledger *ledger, const struct workload *workload)
{
    char label[WIRE_NAME];
    uint32_t first = 0;
    bool explained = nodes_explain(workload);
    ledger->count = workload->count;
    ledger->node_bandwidth = explained ? workload->platform.node_bandwidth : 1;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app *app = &workload->apps[id];
        struct ledger_app *entry = &ledger->apps[id];
        *entry = (struct ledger_app){.release = app->facts.release,
                                     .weight = app->facts.weight,
                                     .period = app->facts.period,
                                     .nodes = explained ? app->facts.nodes : app->facts.bmax,
                                     .first = first,
                                     .count = app->facts.iterations,
                                     .completion = NAN};
        wire_name(entry->name, app_label(app, label, sizeof label));
        struct ledger_phase *phases = ledger_phases(ledger, id);
        for (uint32_t k = 0; k < entry->count; k++)
            phases[k].iteration = app_iteration(app, k);
        first += entry->count;
    }
}

static struct ledger *ledger_map(int descriptor, size_t size, struct err *err)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (block != MAP_FAILED)
        return block;
    err_set(err, "cannot share memory: %s", strerror(errno));
    return NULL;
}

struct ledger *ledger_new(const struct workload *workload, struct err *err)
{
    uint64_t phases = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        phases += workload->apps[id].facts.iterations;
    size_t size = sizeof(struct ledger) + workload->count * sizeof(struct ledger_app) +
                  phases * sizeof(struct ledger_phase);
    int descriptor = memfd_create("weir-replay", 0); /* programs inherit it */
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size)) {
        err_set(err, "cannot share memory: %s", strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return NULL;
    }
    struct ledger *ledger = ledger_map(descriptor, size, err);
    if (!ledger) {
        close(descriptor);
        return NULL;
    }
    ledger->size = size;
    ledger->descriptor = descriptor;
    ledger_fill(ledger, workload);
    return ledger;
}

struct ledger *ledger_attach(int descriptor, struct err *err)
{
    struct stat info;
    if (fstat(descriptor, &info) || info.st_size < (off_t)sizeof(struct ledger)) {
        err_set(err, "descriptor %d is not the ledger of a replay", descriptor);
        return NULL;
    }
    return ledger_map(descriptor, (size_t)info.st_size, err);
}

void ledger_free(struct ledger *ledger)
{
    if (!ledger)
        return;
    close(ledger->descriptor);
    munmap(ledger, ledger->size);
}
