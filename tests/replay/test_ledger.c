/* What the processes of a replay share. */
#include "replay/ledger.h"
#include "support/small.h"
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct small small;

static struct ledger *open_ledger(void)
{
    struct err err = {0};
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w1 v10");
    small_add(&small, 10, "w1 v10 w1 v10");
    struct ledger *ledger = ledger_new(&small.workload, &err);
    assert_non_null(ledger);
    return ledger;
}

static void post(struct ledger *ledger, uint32_t app, uint32_t phase)
{
    atomic_store(&ledger->apps[app].now, phase);
    ledger_post(ledger, app);
}

static void assert_order(struct ledger *ledger, const uint32_t *expected, size_t count)
{
    struct sim_order order;
    assert_int_equal(ledger_order(ledger, &order), 0);
    assert_int_equal(order.count, count);
    assert_memory_equal(order.ids, expected, count * sizeof *expected);
    free(order.ids);
}

static void the_order_is_that_of_the_first_posts(void **state)
{
    (void)state;
    static const uint32_t expected[] = {1, 0, 0, 1};
    struct ledger *ledger = open_ledger();
    post(ledger, 1, 0);
    post(ledger, 0, 0);
    post(ledger, 1, 0); /* the same again: it had paused */
    post(ledger, 0, 1);
    post(ledger, 1, 1);
    assert_order(ledger, expected, 4);
    ledger_free(ledger);
}

static void a_turn_that_two_gave_at_once_is_no_gap(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0, 1};
    struct ledger *ledger = open_ledger();
    post(ledger, 0, 0);
    atomic_fetch_add(&ledger->turns, 1);
    post(ledger, 1, 0);
    assert_order(ledger, expected, 2);
    ledger_free(ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_the_first_posts),
        cmocka_unit_test(a_turn_that_two_gave_at_once_is_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
