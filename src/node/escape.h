/* What goes past control: what the kernel counts for a process, compared with what its calls said.
 *
 * The kernel counts the bytes of all reads and writes of a process, on a store or not, and adds
 * those of its children when they are waited for. A process into which the preload is loaded and
 * that is attached says what it knows of (wire/page.h, `known`); the rest went past it. Of a
 * process without the preload nothing is known: what it moves while a file of a store is open, in a
 * direction in which one is, is taken to be on the store, unless a supervisor sees its calls. No
 * /proc and no clock here. */
#ifndef WEIR_NODE_ESCAPE_H
#define WEIR_NODE_ESCAPE_H

#include "wire/message.h"
#include <stdbool.h>
#include <stdint.h>

/* A process is not looked at closely unless it has moved this many bytes since the last look, and
 * what escapes from the calls of an attached one is said from this many on: libc reads files of its
 * own now and then. */
enum { ESCAPE_CLOSE = 64 << 10, ESCAPE_LEAST = 1 << 20 };

/* Bytes of an attached process escape when as many looks in a row miss them, other than those that
 * its threads may be about to count. */
enum { ESCAPE_LOOKS = 4 };

/* Of an attached process what is missing must also be this share of what it moved. */
#define ESCAPE_SHARE 0.01

enum escape_hold { ESCAPE_READS = 1, ESCAPE_WRITES = 2 }; /* ways in which a store's file is open */

/* What is seen of a process at one moment. */
struct escape_look {
    int32_t pid, parent;
    uint64_t start;         /* when it was started: with the pid, which process it is */
    uint64_t reaped;        /* another number whenever it has waited for a child */
    uint64_t read, written; /* bytes by system calls, */
    uint64_t block;         /* and those that went from and to disks */
    uint64_t calls;         /* those system calls, 0 = not known */
    uint32_t threads;
    bool asleep;    /* after that it slept: a single thread has then counted all its calls */
    bool close;     /* what follows was looked at */
    unsigned holds; /* enum escape_hold: files of stores that are open, */
    unsigned own;   /* ... of those that it can only have opened itself */
    bool preloaded;
    bool full;            /* it has as many descriptors as it may */
    bool ring;            /* it has a ring of io_uring */
    bool filtered;        /* it has a filter of system calls, */
    uint32_t owner;       /* ... and only this user and root may look into it: */
    bool supervised;      /* its filter is a supervisor's, which can */
    enum wire_escape why; /* without the preload: why it has none */
};

/* What its calls said: the bytes after the look, and those before it. What the process counted in
 * between may be among the kernel's bytes or not. */
struct escape_known {
    bool attached;
    uint64_t bytes, before;
    bool like_kernel; /* they began with what the kernel had counted */
};

/* A process over time; all 0 before the first look. */
struct escape_process {
    struct escape_look last;
    struct escape_known known;
    /* Of an attached one: bytes that are missing, and not yet said to escape, now and at the looks
     * before; all that it moved. `missing` is below 0 by what it counted during looks. */
    double missing, earlier[ESCAPE_LOOKS - 1], moved;
    double call; /* bytes of its calls: the largest mean of an interval */
    enum wire_escape why;
    /* Of one that has the preload and is not attached: what the last look found. It is said when
     * the process is still there, and still not attached, at the next one: until then it may have
     * been under control and just have left. */
    double unconfirmed;
};

/* Takes a new look at it, and what it said until after that. Returns the bytes that escaped since
 * the last look, and why. What an interval in which it has waited for a child says is not used,
 * since the child's bytes are among it. */
double escape_judge(struct escape_process *process, const struct escape_look *look,
                    struct escape_known known, enum wire_escape *why);

#endif
