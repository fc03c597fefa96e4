/* A call of a supervised program that waits: what it would move, and where. */
#ifndef WEIR_SUPERVISE_NOTICE_H
#define WEIR_SUPERVISE_NOTICE_H

#include "supervise/filter.h"
#include "wire/message.h"
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/types.h>

/* One of its descriptors that is on a store. */
struct notice_end {
    bool writes;
    uint32_t channel;
};

struct notice {
    pid_t thread;
    int number; /* of the system call */
    enum filter_kind kind;
    bool small; /* of a 32-bit program */
    const uint64_t *arguments;
    struct notice_end ends[2];
    size_t count;  /* of ends: 0 = it moves nothing on a store */
    size_t bytes;  /* that it asks for, */
    size_t likely; /* and those that are there */
};

/* Takes it from the kernel's words, which are borrowed. */
void notice_init(struct notice *notice, const struct seccomp_notif *call);

/* Finds out the rest. If that takes a look at a file, which may have to wait for its store as the
 * call would, and `waits` is false, returns false: then call it again with true. */
bool notice_complete(struct notice *notice, bool waits);

#endif
