#include "cli/replay_planned.h"
#include "format/plan_file.h"
#include "plan/bound.h"
#include "trial/planned.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file that has no name but in /proc, and no life beyond this process and its children. */
static int replay_planned_write(struct replay_planned *planned, const struct tasks *tasks,
                                struct err *err)
{
    struct plan_bounds bounds;
    if (bounds_compute(tasks, &bounds) != 0)
        return err_memory(err);
    const struct plan_file file = {.plan = planned->plan,
                                   .method = plan_methods[0],
                                   .objective = plan_objectives[0],
                                   .bounds = {bounds.sys_efficiency,
                                              bounds.sys_efficiency_bandwidth,
                                              bounds.dilation_bandwidth}};
    planned->file = memfd_create("plan", 0);
    int copy = planned->file < 0 ? -1 : dup(planned->file);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!out)
        return err_set(err, "cannot create a file for the plan: %s", strerror(errno));
    plan_file_write(out, &file, tasks, true);
    if (fclose(out) != 0)
        return err_set(err, "cannot write the plan: %s", strerror(errno));
    snprintf(planned->path, sizeof planned->path, "/proc/self/fd/%d", planned->file);
    return 0;
}

int replay_planned_init(struct replay_planned *planned, const struct workload *workload,
                        const struct policy *policy, struct err *err)
{
    struct tasks tasks;
    *planned = (struct replay_planned){.file = -1};
    if (!(policy->ops->flags & WEIR_NEEDS_PLAN))
        return 0;
    planned->plan = trial_plan(workload, policy, NULL, err);
    if (!planned->plan)
        return -1;
    int status = tasks_init(&tasks, workload, err);
    if (status == 0)
        status = replay_planned_write(planned, &tasks, err);
    tasks_fini(&tasks);
    return status;
}

void replay_planned_fini(struct replay_planned *planned)
{
    plan_free(planned->plan);
    if (planned->file >= 0)
        close(planned->file);
}
