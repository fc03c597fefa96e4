/* A supervisor knows files of stores by their names and their places on file systems. */
#include "client/mounts.h"
#include "supervise/stores.h"
#include "wire/page.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/weir-stores-XXXXXX";

/* The file that is open there, as the supervisor of this process would see it. */
static const struct wire_terms *terms_of(const char *name)
{
    static char path[4096];
    struct target_file file = {.path = path};
    char made[sizeof directory + 64];
    snprintf(made, sizeof made, "%s/%s", directory, name);
    int fd = open(made, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_true(target_name(getpid(), fd, path, sizeof path));
    assert_true(target_file(getpid(), fd, &file));
    close(fd);
    return stores_terms(&file);
}

static void files_of_stores_are_found(void **state)
{
    char path[128], other[128], origins[4 * WIRE_STORES];
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/store", directory);
    snprintf(other, sizeof other, "%s/link", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(symlink(path, other), 0);
    /* The controller names it by the link. */
    mounts_origins(other, origins, sizeof origins);
    setenv(WIRE_ENV_STORES, other, 1);
    setenv(WIRE_ENV_ORIGINS, origins, 1);
    stores_init();
    assert_int_equal(stores_channels(), 1);
    assert_non_null(terms_of("store/a"));
    assert_null(terms_of("elsewhere"));
    snprintf(path, sizeof path, "%s/store/a", directory);
    snprintf(other, sizeof other, "%s/other-name", directory);
    assert_int_equal(link(path, other), 0);
    assert_non_null(terms_of("other-name"));
    assert_true(stores_may_hold("/home/x") && !stores_may_hold("pipe:[1]"));
    assert_false(stores_may_hold("/dev/null") || stores_may_hold("/proc/1/maps"));
    snprintf(path, sizeof path, "rm -r %s", directory);
    assert_int_equal(system(path), 0);
}

static void offsets_and_pipes_are_read(void **state)
{
    int ends[2], fd = open("/proc/self/exe", O_RDONLY);
    struct target_count before, after;
    char byte;
    (void)state;
    lseek(fd, 4321, SEEK_SET);
    assert_int_equal(target_offset(getpid(), fd), 4321);
    assert_int_equal(target_pipe(getpid(), fd), SIZE_MAX);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    assert_int_equal(target_pipe(getpid(), ends[0]), 3);
    if (!target_counts(getpid(), &before))
        skip();
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(target_counts(getpid(), &after) && after.calls > before.calls);
    /* It reads the answer by itself. */
    assert_int_equal(target_where(getpid(), SYS_read), TARGET_INSIDE);
    assert_int_equal(target_where(getpid(), SYS_getpid), TARGET_ELSEWHERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_stores_are_found),
        cmocka_unit_test(offsets_and_pipes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
