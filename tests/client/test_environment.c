#include "client/environment.h"
#include "wire/page.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* An environment of a few variables. */
enum { MOST = 20, VALUE = 4 * PATH_MAX };
static struct {
    char name[32], value[VALUE];
} variables[MOST];
static int refused; /* no more than this many can be set, 0 = any */

static char *find(const char *name, bool makes)
{
    for (int i = 0; i < MOST; i++)
        if (strcmp(variables[i].name, name) == 0)
            return variables[i].value;
    for (int i = 0; i < MOST && makes; i++)
        if (!*variables[i].name) {
            snprintf(variables[i].name, sizeof variables[i].name, "%s", name);
            return variables[i].value;
        }
    return NULL;
}

static int get(void *context, const char *name, char *value, size_t size)
{
    (void)context;
    const char *text = find(name, false);
    if (text && strlen(text) >= size)
        return -1;
    snprintf(value, size, "%s", text ? text : "");
    return 0;
}

static int set(void *context, const char *name, const char *value)
{
    (void)context;
    if (value && refused > 0 && --refused == 0)
        return -1;
    char *text = find(name, value != NULL);
    if (text)
        snprintf(text, VALUE, "%s", value ? value : "");
    return 0;
}

static const struct environment environment = {get, set, NULL};

static const char *value(const char *name)
{
    const char *text = find(name, false);
    return text ? text : "";
}

static int clear(void **state)
{
    (void)state;
    memset(variables, 0, sizeof variables);
    refused = 0;
    return 0;
}

static struct identity some_job(void)
{
    return (struct identity){.socket = "/run/weir.sock",
                             .attach = {.token = {1, 2},
                                        .nodes = 4,
                                        .weight = 1,
                                        .name = "ocean",
                                        .job = "42",
                                        .account = "physics"}};
}

static void a_program_finds_who_it_is(void **state)
{
    (void)state;
    struct identity job = some_job();
    set(NULL, WIRE_ENV_HINT, "7"); /* of another application */
    assert_null(environment_prepare(&environment, &job, "/a:1/b", "/lib/libweir-preload.so"));
    assert_string_equal(value(WIRE_ENV_SOCKET), "/run/weir.sock");
    assert_string_equal(value(WIRE_ENV_TOKEN), "00000000000000010000000000000002");
    assert_string_equal(value(WIRE_ENV_NAME), "ocean");
    assert_string_equal(value(WIRE_ENV_JOB), "42");
    assert_string_equal(value(WIRE_ENV_ACCOUNT), "physics");
    assert_string_equal(value(WIRE_ENV_PARTITION), "");
    assert_string_equal(value(WIRE_ENV_NODES), "4");
    assert_string_equal(value(WIRE_ENV_HINT), "");
    assert_string_equal(value(WIRE_ENV_STORES), "/a:1/b");
    assert_string_equal(value("LD_PRELOAD"), "/lib/libweir-preload.so");
}

static void the_library_stands_once_behind_the_others(void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"", "/x/libweir-preload.so"},
        {"/a.so", "/a.so:/x/libweir-preload.so"},
        {"/a.so /b.so", "/a.so /b.so:/x/libweir-preload.so"},
        {"/old/libweir-preload.so:/a.so", "/a.so:/x/libweir-preload.so"},
        {"/a.so:/old/libweir-preload.so:", "/a.so:/x/libweir-preload.so"},
        {"/not-libweir-preload.so", "/not-libweir-preload.so:/x/libweir-preload.so"},
    };
    struct identity job = some_job();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        set(NULL, "LD_PRELOAD", lists[i][0]);
        assert_null(environment_prepare(&environment, &job, "", "/x/libweir-preload.so"));
        assert_string_equal(value("LD_PRELOAD"), lists[i][1]);
        assert_null(environment_prepare(&environment, &job, "", "/x/libweir-preload.so"));
        assert_string_equal(value("LD_PRELOAD"), lists[i][1]);
    }
    environment_unload(&environment);
    assert_string_equal(value("LD_PRELOAD"), "/not-libweir-preload.so:");
}

static void nothing_is_left_of_what_is_taken_out(void **state)
{
    (void)state;
    struct identity job = some_job();
    set(NULL, "LD_PRELOAD", "/a.so");
    assert_null(environment_prepare(&environment, &job, "/a", "/x/libweir-preload.so"));
    environment_clear(&environment);
    for (int i = 0; i < MOST; i++)
        assert_true(strncmp(variables[i].name, "WEIR_", 5) != 0 || !*variables[i].value);
    assert_string_equal(value("LD_PRELOAD"), "/a.so:");
    set(NULL, WIRE_ENV_SOCKET, "/s"); /* where a user wants to look for a controller */
    environment_clear(&environment);
    assert_string_equal(value(WIRE_ENV_SOCKET), "/s");
}

static void what_cannot_be_set_leaves_nothing(void **state)
{
    struct identity job = some_job();
    for (int n = 1; n <= 8; n++) {
        clear(state);
        refused = n;
        assert_non_null(environment_prepare(&environment, &job, "/a", "/x/libweir-preload.so"));
        for (int i = 0; i < MOST; i++)
            assert_true(strncmp(variables[i].name, "WEIR_", 5) != 0 || !*variables[i].value);
    }
    clear(state);
    memset(find("LD_PRELOAD", true), 'x', VALUE - 2);
    assert_non_null(environment_prepare(&environment, &job, "/a", "/x/libweir-preload.so"));
    assert_string_equal(value(WIRE_ENV_TOKEN), "");
}

static void the_library_is_found_beside_a_file(void **state)
{
    (void)state;
    char root[] = "/tmp/weir-environment-XXXXXX", file[64], library[64], path[PATH_MAX];
    assert_non_null(mkdtemp(root));
    snprintf(file, sizeof file, "%s/weir", root);
    assert_int_equal(mkdir(file, 0755), 0);
    snprintf(file, sizeof file, "%s/weir/plug-in.so", root);
    assert_non_null(environment_find_library(file, "..", path));
    snprintf(library, sizeof library, "%s/libweir-preload.so", root);
    close(open(library, O_CREAT | O_WRONLY, 0644));
    assert_null(environment_find_library(file, "..", path));
    assert_string_equal(path, library);
    assert_non_null(environment_check_library("libweir-preload.so"));
    assert_non_null(environment_check_library("/nowhere/libweir-preload.so"));
    unlink(library);
    snprintf(library, sizeof library, "%s/weir", root);
    rmdir(library);
    rmdir(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_program_finds_who_it_is, clear),
        cmocka_unit_test_setup(the_library_stands_once_behind_the_others, clear),
        cmocka_unit_test_setup(nothing_is_left_of_what_is_taken_out, clear),
        cmocka_unit_test_setup(what_cannot_be_set_leaves_nothing, clear),
        cmocka_unit_test_setup(the_library_is_found_beside_a_file, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
