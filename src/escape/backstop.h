/* The kernel's limit as a second line: a control group (cgroup v2) for each application that `weir
 * exec` leads, with the application's own bandwidth as io.max on the disks of the stores.
 *
 * The pages pace; io.max catches what bypasses them. The leader enters its group before it learns
 * that it is attached, so everything it starts is in the group too. A failure here never stops
 * control; the first one is reported. Each change of a group may take the kernel some milliseconds.
 *
 * When an application leaves, its limit is lifted for the processes it left running, and its group
 * is removed once it is empty. Groups of an earlier controller are treated the same way, unless
 * their leader attaches again: then the group is kept. */
#ifndef WEIR_ESCAPE_BACKSTOP_H
#define WEIR_ESCAPE_BACKSTOP_H

#include "base/err.h"
#include "escape/cgroup.h"
#include "model/service.h"

/* Most disks, and most groups that wait to be empty. Further groups stay until the next start. */
enum { BACKSTOP_DISKS = 64, BACKSTOP_LEFT = 1024 };

/* Beats between two attempts to remove groups. */
enum { BACKSTOP_BETWEEN = 20 };

struct node;
struct node_app;

struct backstop {
    const char *path;
    struct cgroup_device disks[BACKSTOP_DISKS];
    uint32_t disk_count;
    struct cgroup_name left[BACKSTOP_LEFT];
    uint32_t left_count;
    uint32_t serial; /* of the next group */
    uint32_t beats;
    bool told;                                    /* that something failed */
    void (*say)(void *context, const char *text); /* receives that, or NULL */
    void *context;
};

/* Whether this configuration, which names a cgroup, can have a backstop: 0, or -1 with err. Changes
 * nothing. */
int backstop_check(const struct service *service, struct err *err);

/* For a checked configuration: enables io for the groups, and releases the groups of an earlier
 * controller. 0, or -1 with err. */
int backstop_open(struct backstop *backstop, const struct service *service, struct err *err);

/* Releases the groups that exist: the part of backstop_open that needs no disks. */
void backstop_sweep(struct backstop *backstop);

/* A leader has attached; an application leaves; a beat, at which changed limits are written. They
 * do nothing if `backstop` is NULL. */
void backstop_admit(struct backstop *backstop, struct node_app *app, int32_t leader);
void backstop_release(struct backstop *backstop, struct node_app *app);
void backstop_beat(struct backstop *backstop, struct node *node);

#endif
