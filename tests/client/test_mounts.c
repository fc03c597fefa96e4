/* Where directories lie on their file systems. */
#include "client/mounts.h"
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

static void a_directory_is_inside_of_itself_and_of_those_above(void **state)
{
    (void)state;
    assert_true(mounts_inside("/a/b", "/a"));
    assert_true(mounts_inside("/a", "/a/"));
    assert_true(mounts_inside("/a", "/"));
    assert_true(mounts_inside("/", "/"));
    assert_false(mounts_inside("/ab", "/a"));
    assert_false(mounts_inside("/", "/a"));
}

static void note_root(const struct mount *mount, void *context)
{
    if (strcmp(mount->point, "/") == 0)
        *(uint64_t *)context = mount->device;
}

static void the_root_is_all_of_its_file_system_or_a_part(void **state)
{
    (void)state;
    char text[PATH_MAX + 64];
    struct stat status;
    uint64_t device = 0, files, system;
    const char *path;
    assert_int_equal(stat("/", &status), 0);
    assert_true(mounts_each(note_root, &device));
    if (device == 0)
        skip(); /* after a chroot the root is a directory of a mount that cannot be seen */
    mounts_origins("/", text, sizeof text);
    assert_true(mounts_origin(text, &files, &system, &path));
    assert_true(files == status.st_dev && system == device && *path == '/');
}

static void what_is_not_there_is_left_empty(void **state)
{
    (void)state;
    char text[64];
    uint64_t number;
    const char *path;
    mounts_origins("/no/such/place:/nor/this", text, sizeof text);
    assert_string_equal(text, ":");
    mounts_origins("/:/", text, 8); /* too little room */
    assert_true(strlen(text) < 8);
    const char *const bad[] = {"", "12", "12/a", ".1/a", "1./a", "1.2", "1.2a", "a.b/c"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(mounts_origin(bad[i], &number, &number, &path));
}

static void devices_have_the_numbers_of_stat(void **state)
{
    (void)state;
    const unsigned numbers[] = {0, 1, 8, 255, 256, 4095, 4096, 1048575, 0xfffff};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    for (size_t i = 0; i < NUMBERS * NUMBERS; i++) {
        unsigned a = numbers[i / NUMBERS], b = numbers[i % NUMBERS];
        assert_true(mounts_number(a, b) == makedev(a, b));
    }
}

/* Links are followed one after another, as realpath follows them. */
static void links_lead_to_the_directory(void **state)
{
    (void)state;
    char base[] = "/tmp/weir-mounts-XXXXXX", name[64], straight[PATH_MAX + 64], text[PATH_MAX + 64];
    assert_non_null(mkdtemp(base));
    snprintf(name, sizeof name, "%s/a/b", base);
    assert_int_equal(chdir(base), 0);
    assert_int_equal(mkdir("a", 0700) | mkdir("a/b", 0700), 0);
    assert_int_equal(symlink("../one/./b", "a/two") | symlink("a", "one"), 0);
    assert_int_equal(symlink(name, "three") | symlink("four", "four"), 0);
    mounts_origins(name, straight, sizeof straight);
    const char *const same[] = {"one/b", "one/two", "a/two/", "three", "a/../three/../two//."};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        snprintf(name, sizeof name, "%s/%s", base, same[i]);
        mounts_origins(name, text, sizeof text);
        assert_string_equal(text, straight);
    }
    snprintf(name, sizeof name, "%s/four", base); /* to itself */
    mounts_origins(name, text, sizeof text);
    assert_string_equal(text, "");
    const char *const made[] = {"a/two", "one", "three", "four", "a/b", "a", base};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(remove(made[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_is_inside_of_itself_and_of_those_above),
        cmocka_unit_test(the_root_is_all_of_its_file_system_or_a_part),
        cmocka_unit_test(what_is_not_there_is_left_empty),
        cmocka_unit_test(devices_have_the_numbers_of_stat),
        cmocka_unit_test(links_lead_to_the_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
