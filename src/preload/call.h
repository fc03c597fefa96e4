/* One controlled call of the program, around the real one:
 *
 *     if (!descriptor_controlled(fd) || !call_whole(fd, n, at, CALL_READS))
 *         return real()->read(...);
 *     result = real()->read(...);
 *     call_end(result);
 *
 * While a thread is inside a call, hooks that it runs into, because the session uses libc or a
 * signal arrived, let everything pass. Nothing here changes errno. */
#ifndef WEIR_PRELOAD_CALL_H
#define WEIR_PRELOAD_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CALL_MOST = 0x7ffff000 }; /* bytes: no system call moves more */

/* Starts what this library needs, once; false as long as that is not done. */
bool call_ready(void);

/* Whether memory is this process's own: not in the child of a vfork. */
bool call_in_own_memory(void);

/* Whether this process has one thread only. */
bool call_in_only_thread(void);

enum call_way {
    CALL_WRITES,
    CALL_READS,
    CALL_HAS_READ /* or will: the bytes are there */
};

/* The call begins: I/O on this descriptor, which is looked at again before the thread waits. False:
 * let it pass, without call_end. */
bool call_begin(int fd, enum call_way way);

/* The bytes of the pieces in which the write that has begun may be made; 0 = it may not, or there
 * is no limit. */
size_t call_pieces(void);

/* The call under way rests, while another one is made, on another channel; and goes on. */
void call_set_aside(void);
void call_take_back(void);

/* Whether I/O on both descriptors is of one channel: reads of `in` and writes of `out`. */
bool call_of_one_channel(int in, int out);

/* The channel of I/O on a descriptor. */
uint32_t call_channel(int fd, enum call_way way);

/* How many of the bytes, CALL_MOST at most, may be moved now: waits for them. All if `whole`. */
size_t call_take(size_t bytes, bool whole);

/* A piece of the call has been moved, and another one follows. */
void call_moved(size_t bytes);

/* The call is over, with the bytes moved since the last call_moved; below 0 counts as none. */
void call_end(ssize_t moved);

/* call_begin and call_take of all bytes. Of a read past the end of the file only what is there
 * counts. `at` is where it reads, -1 = at the file's own offset. */
bool call_whole(int fd, size_t bytes, off64_t at, enum call_way way);

/* The bytes from there to the end of a regular file; SIZE_MAX if it is none. */
size_t call_left(int fd, off64_t at);

/* A call that is not controlled has moved these bytes; below 0 counts as none. */
void call_passed(ssize_t moved);

/* Waits until a metadata operation may be done, on a store or, if it is on one, on a path relative
 * to the directory `dir`. */
void call_operation(int store);
void call_operation_at(int dir, const char *path);

/* The store that the path is on, or -1. */
int call_store(int dir, const char *path);

/* A file of a store was closed; bytes went past control. */
void call_closed(int store);
void call_escaped(size_t bytes);

/* A signal handler leaves the call under way for good, if there is one. */
void call_abandon(void);

/* The program forbids itself system calls (seccomp): from now on this library makes none and lets
 * everything pass. False if it does so already, or is in the child of a vfork. Afterwards it can be
 * taken back. */
bool call_seal(void);
void call_unseal(void);
bool call_sealed(void);

/* After a call that makes a descriptor: whether it failed because the program has as many as it
 * may, and there is room for one now, so that it can be made again. */
bool call_make_room(void);

#endif
