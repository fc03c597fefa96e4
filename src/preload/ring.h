/* Requests in an io_uring. The kernel takes them from memory, so they are not paced. Requests that
 * read or write a file of a store are counted as escaped, with the bytes they ask for; requests on
 * a registered file are not, since the file is unknown here. Never changes errno. */
#ifndef WEIR_PRELOAD_RING_H
#define WEIR_PRELOAD_RING_H

#include <linux/io_uring.h>
#include <sys/types.h>

enum { RING_MOST = 32768 }; /* requests; the kernel has no larger rings */

struct ring_queue {
    const struct io_uring_sqe *requests;
    const unsigned *order; /* index of the request in each place; NULL = the place itself */
    unsigned mask;         /* places - 1 */
    unsigned flags;        /* IORING_SETUP_... */
};

/* Counts the requests in `n` places from `first` on. */
void ring_count(const struct ring_queue *queue, unsigned first, unsigned n);

/* --- rings that a program makes by system calls of its own ------------------------------------ */

/* A ring was created; memory was mapped, possibly a ring's; a ring is about to be entered. */
void ring_made(int fd, const struct io_uring_params *parameters);
void ring_mapped(int fd, off64_t offset, const void *at);
void ring_entered(int fd, unsigned n, unsigned flags);

/* Its requests before this place have been counted. */
void ring_counted(const struct io_uring_sqe *requests, unsigned place);

#endif
