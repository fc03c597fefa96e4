/* Every way of moving bytes is seen, and counted once. */
#include "common.h"
#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
/* after what it needs */
#include <cmocka.h>

enum { SIZE = 10000 };
static char data[SIZE];

/* A file of SIZE bytes, made past control. */
static void make_file(const char *path)
{
    int fd = open_new(path);
    assert_int_equal(syscall(SYS_pwrite64, fd, data, SIZE, 0), SIZE);
    close(fd);
}

/* --- descriptors: each moves SIZE bytes ------------------------------------------------------- */

static void by_write(int fd)
{
    assert_int_equal(write(fd, data, SIZE), SIZE);
}

/* Functions that are looked for in libc itself. With a sanitizer, whose own ones are between the
 * hooks and libc's, those are another library's business. */
static void by_name(int fd)
{
#ifdef __SANITIZE_ADDRESS__
    bool between = true;
#else
    bool between = false;
#endif
    typedef ssize_t writer(int fd, const void *from, size_t bytes);
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(libc);
    writer *found = (writer *)(uintptr_t)dlsym(between ? RTLD_DEFAULT : libc, "write");
    assert_int_equal(found(fd, data, SIZE / 2), SIZE / 2);
    assert_int_equal(found(fd, data, SIZE / 2), SIZE / 2);
    dlclose(libc);
}

static void by_pwrite(int fd)
{
    assert_int_equal(pwrite(fd, data, SIZE, 7), SIZE);
}

static void by_vectors(int fd)
{
    struct iovec vector[] = {{data, 1000}, {data + 1000, 2000}};
    assert_int_equal(writev(fd, vector, 2), 3000);
    assert_int_equal(pwritev(fd, vector, 2, 100), 3000);
    assert_int_equal(pwritev2(fd, vector, 1, -1, 0), 1000);
    assert_int_equal(preadv(fd, vector, 2, 0), 3000);
}

static void by_reads(int fd)
{
    static char copy[SIZE];
    ftruncate(fd, SIZE / 2);
    assert_int_equal(pread(fd, copy, SIZE, 0), SIZE / 2);
    assert_int_equal(read(fd, copy, SIZE), SIZE / 2);
    assert_int_equal(read(fd, copy, SIZE), 0);
}

static void by_aio(int fd)
{
    struct aiocb block = {.aio_fildes = fd, .aio_buf = data, .aio_nbytes = 6000};
    const struct aiocb *list[] = {&block};
    assert_int_equal(aio_write(&block), 0);
    while (aio_error(&block) != 0)
        aio_suspend(list, 1, NULL);
    assert_int_equal(aio_return(&block), 6000);
    struct aiocb last = {.aio_fildes = fd,
                         .aio_buf = data,
                         .aio_nbytes = 4000,
                         .aio_offset = 6000,
                         .aio_lio_opcode = LIO_WRITE};
    struct aiocb *both[] = {&last, NULL};
    assert_int_equal(lio_listio(LIO_WAIT, both, 2, NULL), 0);
    assert_int_equal(aio_return(&last), 4000);
}

static void by_sendfile(int fd)
{
    int from = open(off_store("source"), O_RDONLY);
    assert_int_equal(sendfile(fd, from, NULL, 1 << 30), SIZE);
    close(from);
}

static void by_copy_file_range(int fd)
{
    /* Both ends are on the store, and half the bytes move. */
    int from = open(on_store("source"), O_RDONLY);
    assert_int_equal(copy_file_range(from, NULL, fd, NULL, SIZE / 2, 0), SIZE / 2);
    close(from);
}

static void by_splice(int fd)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], data, SIZE), SIZE);
    assert_int_equal(splice(ends[0], NULL, fd, NULL, 1 << 20, 0), SIZE);
    close(ends[0]);
    close(ends[1]);
}

static void by_dprintf(int fd)
{
    for (int i = 0; i < SIZE / 10; i++)
        assert_int_equal(dprintf(fd, "%09d\n", i), 10);
}

static void by_a_copy(int fd)
{
    int copy = dup(fd);
    assert_int_equal(write(copy, data, SIZE / 2), SIZE / 2);
    close(copy);
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    assert_int_equal(write(copy, data, SIZE / 2), SIZE / 2);
    close(copy);
    /* The number is something else now. */
    assert_int_equal(dup2(STDIN_FILENO, 100), 100);
    close(100);
}

static void by_fork(int fd)
{
    pid_t child = fork();
    if (child == 0)
        _exit(write(fd, data, SIZE) == SIZE ? 0 : 1);
    assert_int_equal(reap(child), 0);
}

static void *write_all(void *fd)
{
    assert_int_equal(write(*(int *)fd, data, SIZE), SIZE);
    return NULL;
}

static void by_thread(int fd)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_all, &fd), 0);
    pthread_join(thread, NULL);
}

static void by_other_program(int fd)
{
    char shell[] = "sh", flag[] = "-c", script[] = "head -c 10000 /dev/zero";
    char *argv[] = {shell, flag, script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
    assert_int_equal(posix_spawnp(&child, argv[0], &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(reap(child), 0);
}

static void by_vfork(int fd)
{
    pid_t child = vfork();
    if (child == 0) {
        dup2(fd, STDOUT_FILENO);
        execlp("head", "head", "-c", "10000", "/dev/zero", (char *)NULL);
        _exit(1);
    }
    assert_int_equal(reap(child), 0);
}

/* --- streams ---------------------------------------------------------------------------------- */

static void by_fwrite(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    assert_int_equal(fwrite(data, 1, 5000, stream), 5000);
    assert_int_equal(fwrite(data, 500, 10, stream), 10);
    assert_int_equal(fclose(stream), 0);
}

static void by_characters(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    for (int i = 0; i < SIZE / 2; i++)
        assert_int_equal(putc_unlocked('a', stream), 'a');
    for (int i = 0; i < SIZE / 2; i++)
        assert_int_equal(fputc('b', stream), 'b');
    assert_int_equal(fclose(stream), 0);
}

static void by_fprintf(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    for (int i = 0; i < SIZE / 20; i++) {
        assert_int_equal(fprintf(stream, "%09d\n", i), 10);
        assert_true(fputs("nine....\n", stream) >= 0);
        assert_int_equal(fputc('\n', stream), '\n');
    }
    assert_int_equal(fflush(stream), 0);
    fclose(stream);
}

static void by_lines(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    setvbuf(stream, NULL, _IOLBF, 0);
    for (int i = 0; i < SIZE / 10; i++)
        assert_int_equal(fprintf(stream, "%09d\n", i), 10);
    fclose(stream);
}

static void by_no_buffer(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    setvbuf(stream, NULL, _IONBF, 0);
    for (int i = 0; i < SIZE / 10; i++)
        assert_int_equal(fwrite(data, 1, 10, stream), 10);
    fclose(stream);
}

static void by_fread(int fd)
{
    static char copy[SIZE];
    ftruncate(fd, SIZE);
    FILE *stream = fdopen(dup(fd), "r");
    assert_int_equal(fread(copy, 1, 100, stream), 100);
    assert_int_equal(fread(copy, 1, SIZE, stream), SIZE - 100);
    fclose(stream);
}

static void by_getline(int fd)
{
    char *line = NULL;
    size_t size = 0, count = 0;
    (void)fd;
    FILE *stream = fopen(on_store("lines"), "r"), *again = fopen(on_store("lines"), "r");
    while (getline(&line, &size, stream) > 0)
        count++;
    assert_int_equal(count, SIZE / 20);
    free(line);
    while (getc_unlocked(again) != EOF)
        ;
    fclose(again);
    fclose(stream);
}

/* As old programs call it: in newer ones it has another name. */
int plain_fscanf(FILE *stream, const char *format, ...) __asm__("fscanf");

/* Numbers between white space: what a call leaves behind always has the end of a line. */
static void by_fscanf(int fd)
{
    (void)fd;
    int number, count = 0;
    FILE *stream = fopen(on_store("lines"), "r"), *again = fopen(on_store("lines"), "r");
    while (fscanf(stream, "%d", &number) == 1)
        assert_int_equal(number, count++);
    while (plain_fscanf(again, "%d", &number) == 1)
        count--;
    assert_int_equal(count, 0);
    fclose(again);
    fclose(stream);
}

/* Two lines of 2500 bytes, which are written and read: the second call finds much in the buffer,
 * and needs more. */
static void by_long_fscanf(int fd)
{
    static char line[SIZE];
    (void)fd;
    FILE *stream = fopen(on_store("long"), "w");
    for (int i = 0; i < 2; i++)
        assert_int_equal(fprintf(stream, "%02499d\n", i), 2500);
    fclose(stream);
    stream = fopen(on_store("long"), "r");
    for (int i = 0; i < 2; i++)
        assert_int_equal(fscanf(stream, "%9999s", line), 1);
    assert_int_equal(fscanf(stream, "%9999s", line), EOF);
    fclose(stream);
}

/* One call reads all of it. */
static void by_one_fscanf(int fd)
{
    static char copy[SIZE + 1];
    FILE *stream = fdopen(dup(fd), "r");
    assert_int_equal(syscall(SYS_pwrite64, fd, memset(copy, 'x', SIZE), SIZE, 0), SIZE);
    assert_int_equal(fscanf(stream, "%10000s", copy), 1);
    assert_int_equal(strlen(copy), SIZE);
    fclose(stream);
}

static void by_words(int fd)
{
    FILE *stream = fdopen(dup(fd), "w+");
    for (int i = 0; i < SIZE / 8; i++)
        assert_int_equal(putw(i, stream), 0);
    rewind(stream);
    for (int i = 0; i < SIZE / 8; i++)
        assert_int_equal(getw(stream), i);
    fclose(stream);
}

static void by_wide_output(int fd)
{
    FILE *stream = fdopen(dup(fd), "w");
    for (int i = 0; i < SIZE / 20; i++) {
        assert_int_equal(fwprintf(stream, L"%09d\n", i), 10);
        assert_true(fputws(L"eight..\n", stream) >= 0);
        assert_int_equal(fputwc(L'a', stream), L'a');
        assert_int_equal(putwc(L'\n', stream), L'\n');
        if (i == 7)
            assert_int_equal(fflush(stream), 0);
    }
    fclose(stream);
}

static void by_wide_input(int fd)
{
    (void)fd;
    wchar_t line[32];
    int count = 0;
    FILE *stream = fopen(on_store("lines"), "r"), *again = fopen(on_store("lines"), "r");
    while (fgetws(line, 32, stream))
        count++;
    assert_int_equal(count, SIZE / 20);
    while (fgetwc(again) != WEOF)
        ;
    fclose(again);
    fclose(stream);
}

/* Wide ones, which only libc's end empties. */
static void by_wide_exit(int fd)
{
    pid_t child = fork();
    if (child == 0) {
        FILE *stream = fdopen(fd, "w");
        for (int i = 0; i < SIZE / 10; i++)
            fwprintf(stream, L"%09d\n", i);
        exit(0);
    }
    assert_int_equal(reap(child), 0);
}

/* Through a descriptor whose number was a directory's, which libc closed by itself; another system
 * call than the hooks know of opens it. */
static void by_a_number_of_a_directory(int unused)
{
    (void)unused;
    struct stat status;
    DIR *directory = opendir(on_store(""));
    int number = dirfd(directory);
    assert_int_equal(fstat(number, &status), 0); /* which is not a file's */
    closedir(directory);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, on_store("raw"), O_CREAT | O_RDWR, 0600);
    assert_int_equal(fd, number);
    by_write(fd);
    close(fd);
}

/* Leaves it to the end of the program to write. */
static void by_exit(int fd)
{
    pid_t child = fork();
    if (child == 0) {
        FILE *stream = fdopen(fd, "w");
        for (int i = 0; i < SIZE / 10; i++)
            fprintf(stream, "%09d\n", i);
        exit(0);
    }
    assert_int_equal(reap(child), 0);
}

/* Through a descriptor whose number was a pipe's, which libc closed by itself. */
static void by_a_temporary_file(int unused)
{
    (void)unused;
    char name[256], line[8];
    FILE *pipe = popen("echo yes", "r");
    assert_non_null(fgets(line, sizeof line, pipe));
    int number = fileno(pipe);
    pclose(pipe);
    snprintf(name, sizeof name, "%s", on_store("temporary-XXXXXX"));
    int fd = mkstemp(name);
    assert_int_equal(fd, number);
    by_write(fd);
    close(fd);
}

/* --- what is counted apart -------------------------------------------------------------------- */

static void what_a_mapping_may_move_escapes(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("mapped"));
    assert_int_equal(write(fd, data, SIZE), SIZE);
    double before = ask_application().escaped;
    void *place = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(place != MAP_FAILED);
    munmap(place, SIZE);
    assert_true(mmap(NULL, (size_t)1 << 62, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
    assert_true(ask_application().escaped - before == SIZE);
    assert_int_equal(syscall(SYS_write, fd, data, 100), 100);
    assert_true(ask_application().escaped - before == SIZE + 100);
    pid_t child = fork(); /* whose first sign of life it is */
    if (child == 0)
        _exit(mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
    assert_int_equal(reap(child), 0);
    assert_true(ask_application().escaped - before == 2 * SIZE + 100);
    close(fd);
}

static void what_is_not_on_the_store_is_not_counted(void **unused)
{
    (void)unused;
    double before = ask_application().moved;
    int fd = open_new(off_store("aside"));
    by_write(fd);
    by_vectors(fd);
    by_fwrite(fd);
    close(fd);
    assert_counted(before, 0);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void moves_as_many_bytes_as_are_counted(void **state)
{
    int fd = open_new(on_store("file"));
    rest(0.02);
    double before = ask_application().moved;
    void (*use)(int) = (void (*)(int))(uintptr_t)*state;
    use(fd);
    close(fd);
    assert_counted(before, SIZE);
}

static int prepare(void **unused)
{
    (void)unused;
    make_file(off_store("source"));
    make_file(on_store("source"));
    FILE *lines = fopen(on_store("lines"), "w"); /* half of SIZE: it is read twice */
    for (int i = 0; i < SIZE / 20; i++)
        fprintf(lines, "%09d\n", i);
    fclose(lines);
    rest(0.02);
    return 0;
}

#define COUNTED(name)                                                                              \
    {                                                                                              \
        "bytes_moved_" #name "_are_counted_once", moves_as_many_bytes_as_are_counted, NULL, NULL,  \
            (void *)(uintptr_t)(name)                                                              \
    }

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(by_write),
        COUNTED(by_name),
        COUNTED(by_pwrite),
        COUNTED(by_vectors),
        COUNTED(by_reads),
        COUNTED(by_aio),
        COUNTED(by_sendfile),
        COUNTED(by_copy_file_range),
        COUNTED(by_splice),
        COUNTED(by_dprintf),
        COUNTED(by_a_copy),
        COUNTED(by_fork),
        COUNTED(by_thread),
        COUNTED(by_other_program),
        COUNTED(by_vfork),
        COUNTED(by_fwrite),
        COUNTED(by_characters),
        COUNTED(by_fprintf),
        COUNTED(by_lines),
        COUNTED(by_no_buffer),
        COUNTED(by_fread),
        COUNTED(by_getline),
        COUNTED(by_fscanf),
        COUNTED(by_long_fscanf),
        COUNTED(by_one_fscanf),
        COUNTED(by_words),
        COUNTED(by_wide_output),
        COUNTED(by_wide_input),
        COUNTED(by_wide_exit),
        COUNTED(by_a_number_of_a_directory),
        COUNTED(by_exit),
        COUNTED(by_a_temporary_file),
        cmocka_unit_test(what_a_mapping_may_move_escapes),
        cmocka_unit_test(what_is_not_on_the_store_is_not_counted),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return run_controlled(argv, (const char *const[]){"bandwidth: 1 GB/s", NULL}, test_all);
}
