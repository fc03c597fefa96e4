/* The file systems that this process sees, from /proc/self/mountinfo. A directory may be visible at
 * several places (bind mounts), and under another name in a container; its path on its file system
 * is the same everywhere. */
#ifndef WEIR_CLIENT_MOUNTS_H
#define WEIR_CLIENT_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount {
    uint64_t
        device; /* of the file system, from the kernel's list; the device of its files may differ */
    const char *root;  /* the mounted directory of the file system, */
    const char *point; /* at this place */
    const char *type;  /* of the file system: "ext4" */
};

/* Visits all mounts, the latest last. One thread at a time: false if another thread is in it, or
 * the list cannot be read. Allocates nothing, never changes errno. */
bool mounts_each(void (*visit)(const struct mount *mount, void *context), void *context);

/* The number that stat has for a device. (makedev is a function of glibc's, which others lack.) */
uint64_t mounts_number(uint64_t major, uint64_t minor);

/* Whether the path is the directory or inside it. */
bool mounts_inside(const char *path, const char *directory);

/* Where directories lie on their file systems: the text for WIRE_ENV_ORIGINS of the list `stores`,
 * separated by colons. Entries that are unknown or do not fit stay empty. Only local file systems
 * are asked: another one may hang. So symbolic links in it are not followed. */
void mounts_origins(const char *stores, char *text, size_t size);

/* Reads one entry: the device of its files, that of its file system, and the path there, which is
 * the rest of the text. False if the entry is empty. */
bool mounts_origin(const char *text, uint64_t *files, uint64_t *system, const char **path);

#endif
