#include "wire/line.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

/* 1000 grains in 2^30 ns from 0 at the time 1 s, with a burst of 4. */
#define TURN (UINT64_C(1) << 30)
static const struct line line = {.since = 1000 * MS, .rate = 1000, .burst = 4};

static void a_line_grows_by_its_rate(void **state)
{
    (void)state;
    const struct line other = {.since = 1000 * MS, .allowed = 500, .rate = 100};
    assert_true(line_at(&other, 1000 * MS) == 500);
    assert_true(line_at(&other, 1000 * MS + 2 * TURN) == 700);
    assert_true(line_at(&other, 0) == 500); /* not less than where it begins */
}

static void tickets_are_taken_one_after_the_other(void **state)
{
    (void)state;
    _Atomic uint64_t used = 0;
    /* At 1 s nothing is allowed yet: the first 10 grains end at 10, the next 5 at 15. */
    uint64_t first = line_take(&line, &used, 10, 1000 * MS);
    uint64_t second = line_take(&line, &used, 5, 1000 * MS);
    assert_true(first == 10 && second == 15 && used == 15);
    assert_true(line_ahead(&line, first, 1000 * MS + TURN / 100 - 1) > 0);
    assert_true(line_ahead(&line, first, 1000 * MS + TURN / 100 + 1) == 0);
}

static void a_ticket_is_due_when_its_time_has_come(void **state)
{
    (void)state;
    for (uint64_t ticket = 1; ticket < UINT64_C(1) << 40; ticket = ticket * 3 / 2 + 1) {
        uint64_t due = line_due(&line, ticket);
        assert_true(line_ahead(&line, ticket, due) <= 0);
        assert_true(line_ahead(&line, ticket, due - 1) > 0);
    }
}

static void what_was_not_claimed_is_lost_but_for_the_burst(void **state)
{
    (void)state;
    _Atomic uint64_t used = 20;
    uint64_t later = 1000 * MS + TURN;
    /* After a pause A = 1000: 996 are gone, 4 may still be claimed. */
    assert_true(line_take(&line, &used, 3, later) == 999);
    assert_true(line_take(&line, &used, 1, later) == 1000);
    assert_true(line_ahead(&line, line_take(&line, &used, 1, later), later) == 1);
}

static void nonsense_in_the_count_does_not_count(void **state)
{
    (void)state;
    const uint64_t nonsense[] = {UINT64_MAX / 2, UINT64_C(1) << 62, UINT64_MAX - 99};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        _Atomic uint64_t used = nonsense[i];
        assert_true(line_take(&line, &used, 10, 1000 * MS) == 6); /* 0 - 4 + 10 */
    }
}

static void nothing_is_due_without_a_rate(void **state)
{
    (void)state;
    const struct line still = {.since = 1, .allowed = 5};
    assert_true(line_due(&still, 6) == UINT64_MAX);
    assert_true(line_ahead(&still, 6, UINT64_C(1) << 62) == 1);
    assert_true(line_due(&still, 5) == 1);
}

/* A rate that no file system has for a while, and then an ordinary one: a count in which a byte
 * more or less is lost in rounding would let everything pass from then on. */
static void no_byte_is_lost_after_any_rate(void **state)
{
    (void)state;
    struct line fast = {.rate = line_rate(1e22 * LINE_BYTE)};
    _Atomic uint64_t used = 0;
    for (uint64_t beat = 1; beat <= 72000; beat++) { /* an hour, past 2^64 many times */
        uint64_t now = beat * 50 * MS;
        line_take(&fast, &used, 4096, now);
        fast.allowed = line_at(&fast, now);
        fast.since = now;
    }
    uint64_t now = fast.since;
    const struct line slow = {
        .since = now, .allowed = fast.allowed, .rate = line_rate(20e6 * LINE_BYTE)};
    uint64_t start = line_take(&slow, &used, 0, now);
    for (unsigned i = 1; i <= 1000; i++)
        assert_true(line_take(&slow, &used, LINE_BYTE, now) == start + i * LINE_BYTE);
}

static void a_rate_is_kept_to_a_millionth(void **state)
{
    (void)state;
    for (double rate = 1e3; rate <= 1e15; rate *= 3.7) {
        const struct line exact = {.rate = line_rate(rate * LINE_BYTE)};
        assert_true(fabs(line_speed(&exact) / LINE_BYTE / rate - 1) < 1e-6);
    }
    assert_true(line_rate(0) == 0 && line_rate(NAN) == 0 && line_rate(-1) == 0);
    assert_true(line_rate(1e-9) == 1);
    assert_true(line_rate(INFINITY) == line_rate(LINE_FASTEST));
}

enum { THREADS = 4, TICKETS = 20000 };
static _Atomic uint64_t contested;

static void *take_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < TICKETS; i++)
        line_take(&line, &contested, 2, 1000 * MS);
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
    assert_true(contested == 2 * THREADS * TICKETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_grows_by_its_rate),
        cmocka_unit_test(tickets_are_taken_one_after_the_other),
        cmocka_unit_test(a_ticket_is_due_when_its_time_has_come),
        cmocka_unit_test(what_was_not_claimed_is_lost_but_for_the_burst),
        cmocka_unit_test(nonsense_in_the_count_does_not_count),
        cmocka_unit_test(nothing_is_due_without_a_rate),
        cmocka_unit_test(no_byte_is_lost_after_any_rate),
        cmocka_unit_test(a_rate_is_kept_to_a_millionth),
        cmocka_unit_test(threads_that_take_at_once_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
