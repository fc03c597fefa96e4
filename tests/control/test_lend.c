/* Who lends how much to whom, worked out by hand. */
#include "control/lend.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What the application of this number is granted. */
static double rate_of(const struct lend_claim *claims, uint32_t count, uint32_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (claims[i].id == id)
            return claims[i].rate;
    fail();
    return 0;
}

static void assert_near(double is, double should)
{
    assert_true(fabs(is - should) < 1e-9);
}

static void the_first_that_waits_gets_what_is_not_used(void **state)
{
    (void)state;
    struct lend_claim claims[] = {
        {.id = 2, .rate = 0, .need = INFINITY, .most = 100, .posted = 5},
        {.id = 1, .rate = 0, .need = INFINITY, .most = 30, .posted = 3},
        {.id = 0, .rate = 100, .need = 40, .most = 100, .posted = 1},
    };
    lend(claims, 3);
    /* 40.8 with its room, and of 59.2 the older one takes all it can have. */
    assert_near(rate_of(claims, 3, 0), 40.8);
    assert_near(rate_of(claims, 3, 1), 30);
    assert_near(rate_of(claims, 3, 2), 29.2);
}

static void those_that_are_served_grow_in_proportion(void **state)
{
    (void)state;
    struct lend_claim claims[] = {
        {.id = 0, .rate = 40, .need = 10, .most = 100},
        {.id = 1, .rate = 20, .need = INFINITY, .most = 100},
        {.id = 2, .rate = 20, .need = INFINITY, .most = 22},
        {.id = 3, .rate = 20, .need = 25, .most = 100},
    };
    lend(claims, 4);
    /* 29.8 are lent: 2 reaches its 22, 3 what it can use, 25.5, and 1 gets 22.3 more. */
    assert_near(rate_of(claims, 4, 0), 10.2);
    assert_near(rate_of(claims, 4, 1), 42.3);
    assert_near(rate_of(claims, 4, 2), 22);
    assert_near(rate_of(claims, 4, 3), 25.5);
}

static void no_more_is_lent_than_others_can_use(void **state)
{
    (void)state;
    struct lend_claim claims[] = {
        {.id = 0, .rate = 60, .need = 10, .most = 100},
        {.id = 1, .rate = 40, .need = 10, .most = 100},
        {.id = 2, .rate = 0, .need = 10, .most = 100},
    };
    lend(claims, 3);
    /* 49.8 and 29.8 could be lent, 10.2 are: 6.38 and 3.82. */
    assert_near(rate_of(claims, 3, 2), 10.2);
    assert_near(rate_of(claims, 3, 0), 60 - 10.2 * 49.8 / 79.6);
    assert_near(rate_of(claims, 3, 1), 40 - 10.2 * 29.8 / 79.6);
}

static void without_anybody_who_wants_more_nothing_changes(void **state)
{
    (void)state;
    struct lend_claim claims[] = {
        {.id = 1, .rate = 60, .need = 10, .most = 100},
        {.id = 0, .rate = 40, .need = INFINITY, .most = 40},
    };
    lend(claims, 2);
    assert_true(claims[0].rate == 60 && claims[1].rate == 40);
    claims[0].need = INFINITY; /* and nobody lends */
    claims[1].most = 100;
    lend(claims, 2);
    assert_true(claims[0].rate == 60 && claims[1].rate == 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_waits_gets_what_is_not_used),
        cmocka_unit_test(those_that_are_served_grow_in_proportion),
        cmocka_unit_test(no_more_is_lent_than_others_can_use),
        cmocka_unit_test(without_anybody_who_wants_more_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
