#include "common.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void every_format_is_found_by_its_name_and_explains_itself(void **state)
{
    (void)state;
    int count = 0;
    for (; format_registry[count]; count++) {
        const struct format *format = format_registry[count];
        assert_ptr_equal(format_find(format->name, NULL), format);
        assert_true(strlen(format->help) > 10);
    }
    assert_int_equal(count, 3);
}

static void an_unknown_format_is_an_error_that_suggests_the_nearest(void **state)
{
    (void)state;
    struct err err;
    assert_null(format_find("instnce", &err));
    assert_string_equal(err.text, "unknown format 'instnce', did you mean 'instance'?");
    assert_null(format_find("zzzzzzzzz", &err));
    assert_string_equal(err.text, "unknown format 'zzzzzzzzz', expected scenario, instance or set");
}

static void no_format_accepts_garbage_of_any_length(void **state)
{
    (void)state;
    static const char garbage[] = "\x7f"
                                  "ELF\x02\x01\x01\0\0\n{[*&!%@`\0\xff";
    struct format_defaults defaults = {.bandwidth = 1};
    for (int i = 0; format_registry[i]; i++) {
        for (size_t length = 0; length < sizeof garbage; length++) {
            char text[sizeof garbage + 1] = {0};
            struct err err = {0};
            memcpy(text, garbage, length);
            assert_null(format_registry[i]->parse(text, length, "f", &defaults, &err));
            assert_memory_equal(err.text, "f:", 2);
            assert_null(strchr(err.text, '\n'));
        }
    }
}

static void a_file_is_loaded_and_named_in_messages(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-format-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    static const char text[] = "platform: {bandwidth: 1}\napplications: [{nodes: 1, work: 1}]\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    struct scenario *scenario = format_load(path, NULL, NULL, NULL);
    assert_non_null(scenario);
    assert_string_equal(scenario->name, strrchr(path, '/') + 1);
    scenario_free(scenario);

    struct err err = {0};
    assert_int_equal(write(file, "x: 1\n", 5), 5);
    close(file);
    assert_null(format_load(path, NULL, NULL, &err));
    assert_memory_equal(err.text, path, strlen(path));
    assert_string_equal(err.text + strlen(path),
                        ":3: unknown key 'x' in the scenario, expected name, platform, "
         "policy, stores, limits, shares, window, seed or applications");
    unlink(path);
}

static void a_missing_file_is_an_error_that_names_it(void **state)
{
    (void)state;
    struct err err = {0};
    assert_null(format_load("/nonexistent/weir.yaml", NULL, NULL, &err));
    assert_non_null(strstr(err.text, "/nonexistent/weir.yaml"));
    assert_null(format_load("/tmp", NULL, NULL, &err));
    assert_non_null(strstr(err.text, "/tmp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_found_by_its_name_and_explains_itself),
        cmocka_unit_test(an_unknown_format_is_an_error_that_suggests_the_nearest),
        cmocka_unit_test(no_format_accepts_garbage_of_any_length),
        cmocka_unit_test(a_file_is_loaded_and_named_in_messages),
        cmocka_unit_test(a_missing_file_is_an_error_that_names_it),
    };
    return cmocka_run_group_tests_name("format/format", tests, NULL, NULL);
}
