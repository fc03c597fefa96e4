/* A file system with a real limit, for tests: pacer RATE BACKING MOUNTPOINT [COUNT].
 *
 * Shows the directory BACKING at MOUNTPOINT through FUSE, past the page cache. All reads and writes
 * together move RATE bytes per second and no more, and share them evenly: each of n requests under
 * way moves RATE / n, whatever its size. The file COUNT has the number of requests that it has
 * answered. Stays in the foreground until it is unmounted. */
#define FUSE_USE_VERSION 312
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Seconds for which an idle store may be behind: what nobody used is lost. */
static const double patience = 0.01;

enum { MOST = 256 }; /* requests under way */

static struct {
    int directory; /* BACKING */
    double rate;
    pthread_mutex_t lock;
    pthread_cond_t change; /* of the requests under way */
    double each;           /* bytes that a request would have moved that was always under way, */
    double seen;           /* up to this time */
    double ends[MOST]; /* of those under way: `each` at which it is over, the first one first, */
    int active;        /* and how many there are */
    int count;         /* COUNT */
    long requests;
} pacer = {.lock = PTHREAD_MUTEX_INITIALIZER, .count = -1};

static void count_request(void)
{
    char text[32];
    pthread_mutex_lock(&pacer.lock);
    int size = snprintf(text, sizeof text, "%ld\n", ++pacer.requests);
    if (pacer.count >= 0 && pwrite(pacer.count, text, (size_t)size, 0) != size)
        perror("count");
    pthread_mutex_unlock(&pacer.lock);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The time at which the first request under way is over, if none comes in between. */
static double next_end(void)
{
    return pacer.seen + (pacer.ends[0] - pacer.each) * pacer.active / pacer.rate;
}

/* Moves all requests under way on until this time, and ends those that are over, each at its time.
 */
static void advance(double time)
{
    while (pacer.active > 0 && next_end() <= time) {
        pacer.seen = next_end();
        pacer.each = pacer.ends[0];
        memmove(pacer.ends, pacer.ends + 1, (size_t)--pacer.active * sizeof *pacer.ends);
    }
    if (pacer.active > 0)
        pacer.each += (time - pacer.seen) * pacer.rate / pacer.active;
    if (pacer.active > 0 || pacer.seen < time - patience)
        pacer.seen = pacer.active > 0 ? time : time - patience;
}

static double enter(size_t bytes)
{
    double end = pacer.each + (double)bytes;
    int place = pacer.active++;
    for (; place > 0 && pacer.ends[place - 1] > end; place--)
        pacer.ends[place] = pacer.ends[place - 1];
    pacer.ends[place] = end;
    return end;
}

/* Takes as long as so many bytes take beside those of all others. */
static void pace(size_t bytes)
{
    pthread_mutex_lock(&pacer.lock);
    advance(now());
    while (pacer.active == MOST)
        pthread_cond_wait(&pacer.change, &pacer.lock);
    double end = enter(bytes);
    pthread_cond_broadcast(&pacer.change);
    for (advance(now()); pacer.each < end; advance(now())) {
        double until = pacer.seen + (end - pacer.each) * pacer.active / pacer.rate;
        struct timespec date = {.tv_sec = (time_t)until};
        date.tv_nsec = (long)(1e9 * (until - (double)date.tv_sec));
        pthread_cond_timedwait(&pacer.change, &pacer.lock, &date);
    }
    pthread_cond_broadcast(&pacer.change);
    pthread_mutex_unlock(&pacer.lock);
}

/* --- the operations, each on the path below BACKING ----------------------------------------------
 */

static const char *below(const char *path)
{
    count_request();
    return path[1] ? path + 1 : ".";
}

static int answer(int result)
{
    return result < 0 ? -errno : 0;
}

static void *start(struct fuse_conn_info *connection, struct fuse_config *config)
{
    (void)connection;
    config->direct_io = 1;
    config->attr_timeout = config->entry_timeout = 0;
    config->nullpath_ok = 0;
    return NULL;
}

static int get_attributes(const char *path, struct stat *info, struct fuse_file_info *file)
{
    (void)file;
    return answer(fstatat(pacer.directory, below(path), info, AT_SYMLINK_NOFOLLOW));
}

static int list(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
    (void)offset, (void)file, (void)flags;
    int fd = openat(pacer.directory, below(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (!directory)
        return -errno;
    for (struct dirent *entry; (entry = readdir(directory));)
        fill(buffer, entry->d_name, NULL, 0, 0);
    closedir(directory);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *file)
{
    int fd = openat(pacer.directory, below(path), file->flags & ~O_DIRECT);
    file->fh = (uint64_t)fd;
    return answer(fd);
}

static int create(const char *path, mode_t mode, struct fuse_file_info *file)
{
    int fd = openat(pacer.directory, below(path), (file->flags & ~O_DIRECT) | O_CREAT, mode);
    file->fh = (uint64_t)fd;
    return answer(fd);
}

static int read_file(const char *path, char *bytes, size_t size, off_t offset,
                     struct fuse_file_info *file)
{
    (void)path;
    count_request();
    ssize_t moved = pread((int)file->fh, bytes, size, offset);
    if (moved < 0)
        return -errno;
    pace((size_t)moved);
    return (int)moved;
}

static int write_file(const char *path, const char *bytes, size_t size, off_t offset,
                      struct fuse_file_info *file)
{
    (void)path;
    count_request();
    ssize_t moved = pwrite((int)file->fh, bytes, size, offset);
    if (moved < 0)
        return -errno;
    pace((size_t)moved);
    return (int)moved;
}

static int release(const char *path, struct fuse_file_info *file)
{
    (void)path;
    return answer(close((int)file->fh));
}

static int synchronise(const char *path, int data, struct fuse_file_info *file)
{
    (void)path, (void)data, (void)file;
    count_request();
    return 0; /* nothing is held back */
}

static int cut(const char *path, off_t size, struct fuse_file_info *file)
{
    const char *name = below(path);
    if (file)
        return answer(ftruncate((int)file->fh, size));
    int fd = openat(pacer.directory, name, O_WRONLY);
    int result = fd < 0 ? -errno : answer(ftruncate(fd, size));
    if (fd >= 0)
        close(fd);
    return result;
}

static int make_directory(const char *path, mode_t mode)
{
    return answer(mkdirat(pacer.directory, below(path), mode));
}

static int remove_directory(const char *path)
{
    return answer(unlinkat(pacer.directory, below(path), AT_REMOVEDIR));
}

static int remove_file(const char *path)
{
    return answer(unlinkat(pacer.directory, below(path), 0));
}

static int rename_file(const char *from, const char *to, unsigned flags)
{
    return answer(renameat2(pacer.directory, below(from), pacer.directory, below(to), flags));
}

static int get_space(const char *path, struct statvfs *info)
{
    (void)path;
    count_request();
    return answer(fstatvfs(pacer.directory, info));
}

static const struct fuse_operations operations = {
    .init = start,
    .getattr = get_attributes,
    .readdir = list,
    .open = open_file,
    .create = create,
    .read = read_file,
    .write = write_file,
    .release = release,
    .fsync = synchronise,
    .truncate = cut,
    .mkdir = make_directory,
    .rmdir = remove_directory,
    .unlink = remove_file,
    .rename = rename_file,
    .statfs = get_space,
};

int main(int argc, char **argv)
{
    pacer.rate = argc == 4 || argc == 5 ? atof(argv[1]) : 0;
    if (!(pacer.rate > 0)) {
        fprintf(stderr, "usage: pacer BYTES_PER_SECOND BACKING MOUNTPOINT [COUNT]\n");
        return 2;
    }
    if (argc == 5)
        pacer.count = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pthread_condattr_t kind;
    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(&pacer.change, &kind);
    pacer.directory = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (pacer.directory < 0) {
        perror(argv[2]);
        return 1;
    }
    char foreground[] = "-f";
    char *arguments[] = {argv[0], foreground, argv[3], NULL};
    return fuse_main(3, arguments, &operations, NULL);
}
