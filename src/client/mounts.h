/* The file systems that this process sees, from /proc/self/mountinfo. A directory may be seen at
 * several places at once (bind mounts), in a container under a name of its own; where it lies on
 * its file system is the same everywhere. */
#ifndef WEIR_CLIENT_MOUNTS_H
#define WEIR_CLIENT_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount {
    uint64_t device;  /* of the file system, as the kernel lists it; that of its files may differ */
    const char *root; /* the directory of the file system that is mounted, */
    const char *point; /* at this place */
};

/* Shows all mounts, the latest last. One thread at a time: false if another one is at it, or the
 * list cannot be read. Allocates nothing, never changes errno. */
bool mounts_each(void (*visit)(const struct mount *mount, void *context), void *context);

/* Whether the path is the directory or below it. */
bool mounts_inside(const char *path, const char *directory);

/* Where directories lie on their file systems: a text for WIRE_ENV_ORIGINS of those in the list
 * `stores`, which colons separate. Unknown ones, and those that do not fit, are left empty. */
void mounts_origins(const char *stores, char *text, size_t size);

/* Reads one of them: the device of its files and that of its file system, and the path there, which
 * is the rest of the text. False if it is not known. */
bool mounts_origin(const char *text, uint64_t *files, uint64_t *system, const char **path);

#endif
