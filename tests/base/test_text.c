#include "base/mem.h"
#include "base/random.h"
#include "base/suggest.h"
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Reads a number at the start of the text; checks how many characters it took. */
static double number(const char *text, int length)
{
    const char *at = text;
    double value = NAN;
    assert_int_equal(text_number(&at, text + strlen(text), &value), 0);
    assert_int_equal(at - text, length);
    return value;
}

static void a_number_ends_where_it_ends(void **state)
{
    (void)state;
    assert_true(number("12 34", 2) == 12);
    assert_true(number("-1.5e3,", 6) == -1500);
    assert_true(number("+.5", 3) == 0.5);
    assert_true(number("5.", 2) == 5);
    assert_true(number("1.5h", 3) == 1.5);
    assert_true(number("2EB", 1) == 2);
    assert_true(number("2e+", 1) == 2);
    assert_true(number("3e-2", 4) == 0.03);
    assert_true(number("0e999999999999", 14) == 0);
    assert_true(signbit(number("-0", 2)));
}

static void nothing_is_read_past_the_end(void **state)
{
    (void)state;
    const char text[] = {'1', '2', '3', 'e', '5'};
    const char *at = text;
    double value;
    assert_int_equal(text_number(&at, text + 2, &value), 0);
    assert_true(value == 12);
    at = text;
    assert_int_equal(text_number(&at, text + 4, &value), 0);
    assert_true(value == 123);
    at = text;
    assert_int_equal(text_number(&at, text, &value), -1);
}

static void what_is_no_decimal_number_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "-",
                                        ".",
                                        "e5",
                                        "inf",
                                        "nan",
                                        "NAN",
                                        "0x10",
                                        "0X1p3",
                                        "-inf",
                                        " 1",
                                        "1e309",
                                        "-1e400",
                                        "abc",
                                        "+-1",
                                        "--1",
                                        "1e99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *at = wrong[i];
        double value;
        assert_int_equal(text_number(&at, at + strlen(at), &value), -1);
        assert_ptr_equal(at, wrong[i]);
    }
}

static void every_number_is_rounded_as_strtod_does(void **state)
{
    (void)state;
    struct random random = random_at(3, 0, 0);
    char text[64];
    for (int i = 0; i < 200000; i++) {
        double x = ldexp(random_uniform(&random), (int)random_below(&random, 2080) - 1060);
        snprintf(text, sizeof text, "%.*g", 1 + (int)random_below(&random, 20), x);
        assert_true(number(text, (int)strlen(text)) == strtod(text, NULL));
        x = random_uniform(&random) * 1e6;
        snprintf(text, sizeof text, "%.*f", (int)random_below(&random, 12), x);
        assert_true(number(text, (int)strlen(text)) == strtod(text, NULL));
    }
    assert_true(number("9007199254740993", 16) == 9007199254740992.0); /* 2^53 + 1: to even */
    assert_true(number("18446744073709551617", 20) == 0x1p64);         /* wraps 64 bits */
    assert_true(number("4.9406564584124654e-324", 23) == DBL_TRUE_MIN);
    assert_true(number("1e-400", 6) == 0);
}

static void thousands_of_digits_are_read_exactly(void **state)
{
    (void)state;
    char text[5001];
    memset(text, '0', 5000);
    text[5000] = 0;
    text[1] = '.';
    text[4999] = '7';
    assert_true(number(text, 5000) == 0); /* 7e-4998 */
    text[0] = '3';
    assert_true(number(text, 5000) == 3);
    memset(text, '9', 300);
    text[300] = 0;
    assert_true(number(text, 300) == 1e300);
}

static void zeros_and_an_exponent_make_up_for_each_other(void **state)
{
    (void)state;
    enum { ZEROS = 150000 };
    static char text[ZEROS + 16];
    memset(text, '0', sizeof text);
    text[1] = '.';
    strcpy(text + ZEROS, "1e100010"); /* 10^(100010 - (ZEROS - 1)) */
    assert_true(number(text, ZEROS + 8) == 0);
    strcpy(text + ZEROS, "1e149999");
    assert_true(number(text, ZEROS + 8) == 1);
}

static void a_printed_number_reads_back_and_is_short(void **state)
{
    (void)state;
    char buffer[TEXT_NUMBER_SIZE];
    assert_string_equal(text_print_number(0.1, buffer), "0.1");
    assert_string_equal(text_print_number(3e9, buffer), "3000000000");
    assert_string_equal(text_print_number(1.0 / 3, buffer), "0.3333333333333333");
    struct random random = random_at(4, 0, 0);
    for (int i = 0; i < 100000; i++) {
        double x = ldexp(random_uniform(&random) - 0.5, (int)random_below(&random, 2000) - 1000);
        assert_true(strtod(text_print_number(x, buffer), NULL) == x);
    }
}

static void an_unknown_word_is_answered_by_the_nearest_name_or_by_all(void **state)
{
    (void)state;
    static const char *const names[] = {"nodes", "work", "io", NULL};
    assert_string_equal(suggest("node", names, "weir help").text, ", did you mean 'nodes'?");
    assert_string_equal(suggest("zebra", names, "weir help").text, "; 'weir help' lists them");
    assert_string_equal(suggest("zebra", names, NULL).text, ", expected nodes, work or io");
    assert_string_equal(suggest("zebra", names + 2, NULL).text, ", expected io");
    assert_string_equal(suggest("zebra", names + 3, NULL).text, "");
}

static void the_nearest_name_is_what_was_meant(void **state)
{
    (void)state;
    static const char *const names[] = {"nodes", "bandwidth", "node_bandwidth", "work", "io", NULL};
    assert_string_equal(text_nearest("node", names), "nodes");
    assert_string_equal(text_nearest("Nodes", names), "nodes");
    assert_string_equal(text_nearest("bandwith", names), "bandwidth");
    assert_string_equal(text_nearest("bandwdith", names), "bandwidth"); /* two letters swapped */
    assert_string_equal(text_nearest("nodes_bandwidth", names), "node_bandwidth");
    assert_string_equal(text_nearest("oi", names), "io");
    assert_null(text_nearest("zebra", names));
    assert_null(text_nearest("", names));
    assert_null(text_nearest("a-word-that-is-longer-than-any-name-could-ever-be-in-this-program-xx",
                             names));
    assert_null(text_nearest("word", (const char *const[]){NULL}));
}

static void characters_are_well_formed_utf8_or_none(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
        uint32_t code;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xc3\xa9", 2, 0xE9},
        {"\xe2\x82\xac", 3, 0x20AC},
        {"\xf4\x8f\xbf\xbf", 4, 0x10FFFF},
        {"\xf4\x90\x80\x80", 0, 0}, /* beyond the last one */
        {"\xed\xa0\x80", 0, 0},     /* a surrogate */
        {"\xc0\xaf", 0, 0},         /* overlong */
        {"\xe0\x80\xaf", 0, 0},
        {"\xe2\x82", 0, 0}, /* cut */
        {"\xe2\x82z", 0, 0},
        {"\x80", 0, 0},
        {"\xff", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *end = cases[i].text + strlen(cases[i].text);
        uint32_t code;
        assert_int_equal(text_character(cases[i].text, end, &code), cases[i].length);
        if (cases[i].length)
            assert_int_equal(code, cases[i].code);
    }
}

static void what_is_not_printable_is_replaced(void **state)
{
    (void)state;
    char text[] = "a\0b\x7f\xe2\x80\xa8\xc3\xa9\xc3"; /* 0, delete, a line separator, a cut one */
    text_clean(text, sizeof text - 1);
    assert_string_equal(text, "a?b??\xc3\xa9?");
}

static void a_cut_splits_no_character(void **state)
{
    (void)state;
    assert_int_equal(text_cut("a\xc3\xa9", 3, 5), 3);
    assert_int_equal(text_cut("a\xc3\xa9", 3, 3), 3);
    assert_int_equal(text_cut("a\xc3\xa9", 3, 2), 1);
    assert_int_equal(text_cut("\xc3\xa9", 2, 1), 0);
    assert_int_equal(text_width("a\xc3\xa9z", 4), 3);
}

static void a_file_is_loaded_whole(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-test-text-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    for (int i = 0; i < 300000; i++)
        putc(1 + i % 251, file);
    fclose(file);
    size_t length;
    struct err err;
    char *text = text_load(path, &length, &err);
    assert_non_null(text);
    assert_int_equal(length, 300000);
    for (int i = 0; i < 300000; i++)
        assert_int_equal((unsigned char)text[i], 1 + i % 251);
    assert_int_equal(text[length], 0);
    free(text);
    for (int n = 0; n < 3; n++) {
        mem_fail_after(n);
        assert_null(text_load(path, &length, &err));
        mem_fail_after(-1);
        assert_non_null(strstr(err.text, "memory"));
    }
    unlink(path);
}

static void what_is_no_text_is_not_read_to_its_end(void **state)
{
    (void)state;
    size_t length;
    struct err err;
    char *text = text_load("/dev/zero", &length, &err);
    assert_non_null(text);
    assert_in_range(length, 1, 1 << 20);
    free(text);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct err err;
    size_t length;
    assert_null(text_load("/nonexistent/x.yaml", &length, &err));
    assert_string_equal(err.text, "cannot read '/nonexistent/x.yaml': No such file or directory");
    assert_null(text_load("/", &length, &err));
    assert_string_equal(err.text, "cannot read '/': Is a directory");
}

static void a_number_is_rounded_to_digits(void **state)
{
    (void)state;
    assert_true(text_round(123.456789, 4) == 123.5);
    assert_true(text_round(63.842400000000005, 6) == 63.8424);
    assert_true(text_round(-0.00012345678, 2) == -0.00012);
    assert_true(text_round(15437312345, 6) == 15437300000);
    assert_true(text_round(0, 6) == 0);
    assert_true(text_round(1e300, 3) == 1e300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_rounded_to_digits),
        cmocka_unit_test(a_number_ends_where_it_ends),
        cmocka_unit_test(nothing_is_read_past_the_end),
        cmocka_unit_test(what_is_no_decimal_number_is_refused),
        cmocka_unit_test(every_number_is_rounded_as_strtod_does),
        cmocka_unit_test(thousands_of_digits_are_read_exactly),
        cmocka_unit_test(zeros_and_an_exponent_make_up_for_each_other),
        cmocka_unit_test(a_printed_number_reads_back_and_is_short),
        cmocka_unit_test(an_unknown_word_is_answered_by_the_nearest_name_or_by_all),
        cmocka_unit_test(the_nearest_name_is_what_was_meant),
        cmocka_unit_test(characters_are_well_formed_utf8_or_none),
        cmocka_unit_test(what_is_not_printable_is_replaced),
        cmocka_unit_test(a_cut_splits_no_character),
        cmocka_unit_test(a_file_is_loaded_whole),
        cmocka_unit_test(what_is_no_text_is_not_read_to_its_end),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
