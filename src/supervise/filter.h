/* The filter of a supervised program: its data calls stop until a supervisor answers. The one list
 * of them is here. */
#ifndef WEIR_SUPERVISE_FILTER_H
#define WEIR_SUPERVISE_FILTER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* How a call's arguments say what it moves. */
enum filter_kind {
    FILTER_READ,  /* descriptor, buffer, bytes */
    FILTER_WRITE, /* the same */
    FILTER_READ_AT,
    FILTER_WRITE_AT, /* and the offset */
    FILTER_READ_VECTOR,
    FILTER_WRITE_VECTOR, /* descriptor, vector, its length */
    FILTER_READ_VECTOR_AT,
    FILTER_WRITE_VECTOR_AT, /* and the offset */
    FILTER_SEND,            /* out, in, offset, bytes */
    FILTER_COPY,            /* in, offset, out, offset, bytes */
    FILTER_SPLICE,          /* the same, through a pipe */
    FILTER_SUBMIT,          /* context, number, requests */
    FILTER_MAP,             /* address, bytes, protection, flags, descriptor */
    FILTER_GROW,            /* address, bytes, other bytes */
    FILTER_NONE
};

/* Kind; number of this processor; number of a 32-bit program on x86-64. */
#define FILTER_CALLS(X)                                                                            \
    X(FILTER_READ, SYS_read, 3)                                                                    \
    X(FILTER_WRITE, SYS_write, 4)                                                                  \
    X(FILTER_READ_AT, SYS_pread64, 180)                                                            \
    X(FILTER_WRITE_AT, SYS_pwrite64, 181)                                                          \
    X(FILTER_READ_VECTOR, SYS_readv, 145)                                                          \
    X(FILTER_WRITE_VECTOR, SYS_writev, 146)                                                        \
    X(FILTER_READ_VECTOR_AT, SYS_preadv, 333)                                                      \
    X(FILTER_WRITE_VECTOR_AT, SYS_pwritev, 334)                                                    \
    X(FILTER_READ_VECTOR_AT, SYS_preadv2, 378)                                                     \
    X(FILTER_WRITE_VECTOR_AT, SYS_pwritev2, 379)                                                   \
    X(FILTER_SEND, SYS_sendfile, 187)                                                              \
    X(FILTER_SEND, SYS_sendfile, 239) /* sendfile64 */                                             \
    X(FILTER_COPY, SYS_copy_file_range, 377)                                                       \
    X(FILTER_SPLICE, SYS_splice, 313)                                                              \
    X(FILTER_SUBMIT, SYS_io_submit, 248)                                                           \
    X(FILTER_MAP, SYS_mmap, 192)                                                                   \
    X(FILTER_GROW, SYS_mremap, 163)

/* Returns NULL, or why no program can be supervised here: a constant text. */
const char *filter_check(void);

/* Sets the filter for this process, which has one thread, and all that it starts. A user without
 * privileges gives up, for good, those that programs could give them (set-uid). io_uring_setup
 * fails with ENOSYS from now on. Returns the listener, or -errno: -EBUSY if there is one already.
 */
int filter_set(void);

/* The kind of a call. `small`: it is one of a 32-bit program. */
enum filter_kind filter_judge(uint32_t arch, int number, bool *small);

#endif
