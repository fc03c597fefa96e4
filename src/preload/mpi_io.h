/* I/O that a program does through MPI: which files are on a store, and what is under way.
 *
 * An MPI call says beforehand how much it moves, and it is known when it is over; the bytes
 * themselves are counted by the hooks on libc, which MPI uses. So each call is announced as one
 * explicit I/O of this process (session_begin, session_end). Each rank announces its own bytes, and
 * the controller adds them up: nothing is exchanged between ranks.
 *
 * No header of an MPI is needed. Handles are looked at as numbers: a file's handle is a pointer, or
 * in Fortran a number; a request's is a pointer (Open MPI) or a number. */
#ifndef WEIR_PRELOAD_MPI_IO_H
#define WEIR_PRELOAD_MPI_IO_H

#include "preload/call.h"

typedef uintptr_t mpi_handle;

/* One MPI call of the program. Those that MPI itself makes within one, and those on files that are
 * not on a store, have no session: nothing is announced. */
struct mpi_io {
    struct session *session;
    mpi_handle file;
    bool outer;
};

/* A call begins, and moves these bytes of the file, 0 = unknown; */
struct mpi_io mpi_io_begin(mpi_handle file, double bytes, enum call_way way);

/* it is over; */
void mpi_io_end(const struct mpi_io *io);

/* it has failed, or has begun what this request stands for; */
void mpi_io_request(const struct mpi_io *io, bool failed, mpi_handle request);

/* it has failed, or has begun what another call ends; and that call. */
void mpi_io_split(const struct mpi_io *io, bool failed);
void mpi_io_join(mpi_handle file);

/* A file was opened; and is about to be closed, when nothing of it is under way any more. */
void mpi_io_opened(mpi_handle file, const char *path);
void mpi_io_closed(mpi_handle file);

/* A call that may complete some of these requests, `stride` bytes from one to the next: notes which
 * of them are I/O; false if none is. Afterwards, those that were completed have another handle. */
bool mpi_io_waits(const void *requests, long count, size_t stride);
void mpi_io_waited(const void *requests, long count, size_t stride);

/* The handle, of `size` bytes, that stands there. */
mpi_handle mpi_io_handle(const void *place, size_t size);

/* Marks what MPI does within a call of the program. False: it is within one already. */
bool mpi_io_enter(void);
void mpi_io_leave(void);

/* Whether this thread is within one. */
bool mpi_io_inside(void);

#endif
