/* Limits hold, for whatever is done. */
#include "client/request.h"
#include "common.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <weir/client.h>
/* after what it needs */
#include <cmocka.h>

enum { MB = 1000000, TOTAL = 80 * MB }; /* at 400 MB/s it takes 0.2 s */
#define LEAST 0.175                     /* less what may be claimed late */

static char data[TOTAL];

/* How long it takes to write TOTAL bytes in calls of that size. */
static double time_writes(int fd, size_t size)
{
    double start = seconds();
    for (size_t done = 0; done < TOTAL; done += size)
        assert_int_equal(write(fd, data + done, size), size);
    return seconds() - start;
}

static void the_limit_holds_for_calls_of_any_size(void **unused)
{
    (void)unused;
    const size_t sizes[] = {4000, 50000, MB, TOTAL};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int fd = open_new(on_store("sizes"));
        assert_true(time_writes(fd, sizes[i]) >= LEAST);
        close(fd);
    }
}

static void nothing_is_saved_up_in_a_pause(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("pause"));
    assert_int_equal(write(fd, data, MB), MB);
    rest(0.3);
    assert_true(time_writes(fd, MB) >= LEAST);
    close(fd);
}

static void streams_are_limited(void **unused)
{
    (void)unused;
    FILE *stream = fopen(on_store("stream"), "w");
    double start = seconds();
    for (int done = 0; done < TOTAL; done += 1000)
        assert_int_equal(fwrite(data, 1, 1000, stream), 1000);
    fclose(stream);
    assert_true(seconds() - start >= LEAST);
}

static void reads_of_small_files_cost_what_they_move(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("small"));
    assert_int_equal(write(fd, data, 1000), 1000);
    double start = seconds();
    for (int i = 0; i < 100; i++) /* asked for, it would be 8 GB: 20 s */
        assert_int_equal(pread(fd, data, TOTAL, 0), 1000);
    assert_true(seconds() - start < 5);
    close(fd);
}

/* --- operations ------------------------------------------------------------------------------- */

static void note_answer(const struct wire_message *message, void *context)
{
    *(enum wire_type *)context = message->type;
}

static void limit_operations(double rate)
{
    enum wire_type type = WIRE_REFUSED;
    const struct wire_message message = {
        .type = WIRE_SET, .set = {.setting = WIRE_SET_OPS, .app = WIRE_ALL, .value = rate}};
    assert_null(request_ask(off_store("socket"), &message, 2, note_answer, &type));
    assert_int_equal(type, WIRE_STATUS);
}

static double time_operations(const char *path)
{
    struct stat status;
    double start = seconds();
    for (int i = 0; i < 25; i++) {
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(access(path, R_OK), 0);
        assert_int_equal(close(open(path, O_RDONLY)), 0);
        assert_int_equal(chmod(path, 0600), 0);
    }
    return seconds() - start;
}

static void metadata_operations_are_limited(void **unused)
{
    (void)unused;
    close(open_new(on_store("meta")));
    close(open_new(off_store("meta")));
    limit_operations(500); /* 100 of them take 0.2 s */
    double on = time_operations(on_store("meta")), off = time_operations(off_store("meta"));
    assert_int_equal(chdir(on_store("")), 0);
    double relative = time_operations("meta"), away = time_operations("../meta");
    assert_int_equal(access((const char *volatile)8, R_OK), -1);
    assert_int_equal(errno, EFAULT);
    limit_operations(0);
    assert_true(on >= 0.18 && relative >= 0.18);
    assert_true(off < 0.15 && away < 0.15);
    assert_true(time_operations("meta") < 0.15);
}

/* Every other kind of metadata, one call of which is at least one operation. */
static void use_getxattr(const char *path)
{
    char value[8];
    getxattr(path, "user.none", value, sizeof value);
}

static void use_lsetxattr(const char *path)
{
    lsetxattr(path, "user.one", "1", 1, 0);
}

static void use_listxattr(const char *path)
{
    listxattr(path, NULL, 0);
}

static void use_removexattr(const char *path)
{
    removexattr(path, "user.none");
}

static void use_statvfs(const char *path)
{
    struct statvfs status;
    assert_int_equal(statvfs(path, &status), 0);
}

static void use_statfs(const char *path)
{
    struct statfs status;
    assert_int_equal(statfs(path, &status), 0);
}

static void use_realpath(const char *path)
{
    char name[PATH_MAX];
    assert_non_null(realpath(path, name));
}

static void use_euidaccess(const char *path)
{
    assert_int_equal(euidaccess(path, R_OK), 0);
}

static void use_glob(const char *path)
{
    glob_t found;
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    globfree(&found);
}

static int take_none(const struct dirent *unused)
{
    (void)unused;
    return 0;
}

static void use_scandir(const char *path)
{
    char directory[PATH_MAX];
    struct dirent **list;
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(scandir(directory, &list, take_none, NULL), 0);
    free(list);
}

static void use_descriptor(const char *path)
{
    struct statvfs status;
    static int fd = -1;
    static const char *last;
    if (last != path) {
        close(fd);
        fd = open(path, O_RDONLY);
        last = path;
    }
    assert_int_equal(fstatvfs(fd, &status), 0);
}

static void further_metadata_operations_are_limited(void **unused)
{
    (void)unused;
    static void (*const uses[])(const char *) = {
        use_getxattr, use_lsetxattr,  use_listxattr, use_removexattr, use_statvfs,   use_statfs,
        use_realpath, use_euidaccess, use_glob,      use_scandir,     use_descriptor};
    char on[256], off[256];
    snprintf(on, sizeof on, "%s", on_store("more"));
    snprintf(off, sizeof off, "%s", off_store("more"));
    close(open_new(on));
    close(open_new(off));
    limit_operations(500); /* 50 of them take 0.1 s */
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        double start = seconds();
        for (int k = 0; k < 50; k++)
            uses[i](on);
        double middle = seconds();
        for (int k = 0; k < 50; k++)
            uses[i](off);
        if (middle - start < 0.08 || seconds() - middle > 0.06)
            fail_msg("kind %zu: %.3f s on the store, %.3f s off it", i, middle - start,
                     seconds() - middle);
    }
    limit_operations(0);
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)path, (void)status, (void)kind;
    return where->level < 0;
}

static void a_walk_is_an_operation_per_file(void **unused)
{
    (void)unused;
    char path[256];
    assert_int_equal(mkdir(on_store("tree"), 0700), 0);
    for (int i = 0; i < 50; i++) {
        snprintf(path, sizeof path, "%s/%d", on_store("tree"), i);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        close(fd);
    }
    limit_operations(500); /* 51 of them take 0.1 s */
    double start = seconds();
    assert_int_equal(nftw(on_store("tree"), visit, 8, FTW_PHYS), 0);
    double time = seconds() - start;
    limit_operations(0);
    assert_true(time >= 0.08);
}

/* --- the client library ----------------------------------------------------------------------- */

static uintptr_t find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    assert_non_null(found);
    return (uintptr_t)found;
}
#define FIND(name) (__typeof__(name) *)find(#name)

/* As a program that is linked with libweir-client.so: the preloaded library's come first. */
static void who_paces_himself_is_charged_once(void **unused)
{
    (void)unused;
    __typeof__(weir_client_join) *join = FIND(weir_client_join);
    __typeof__(weir_io_begin) *begin = FIND(weir_io_begin);
    __typeof__(weir_io_pace) *pace = FIND(weir_io_pace);
    __typeof__(weir_io_end) *end = FIND(weir_io_end);
    struct weir_client *client = join(NULL);
    double best = 1;
    for (int run = 0; run < 5 && best > 0.3; run++) { /* other programs may be in the way */
        int fd = open_new(on_store("paced"));
        double before = ask_application().moved, start = seconds();
        begin(client, TOTAL);
        for (size_t done = 0; done < TOTAL;) {
            size_t piece = pace(client, TOTAL - done);
            assert_int_equal(write(fd, data + done, piece), piece);
            done += piece;
        }
        end(client);
        double time = seconds() - start;
        best = time < best ? time : best;
        close(fd);
        assert_counted(before, TOTAL);
    }
    assert_true(best >= LEAST && best < 0.38); /* charged twice it takes 0.4 s */
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_holds_for_calls_of_any_size),
        cmocka_unit_test(nothing_is_saved_up_in_a_pause),
        cmocka_unit_test(streams_are_limited),
        cmocka_unit_test(reads_of_small_files_cost_what_they_move),
        cmocka_unit_test(metadata_operations_are_limited),
        cmocka_unit_test(further_metadata_operations_are_limited),
        cmocka_unit_test(a_walk_is_an_operation_per_file),
        cmocka_unit_test(who_paces_himself_is_charged_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return run_controlled(argv, (const char *const[]){"bandwidth: 400 MB/s", NULL}, test_all);
}
