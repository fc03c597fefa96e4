/* The checker finds what is wrong. */
#include "control/check.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct weir_app app = {.nodes = 1, .bmax = 10, .weight = 1};
static const struct weir_setup setup = {.bandwidth = 10, .horizon = INFINITY, .capacity = 2};

/* One application that has posted 50 bytes at 0 and is served at 10 bytes/s. */
struct run {
    struct policy *policy;
    struct control *control;
    struct check *check;
    struct err err;
};

static void start(struct run *run)
{
    run->policy = policy_open("fcfs", &run->err);
    run->control = control_new(run->policy, &setup, &run->err);
    run->check = check_new(setup.capacity);
    control_join(run->control, 0, 0, &app, 0);
    check_elapse(run->check, run->control, 0);
    control_post(run->control, 0, 0, (struct control_io){50, 0, 0, false});
    control_decide(run->control, 0);
    uint32_t id;
    assert_int_equal(check_rules(run->control, run->policy, 0, &id, &run->err), 0);
}

static void end(struct run *run)
{
    check_free(run->check);
    control_free(run->control);
    policy_free(run->policy);
}

static void an_io_that_has_moved_all_its_bytes_is_complete(void **state)
{
    (void)state;
    struct run run;
    start(&run);
    check_elapse(run.check, run.control, 2);
    check_elapse(run.check, run.control, 5);
    assert_int_equal(check_complete(run.check, run.control, 0, &run.err), 0);
    control_complete(run.control, 5, 0);
    /* The next one starts from nothing. */
    control_post(run.control, 6, 0, (struct control_io){20, 1, 6, false});
    check_elapse(run.check, run.control, 6);
    control_decide(run.control, 6);
    check_elapse(run.check, run.control, 8);
    assert_int_equal(check_complete(run.check, run.control, 0, &run.err), 0);
    end(&run);
}

static void an_io_that_ends_early_or_late_is_found(void **state)
{
    (void)state;
    static const double times[] = {4.999, 5.001};
    for (int i = 0; i < 2; i++) {
        struct run run;
        start(&run);
        check_elapse(run.check, run.control, times[i]);
        assert_int_equal(check_complete(run.check, run.control, 0, &run.err), -1);
        assert_non_null(strstr(run.err.text, "moved "));
        assert_non_null(strstr(run.err.text, "of an I/O of 50"));
        end(&run);
    }
}

/* 10 ms of I/O, of which nothing was moved, long after the start. */
static void bytes_that_were_never_moved_are_found_at_any_time(void **state)
{
    (void)state;
    static const double times[] = {1, 86400, 100 * 86400.0, 365 * 86400.0};
    for (int i = 0; i < 4; i++) {
        struct run run;
        start(&run);
        check_elapse(run.check, run.control, 5);
        assert_int_equal(check_complete(run.check, run.control, 0, &run.err), 0);
        control_complete(run.control, 5, 0);
        check_elapse(run.check, run.control, 5 + times[i]);
        control_post(run.control, 5 + times[i], 0, (struct control_io){0.1, 1, 5 + times[i], false});
        assert_int_equal(check_complete(run.check, run.control, 0, &run.err), -1);
        assert_non_null(strstr(run.err.text, "moved 0 bytes of an I/O of 0.1"));
        end(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_io_that_has_moved_all_its_bytes_is_complete),
        cmocka_unit_test(an_io_that_ends_early_or_late_is_found),
        cmocka_unit_test(bytes_that_were_never_moved_are_found_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
