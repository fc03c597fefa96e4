/* What the kernel shows of a supervised thread that waits in a call. All of it comes from /proc and
 * the thread's memory; a thread that is gone, or that this user may not look at, shows nothing. */
#ifndef WEIR_SUPERVISE_TARGET_H
#define WEIR_SUPERVISE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A regular file that one of its descriptors is open on. */
struct target_file {
    const char *path; /* its name, borrowed */
    dev_t device;
    uint64_t names; /* that it has */
    uint64_t size;  /* as far as it is known without asking its server */
};

/* Reads the kernel's name of a descriptor. Never touches the file. False if it has none. */
bool target_name(pid_t thread, int fd, char *path, size_t size);

/* Finds the file. False if it is not regular. */
bool target_file(pid_t thread, int fd, struct target_file *file);

/* Finds the file that is mapped at an address; its name goes to `path`, of `size` bytes, which the
 * file then has. False if none is. */
bool target_mapping(pid_t thread, uint64_t address, struct target_file *file, char *path,
                    size_t size);

/* The offset of the descriptor; 0 if it is not known. */
uint64_t target_offset(pid_t thread, int fd);

/* The bytes that a pipe holds, or can hold if it is empty; SIZE_MAX if it is not a pipe. */
size_t target_pipe(pid_t thread, int fd);

/* Copies its memory. False if it cannot be read. */
bool target_read(pid_t thread, uint64_t address, void *data, size_t size);

/* What the kernel counts of a thread. */
struct target_count {
    uint64_t read, written; /* bytes, */
    uint64_t calls;         /* by these calls that are over */
};
bool target_counts(pid_t thread, struct target_count *count);

/* Whether the thread may still be in the system call of this number: it is, or it runs. */
enum target_place { TARGET_INSIDE, TARGET_RUNS, TARGET_ELSEWHERE };
enum target_place target_where(pid_t thread, int number);

#endif
