/* The files of cgroup v2: a directory of the hierarchy, with one group per application below it.
 *
 * Nothing here knows about applications. Only cgroup_check_type asks whether a directory belongs to
 * a cgroup hierarchy; everything else works on files of these names, wherever they are. */
#ifndef WEIR_ESCAPE_CGROUP_H
#define WEIR_ESCAPE_CGROUP_H

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

/* Whether the path is a directory of cgroup v2: 0, or -1 with err. */
int cgroup_check_type(const char *path, struct err *err);

/* Whether groups with io.max can be created in it: it has the io controller, passes it on or could,
 * and is writable. Changes nothing. 0, or -1 with err. */
int cgroup_check(const char *path, struct err *err);

/* Enables io for its groups. Where the kernel offers it, cgroup v2 silently enables memory too, to
 * tell whose buffered writes go to a disk. 0, or -1 with err. */
int cgroup_enable(const char *path, struct err *err);

/* The disk of a device; a partition has no limits of its own. `sys` is the path of sysfs. 0, or -1
 * if it is not a block device. */
int cgroup_find_disk(const char *sys, dev_t device, struct cgroup_device *disk);

/* Creates a group; puts a process into it, with everything it starts from then on; limits its reads
 * and its writes on each disk to `rate` bytes/s, INFINITY = no limit. 0, or -1 with err. */
int cgroup_make(const char *path, struct cgroup_name name, struct err *err);
int cgroup_add(const char *path, struct cgroup_name name, int32_t pid, struct err *err);
int cgroup_limit(const char *path, struct cgroup_name name, const struct cgroup_device *disks,
                 size_t count, double rate, struct err *err);

/* Whether a process is in the group. */
bool cgroup_has(const char *path, struct cgroup_name name, int32_t pid);

/* Removes a group. False while it contains processes. */
bool cgroup_remove(const char *path, struct cgroup_name name);

/* Calls `found` for each existing group. */
void cgroup_each(const char *path, void (*found)(void *context, struct cgroup_name name),
                 void *context);

#endif
