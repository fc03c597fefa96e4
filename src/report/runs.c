#include "report/runs.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* Frees the arrays of a run. */
static void runs_drop(struct run *run)
{
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        free(run->parties[kind]);
    free(run->apps);
}

/* Makes room for the measures of a run; -1 when memory is out. */
static int runs_make_room(struct run *run, const struct workload *workload)
{
    run->apps = mem_alloc(workload->count, sizeof *run->apps);
    for (int kind = 0; workload->owners && run->apps && kind < PARTY_KINDS; kind++) {
        run->parties[kind] = mem_alloc(workload->parties[kind].count, sizeof **run->parties);
        if (!run->parties[kind])
            return -1;
    }
    return run->apps ? 0 : -1;
}

int runs_add(struct runs *runs, const char *policy, const struct outcome *outcome, struct err *err)
{
    const struct workload *workload = runs->workload;
    struct run *list =
        mem_reserve(runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list);
    if (!list)
        return err_memory(err);
    runs->list = list;

    struct run run = {.policy = policy};
    if (runs_make_room(&run, workload) != 0) {
        runs_drop(&run);
        return err_memory(err);
    }
    metrics_compute(workload, outcome, &run.metrics);
    for (uint32_t i = 0; i < workload->count; i++)
        metrics_compute_app(workload, outcome, i, &run.apps[i]);
    for (int kind = 0; workload->owners && kind < PARTY_KINDS; kind++)
        metrics_compute_parties(workload, outcome, (enum party_kind)kind, run.parties[kind]);
    runs->list[runs->count++] = run;
    return 0;
}

void runs_fini(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        runs_drop(&runs->list[i]);
    free(runs->list);
    *runs = (struct runs){0};
}

static const char *const whole_run[] = {
    "makespan", "max_stretch", "mean_stretch", "dilation", "sys_efficiency", "io_slowdown", NULL};
static const char *const in_window[] = {"min_yield",   "mean_yield",  "efficiency",
                                        "utilization", "io_slowdown", NULL};

struct selection selection_default(const struct workload *workload)
{
    struct selection selection = {0};
    const char *const *names = workload->window.kind == WINDOW_NONE ? whole_run : in_window;
    for (; *names; names++)
        selection.measures[selection.count++] = measure_find(*names, NULL);
    return selection;
}

static int select_one(struct selection *selection, const char *name, struct err *err)
{
    const struct measure *measure = measure_find(name, err);
    if (!measure)
        return -1;
    for (size_t i = 0; i < selection->count; i++)
        if (selection->measures[i] == measure)
            return err_set(err, "measure '%s' is given twice", name);
    selection->measures[selection->count++] = measure;
    selection->chosen = true;
    return 0;
}

int selection_parse(struct selection *selection, const char *text, struct err *err)
{
    char name[64];
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof name)
            return err_set(err, "unknown measure '%.*s...'", (int)sizeof name - 1, text);
        memcpy(name, text, length);
        name[length] = 0;
        if (select_one(selection, name, err) < 0)
            return -1;
        if (!text[length])
            return 0;
        text += length + 1;
    }
}
