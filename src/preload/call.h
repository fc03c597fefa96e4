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

enum { CALL_MOST = 0x7ffff000 }; /* bytes; no system call moves more */

/* Initialises this library once; false until that is done. */
bool call_ready(void);

/* Whether the memory is this process's own: not in the child of a vfork. */
bool call_in_own_memory(void);

/* Whether this process has one thread only. */
bool call_in_only_thread(void);

enum call_way {
    CALL_WRITES,
    CALL_READS,
    CALL_HAS_READ /* it has read, or will: the bytes are there */
};

/* Begins a call: I/O on this descriptor, which is checked again before the thread waits. False: let
 * it pass, without call_end. */
bool call_begin(int fd, enum call_way way);

/* The size of the pieces that the current write may be made in, `usual` unless the store has its
 * own; 0 = it may not be split, or there is no limit. */
size_t call_pieces(size_t usual);

/* Sets the current call aside while another is made on another channel; and returns to it. */
void call_set_aside(void);
void call_take_back(void);

/* Whether reads of `in` and writes of `out` belong to the same channel. */
bool call_of_one_channel(int in, int out);

/* The channel of I/O on a descriptor. */
uint32_t call_channel(int fd, enum call_way way);

/* Waits, and returns how many of the bytes, at most CALL_MOST, may be moved now: all if `whole`. */
size_t call_take(size_t bytes, bool whole);

/* A piece of the call was moved, and another follows. */
void call_moved(size_t bytes);

/* Ends the call, with the bytes moved since the last call_moved; a negative number counts as 0. */
void call_end(ssize_t moved);

/* call_begin and call_take of all bytes. A read beyond the end of the file counts only what is
 * there. `at` is its position, -1 = the file's own offset. */
bool call_whole(int fd, size_t bytes, off64_t at, enum call_way way);

/* The bytes from there to the end of a regular file; SIZE_MAX if it is not one. */
size_t call_left(int fd, off64_t at);

/* An uncontrolled call moved these bytes; a negative number counts as 0. */
void call_passed(ssize_t moved);

/* The same, by a descriptor: now and then it is checked again, since a program can replace what it
 * is open on without this library's knowledge. */
void call_passed_by(int fd, ssize_t moved);

/* Waits until a metadata operation may be made: on a store; or on a path relative to the directory
 * `dir`, if that is on a store. */
void call_operation(int store);
void call_operation_at(int dir, const char *path);

/* The store that the path is on, or -1. */
int call_store(int dir, const char *path);

/* A file of a store was closed; bytes bypassed control. */
void call_closed(int store);
void call_escaped(size_t bytes);

/* A signal handler leaves the current call, if any, for good. */
void call_abandon(void);

/* The program forbids itself system calls (seccomp): from now on this library makes none and lets
 * everything pass. False if it already does, or in the child of a vfork. call_unseal undoes it. */
bool call_seal(void);
void call_unseal(void);
bool call_sealed(void);

/* After a call that creates a descriptor: whether it failed because the program has as many as it
 * may, and one is free now, so that the call can be repeated. */
bool call_make_room(void);

#endif
