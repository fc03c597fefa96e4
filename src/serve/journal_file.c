#include "serve/journal_file.h"
#include "base/aside.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* The most bytes that lines take while they wait to be written. */
enum { MOST_WAITING = 16 << 20 };

/* Nanoseconds for which the file is waited for, at the start and in the loop. */
#define JOURNAL_START 10000000000u
#define JOURNAL_AGAIN 100000000u

/* --- gathering -------------------------------------------------------------------------------- */

static ssize_t journal_file_gather(void *cookie, const char *text, size_t length)
{
    struct journal_batch *batch = &((struct journal_file *)cookie)->gathering;
    char *grown = mem_reserve(batch->text, &batch->capacity, batch->length + length, 1);
    if (!grown)
        return 0;
    batch->text = grown;
    memcpy(grown + batch->length, text, length);
    batch->length += length;
    return (ssize_t)length;
}

static FILE *journal_file_line(void *context)
{
    struct journal_file *file = context;
    return file->gathering.length > MOST_WAITING ? NULL : file->stream;
}

static void journal_file_end(void *context)
{
    struct journal_file *file = context;
    file->torn |= fflush(file->stream) != 0;
}

static int64_t journal_file_clock(void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_REALTIME, &now);
    return 1000 * (int64_t)now.tv_sec + now.tv_nsec / 1000000;
}

/* --- opening and closing ---------------------------------------------------------------------- */

/* Ends a line that a full disk or a crash has cut, so that no other is lost with it. */
static void end_torn_line(int fd)
{
    struct stat status;
    char last = '\n', self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd); /* the same file, whatever its path is */
    int reader = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0
                     ? open(self, O_RDONLY | O_CLOEXEC)
                     : -1;
    if (reader < 0)
        return;
    bool torn = pread(reader, &last, 1, status.st_size - 1) == 1 && last != '\n';
    close(reader);
    if (torn && write(fd, "\n", 1) < 0)
        return; /* the disk is full still: the next try is at the next start */
}

/* A descriptor, or -1 with errno; ELOOP if the path is a symbolic link and `follow` is 0. A pipe
 * without a reader fails at once. */
static int journal_open_file(const char *path, bool follow)
{
    int fd = open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW),
        0644);
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_APPEND); /* writes wait, in another thread */
    return fd;
}

/* Replaces a path that is a symbolic link by what the link says. 0; 1 if it is a link of the
 * kernel's, such as /dev/stdout leads to, which only the kernel can follow; -1 with errno, EPERM if
 * it is another user's. */
static int journal_read_link(char path[PATH_MAX])
{
    struct stat link;
    struct statfs system;
    char target[PATH_MAX];
    int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t length = -1;
    bool known = fstat(fd, &link) == 0 && fstatfs(fd, &system) == 0;
    bool trusted = known && (link.st_uid == 0 || link.st_uid == geteuid());
    if (trusted && system.f_type != PROC_SUPER_MAGIC)
        length = readlinkat(fd, "", target, sizeof target - 1);
    close(fd);
    if (!trusted || system.f_type == PROC_SUPER_MAGIC) {
        errno = EPERM;
        return trusted ? 1 : -1;
    }
    char *slash = strrchr(path, '/');
    size_t stem = length > 0 && target[0] != '/' && slash ? (size_t)(slash - path) + 1 : 0;
    if (length < 0 || stem + (size_t)length >= PATH_MAX)
        return -1;
    memcpy(path + stem, target, (size_t)length);
    path[stem + (size_t)length] = '\0';
    return 0;
}

/* Opens what may be a chain of symbolic links, each of root's or of this user's. Nobody else can
 * choose the file, even where everybody may create one. */
static int journal_follow(const char *path)
{
    enum { LINKS = 16 };
    char at[PATH_MAX];
    if (strlen(path) >= sizeof at) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(at, path);
    for (int i = 0; i < LINKS; i++) {
        int fd = journal_open_file(at, false);
        if (fd >= 0 || errno != ELOOP)
            return fd;
        int status = journal_read_link(at);
        if (status != 0)
            return status < 0 ? -1 : journal_open_file(at, true);
    }
    errno = ELOOP;
    return -1;
}

/* What is opened in another thread, since the file may be on a store that hangs. */
struct journal_opening {
    char path[PATH_MAX];
    int fd, error;
};

static void journal_do_open(void *context)
{
    struct journal_opening *opening = context;
    opening->fd = journal_follow(opening->path);
    opening->error = opening->fd < 0 ? errno : 0;
    if (opening->fd >= 0)
        end_torn_line(opening->fd);
}

static void journal_drop_opening(void *context)
{
    struct journal_opening *opening = context;
    if (opening->fd >= 0)
        close(opening->fd);
    free(opening);
}

/* Waits up to `limit` nanoseconds. */
static int open_path(const char *path, uint64_t limit, struct err *err)
{
    static const struct aside_calls calls = {journal_do_open, journal_drop_opening};
    struct journal_opening *opening = mem_alloc(1, sizeof *opening);
    if (!opening)
        return err_memory(err);
    *opening = (struct journal_opening){.fd = -1, .error = ENAMETOOLONG};
    if (snprintf(opening->path, sizeof opening->path, "%s", path) < (int)sizeof opening->path &&
        !aside_do(&calls, opening, limit))
        return err_set(err, "cannot write the journal '%s': it does not answer", path);
    int fd = opening->fd;
    if (opening->error == EPERM)
        err_set(err, "cannot write the journal '%s': it is a symbolic link of another user", path);
    else if (fd < 0)
        err_set(err, "cannot write the journal '%s': %s", path, strerror(opening->error));
    free(opening);
    return fd;
}

int journal_file_init(struct journal_file *file, uv_loop_t *loop, const char *path, struct err *err)
{
    *file = (struct journal_file){.loop = loop, .fd = -1, .next = -1};
    file->path = mem_alloc(strlen(path) + 1, 1);
    file->stream = fopencookie(file, "w", (cookie_io_functions_t){.write = journal_file_gather});
    if (!file->path || !file->stream)
        return err_memory(err);
    strcpy(file->path, path);
    file->fd = open_path(path, JOURNAL_START, err);
    return file->fd < 0 ? -1 : 0;
}

/* While a write is under way the descriptor is in use. If the last write has failed, the rest of
 * its lines follows in the new file: the two files together are complete. */
static void switch_over(struct journal_file *file)
{
    if (file->next < 0 || file->busy)
        return;
    close(file->fd);
    file->fd = file->next;
    file->next = -1;
}

int journal_file_reopen(struct journal_file *file, struct err *err)
{
    int fd = open_path(file->path, JOURNAL_AGAIN, err);
    if (fd < 0)
        return -1;
    if (file->next >= 0)
        close(file->next);
    file->next = fd;
    switch_over(file);
    return 0;
}

static int journal_file_write_all(int fd, const struct journal_batch *batch, size_t done)
{
    while (done < batch->length) {
        ssize_t written = write(fd, batch->text + done, batch->length - done);
        if (written < 0 && errno != EINTR)
            return errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int journal_file_fini(struct journal_file *file, struct err *err)
{
    while (file->busy)
        uv_run(file->loop, UV_RUN_ONCE);
    if (file->stream)
        fclose(file->stream);
    switch_over(file);
    int error = journal_file_write_all(file->fd, &file->writing, file->written);
    if (error == 0)
        error = journal_file_write_all(file->fd, &file->gathering, 0);
    if (error == 0 && file->torn)
        error = ENOMEM;
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->gathering.text);
    free(file->writing.text);
    return error ? err_set(err, "cannot write the journal: %s", strerror(error)) : 0;
}

/* --- writing behind --------------------------------------------------------------------------- */

static void journal_file_proceed(uv_fs_t *request);

static void write_rest(struct journal_file *file)
{
    struct journal_batch *batch = &file->writing;
    size_t left = batch->length - file->written;
    uv_buf_t rest = uv_buf_init(batch->text + file->written, (unsigned)left);
    file->request.data = file;
    file->busy =
        uv_fs_write(file->loop, &file->request, file->fd, &rest, 1, -1, journal_file_proceed) == 0;
}

static void journal_file_proceed(uv_fs_t *request)
{
    struct journal_file *file = request->data;
    ssize_t result = request->result;
    uv_fs_req_cleanup(request);
    file->busy = false;
    if (result <= 0)
        return; /* the disk is full, perhaps: the next flush tries again */
    file->written += (size_t)result;
    if (file->written < file->writing.length)
        write_rest(file);
}

static void journal_file_flush(void *context)
{
    struct journal_file *file = context;
    if (file->busy)
        return;
    switch_over(file);
    if (file->written < file->writing.length) {
        write_rest(file);
        return;
    }
    if (file->gathering.length == 0)
        return;
    struct journal_batch full = file->gathering;
    file->gathering = file->writing;
    file->gathering.length = 0;
    file->writing = full;
    file->written = 0;
    write_rest(file);
}

const struct journal_sink journal_file_sink = {
    journal_file_line,
    journal_file_end,
    journal_file_flush,
    journal_file_clock,
};
