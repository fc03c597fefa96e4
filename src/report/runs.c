#include "report/runs.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

int runs_add(struct runs *runs, const char *policy, const struct outcome *outcome, struct err *err)
{
    struct run *list =
        mem_reserve(runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list);
    if (!list)
        return err_memory(err);
    runs->list = list;

    struct run run = {.policy = policy};
    run.apps = mem_alloc(runs->workload->count, sizeof *run.apps);
    if (!run.apps)
        return err_memory(err);
    metrics_compute(runs->workload, outcome, &run.metrics);
    for (uint32_t i = 0; i < runs->workload->count; i++)
        metrics_compute_app(runs->workload, outcome, i, &run.apps[i]);
    runs->list[runs->count++] = run;
    return 0;
}

void runs_fini(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        free(runs->list[i].apps);
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
