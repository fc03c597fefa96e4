/* Asynchronous I/O that a program hands to the kernel itself. */
#ifndef WEIR_PRELOAD_ASYNC_H
#define WEIR_PRELOAD_ASYNC_H

#include <linux/aio_abi.h>
#include <stddef.h>

/* The bytes that the blocks of an io_submit ask for on the store. */
size_t async_bytes(long n, struct iocb **list);

#endif
