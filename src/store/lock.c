#include "store/lock.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_HOST_SIZE = 256, LOCK_TEXT_SIZE = LOCK_HOST_SIZE + 64 };

/* "process 123 on host". */
static void lock_write_owner(int file)
{
    char text[LOCK_TEXT_SIZE], host[LOCK_HOST_SIZE] = "an unknown host";
    gethostname(host, sizeof host - 1);
    int length = snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) < 0)
        return; /* it is only for people */
}

static int lock_tell_owner(const struct store_lock *lock, const char *path, struct err *err)
{
    char text[LOCK_TEXT_SIZE] = "";
    ssize_t length = pread(lock->file, text, sizeof text - 1, 0);
    return err_set(err, "%s is in use by %s", path, length > 0 ? text : "another process");
}

/* Whether the file is still at its place: its owner removes it when it is done. */
static bool lock_in_place(const struct store_lock *lock)
{
    struct stat held, there;
    return fstat(lock->file, &held) == 0 && stat(lock->path, &there) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* 0; 1 if the file was removed meanwhile; or -1. */
static int lock_try(struct store_lock *lock, const char *path, struct err *err)
{
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->file < 0)
        return err_set(err, "cannot create %s.lock: %s", path, strerror(errno));
    int status;
    if (flock(lock->file, LOCK_EX | LOCK_NB) == 0)
        status = lock_in_place(lock) ? 0 : 1;
    else if (errno == EWOULDBLOCK)
        status = lock_tell_owner(lock, path, err);
    else
        status = err_set(err, "cannot lock %s: %s", lock->path, strerror(errno));
    if (status != 0)
        close(lock->file);
    return status;
}

/* 0 if the file is missing or has one name, otherwise -1. */
static int lock_check_names(const char *place, const char *path, struct err *err)
{
    struct stat there;
    if (stat(place, &there) == 0 && there.st_nlink > 1)
        return err_set(err,
                       "%s is one of %ju hard links to the same file, and a lock does not cover "
                       "the others; expected a file with one name, such as a copy",
                       path, (uintmax_t)there.st_nlink);
    return 0;
}

int store_lock_take(struct store_lock *lock, const char *place, const char *path, struct err *err)
{
    size_t size = strlen(place) + sizeof ".lock";
    int status = 1;
    if (lock_check_names(place, path, err) < 0)
        return -1;
    lock->path = mem_alloc(size, 1);
    if (!lock->path)
        return err_memory(err);
    snprintf(lock->path, size, "%s.lock", place);
    while (status > 0)
        status = lock_try(lock, path, err);
    if (status < 0) {
        free(lock->path);
        lock->path = NULL;
        return -1;
    }
    lock_write_owner(lock->file);
    return 0;
}

void store_lock_release(struct store_lock *lock)
{
    if (!lock->path)
        return;
    unlink(lock->path);
    close(lock->file);
    free(lock->path);
    *lock = (struct store_lock){0};
}
