#include "base/err.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void setting_replaces_the_text_and_returns_minus_one(void **state)
{
    (void)state;
    struct err err = {.text = "old"};
    assert_int_equal(err_set(&err, "key '%s' is %d", "nodes", 0), -1);
    assert_string_equal(err.text, "key 'nodes' is 0");
}

static void where_goes_in_front_of_the_fault(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, "expected a number");
    assert_int_equal(err_prepend(&err, "line %d", 3), -1);
    err_prepend(&err, "%s", "a.yaml");
    assert_string_equal(err.text, "a.yaml: line 3: expected a number");
}

static void a_text_too_long_is_cut_at_its_end(void **state)
{
    (void)state;
    struct err err;
    char text[2000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    err_set(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    err_prepend(&err, "where");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_memory_equal(err.text, "where: aaa", 10);
    err_prepend(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void an_error_is_one_printable_line_whatever_it_quotes(void **state)
{
    (void)state;
    struct err err;
    /* Escape, newline, a C1 control, a byte that is none, and a letter that is welcome. */
    err_set(&err, "cannot read '%s'", "\033[31m\n\xc2\x9b\xff\u00e9");
    assert_string_equal(err.text, "cannot read '?[31m???\u00e9'");
    err_prepend(&err, "%s", "a\tb");
    assert_string_equal(err.text, "a?b: cannot read '?[31m???\u00e9'");
}

static void the_kind_of_a_fault_does_not_depend_on_its_text(void **state)
{
    (void)state;
    struct err err;
    err_memory(&err);
    assert_int_equal(err.kind, ERR_MEMORY);
    err_prepend(&err, "a.yaml");
    err_prepend_option(&err, "sweep");
    assert_int_equal(err.kind, ERR_MEMORY);
    assert_string_equal(err.text, "--sweep: a.yaml: out of memory");
    err_set(&err, "--a.yaml: no application is named 'out of memory");
    assert_int_equal(err.kind, ERR_INPUT);
    err_set(&err, "out of memory");
    assert_int_equal(err.kind, ERR_INPUT);
    err_prepend_option(&err, "policy");
    assert_int_equal(err.kind, ERR_OPTION);
    err_option(&err, "--jobs: expected %d", 3);
    assert_string_equal(err.text, "--jobs: expected 3");
    assert_int_equal(err.kind, ERR_OPTION);
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    assert_int_equal(err_set(NULL, "lost"), -1);
    assert_int_equal(err_option(NULL, "lost"), -1);
    assert_int_equal(err_prepend_option(NULL, "lost"), -1);
    assert_int_equal(err_prepend(NULL, "lost"), -1);
    assert_int_equal(err_memory(NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_replaces_the_text_and_returns_minus_one),
        cmocka_unit_test(where_goes_in_front_of_the_fault),
        cmocka_unit_test(a_text_too_long_is_cut_at_its_end),
        cmocka_unit_test(an_error_is_one_printable_line_whatever_it_quotes),
        cmocka_unit_test(the_kind_of_a_fault_does_not_depend_on_its_text),
        cmocka_unit_test(nobody_needs_to_listen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
