#include "serve/listener.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Connections that wait to be accepted. */
enum { BACKLOG = 4096 };

/* Attempts to lock a directory, and microseconds between them. */
enum { ATTEMPTS = 100, BETWEEN = 10000 };

static int open_socket(void)
{
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Locks the directory, so that of several controllers that start at once only one removes a dead
 * socket. Any process could hold the lock for ever: after a second it continues without. */
static int lock_place(const char *path, int attempts)
{
    char directory[sizeof((struct sockaddr_un *)0)->sun_path];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    snprintf(directory, sizeof directory, "%.*s", length, path);
    int fd = open(length ? directory : slash ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < attempts && fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
        usleep(BETWEEN);
    return fd;
}

/* Whether a process listens: one that is too busy to answer does, and so does one that speaks
 * another protocol. */
static bool is_alive(const struct sockaddr_un *address)
{
    int fd = open_socket();
    if (fd < 0)
        return true;
    int status = connect(fd, (const struct sockaddr *)address, sizeof *address);
    bool alive = status == 0 || errno != ECONNREFUSED;
    close(fd);
    return alive;
}

static int clear_place(const struct sockaddr_un *address, struct err *err)
{
    struct stat file;
    if (lstat(address->sun_path, &file) != 0)
        return 0; /* nothing is there, or bind will tell why not */
    if (!S_ISSOCK(file.st_mode))
        return err_set(err, "'%s' exists and is not a socket", address->sun_path);
    if (is_alive(address))
        return err_set(err, "another process already listens at '%s'", address->sun_path);
    if (unlink(address->sun_path) != 0)
        return err_set(err, "cannot remove the dead socket '%s': %s", address->sun_path,
                       strerror(errno));
    return 0;
}

/* Binds with a mode that lets every user connect. A chmod by name could hit a file put there in
 * between. */
static int bind_for_all(int fd, const struct sockaddr_un *address)
{
    mode_t before = umask(0111);
    int status = bind(fd, (const struct sockaddr *)address, sizeof *address);
    umask(before);
    return status;
}

static int take_place(struct listener *listener, const struct sockaddr_un *address, struct err *err)
{
    if (clear_place(address, err) != 0)
        return -1;
    if (bind_for_all(listener->fd, address) != 0 || listen(listener->fd, BACKLOG) != 0 ||
        lstat(address->sun_path, &listener->file) != 0)
        return err_set(err, "cannot listen at '%s': %s", address->sun_path, strerror(errno));
    return 0;
}

static int listen_at(struct listener *listener, const char *path, int attempts, struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *listener = (struct listener){.fd = -1, .path = path};
    if (strlen(path) >= sizeof address.sun_path)
        return err_set(err, "'%s' is too long for a socket: at most %zu bytes", path,
                       sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path));
    listener->fd = open_socket();
    if (listener->fd < 0)
        return err_set(err, "cannot create a socket: %s", strerror(errno));
    int lock = lock_place(path, attempts);
    int status = take_place(listener, &address, err);
    if (lock >= 0)
        close(lock);
    if (status != 0) {
        close(listener->fd);
        listener->fd = -1;
    }
    return status;
}

int listener_open(struct listener *listener, const char *path, struct err *err)
{
    return listen_at(listener, path, ATTEMPTS, err);
}

int listener_renew(struct listener *listener, struct err *err)
{
    if (listener->fd >= 0)
        close(listener->fd);
    /* Programs wait for its grants, so it does not wait for a lock. */
    return listen_at(listener, listener->path, 1, err);
}

bool listener_is_there(const struct listener *listener)
{
    struct stat file;
    return lstat(listener->path, &file) == 0 && file.st_dev == listener->file.st_dev &&
           file.st_ino == listener->file.st_ino;
}

/* Inode numbers are reused, so the times must agree too. */
static bool listener_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

void listener_close(struct listener *listener)
{
    struct stat file;
    if (listener->fd < 0)
        return;
    close(listener->fd);
    listener->fd = -1;
    if (lstat(listener->path, &file) == 0 && listener_is_same(&file, &listener->file))
        unlink(listener->path);
}
