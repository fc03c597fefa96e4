#include "controller/named_plan.h"
#include "base/mem.h"
#include "format/plan_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reading a file keeps the controller from all else. */
enum { MOST_BYTES = 16 << 20 };

static struct named_plan *named_plan_new(struct plan_file *file, const struct tasks *tasks,
                                         struct err *err)
{
    struct named_plan *named = mem_alloc(1, sizeof *named);
    if (named)
        named->names = mem_alloc(tasks->count, sizeof *named->names);
    if (!named || !named->names) {
        free(named);
        err_memory(err);
        return NULL;
    }
    for (uint32_t i = 0; i < tasks->count; i++)
        wire_name(named->names[i], tasks->list[i].name);
    named->plan = file->plan;
    file->plan = NULL;
    return named;
}

/* A pipe would block the controller, and a device might never end. */
static int named_plan_check_file(const char *path, struct err *err)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return err_set(err, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode) || file.st_size > MOST_BYTES)
        return err_set(err, "plan '%s': expected a regular file of at most %d MiB", path,
                       MOST_BYTES >> 20);
    return 0;
}

struct named_plan *named_plan_load(const struct policy *policy, const struct platform *platform,
                                   struct err *err)
{
    int param = policy_param(policy, "file");
    const char *path = param >= 0 ? policy->texts[param] : NULL;
    struct plan_own own = {.platform = *platform};
    struct named_plan *named = NULL;
    if (!path) {
        err_set(err, "strategy '%s' follows a plan: expected '%s:file=FILE'", policy->name,
                policy->ops->name);
        return NULL;
    }
    if (named_plan_check_file(path, err) != 0)
        return NULL;
    struct plan_file *file = plan_file_load_own(path, &own, err);
    if (file)
        named = named_plan_new(file, &own.tasks, err);
    plan_file_free(file);
    tasks_fini(&own.tasks);
    return named;
}

void named_plan_free(struct named_plan *named)
{
    if (!named)
        return;
    plan_free(named->plan);
    free(named->names);
    free(named);
}

int named_plan_check(const char *strategy, const struct platform *platform, struct err *err)
{
    struct policy *policy = policy_open(strategy, err);
    int status = policy ? 0 : -1;
    if (policy && policy->ops->flags & WEIR_NEEDS_PLAN) {
        struct named_plan *plan = named_plan_load(policy, platform, err);
        status = plan ? 0 : -1;
        named_plan_free(plan);
    }
    policy_free(policy);
    return status;
}

static bool named_plan_is_taken(uint32_t place, const uint32_t *taken, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (taken[i] == place)
            return true;
    return false;
}

uint32_t named_plan_place(const struct named_plan *named, const char *name, const uint32_t *taken,
                          uint32_t count)
{
    for (uint32_t i = 0; named && i < named->plan->count; i++)
        if (strcmp(named->names[i], name) == 0 && !named_plan_is_taken(i + 1, taken, count))
            return i + 1;
    return 0;
}
