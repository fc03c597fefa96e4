/* Applications by program. */
#include "answer/programs.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_name(const char *application, const char *program)
{
    char name[64];
    program_name(application, name, sizeof name);
    assert_string_equal(name, program);
}

static void the_numbers_of_job_and_step_are_no_part_of_the_name(void **state)
{
    (void)state;
    expect_name("ior-32324925", "ior");
    expect_name("python3-3116902-6", "python3");
    expect_name("1116507695-2568372269", "1116507695");
    expect_name("hacc-io", "hacc-io");
    expect_name("app7", "app7");
    expect_name("-12", "-12");
    expect_name("", "");
    expect_name("a-", "a-");
}

static void uses_of_a_program_add_up(void **state)
{
    (void)state;
    /* alone: a-1 1 h on 2 nodes with half an hour of I/O, two copies of a-2 an hour each on a node
     * without I/O, b 2 h of which 1 is I/O; its nodes are unknown, so one. In all 6 node hours over
     * two days. */
    struct description_row rows[] = {
        {.name = "a-1", .count = 1, .nodes = 2, .iterations = 1, .work = 1800, .ideal = 3600},
        {.name = "b", .count = 1, .nodes = NAN, .iterations = 2, .work = 1800, .ideal = 7200},
        {.name = "a-2", .count = 2, .nodes = 1, .iterations = 4, .work = 900, .ideal = 3600},
    };
    const struct description description = {.rows = rows, .row_count = 3, .end = 2 * 86400};
    struct program_use list[3];
    assert_int_equal(programs_add_up(&description, list), 2);
    assert_string_equal(list[0].name, "a");
    assert_int_equal(list[0].applications, 3);
    expect_near(list[0].node_hours, 4, 1e-12);
    expect_near(list[0].node_hours_a_day, 2, 1e-12);
    expect_near(list[0].usage, 4. / 6, 1e-12);
    expect_near(list[0].io_share, 0.25, 1e-12);
    assert_string_equal(list[1].name, "b");
    expect_near(list[1].io_share, 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_of_job_and_step_are_no_part_of_the_name),
        cmocka_unit_test(uses_of_a_program_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
