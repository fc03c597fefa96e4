#include "base/units.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void quantities_are_read_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum unit unit;
        double value;
    } cases[] = {
        {"3", UNIT_NONE, 3},
        {"-2.5", UNIT_NONE, -2.5},
        {"90", UNIT_SECONDS, 90},
        {"90 s", UNIT_SECONDS, 90},
        {"1.5h", UNIT_SECONDS, 5400},
        {"1.5 hours", UNIT_SECONDS, 5400},
        {"250 ms", UNIT_SECONDS, 0.25},
        {"3 us", UNIT_SECONDS, 3e-6},
        {"2 min", UNIT_SECONDS, 120},
        {"2 minutes", UNIT_SECONDS, 120},
        {"1 d", UNIT_SECONDS, 86400},
        {"2 days", UNIT_SECONDS, 172800},
        {"-1 day", UNIT_SECONDS, -86400},
        {" 5 s ", UNIT_SECONDS, 5},
        {"512 MiB", UNIT_BYTES, 536870912},
        {"3 GB", UNIT_BYTES, 3e9},
        {"3GB", UNIT_BYTES, 3e9},
        {"1 kB", UNIT_BYTES, 1000},
        {"1 KB", UNIT_BYTES, 1000},
        {"1 KiB", UNIT_BYTES, 1024},
        {"2 EB", UNIT_BYTES, 2e18},
        {"2EiB", UNIT_BYTES, 2 * 0x1p60},
        {"1e3 B", UNIT_BYTES, 1000},
        {"235.8 GB", UNIT_BYTES, 235.8e9},
        {"3 GB/s", UNIT_RATE, 3e9},
        {"1.2 GiB/s", UNIT_RATE, 1.2 * 0x1p30},
        {"7 B/s", UNIT_RATE, 7},
        {"7", UNIT_RATE, 7},
        {"20 %", UNIT_RATIO, 0.2},
        {"20%", UNIT_RATIO, 0.2},
        {"0.2", UNIT_RATIO, 0.2},
        {"7 %", UNIT_RATIO, 0.07},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = NAN;
        struct err err;
        assert_int_equal(units_parse(cases[i].text, cases[i].unit, &value, &err), 0);
        assert_true(value == cases[i].value);
    }
}

static void what_is_wrong_is_quoted_beside_what_was_expected(void **state)
{
    (void)state;
    struct err err;
    double value = 42;
    assert_int_equal(units_parse("fast", UNIT_RATE, &value, &err), -1);
    assert_string_equal(err.text, "'fast' is not a bandwidth such as '3 GB/s' or '512 MiB/s'");
    assert_int_equal(units_parse("1e308 GB", UNIT_BYTES, &value, &err), -1);
    assert_string_equal(err.text, "'1e308 GB' is too large");
    assert_true(value == 42);
}

static void a_unit_of_another_dimension_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum unit unit;
    } cases[] = {
        {"3 GB", UNIT_RATE},    {"3 GB/s", UNIT_BYTES},  {"3 s", UNIT_BYTES},
        {"3 GB", UNIT_SECONDS}, {"3 %", UNIT_SECONDS},   {"3 s", UNIT_NONE},
        {"3 s", UNIT_RATIO},    {"3 Gb", UNIT_BYTES},    {"3 m", UNIT_SECONDS},
        {"3 GB/h", UNIT_RATE},  {"3 sx", UNIT_SECONDS},  {"", UNIT_NONE},
        {"s", UNIT_SECONDS},    {"3 s s", UNIT_SECONDS}, {"1 2", UNIT_NONE},
        {"nan", UNIT_NONE},     {"inf", UNIT_SECONDS},   {"0x10", UNIT_BYTES},
        {"3 /s", UNIT_RATE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        struct err err;
        assert_int_equal(units_parse(cases[i].text, cases[i].unit, &value, &err), -1);
        assert_non_null(strstr(err.text, units_expected(cases[i].unit)));
    }
}

static void quantities_are_printed_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        double value;
        enum unit unit;
        const char *text;
    } cases[] = {
        {5400, UNIT_SECONDS, "1.5 h"},
        {90, UNIT_SECONDS, "1.5 min"},
        {59, UNIT_SECONDS, "59 s"},
        {59.9999, UNIT_SECONDS, "1 min"},
        {86400, UNIT_SECONDS, "1 d"},
        {0.25, UNIT_SECONDS, "250 ms"},
        {1e-9, UNIT_SECONDS, "0.001 us"},
        {0, UNIT_SECONDS, "0 s"},
        {-7200, UNIT_SECONDS, "-2 h"},
        {3e9, UNIT_RATE, "3 GB/s"},
        {0, UNIT_RATE, "0 B/s"},
        {0.5, UNIT_BYTES, "0.5 B"},
        {235.8e9, UNIT_BYTES, "235.8 GB"},
        {999.96e6, UNIT_BYTES, "1 GB"},
        {999.94e6, UNIT_BYTES, "999.9 MB"},
        {1234567, UNIT_BYTES, "1.235 MB"},
        {0.2, UNIT_RATIO, "20 %"},
        {0, UNIT_RATIO, "0 %"},
        {0.25, UNIT_NONE, "0.25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[64];
        assert_string_equal(units_print(cases[i].value, cases[i].unit, buffer, sizeof buffer),
                            cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_read_as_people_write_them),
        cmocka_unit_test(what_is_wrong_is_quoted_beside_what_was_expected),
        cmocka_unit_test(a_unit_of_another_dimension_is_refused),
        cmocka_unit_test(quantities_are_printed_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
