/* The kernel's limit behind the controller's: a control group (cgroup v2) for each application that
 * `weir exec` leads, with what it may have alone as io.max on the disks of the stores.
 *
 * The pages pace; io.max catches what goes past them. The leader enters its group before it hears
 * that it is attached, so that all that it starts is in there too. Nothing that fails here stops
 * control: the first time it is said. Each change of a group may take the kernel some milliseconds.
 *
 * An application that leaves is let go: what it left running has no limit, and its group is removed
 * once it is empty. Groups of an earlier controller are treated in the same way, but for one whose
 * leader attaches again: that goes on. */
#ifndef WEIR_DAEMON_BACKSTOP_H
#define WEIR_DAEMON_BACKSTOP_H

#include "base/err.h"
#include "daemon/cgroup.h"
#include "model/service.h"

/* Disks; and groups that wait to be empty. What is beyond that stays until the next start. */
enum { BACKSTOP_DISKS = 64, BACKSTOP_LEFT = 1024 };

/* Beats between two attempts to remove groups. */
enum { BACKSTOP_BETWEEN = 20 };

struct live;
struct application;

struct backstop {
    const char *path;
    struct cgroup_device disks[BACKSTOP_DISKS];
    uint32_t disk_count;
    struct cgroup_name left[BACKSTOP_LEFT];
    uint32_t left_count;
    uint32_t serial; /* of the next group */
    uint32_t beats;
    bool told; /* that something failed */
};

/* Whether it could be had by this configuration, which names a cgroup: 0, or -1 with err. Changes
 * nothing. */
int backstop_check(const struct service *service, struct err *err);

/* For a configuration that was checked: hands the controller down, and lets go what an earlier
 * controller left. 0, or -1 with err. */
int backstop_open(struct backstop *backstop, const struct service *service, struct err *err);

/* Lets go what is there already: the part of backstop_open that needs no disks. */
void backstop_sweep(struct backstop *backstop);

/* A leader of an application has attached; the application leaves; a beat, at which limits that
 * have changed are written. Without a backstop nothing happens. */
void backstop_admit(struct live *live, struct application *app, int32_t leader);
void backstop_release(struct live *live, struct application *app);
void backstop_beat(struct live *live);

#endif
