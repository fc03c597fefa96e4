#include "base/moment.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static void set_zone(const char *name)
{
    setenv("TZ", name, 1);
    tzset();
}
static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3"; /* as in Europe/Berlin */

static double parsed(const char *text)
{
    double date = NAN;
    assert_int_equal(moment_parse(text, &date, NULL), 0);
    return date;
}

static void dates_are_read_in_their_zone(void **state)
{
    (void)state;
    int32_t offset;
    double date;
    set_zone("UTC0");
    /* By `date -d ... +%s`. */
    assert_true(parsed("2024-02-29T13:00:00") == 1709211600);
    assert_true(parsed("2024-02-29T13:00:00.5Z") == 1709211600.5);
    assert_true(parsed("2026-11-10T14:00:00+01:00") == 1794315600);
    assert_true(parsed("2026-11-10 14:00+0100") == 1794315600);
    assert_true(parsed("2026-11-10T07:30-05:30") == 1794315600);
    assert_true(parsed("1794315600") == 1794315600);
    set_zone(berlin);
    assert_int_equal(moment_parse("2026-11-10T14:00:00", &date, &offset), 0);
    assert_true(date == 1794315600 && offset == 3600);
    assert_int_equal(moment_parse("2026-07-10T14:00:00", &date, &offset), 0);
    assert_true(date == 1783684800 && offset == 7200);
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "now",
                                        "2023-02-29T13:00:00",
                                        "2024-13-01T13:00:00",
                                        "2024-02-29T24:00:00",
                                        "2024-02-29T13:60:00",
                                        "2024-02-29",
                                        "2024-02-29T13:00:00+99:00",
                                        "2024-02-29T13:00:00+01:00x",
                                        "1969-12-31T00:00:00",
                                        "-5"};
    double date;
    set_zone("UTC0");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(moment_parse(wrong[i], &date, NULL), -1);
}

/* 2026-03-29 has no 02:30 in Berlin, 2026-10-25 has it twice. */
static void clocks_that_are_set_forward_and_back(void **state)
{
    (void)state;
    double date, before = 1774745999, after = 1774746000; /* 01:59:59 CET, 03:00 CEST */
    char text[MOMENT_SIZE];
    set_zone(berlin);
    assert_int_equal(moment_parse("2026-03-29T02:30:00", &date, NULL), -1);
    struct moment_zone zone = moment_here(before);
    assert_string_equal(moment_print(before, zone, 0, text), "2026-03-29 01:59:59");
    assert_string_equal(moment_print(after, zone, 0, text), "2026-03-29 03:00:00");
    assert_string_equal(moment_print_iso(after, zone, text), "2026-03-29T03:00:00+02:00");
    assert_true(moment_of_shown(moment_shown(after, zone), zone) == after);
    double twice = parsed("2026-10-25T02:30:00");
    assert_true(twice == 1792888200); /* the first, at 00:30 UTC */
    assert_string_equal(moment_print(twice + 3600, zone, 0, text), "2026-10-25 02:30:00");
    /* A zone of another machine has a fixed offset. */
    struct moment_zone tokyo = moment_zone(after, 9 * 3600);
    assert_true(!tokyo.system && moment_zone(after, 7200).system);
    assert_string_equal(moment_print(after, tokyo, 0, text), "2026-03-29 10:00:00");
}

static void what_is_printed_is_read_again(void **state)
{
    (void)state;
    char text[MOMENT_SIZE];
    set_zone(berlin);
    for (double date = 1e6; date < 4e9; date = date * 1.37 + 12345) {
        double whole = floor(date);
        struct moment_zone zones[] = {moment_here(whole), moment_zone(whole, -12600)};
        for (int i = 0; i < 2; i++)
            assert_true(parsed(moment_print_iso(whole, zones[i], text)) == whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_read_in_their_zone),
        cmocka_unit_test(what_is_no_date_is_refused),
        cmocka_unit_test(clocks_that_are_set_forward_and_back),
        cmocka_unit_test(what_is_printed_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
