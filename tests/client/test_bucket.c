#include "client/bucket.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

/* 1000 units per second from 0 at the date 1 s, with a burst of 4 ms. */
static const struct bucket bucket = {.since = 1000 * MS, .rate = 1000, .burst = 4};

static void tickets_are_taken_one_after_the_other(void **state)
{
    (void)state;
    _Atomic uint64_t used = 0;
    /* At 1 s nothing is allowed yet: the first 10 units end at 10, due 10 ms later; the next 5 at
     * 15. */
    double first = bucket_take(&bucket, &used, 10, 1000 * MS);
    double second = bucket_take(&bucket, &used, 5, 1000 * MS);
    assert_true(first == 10 && second == 15);
    assert_false(bucket_is_due(&bucket, first, 1009 * MS));
    assert_true(bucket_is_due(&bucket, first, 1010 * MS));
    assert_true(page_number(used) == 15);
}

static void a_ticket_is_due_when_its_date_has_come(void **state)
{
    (void)state;
    for (double ticket = 0.1; ticket < 1e6; ticket *= 1.37) {
        uint64_t date = bucket_due(&bucket, ticket);
        assert_true(bucket_is_due(&bucket, ticket, date));
        assert_false(bucket_is_due(&bucket, ticket, date - 3));
    }
}

static void a_request_larger_than_the_burst_works(void **state)
{
    (void)state;
    _Atomic uint64_t used = 0;
    double ticket = bucket_take(&bucket, &used, 1e6, 1000 * MS);
    assert_true(ticket == 1e6);
    assert_true(bucket_due(&bucket, ticket) - 1001000 * MS < 3); /* 1000 s later */
}

static void what_was_not_claimed_is_lost_but_for_the_burst(void **state)
{
    (void)state;
    _Atomic uint64_t used = page_bits(20);
    /* After 1 s of pause A = 1000: 996 are gone, 4 may still be claimed. */
    assert_true(bucket_take(&bucket, &used, 3, 2000 * MS) == 999);
    assert_true(bucket_take(&bucket, &used, 1, 2000 * MS) == 1000);
    double ticket = bucket_take(&bucket, &used, 1, 2000 * MS);
    assert_false(bucket_is_due(&bucket, ticket, 2000 * MS));
}

static void a_page_full_of_nonsense_starts_anew(void **state)
{
    (void)state;
    const double nonsense[] = {NAN, INFINITY, -INFINITY, -1e300, 1e300, 1e16};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        _Atomic uint64_t used = page_bits(nonsense[i]);
        assert_true(bucket_take(&bucket, &used, 10, 1000 * MS) == 6); /* 0 - 4 + 10 */
    }
}

static void nothing_is_due_without_a_rate(void **state)
{
    (void)state;
    struct bucket still = {.since = 1, .allowed = 5};
    assert_true(bucket_due(&still, 6) == UINT64_MAX);
    assert_false(bucket_is_due(&still, 6, UINT64_C(1) << 62));
    assert_true(bucket_is_due(&still, 5, 0));
}

enum { THREADS = 4, TICKETS = 20000 };
static _Atomic uint64_t contested;

static void *take_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < TICKETS; i++)
        bucket_take(&bucket, &contested, 2, 1000 * MS);
    return NULL;
}

static void threads_that_take_at_once_lose_nothing(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_many, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(page_number(contested) == 2.0 * THREADS * TICKETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tickets_are_taken_one_after_the_other),
        cmocka_unit_test(a_ticket_is_due_when_its_date_has_come),
        cmocka_unit_test(a_request_larger_than_the_burst_works),
        cmocka_unit_test(what_was_not_claimed_is_lost_but_for_the_burst),
        cmocka_unit_test(a_page_full_of_nonsense_starts_anew),
        cmocka_unit_test(nothing_is_due_without_a_rate),
        cmocka_unit_test(threads_that_take_at_once_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
