/* The files of cgroup v2: a directory of the hierarchy with a group for each application below it.
 *
 * Nothing here knows of applications. Only cgroup_check_type asks whether a directory belongs to
 * such a hierarchy: everything else works on files of these names, wherever they are. */
#ifndef WEIR_DAEMON_CGROUP_H
#define WEIR_DAEMON_CGROUP_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A disk as io.max names it: "MAJOR:MINOR". */
struct cgroup_device {
    char text[24];
};

/* A group below the directory: "UID-SERIAL". */
struct cgroup_name {
    uint32_t uid, serial;
};

/* Whether it is a directory of cgroup v2: 0, or -1 with err. */
int cgroup_check_type(const char *path, struct err *err);

/* Whether groups with io.max can be made in it: it has the controller io, hands it down or could,
 * and may be written to. Changes nothing. 0, or -1 with err. */
int cgroup_check(const char *path, struct err *err);

/* Hands io down to its groups; the kernel adds memory, unseen, where cgroup v2 has it, to know
 * whose buffered writes it sends to a disk. 0, or -1 with err. */
int cgroup_enable(const char *path, struct err *err);

/* The disk of a device: a partition has no limits of its own. `sys` is where sysfs is. 0, or -1 if
 * it is not a block device. */
int cgroup_find_disk(const char *sys, dev_t device, struct cgroup_device *disk);

/* Makes a group; puts a process into it, with all that it starts from then on; limits what it reads
 * and what it writes per second, on each disk, INFINITY being no limit. 0, or -1 with err. */
int cgroup_make(const char *path, struct cgroup_name name, struct err *err);
int cgroup_add(const char *path, struct cgroup_name name, int32_t pid, struct err *err);
int cgroup_limit(const char *path, struct cgroup_name name, const struct cgroup_device *disks,
                 size_t count, double rate, struct err *err);

/* Whether a process is in the group. */
bool cgroup_has(const char *path, struct cgroup_name name, int32_t pid);

/* False while processes are in it. */
bool cgroup_remove(const char *path, struct cgroup_name name);

/* Calls `found` for each group that is there. */
void cgroup_each(const char *path, void (*found)(void *context, struct cgroup_name name),
                 void *context);

#endif
