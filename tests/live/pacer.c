/* A file system with a real limit, for tests: pacer RATE BACKING MOUNTPOINT [COUNT].
 *
 * Shows the directory BACKING at MOUNTPOINT through FUSE, past the page cache. All reads and writes
 * together move RATE bytes per second and no more: each waits for its turn on one line, so writers
 * with one request at a time share evenly. The file COUNT has the number of requests that it has
 * answered. RATE may be a file that has it, and is looked at ten times a second. Stays in the
 * foreground until it is unmounted. */
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

/* Seconds for which the line may be behind: what nobody used is lost. */
static const double patience = 0.01;

static struct {
    int directory; /* BACKING */
    double rate;
    const char *source; /* file that has the rate, or NULL, */
    double read_at;     /* and when it was read */
    pthread_mutex_t lock;
    double free_at; /* when everything asked for so far will have been moved */
    int count;      /* COUNT */
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

/* Reads the rate again, if it is time. The lock is held. */
static void pacer_look(void)
{
    char text[32] = "";
    if (!pacer.source || now() < pacer.read_at + 0.1)
        return;
    int file = open(pacer.source, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0 && atof(text) > 0)
        pacer.rate = atof(text);
    if (file >= 0)
        close(file);
    pacer.read_at = now();
}

/* Takes as long as so many bytes take, behind everybody who came before. */
static void pace(size_t bytes)
{
    pthread_mutex_lock(&pacer.lock);
    pacer_look();
    double earliest = now() - patience;
    pacer.free_at = pacer.free_at > earliest ? pacer.free_at : earliest;
    pacer.free_at += (double)bytes / pacer.rate;
    double until = pacer.free_at;
    pthread_mutex_unlock(&pacer.lock);
    struct timespec date = {.tv_sec = (time_t)until};
    date.tv_nsec = (long)(1e9 * (until - (double)date.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &date, NULL) == EINTR)
        ;
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
    if (argc >= 4 && *argv[1] == '/') {
        pacer.source = argv[1];
        pacer_look();
    }
    if (!(pacer.rate > 0)) {
        fprintf(stderr, "usage: pacer BYTES_PER_SECOND BACKING MOUNTPOINT [COUNT]\n");
        return 2;
    }
    if (argc == 5)
        pacer.count = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pacer.directory = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (pacer.directory < 0) {
        perror(argv[2]);
        return 1;
    }
    char foreground[] = "-f";
    char *arguments[] = {argv[0], foreground, argv[3], NULL};
    return fuse_main(3, arguments, &operations, NULL);
}
