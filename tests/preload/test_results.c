/* No call's result, errno or effect is another one than without control. */
#include "common.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <wchar.h>
/* after what it needs */
#include <cmocka.h>

/* Where the store has pieces, they are of 1 MB: all that is larger is cut, if it may be. */
enum { MB = 1000000, LARGE = 8 * MB, RECORD = 3 * MB, RECORDS = 6, WRITERS = 4 };

static char data[LARGE];

static off_t size_of(int fd)
{
    struct stat status;
    assert_int_equal(fstat(fd, &status), 0);
    return status.st_size;
}

/* --- faults ----------------------------------------------------------------------------------- */

static void faults_are_those_of_the_kernel(void **unused)
{
    (void)unused;
    void *volatile nowhere = (void *)8;
    volatile int wrong = -1; /* not for the compiler to see */
    int fd = open_new(on_store("faults")), reader = open(on_store("faults"), O_RDONLY);
    errno = 0;
    assert_int_equal(write(-1, data, 10), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(write(reader, data, LARGE), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(pwrite(fd, data, 10, -5), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(write(fd, nowhere, LARGE), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(readv(fd, NULL, wrong), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(open(on_store("none/none"), O_RDONLY), -1);
    assert_int_equal(errno, ENOENT);
    off64_t from = 0, to = LARGE / 2; /* in pieces these would not overlap */
    assert_int_equal(pwrite(fd, data, LARGE, 0), LARGE);
    assert_int_equal(copy_file_range(fd, &from, fd, &to, LARGE, 0), -1);
    assert_int_equal(errno, EINVAL);
    close(reader);
    close(fd);
    assert_int_equal(fsync(fd), -1);
    assert_int_equal(errno, EBADF);
}

static void pointers_to_nowhere_are_faults_and_no_crashes(void **unused)
{
    (void)unused;
    void *volatile nowhere = (void *)8;
    int fd = open_new(on_store("nowhere")), other = open_new(on_store("other"));
    assert_int_equal(write(fd, data, 10), 10);
    assert_int_equal(readv(fd, nowhere, 1), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(pwritev(fd, nowhere, 3, 0), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(sendfile(other, fd, nowhere, 10), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(copy_file_range(fd, nowhere, other, NULL, 10, 0), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(copy_file_range(fd, NULL, other, nowhere, 10, 0), -1);
    assert_int_equal(errno, EFAULT);
    assert_int_equal(open(nowhere, O_RDONLY), -1);
    assert_int_equal(errno, EFAULT);
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(sendmsg(pair[0], nowhere, 0), -1);
    assert_int_equal(errno, EFAULT);
    close(pair[0]);
    close(pair[1]);
    close(other);
    close(fd);
}

/* The end of a page behind which there is nothing. */
static void what_ends_where_memory_ends_is_read_to_its_end(void **unused)
{
    (void)unused;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    assert_int_equal(munmap(pages + page, page), 0);
    struct iovec *last = (struct iovec *)(pages + page - sizeof *last);
    *last = (struct iovec){data, 10};
    int fd = open_new(on_store("end"));
    assert_int_equal(writev(fd, last, 1), 10);
    assert_int_equal(writev(fd, last, 2), -1);
    assert_int_equal(errno, EFAULT);
    close(fd);
    munmap(pages, page);
}

static void without_a_stream_all_are_emptied(void **unused)
{
    (void)unused;
    FILE *streams[] = {fopen(on_store("one"), "w"), fopen(on_store("two"), "w")};
    assert_true(fputs("12345", streams[0]) >= 0 && fputs("123", streams[1]) >= 0);
    assert_int_equal(fflush_unlocked(NULL), 0);
    assert_int_equal(size_of(fileno(streams[0])), 5);
    assert_true(fputs("678", streams[0]) >= 0);
    assert_int_equal(fflush(NULL), 0);
    assert_int_equal(size_of(fileno(streams[0])), 8);
    assert_int_equal(size_of(fileno(streams[1])), 3);
    assert_int_equal(fclose(streams[0]) | fclose(streams[1]), 0);
}

/* A flush of all streams leaves input as it is: what is buffered, and what was pushed back. */
static void input_stays_where_it_is_when_all_are_emptied(void **unused)
{
    (void)unused;
    char line[64];
    FILE *file = fopen(on_store("input"), "w+");
    for (int i = 0; i < 1000; i++)
        fprintf(file, "line %d\n", i);
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    off_t before = lseek(fileno(file), 0, SEEK_CUR);
    assert_true(before > (off_t)strlen(line));
    ungetc('X', file);
    assert_int_equal(fflush(NULL), 0);
    assert_int_equal(lseek(fileno(file), 0, SEEK_CUR), before);
    assert_int_equal(getc(file), 'X');
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "line 1\n");
    fclose(file);
}

static void *lock_and_leave(void *file)
{
    flockfile(file);
    return NULL;
}

/* A thread that ends with a stream locked does not stop the program from ending. */
static void a_locked_stream_does_not_hold_up_the_end(void **unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        FILE *file = fopen(on_store("locked"), "w");
        fputs("some", file);
        alarm(20);
        if (pthread_create(&thread, NULL, lock_and_leave, file) == 0)
            pthread_join(thread, NULL);
        exit(7);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void success_leaves_errno_alone(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("errno"));
    errno = E2BIG;
    assert_int_equal(write(fd, data, LARGE), LARGE);
    assert_int_equal(pread(fd, data, LARGE, 0), LARGE);
    assert_int_equal(fsync(fd), 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(errno, E2BIG);
}

static void nothing_is_moved_by_a_call_of_no_bytes(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("empty"));
    assert_int_equal(write(fd, data, 0), 0);
    assert_int_equal(pwrite(fd, data, 0, 9), 0);
    assert_int_equal(size_of(fd), 0);
    close(fd);
}

/* --- limits ----------------------------------------------------------------------------------- */

static void a_full_file_system_shortens_a_write(void **unused)
{
    (void)unused;
    const char *small = on_store("small");
    mkdir(small, 0700);
    if (mount("none", small, "tmpfs", 0, "size=4m") != 0)
        skip(); /* needs root */
    int fd = open_new(on_store("small/file"));
    off_t full = 4 << 20;
    assert_int_equal(write(fd, data, LARGE), full);
    assert_int_equal(write(fd, data, LARGE), -1);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, data, LARGE, 0), full);
    /* Three pieces fill it to the last byte, and the fourth fails as a whole. */
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, data, (size_t)full - 3 * MB, 0), full - 3 * MB);
    errno = 17;
    assert_int_equal(pwrite(fd, data, LARGE, full - 3 * MB), 3 * MB);
    assert_int_equal(errno, 17);
    close(fd);
    assert_int_equal(umount(on_store("small")), 0);
}

/* The kernel wants whole blocks of the disk, which pieces of 1 MB are not. */
static void direct_writes_are_not_cut(void **unused)
{
    (void)unused;
    enum { ALIGNED = 4 << 20 };
    void *blocks;
    int fd = open(on_store("direct"), O_RDWR | O_CREAT | O_DIRECT, 0600);
    if (fd < 0)
        skip(); /* not on every file system */
    assert_int_equal(posix_memalign(&blocks, 4096, ALIGNED), 0);
    memset(blocks, 'd', ALIGNED);
    assert_int_equal(write(fd, blocks, ALIGNED), ALIGNED);
    assert_int_equal(pwrite(fd, blocks, ALIGNED, ALIGNED), ALIGNED);
    assert_int_equal(size_of(fd), 2 * ALIGNED);
    free(blocks);
    close(fd);
}

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    (void)signal;
    signals++;
}

static void a_file_size_limit_shortens_a_write_without_a_signal(void **unused)
{
    (void)unused;
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = (struct rlimit){.rlim_cur = 4 * MB, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, count_signal);
    signals = 0;
    int fd = open_new(on_store("limited"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(write(fd, data, LARGE), 4 * MB);
    assert_int_equal(signals, 0);
    assert_int_equal(write(fd, data, 1), -1);
    assert_int_equal(errno, EFBIG);
    assert_int_equal(signals, 1);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    close(fd);
}

/* --- offsets ---------------------------------------------------------------------------------- */

/* Records of one letter each, RECORDS of each writer's. */
static void assert_whole_records(const char *path)
{
    int fd = open(path, O_RDONLY), count[WRITERS] = {0};
    static char record[RECORD];
    assert_int_equal(size_of(fd), (off_t)WRITERS * RECORDS * RECORD);
    while (read(fd, record, RECORD) == RECORD) {
        assert_true(record[0] >= 'a' && record[0] < 'a' + WRITERS);
        count[record[0] - 'a']++;
        assert_memory_equal(record, record + 1, RECORD - 1);
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(count[i], RECORDS);
    close(fd);
}

static void write_records(int fd, int writer)
{
    char *record = malloc(RECORD);
    memset(record, 'a' + writer, RECORD);
    for (int i = 0; i < RECORDS; i++)
        if (write(fd, record, RECORD) != RECORD)
            abort();
    free(record);
}

static void fork_writers(int fd, const char *path)
{
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            write_records(path ? open(path, O_WRONLY | O_APPEND) : fd, i);
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(reap(children[i]), 0);
}

static void records_appended_by_several_processes_are_not_torn(void **unused)
{
    (void)unused;
    const char *path = on_store("appended");
    close(open_new(path));
    fork_writers(-1, path);
    assert_whole_records(path);
}

static void records_at_a_shared_offset_are_not_torn(void **unused)
{
    (void)unused;
    const char *path = on_store("shared");
    int fd = open_new(path);
    fork_writers(fd, NULL);
    close(fd);
    assert_whole_records(path);
}

struct writer {
    int fd, number;
};

static void *run_writer(void *writer)
{
    write_records(((struct writer *)writer)->fd, ((struct writer *)writer)->number);
    return NULL;
}

static void records_of_threads_are_not_torn(void **unused)
{
    (void)unused;
    const char *path = on_store("threads");
    pthread_t threads[WRITERS];
    struct writer writers[WRITERS];
    int fd = open_new(path);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){i % 2 ? fd : dup(fd), i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_writer, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < WRITERS; i += 2)
        close(writers[i].fd);
    close(fd);
    assert_whole_records(path);
}

static void what_is_written_in_pieces_is_what_was_to_be_written(void **unused)
{
    (void)unused;
    static char copy[LARGE];
    for (int i = 0; i < LARGE; i++)
        data[i] = (char)(i % 251);
    int fd = open_new(on_store("pieces"));
    assert_int_equal(write(fd, data, LARGE), LARGE);
    assert_int_equal(pwrite(fd, data, LARGE, LARGE), LARGE);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), LARGE);
    for (int half = 0; half < 2; half++) {
        assert_int_equal(pread(fd, copy, LARGE, (off_t)half * LARGE), LARGE);
        assert_memory_equal(copy, data, LARGE);
    }
    close(fd);
}

struct lookout {
    int fd;
    atomic_bool over, seen;
};

/* Looks for the end of a piece: no other end is a whole number of MB, as a single write grows a file
 * page by page. */
static void *look_for_pieces(void *context)
{
    struct lookout *lookout = context;
    while (!lookout->over) {
        off_t size = size_of(lookout->fd);
        if (size > 0 && size < LARGE && size % MB == 0)
            lookout->seen = true;
    }
    return NULL;
}

static void writes_are_in_pieces_where_the_store_has_them_and_nowhere_else(void **unused)
{
    (void)unused;
    struct lookout lookout = {.fd = open_new(on_store("cut"))};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, look_for_pieces, &lookout), 0);
    for (int i = 0; i < (in_pieces() ? 1000 : 20) && !lookout.seen; i++) {
        assert_int_equal(pwrite(lookout.fd, data, LARGE, 0), LARGE);
        assert_int_equal(ftruncate(lookout.fd, 0), 0);
    }
    lookout.over = true;
    pthread_join(thread, NULL);
    assert_int_equal(lookout.seen, in_pieces());
    close(lookout.fd);
}

static int visit_twice(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind;
    static int depth;
    int files = 0;
    if (where->level == 0 && depth++ == 0) /* a walk within a walk */
        files = nftw(path, visit_twice, 4, FTW_PHYS);
    return files != 0 ? files : where->level == 1 ? 7 : 0;
}

/* What is not a function behind a hook is found as ever, and what is not there is not. */
static void names_are_found_as_without_control(void **unused)
{
    (void)unused;
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(libc);
    assert_ptr_equal(dlsym(libc, "getppid"), dlsym(RTLD_DEFAULT, "getppid"));
    assert_non_null(dlsym(RTLD_NEXT, "write"));
#ifndef __SANITIZE_ADDRESS__ /* which stands in front with its own */
    assert_ptr_equal(dlsym(RTLD_DEFAULT, "write"), dlsym(libc, "write"));
#endif
    dlerror();
    assert_null(dlsym(libc, "no_such_function"));
    assert_non_null(strstr(dlerror(), "no_such_function"));
    assert_null(dlerror());
    dlclose(libc);
}

static void metadata_and_walks_give_what_they_give(void **unused)
{
    (void)unused;
    char name[PATH_MAX], value[4];
    const char *volatile nowhere = (const char *)8;
    int (*volatile close_directory)(DIR *) = closedir; /* whatever the header says of NULL */
    wchar_t wide[8];
    int number = 0;
    assert_int_equal(close_directory(NULL), -1);
    assert_int_equal(errno, EINVAL);
#ifdef __SANITIZE_ADDRESS__ /* it reads the path itself, before anybody else */
    (void)nowhere, (void)value;
#else
    assert_int_equal(getxattr(nowhere, "user.a", value, sizeof value), -1);
    assert_int_equal(errno, EFAULT);
#endif
    assert_null(realpath(on_store("nothing"), name));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mkdir(on_store("walked"), 0700), 0);
    close(open_new(on_store("walked/a")));
    assert_int_equal(nftw(on_store("walked"), visit_twice, 4, FTW_PHYS), 7);
    FILE *stream = fopen(on_store("numbers"), "w+");
    assert_int_equal(fputs("12 x", stream) >= 0, 1);
    rewind(stream);
    errno = 17;
    assert_int_equal(fscanf(stream, "%d", &number), 1);
    assert_int_equal(errno, 17);
    assert_int_equal(number, 12);
    assert_int_equal(fscanf(stream, "%d", &number), 0);
    assert_int_equal(fgetc(stream), 'x');
    assert_int_equal(fscanf(stream, "%d", &number), EOF);
    fclose(stream);
    stream = fopen(on_store("numbers"), "r");
    assert_non_null(fgetws(wide, 8, stream));
    assert_int_equal(wcscmp(wide, L"12 x"), 0);
    assert_true(fgetwc(stream) == WEOF && feof(stream));
    assert_int_equal(fclose(stream), 0);
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_those_of_the_kernel),
        cmocka_unit_test(pointers_to_nowhere_are_faults_and_no_crashes),
        cmocka_unit_test(what_ends_where_memory_ends_is_read_to_its_end),
        cmocka_unit_test(without_a_stream_all_are_emptied),
        cmocka_unit_test(input_stays_where_it_is_when_all_are_emptied),
        cmocka_unit_test(a_locked_stream_does_not_hold_up_the_end),
        cmocka_unit_test(success_leaves_errno_alone),
        cmocka_unit_test(nothing_is_moved_by_a_call_of_no_bytes),
        cmocka_unit_test(a_full_file_system_shortens_a_write),
        cmocka_unit_test(direct_writes_are_not_cut),
        cmocka_unit_test(a_file_size_limit_shortens_a_write_without_a_signal),
        cmocka_unit_test(records_appended_by_several_processes_are_not_torn),
        cmocka_unit_test(records_at_a_shared_offset_are_not_torn),
        cmocka_unit_test(records_of_threads_are_not_torn),
        cmocka_unit_test(what_is_written_in_pieces_is_what_was_to_be_written),
        cmocka_unit_test(writes_are_in_pieces_where_the_store_has_them_and_nowhere_else),
        cmocka_unit_test(names_are_found_as_without_control),
        cmocka_unit_test(metadata_and_walks_give_what_they_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *const stores[] = {"bandwidth: 400 MB/s", "bandwidth: 400 MB/s, pieces: 1 MB", NULL};
    return run_controlled(argv, stores, test_all);
}
