#include "gen/gen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { JOBS = 1000 };

static void a_seed_always_gives_the_same_order_and_another_one_another(void **state)
{
    (void)state;
    static double first[JOBS], again[JOBS], other[JOBS];
    int same = 0;
    gen_shuffle(7, first, JOBS);
    gen_shuffle(7, again, JOBS / 2); /* fewer jobs: the first of them as before */
    gen_shuffle(8, other, JOBS);
    for (int i = 0; i < JOBS; i++) {
        assert_true(first[i] > 0 && first[i] < 1);
        assert_true(i >= JOBS / 2 || first[i] == again[i]);
        same += first[i] == other[i];
    }
    assert_int_equal(same, 0);
}

/* 500 of 1000 pairs of neighbours ascend on average, with a standard deviation of about 9. */
static void neighbours_are_in_either_order_equally_often(void **state)
{
    (void)state;
    static double keys[JOBS];
    int ascending = 0;
    gen_shuffle(1, keys, JOBS);
    for (int i = 1; i < JOBS; i++)
        ascending += keys[i] > keys[i - 1];
    assert_in_range(ascending, 460, 540);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_always_gives_the_same_order_and_another_one_another),
        cmocka_unit_test(neighbours_are_in_either_order_equally_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
