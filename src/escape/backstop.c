#include "escape/backstop.h"
#include "base/reach.h"
#include "node/node.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Nanoseconds for which a store is waited for: without its disk there is nothing to limit. */
#define BACKSTOP_PATIENCE 10000000000u

/* --- starting --------------------------------------------------------------------------------- */

static void backstop_add_disk(struct backstop *backstop, const struct cgroup_device *disk)
{
    for (uint32_t i = 0; i < backstop->disk_count; i++)
        if (strcmp(backstop->disks[i].text, disk->text) == 0)
            return;
    backstop->disks[backstop->disk_count++] = *disk;
}

static int backstop_find_disks(struct backstop *backstop, const struct service *service,
                               struct err *err)
{
    struct stat store;
    struct cgroup_device disk;
    if (service->stores.count == 0)
        return err_set(err, "missing --store DIR: a cgroup limits the disks of stores");
    if (service->stores.count > BACKSTOP_DISKS)
        return err_set(err, "a cgroup limits at most %d stores", BACKSTOP_DISKS);
    for (uint32_t i = 0; i < service->stores.count; i++) {
        const char *path = service->stores.list[i].path;
        if (service->stores.list[i].bandwidth > 0 || service->stores.list[i].reads > 0)
            return err_set(err,
                           "a cgroup limits stores that share the platform's bandwidth; '%s' has "
                           "its own",
                           path);
        int error = reach_store(path, BACKSTOP_PATIENCE, &store);
        if (error != 0)
            return err_set(err, "store '%s': %s", path, strerror(error));
        if (cgroup_find_disk("/sys", store.st_dev, &disk) != 0)
            return err_set(err, "the store '%s' is not on a block device, so no cgroup limits it",
                           path);
        backstop_add_disk(backstop, &disk);
    }
    return 0;
}

int backstop_check(const struct service *service, struct err *err)
{
    struct backstop backstop = {0};
    if (cgroup_check_type(service->cgroup, err) != 0 || cgroup_check(service->cgroup, err) != 0)
        return -1;
    return backstop_find_disks(&backstop, service, err);
}

int backstop_open(struct backstop *backstop, const struct service *service, struct err *err)
{
    *backstop = (struct backstop){.path = service->cgroup};
    if (backstop_find_disks(backstop, service, err) != 0 || cgroup_enable(backstop->path, err) != 0)
        return -1;
    backstop_sweep(backstop);
    return 0;
}

/* --- ending ----------------------------------------------------------------------------------- */

static void backstop_let_go(struct backstop *backstop, struct cgroup_name name)
{
    if (cgroup_remove(backstop->path, name))
        return;
    cgroup_limit(backstop->path, name, backstop->disks, backstop->disk_count, INFINITY, NULL);
    if (backstop->left_count < BACKSTOP_LEFT)
        backstop->left[backstop->left_count++] = name;
}

static void backstop_found(void *context, struct cgroup_name name)
{
    struct backstop *backstop = context;
    backstop_let_go(backstop, name);
    if (name.serial >= backstop->serial)
        backstop->serial = name.serial + 1;
}

void backstop_sweep(struct backstop *backstop)
{
    cgroup_each(backstop->path, backstop_found, backstop);
}

static void backstop_forget(struct backstop *backstop, uint32_t place)
{
    backstop->left[place] = backstop->left[--backstop->left_count];
}

static void backstop_retry(struct backstop *backstop)
{
    for (uint32_t i = backstop->left_count; i-- > 0;)
        if (cgroup_remove(backstop->path, backstop->left[i]))
            backstop_forget(backstop, i);
}

/* --- groups of applications ------------------------------------------------------------------- */

static void backstop_say(struct backstop *backstop, struct err *err)
{
    if (backstop->told || !backstop->say)
        return;
    backstop->told = true;
    err_prepend(err, "the kernel does not limit an application, and possibly others");
    backstop->say(backstop->context, err->text);
}

static struct cgroup_name backstop_name(const struct node_app *app)
{
    return (struct cgroup_name){app->who.uid, app->group};
}

static int backstop_limit(const struct backstop *backstop, struct node_app *app, struct err *err)
{
    app->group_rate = app->open ? INFINITY : app->alone;
    return cgroup_limit(backstop->path, backstop_name(app), backstop->disks, backstop->disk_count,
                        app->group_rate, err);
}

/* A dead process may have left its pid to a process of another user. */
static int backstop_check_leader(const struct node_app *app, int32_t pid, struct err *err)
{
    char path[32];
    struct stat process;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    if (pid > 0 && stat(path, &process) == 0 && process.st_uid == app->who.uid)
        return 0;
    return err_set(err, "process %d of '%s' is not seen as its user's", (int)pid, app->who.name);
}

/* The group in which an earlier controller put the leader, with everything the leader has started
 * since. */
static bool backstop_go_on(struct backstop *backstop, struct node_app *app, int32_t leader)
{
    for (uint32_t i = 0; i < backstop->left_count; i++)
        if (backstop->left[i].uid == app->who.uid &&
            cgroup_has(backstop->path, backstop->left[i], leader)) {
            app->group = backstop->left[i].serial;
            backstop_forget(backstop, i);
            return true;
        }
    return false;
}

/* A group with its limit: 0, or -1 and there is none. */
static int backstop_make(struct backstop *backstop, struct node_app *app, struct err *err)
{
    app->group = backstop->serial++;
    if (cgroup_make(backstop->path, backstop_name(app), err) != 0)
        return -1;
    if (backstop_limit(backstop, app, err) == 0)
        return 0;
    cgroup_remove(backstop->path, backstop_name(app));
    app->group_rate = 0;
    return -1;
}

void backstop_admit(struct backstop *backstop, struct node_app *app, int32_t leader)
{
    struct err err = {0};
    int status;
    if (!backstop)
        return;
    status = backstop_check_leader(app, leader, &err);
    if (status == 0 && app->group_rate == 0)
        status = backstop_go_on(backstop, app, leader) ? backstop_limit(backstop, app, &err)
                                                       : backstop_make(backstop, app, &err);
    if (status == 0)
        status = cgroup_add(backstop->path, backstop_name(app), leader, &err);
    if (status != 0)
        backstop_say(backstop, &err);
}

void backstop_release(struct backstop *backstop, struct node_app *app)
{
    if (app->group_rate > 0)
        backstop_let_go(backstop, backstop_name(app));
    app->group_rate = 0;
}

void backstop_beat(struct backstop *backstop, struct node *node)
{
    struct err err = {0};
    if (!backstop)
        return;
    for (uint32_t id = 0; id < node->capacity; id++) {
        struct node_app *app = node->apps[id];
        if (app && app->group_rate > 0 && app->group_rate != (app->open ? INFINITY : app->alone) &&
            backstop_limit(backstop, app, &err) != 0)
            backstop_say(backstop, &err);
    }
    if (++backstop->beats % BACKSTOP_BETWEEN == 0)
        backstop_retry(backstop);
}
