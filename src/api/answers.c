/* Bounds and plans of a scenario. */
#include "api/handle.h"
#include "bound/bound.h"
#include "format/plan_file.h"
#include "gen/gen.h"
#include "plan/bound.h"
#include "trial/planned.h"
#include "trial/row.h"
#include <stdlib.h>

int weir_scenario_bound(const struct weir_scenario *scenario, struct weir_metrics *bound,
                        struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    struct bounds bounds;
    struct workload *workload = workload_realise(&scenario->inner, &err);
    int status = workload ? workload_check_io(workload, &err) : -1;
    if (status == 0)
        status = bounds_find(workload, &bounds, &err);
    workload_free(workload);
    if (status < 0) {
        api_tell(error, &err);
        return -1;
    }
    *bound = bounds_as_metrics(&bounds);
    return 0;
}

/* There is I/O; the least MinYield must be one, in a window that begins at 0. */
static int answers_check_given(const struct workload *workload, double min_yield, struct err *err)
{
    const struct window *window = &workload->window;
    if (workload_check_io(workload, err) < 0)
        return -1;
    if (!(min_yield >= 0 && min_yield <= 1))
        return err_set(err, "min_yield is %g, expected 0 to 1", min_yield);
    if (window->kind != WINDOW_FIXED || window->start > 0)
        return err_set(err, "min_yield needs a window that begins at 0, such as 'auto'");
    return 0;
}

int weir_scenario_bound_given(const struct weir_scenario *scenario, double min_yield,
                              double *efficiency, struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    struct workload *workload = workload_realise(&scenario->inner, &err);
    int status = workload ? answers_check_given(workload, min_yield, &err) : -1;
    if (status == 0)
        status = bounds_efficiency(workload, min_yield, efficiency, &err);
    workload_free(workload);
    if (status < 0)
        api_tell(error, &err);
    return status;
}

/* The plan of the workload for the objective, as the JSON of a plan file. */
static char *answers_plan(const struct workload *workload, const char *objective, struct err *err)
{
    char name[64], *text = NULL;
    size_t size;
    struct tasks tasks = {0};
    struct plan_bounds bounds;
    snprintf(name, sizeof name, "plan:objective=%s", objective);
    struct policy *policy = policy_open(name, err);
    struct plan *plan = policy ? trial_plan(workload, policy, NULL, err) : NULL;
    struct plan_file *made = plan ? plan_file_new(plan) : NULL;
    FILE *file = made ? open_memstream(&text, &size) : NULL;
    if (plan && !file)
        err_memory(err);
    if (file && tasks_init(&tasks, workload, err) == 0 && bounds_compute(&tasks, &bounds) == 0) {
        made->method = "persched";
        made->objective = objective;
        made->bounds.sys_efficiency = bounds.sys_efficiency;
        made->bounds.sys_efficiency_bandwidth = bounds.sys_efficiency_bandwidth;
        made->bounds.dilation_bandwidth = bounds.dilation_bandwidth;
        made->made = row_provenance(workload);
        plan_file_write(file, made, &tasks, true);
    }
    if (file && (fclose(file) != 0 || size == 0)) {
        free(text);
        text = NULL;
        err_memory(err);
    }
    tasks_fini(&tasks);
    plan_file_free(made);
    policy_free(policy);
    return text;
}

char *weir_scenario_plan(const struct weir_scenario *scenario, const char *objective,
                         struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    struct workload *workload = workload_realise(&scenario->inner, &err);
    char *text =
        workload ? answers_plan(workload, objective ? objective : "sys-efficiency", &err) : NULL;
    workload_free(workload);
    if (!text)
        api_tell(error, &err);
    return text;
}
