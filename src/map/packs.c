#include "map/packs.h"
#include "base/agenda.h"
#include "base/maths.h"
#include "base/mem.h"
#include "map/shelf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- making ---------------------------------------------------------------------------------- */

/* Packs as they grow: the pack of each job, and the jobs in the order they were added. */
struct pack_making {
    struct packs *packs;
    const struct map_jobs *jobs;
    struct shelf *shelf;
    uint32_t *sorted;
    uint32_t *pack_of;
    size_t capacity;
    double sensitivity;
};

static int packs_put(struct pack_making *making, uint32_t index, uint32_t id)
{
    const struct map_job *job = &making->jobs->list[index];
    struct pack *pack = &making->packs->list[id];
    making->pack_of[index] = id;
    pack->nodes += job->nodes;
    pack->volume += job->volume;
    pack->length = maths_max(pack->length, job->ideal);
    pack->count++;
    /* A longer pack may move more: the limit grows with its longest job, S b T. */
    double limit = map_allowance(making->jobs, making->sensitivity, pack->length);
    return shelf_put(making->shelf, (struct shelf_pack){pack->nodes, pack->volume, limit, id});
}

/* One step of Make-Pack. The shelf is sorted by used nodes, so a pack that takes a job leaves it
 * and is put back at its new place. */
static int packs_place(struct pack_making *making, uint32_t index)
{
    struct packs *packs = making->packs;
    const struct map_job *job = &making->jobs->list[index];
    const struct shelf_want want = {
        .nodes = making->jobs->nodes - job->nodes,
        .volume = job->volume,
        .limit = map_allowance(making->jobs, making->sensitivity, job->ideal)};
    struct shelf_pack found;
    if (shelf_take(making->shelf, &want, &found))
        return packs_put(making, index, found.id);
    struct pack *list =
        mem_reserve(packs->list, &making->capacity, (size_t)packs->count + 1, sizeof *list);
    if (!list)
        return -1;
    packs->list = list;
    packs->list[packs->count] = (struct pack){0};
    return packs_put(making, index, packs->count++);
}

/* Lists the members pack by pack, by counting: sizes give the starts, and each job goes to the next
 * free place of its pack, for which `first` serves as a cursor that is moved back at the end. */
static void packs_collect(struct pack_making *making)
{
    struct packs *packs = making->packs;
    uint32_t first = 0;
    for (uint32_t i = 0; i < packs->count; i++) {
        packs->list[i].first = first;
        first += packs->list[i].count;
    }
    for (uint32_t i = 0; i < making->jobs->count; i++) {
        uint32_t job = making->sorted[i];
        packs->members[packs->list[making->pack_of[job]].first++] = job;
    }
    for (uint32_t i = 0; i < packs->count; i++)
        packs->list[i].first -= packs->list[i].count;
}

int packs_make(struct packs *packs, const struct map_jobs *jobs, double sensitivity)
{
    *packs = (struct packs){.members = mem_alloc(jobs->count, sizeof *packs->members)};
    struct pack_making making = {.packs = packs,
                                 .jobs = jobs,
                                 .shelf = shelf_new(),
                                 .sorted = map_jobs_sorted(jobs),
                                 .pack_of = mem_alloc(jobs->count, sizeof *making.pack_of),
                                 .sensitivity = sensitivity};
    int status = packs->members && making.shelf && making.sorted && making.pack_of ? 0 : -1;
    for (uint32_t i = 0; i < jobs->count && status == 0; i++)
        status = packs_place(&making, making.sorted[i]);
    if (status == 0)
        packs_collect(&making);
    shelf_free(making.shelf);
    free(making.sorted);
    free(making.pack_of);
    return status;
}

void packs_fini(struct packs *packs)
{
    free(packs->list);
    free(packs->members);
    *packs = (struct packs){0};
}

/* --- dealing --------------------------------------------------------------------------------- */

/* Ties go to the pack that was made first, here and below: qsort is not stable. */
static int compare_lengths(const void *a, const void *b)
{
    const struct pack *x = a, *y = b;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
    const struct pack *x = a, *y = b;
    if (x->io_node != y->io_node)
        return x->io_node < y->io_node ? -1 : 1;
    if (x->nodes != y->nodes)
        return x->nodes > y->nodes ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

/* Copies the members into the order of the packs. */
static int packs_regroup(struct packs *packs)
{
    uint32_t jobs = 0, first = 0;
    for (uint32_t i = 0; i < packs->count; i++)
        jobs += packs->list[i].count;
    uint32_t *members = mem_alloc(jobs, sizeof *members);
    if (!members)
        return -1;
    for (uint32_t i = 0; i < packs->count; i++) {
        struct pack *pack = &packs->list[i];
        memcpy(&members[first], &packs->members[pack->first], pack->count * sizeof *members);
        pack->first = first;
        first += pack->count;
    }
    free(packs->members);
    packs->members = members;
    return 0;
}

int packs_deal(struct packs *packs, uint32_t io_nodes)
{
    struct agenda ends; /* when each I/O node is done with its packs, without contention */
    if (agenda_init(&ends, io_nodes) != 0)
        return -1;
    for (uint32_t i = 0; i < io_nodes; i++)
        agenda_set(&ends, i, 0);
    /* The longest first, each to the I/O node that is done first: the LPT rule, which keeps the
     * last end within 4/3 of the best. */
    qsort(packs->list, packs->count, sizeof *packs->list, compare_lengths);
    for (uint32_t i = 0; i < packs->count; i++) {
        struct pack *pack = &packs->list[i];
        pack->io_node = agenda_first(&ends);
        agenda_set(&ends, pack->io_node, agenda_time(&ends) + pack->length);
    }
    agenda_fini(&ends);
    qsort(packs->list, packs->count, sizeof *packs->list, compare_places);
    return packs_regroup(packs);
}
