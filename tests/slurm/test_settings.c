#include "base/text.h"
#include "slurm/settings.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void without_arguments_jobs_are_under_control(void **state)
{
    (void)state;
    struct settings settings;
    assert_int_equal(settings_read(&settings, 0, NULL, NULL), 0);
    assert_string_equal(settings.socket, "/run/weir.sock");
    assert_null(settings.preload);
    assert_true(settings.on && settings.volume == 0);
}

static void arguments_are_read(void **state)
{
    (void)state;
    struct settings settings;
    const char *const arguments[] = {"socket=/s", "preload=/lib/p.so", "default=off"};
    assert_int_equal(settings_read(&settings, 3, arguments, NULL), 0);
    assert_string_equal(settings.socket, "/s");
    assert_string_equal(settings.preload, "/lib/p.so");
    assert_false(settings.on);
}

static void wrong_arguments_turn_control_off(void **state)
{
    (void)state;
    static char path[300] = "socket=/";
    memset(path + 8, 'x', sizeof path - 9);
    const char *const arguments[] = {"",          "x",        "sockets=/a",
                                     "socket=a",  "socket=",  "preload",
                                     "preload=a", "default=", "default=maybe",
                                     path};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        struct settings settings;
        struct err err = {0};
        assert_int_equal(settings_read(&settings, 1, &arguments[i], &err), -1);
        assert_false(settings.on);
        assert_non_null(strstr(err.text, "plugstack.conf; expected socket=PATH"));
    }
}

static void a_job_chooses(void **state)
{
    (void)state;
    struct settings settings;
    struct err err = {0};
    settings_read(&settings, 0, NULL, NULL);
    assert_int_equal(settings_choose(&settings, SETTINGS_WEIR, "off", &err), 0);
    assert_false(settings.on);
    assert_int_equal(settings_choose(&settings, SETTINGS_WEIR, "on", &err), 0);
    assert_true(settings.on);
    assert_int_equal(settings_choose(&settings, SETTINGS_WEIR, "supervise", &err), 0);
    assert_true(settings.on && settings.supervise);
    assert_int_equal(settings_choose(&settings, SETTINGS_WEIR, "on", &err), 0);
    assert_true(settings.on && !settings.supervise);
    assert_int_equal(settings_choose(&settings, SETTINGS_VOLUME, "3 GiB", &err), 0);
    assert_true(settings.volume == 3.0 * (1 << 30));
    assert_int_equal(settings_choose(&settings, SETTINGS_WEIR, "no", &err), -1);
    assert_string_equal(err.text, "--weir: 'no' is none of 'on', 'off' and 'supervise'");
    static const char *const volumes[] = {"", "0", "-1 GB", "3 GB/s", "much"};
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++)
        assert_int_equal(settings_choose(&settings, SETTINGS_VOLUME, volumes[i], &err), -1);
    assert_true(settings.on && settings.volume > 0);
}

/* A row of a table, in which a bar inside of a cell is escaped. */
static void expect_row(const char *manual, const char *what, const char *text)
{
    char row[400];
    size_t length = (size_t)snprintf(row, sizeof row, "| `");
    for (; *what && length < sizeof row - 2; what++) {
        if (*what == '|')
            row[length++] = '\\';
        row[length++] = *what;
    }
    snprintf(row + length, sizeof row - length, "` | %s |", text);
    if (!strstr(manual, row))
        fail_msg("docs/reference/slurm.md lacks: %s", row);
}

static void the_manual_lists_arguments_and_options(void **state)
{
    (void)state;
    size_t length;
    struct err err = {0};
    char *manual = text_load(WEIR_SOURCE_DIR "/docs/reference/slurm.md", &length, &err);
    assert_non_null(manual);
#define EXPECT_ARGUMENT(name, value, text) expect_row(manual, name "=" value, text);
    SETTINGS_ARGUMENTS(EXPECT_ARGUMENT)
#undef EXPECT_ARGUMENT
#define EXPECT_OPTION(name, word, value, text) expect_row(manual, "--" word "=" value, text);
    SETTINGS_OPTIONS(EXPECT_OPTION)
#undef EXPECT_OPTION
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_arguments_jobs_are_under_control),
        cmocka_unit_test(arguments_are_read),
        cmocka_unit_test(wrong_arguments_turn_control_off),
        cmocka_unit_test(a_job_chooses),
        cmocka_unit_test(the_manual_lists_arguments_and_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
