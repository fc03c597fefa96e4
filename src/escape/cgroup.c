#include "escape/cgroup.h"
#include "base/maths.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct cgroup_path {
    char text[PATH_MAX];
};

static struct cgroup_path cgroup_file(const char *path, const char *file)
{
    struct cgroup_path full;
    snprintf(full.text, sizeof full.text, "%s/%s", path, file);
    return full;
}

static struct cgroup_path cgroup_group(const char *path, struct cgroup_name name, const char *file)
{
    struct cgroup_path full;
    snprintf(full.text, sizeof full.text, "%s/%" PRIu32 "-%" PRIu32 "/%s", path, name.uid,
             name.serial, file);
    return full;
}

/* Whether a file of words contains a word. */
static bool cgroup_lists(struct cgroup_path file, const char *word)
{
    size_t length;
    char *text = text_load(file.text, &length, NULL), *rest = NULL;
    bool found = false;
    for (char *next = text ? strtok_r(text, " \n", &rest) : NULL; next && !found;
         next = strtok_r(NULL, " \n", &rest))
        found = strcmp(next, word) == 0;
    free(text);
    return found;
}

static bool cgroup_is_empty(struct cgroup_path file)
{
    size_t length = 0;
    free(text_load(file.text, &length, NULL));
    return length == 0;
}

/* --- the directory ---------------------------------------------------------------------------- */

int cgroup_check_type(const char *path, struct err *err)
{
    struct statfs system;
    if (statfs(path, &system) != 0)
        return err_set(err, "cgroup '%s': %s", path, strerror(errno));
    if (system.f_type != CGROUP2_SUPER_MAGIC)
        return err_set(err, "'%s' is not a cgroup v2 directory", path);
    return 0;
}

int cgroup_check(const char *path, struct err *err)
{
    struct cgroup_path control = cgroup_file(path, "cgroup.subtree_control");
    if (strlen(path) > PATH_MAX - 64)
        return err_set(err, "the path of the cgroup is longer than %d bytes", PATH_MAX - 64);
    if (!cgroup_lists(cgroup_file(path, "cgroup.controllers"), "io"))
        return err_set(err, "the cgroup '%s' has no io controller", path);
    /* The root of the hierarchy has neither this file nor an io.max. */
    bool is_root = access(cgroup_file(path, "cgroup.type").text, F_OK) != 0;
    if (!is_root && access(cgroup_file(path, "io.max").text, F_OK) != 0)
        return err_set(err, "the cgroup '%s' has no io.max: the kernel cannot limit I/O", path);
    if (!is_root && !cgroup_lists(control, "io") &&
        !cgroup_is_empty(cgroup_file(path, "cgroup.procs")))
        return err_set(err, "the cgroup '%s' contains processes; expected an empty one", path);
    if (access(path, W_OK | X_OK) != 0 || access(control.text, W_OK) != 0)
        return err_set(err, "cannot write to the cgroup '%s': %s", path, strerror(errno));
    return 0;
}

/* Each line in a separate write, as the kernel requires. */
static int cgroup_write(int fd, struct cgroup_path file, const char *line, struct err *err)
{
    if (fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line))
        return 0;
    return err_set(err, "cannot write '%s': %s", file.text, strerror(errno));
}

static int cgroup_open(struct cgroup_path file)
{
    return open(file.text, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

static int cgroup_put(struct cgroup_path file, const char *line, struct err *err)
{
    int fd = cgroup_open(file), status = cgroup_write(fd, file, line, err);
    if (fd >= 0)
        close(fd);
    return status;
}

int cgroup_enable(const char *path, struct err *err)
{
    return cgroup_put(cgroup_file(path, "cgroup.subtree_control"), "+io", err);
}

int cgroup_find_disk(const char *sys, dev_t device, struct cgroup_device *disk)
{
    char part[64], file[64];
    size_t length;
    snprintf(part, sizeof part, "dev/block/%u:%u/partition", major(device), minor(device));
    bool is_part = access(cgroup_file(sys, part).text, F_OK) == 0;
    snprintf(file, sizeof file, "dev/block/%u:%u/%sdev", major(device), minor(device),
             is_part ? "../" : "");
    char *text = text_load(cgroup_file(sys, file).text, &length, NULL);
    if (!text)
        return -1;
    text[strcspn(text, "\n")] = '\0';
    snprintf(disk->text, sizeof disk->text, "%s", text);
    free(text);
    return 0;
}

/* --- its groups ------------------------------------------------------------------------------- */

int cgroup_make(const char *path, struct cgroup_name name, struct err *err)
{
    struct cgroup_path group = cgroup_group(path, name, "");
    if (mkdir(group.text, 0755) == 0)
        return 0;
    return err_set(err, "cannot create '%s': %s", group.text, strerror(errno));
}

int cgroup_add(const char *path, struct cgroup_name name, int32_t pid, struct err *err)
{
    char line[32];
    snprintf(line, sizeof line, "%" PRId32 "\n", pid);
    return cgroup_put(cgroup_group(path, name, "cgroup.procs"), line, err);
}

int cgroup_limit(const char *path, struct cgroup_name name, const struct cgroup_device *disks,
                 size_t count, double rate, struct err *err)
{
    struct cgroup_path file = cgroup_group(path, name, "io.max");
    char most[32] = "max", line[128];
    int fd = cgroup_open(file), status = 0;
    if (isfinite(rate))
        snprintf(most, sizeof most, "%.0f", maths_max(rate, 1)); /* 0 is refused */
    for (size_t i = 0; i < count && status == 0; i++) {
        snprintf(line, sizeof line, "%s rbps=%s wbps=%s\n", disks[i].text, most, most);
        status = cgroup_write(fd, file, line, err);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

bool cgroup_has(const char *path, struct cgroup_name name, int32_t pid)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId32, pid);
    return cgroup_lists(cgroup_group(path, name, "cgroup.procs"), text);
}

bool cgroup_remove(const char *path, struct cgroup_name name)
{
    return rmdir(cgroup_group(path, name, "").text) == 0 || errno == ENOENT;
}

void cgroup_each(const char *path, void (*found)(void *context, struct cgroup_name name),
                 void *context)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    struct cgroup_name name;
    int length;
    while (dir && (entry = readdir(dir))) {
        length = 0;
        if (sscanf(entry->d_name, "%" SCNu32 "-%" SCNu32 "%n", &name.uid, &name.serial, &length) ==
                2 &&
            entry->d_name[length] == '\0')
            found(context, name);
    }
    if (dir)
        closedir(dir);
}
