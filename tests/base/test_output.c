#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/weir-test-output-XXXXXX";
static char path[64];

static int enter(void **state)
{
    (void)state;
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/out", directory);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory); /* fails if anything was left behind */
}

static int count_files(void)
{
    int count = 0;
    DIR *listing = opendir(directory);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void expect_content(const char *expected)
{
    size_t length;
    char *text = text_load(path, &length, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void a_path_names_standard_output_or_a_directory(void **state)
{
    (void)state;
    assert_true(output_is_stdout("-"));
    assert_false(output_is_stdout("./-"));
    assert_false(output_is_stdout(NULL));
    assert_true(output_is_directory(directory));
    assert_true(output_is_directory("/nowhere/"));
    assert_false(output_is_directory(path));
    assert_false(output_is_directory(""));
    assert_false(output_is_directory(NULL));
}

static void abandoning_removes_what_is_not_finished(void **state)
{
    (void)state;
    struct output first, second;
    char other[80];
    snprintf(other, sizeof other, "%s.2", path);
    assert_int_equal(output_open(&first, path, NULL), 0);
    assert_int_equal(output_open(&second, other, NULL), 0);
    assert_int_equal(output_commit(&first, NULL), 0);
    assert_int_equal(count_files(), 2);
    output_abandon();
    assert_int_equal(count_files(), 1); /* the one that is complete */
    output_discard(&second);
    expect_content("");
}

enum { WRITERS = 4, EACH = OUTPUT_PLACES / WRITERS };

struct writer {
    pthread_t thread;
    pthread_barrier_t *gate;
    struct output outputs[EACH];
    char name[80];
    int number;
};

static void *open_several(void *argument)
{
    struct writer *writer = argument;
    pthread_barrier_wait(writer->gate);
    for (int i = 0; i < EACH; i++) {
        snprintf(writer->name, sizeof writer->name, "%s-%d-%d", path, writer->number, i);
        assert_int_equal(output_open(&writer->outputs[i], writer->name, NULL), 0);
    }
    return NULL;
}

/* There is room for just as many as are open: none is lost when two threads come at once. */
static void abandoning_removes_the_files_of_all_threads(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        pthread_barrier_t gate;
        struct writer writers[WRITERS];
        pthread_barrier_init(&gate, NULL, WRITERS);
        for (int i = 0; i < WRITERS; i++) {
            writers[i] = (struct writer){.gate = &gate, .number = i};
            assert_int_equal(pthread_create(&writers[i].thread, NULL, open_several, &writers[i]),
                             0);
        }
        for (int i = 0; i < WRITERS; i++)
            pthread_join(writers[i].thread, NULL);
        pthread_barrier_destroy(&gate);
        output_abandon();
        int left = count_files();
        for (int i = 0; i < WRITERS * EACH; i++)
            output_discard(&writers[i / EACH].outputs[i % EACH]);
        assert_int_equal(left, 0);
    }
}

static void the_file_appears_when_it_is_complete(void **state)
{
    (void)state;
    struct output output;
    assert_int_equal(output_open(&output, path, NULL), 0);
    fputs("hello", output.file);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(output_commit(&output, NULL), 0);
    expect_content("hello");
    assert_int_equal(count_files(), 1);
}

static void a_discarded_output_leaves_the_old_file(void **state)
{
    (void)state;
    struct output output;
    assert_int_equal(output_open(&output, path, NULL), 0);
    fputs("old", output.file);
    assert_int_equal(output_commit(&output, NULL), 0);
    assert_int_equal(output_open(&output, path, NULL), 0);
    fputs("new", output.file);
    output_discard(&output);
    output_discard(&output);
    expect_content("old");
    assert_int_equal(count_files(), 1);
}

static void two_writers_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct output first, second;
    assert_int_equal(output_open(&first, path, NULL), 0);
    assert_int_equal(output_open(&second, path, NULL), 0);
    fputs("first", first.file);
    fputs("second", second.file);
    assert_int_equal(output_commit(&second, NULL), 0);
    assert_int_equal(output_commit(&first, NULL), 0);
    expect_content("first");
}

static void the_target_of_a_link_is_replaced_not_the_link(void **state)
{
    (void)state;
    char link[80];
    struct stat status;
    snprintf(link, sizeof link, "%s-link", path);
    fclose(fopen(path, "w"));
    assert_int_equal(symlink(path, link), 0);
    struct output output;
    assert_int_equal(output_open(&output, link, NULL), 0);
    fputs("through", output.file);
    assert_int_equal(output_commit(&output, NULL), 0);
    assert_int_equal(lstat(link, &status), 0);
    bool still_link = S_ISLNK(status.st_mode);
    unlink(link);
    assert_true(still_link);
    expect_content("through");
}

static void a_device_is_written_not_replaced(void **state)
{
    (void)state;
    struct output output;
    struct stat status;
    assert_int_equal(output_open(&output, "/dev/null", NULL), 0);
    fputs("gone", output.file);
    assert_int_equal(output_commit(&output, NULL), 0);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct output output;
    struct err err;
    if (output_open(&output, "/dev/full", NULL) != 0)
        skip();
    fputs("gone", output.file);
    assert_int_equal(output_commit(&output, &err), -1);
    assert_string_equal(err.text, "cannot write '/dev/full': No space left on device");
}

static void a_place_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    struct output output;
    struct err err;
    assert_int_equal(output_open(&output, "/nonexistent/out", &err), -1);
    assert_string_equal(err.text, "cannot write '/nonexistent/out': No such file or directory");
    assert_null(output.file);
    assert_int_equal(output_open(&output, directory, &err), -1);
    assert_non_null(strstr(err.text, "directory"));
}

static void running_out_of_memory_leaves_nothing(void **state)
{
    (void)state;
    struct output output;
    struct err err;
    for (int n = 0; n < 2; n++) {
        mem_fail_after(n);
        assert_int_equal(output_open(&output, path, &err), -1);
        mem_fail_after(-1);
        assert_non_null(strstr(err.text, "memory"));
        assert_int_equal(count_files(), 0);
    }
}

#define IN_A_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_DIRECTORY(a_path_names_standard_output_or_a_directory),
        IN_A_DIRECTORY(abandoning_removes_what_is_not_finished),
        IN_A_DIRECTORY(abandoning_removes_the_files_of_all_threads),
        IN_A_DIRECTORY(the_file_appears_when_it_is_complete),
        IN_A_DIRECTORY(a_discarded_output_leaves_the_old_file),
        IN_A_DIRECTORY(two_writers_do_not_disturb_each_other),
        IN_A_DIRECTORY(the_target_of_a_link_is_replaced_not_the_link),
        IN_A_DIRECTORY(a_device_is_written_not_replaced),
        IN_A_DIRECTORY(a_full_disk_is_an_error),
        IN_A_DIRECTORY(a_place_that_cannot_be_written_is_named),
        IN_A_DIRECTORY(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
