#include "base/json_scan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char seen[512];

static void keep(void *context, const struct json_leaf *leaf)
{
    size_t used = strlen(seen);
    (void)context;
    snprintf(seen + used, sizeof seen - used, "%s=%.*s;", leaf->path, (int)leaf->length,
             leaf->text);
}

static int scan(const char *text)
{
    seen[0] = '\0';
    return json_scan(text, strlen(text), keep, NULL);
}

static void every_scalar_is_visited_with_its_path(void **state)
{
    (void)state;
    assert_int_equal(scan("{\"a\": 1, \"b\" :{\"c\":\"x\\\"y\",\"d\":[true, {\"e\":null}]}, "
                          "\"f\":-1.5e+3, \"\":[]}\n"),
                     0);
    assert_string_equal(seen, "a=1;b.c=x\\\"y;b.d=true;b.d.e=null;f=-1.5e+3;");
    assert_int_equal(scan(" 7 "), 0);
    assert_string_equal(seen, "=7;");
}

static void what_is_not_json_is_refused(void **state)
{
    static const char *const bad[] = {"",        "{",          "}",   "{\"a\"}", "{\"a\":}",
                                      "{a:1}",   "[1,]",       "[1",  "\"a",     "\"a\\",
                                      "{} {}",   "{\"a\":1,}", "[1}", "\"\n\"",  "{\"a\":1]",
                                      "\"a\\\"", "<html>"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (scan(bad[i]) != -1)
            fail_msg("'%s' is not refused", bad[i]);
}

static void depth_and_paths_are_bounded(void **state)
{
    char text[4096] = "";
    (void)state;
    memset(text, '[', JSON_SCAN_DEPTH);
    memset(text + JSON_SCAN_DEPTH, ']', JSON_SCAN_DEPTH);
    assert_int_equal(scan(text), 0);
    memset(text, '[', JSON_SCAN_DEPTH + 1);
    memset(text + JSON_SCAN_DEPTH + 1, ']', JSON_SCAN_DEPTH + 1);
    assert_int_equal(scan(text), -1);
    snprintf(text, sizeof text, "{\"%0*d\":1}", JSON_SCAN_PATH - 1, 0);
    assert_int_equal(scan(text), 0);
    snprintf(text, sizeof text, "{\"%0*d\":1}", JSON_SCAN_PATH, 0);
    assert_int_equal(scan(text), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_is_visited_with_its_path),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(depth_and_paths_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
