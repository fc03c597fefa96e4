#include "base/json.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What `write` writes, in a buffer of the test. */
static const char *capture(void (*write)(struct json *json), bool pretty)
{
    static char text[4096];
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    struct json json = {.out = file, .pretty = pretty};
    write(&json);
    assert_int_equal(json.depth, 0);
    fclose(file);
    return text;
}

static void write_sample(struct json *json)
{
    json_begin_object(json, NULL);
    json_string(json, "name", "weir");
    json_begin_array(json, "list");
    json_integer(json, NULL, 1);
    json_begin_object(json, NULL);
    json_end_object(json);
    json_begin_array(json, NULL);
    json_end_array(json);
    json_bool(json, NULL, true);
    json_end_array(json);
    json_bool(json, "last", false);
    json_end_object(json);
}

static void commas_stand_between_members_only(void **state)
{
    (void)state;
    assert_string_equal(capture(write_sample, false),
                        "{\"name\":\"weir\",\"list\":[1,{},[],true],\"last\":false}\n");
}

static void pretty_means_a_line_per_member(void **state)
{
    (void)state;
    assert_string_equal(capture(write_sample, true), "{\n"
                                                     "  \"name\": \"weir\",\n"
                                                     "  \"list\": [\n"
                                                     "    1,\n"
                                                     "    {},\n"
                                                     "    [],\n"
                                                     "    true\n"
                                                     "  ],\n"
                                                     "  \"last\": false\n"
                                                     "}\n");
}

static void write_numbers(struct json *json)
{
    json_begin_array(json, NULL);
    json_number(json, NULL, 0.1);
    json_number(json, NULL, 1.0 / 3);
    json_number(json, NULL, -3e9);
    json_number(json, NULL, NAN);
    json_number(json, NULL, INFINITY);
    json_integer(json, NULL, UINT64_MAX);
    json_end_array(json);
}

static void numbers_are_short_and_exact_and_null_when_not_finite(void **state)
{
    (void)state;
    assert_string_equal(capture(write_numbers, false),
                        "[0.1,0.3333333333333333,-3000000000,null,null,18446744073709551615]\n");
}

static void write_strings(struct json *json)
{
    json_begin_array(json, NULL);
    json_string(json, NULL, "a\"b\\c\n\t\x01");
    json_string(json, NULL, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"); /* 2, 3 and 4 bytes */
    json_string(json, NULL, "x\xff\xc3");                            /* no UTF-8, and a cut one */
    json_string(json, NULL, "\xc0\x80|\xed\xa0\x80");                /* overlong, surrogate */
    json_string(json, NULL, NULL);
    json_end_array(json);
}

static void strings_are_escaped_and_always_utf8(void **state)
{
    (void)state;
    assert_string_equal(capture(write_strings, false), "[\"a\\\"b\\\\c\\n\\t\\u0001\","
                                                       "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\","
                                                       "\"x\\ufffd\\ufffd\","
                                                       "\"\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\","
                                                       "null]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_stand_between_members_only),
        cmocka_unit_test(pretty_means_a_line_per_member),
        cmocka_unit_test(numbers_are_short_and_exact_and_null_when_not_finite),
        cmocka_unit_test(strings_are_escaped_and_always_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
