#include "trial/row.h"
#include "base/mem.h"
#include "metric/metric.h"
#include <stdlib.h>
#include <string.h>

enum { LABEL_SIZE = 256 };

const char row_version[] = WEIR_VERSION;

struct provenance row_provenance(const struct workload *workload)
{
    struct provenance made = {.version = row_version,
                              .scenario = workload->name,
                              .seed = workload->seed,
                              .platform = workload->platform};
    if (!workload->nodes_known)
        made.platform.nodes = 0;
    made.platform.store = NULL; /* a row outlives its workload */
    return made;
}

/* The labels of all applications in one piece of memory: there may be millions. NULL when memory is
 * out. */
static char *row_name_apps(struct row *row, const struct workload *workload)
{
    char label[LABEL_SIZE];
    size_t length = 0;
    for (uint32_t id = 0; id < row->count; id++)
        length += strlen(app_label(&workload->apps[id], label, sizeof label)) + 1;
    char *names = arena_alloc(&row->arena, length, 1), *next = names;
    for (uint32_t id = 0; names && id < row->count; id++) {
        app_label(&workload->apps[id], label, sizeof label);
        row->apps[id].name = next;
        next = stpcpy(next, label) + 1;
    }
    return names;
}

static char *row_copy(struct row *row, const char *text)
{
    return arena_strndup(&row->arena, text, strlen(text));
}

/* Computes the measures of the users, or the accounts; -1 when memory is out. */
static int row_add_parties(struct row *row, const struct workload *workload,
                           const struct outcome *outcome, enum party_kind kind)
{
    struct row_parties *parties = &row->parties[kind];
    parties->count = workload->parties[kind].count;
    parties->list = arena_alloc(&row->arena, parties->count, sizeof *parties->list);
    if (!parties->list)
        return -1;
    metrics_compute_parties(workload, outcome, kind, parties->list);
    for (uint32_t i = 0; i < parties->count; i++) {
        parties->list[i].name = row_copy(row, parties->list[i].name);
        if (!parties->list[i].name)
            return -1;
    }
    return 0;
}

/* Computes the measures of several stores; -1 when memory is out. */
static int row_add_stores(struct row *row, const struct workload *workload,
                          const struct outcome *outcome)
{
    if (workload->channel_count < 2 || !outcome->channels)
        return 0;
    row->stores = arena_alloc(&row->arena, workload->channel_count, sizeof *row->stores);
    if (!row->stores)
        return -1;
    metrics_compute_stores(workload, outcome, row->stores);
    for (uint32_t s = 0; s < workload->channel_count; s++)
        if (!(row->stores[s].name = row_copy(row, row->stores[s].name)))
            return -1;
    row->store_count = workload->channel_count;
    return 0;
}

int row_init(struct row *row, const struct workload *workload, const char *policy,
             const struct outcome *outcome, struct err *err)
{
    *row = (struct row){.made = row_provenance(workload),
                        .hash = workload->hash,
                        .window = workload->window,
                        .count = workload->count};
    row->made.scenario = row_copy(row, workload->name);
    row->policy = row_copy(row, policy);
    row->apps = arena_alloc(&row->arena, row->count, sizeof *row->apps);
    int failed = !row->made.scenario || !row->policy || !row->apps || !row_name_apps(row, workload);
    for (int kind = 0; workload->owners && !failed && kind < PARTY_KINDS; kind++)
        failed = row_add_parties(row, workload, outcome, (enum party_kind)kind) != 0;
    if (failed || row_add_stores(row, workload, outcome) != 0) {
        row_fini(row);
        return err_memory(err);
    }
    metrics_compute(workload, outcome, &row->metrics);
    for (uint32_t id = 0; id < row->count; id++)
        metrics_compute_app(workload, outcome, id, &row->apps[id]);
    return 0;
}

void row_fini(struct row *row)
{
    arena_fini(&row->arena);
    *row = (struct row){0};
}

int rows_add(struct rows *rows, struct row *row, struct err *err)
{
    struct row *list =
        mem_reserve(rows->list, &rows->capacity, rows->count + 1, sizeof *rows->list);
    if (!list) {
        row_fini(row);
        return err_memory(err);
    }
    rows->list = list;
    rows->list[rows->count++] = *row;
    return 0;
}

void rows_fini(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        row_fini(&rows->list[i]);
    free(rows->list);
    free(rows->bounds);
    *rows = (struct rows){0};
}
