#include "trial/planned.h"
#include "format/plan_file.h"
#include "plan/persched.h"

static struct plan *planned_load(const char *path, const struct tasks *tasks, struct err *err)
{
    struct plan_file *file = plan_file_load(path, tasks, err);
    if (!file)
        return NULL;
    struct plan *plan = file->plan;
    file->plan = NULL;
    plan_file_free(file);
    return plan;
}

static struct plan *planned_make(const struct policy *policy, const struct tasks *tasks,
                                 struct err *err)
{
    struct persched options = persched_defaults;
    int objective = policy_param(policy, "objective");
    if (objective >= 0)
        options.objective = (enum plan_objective)policy->params[objective];
    struct plan *plan = persched_plan(tasks, &options, err);
    if (plan && plan_validate(plan, tasks, err) < 0) {
        plan_free(plan);
        return NULL;
    }
    return plan;
}

struct plan *trial_plan(const struct workload *workload, const struct policy *policy, bool *means,
                        struct err *err)
{
    struct tasks tasks;
    struct plan *plan = NULL;
    int file = policy_param(policy, "file");
    const char *path = file >= 0 ? policy->texts[file] : NULL;
    if (workload->shares) {
        shares_refuse_plan(err);
        return NULL;
    }
    if (tasks_init(&tasks, workload, err) == 0)
        plan = path ? planned_load(path, &tasks, err) : planned_make(policy, &tasks, err);
    if (plan && means)
        *means = tasks.means;
    tasks_fini(&tasks);
    return plan;
}
