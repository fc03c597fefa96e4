#include "wire/page.h"
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A grant whose members all say the same number, so that one put together from two is seen. */
static struct page_grant grant_of(uint32_t n)
{
    double x = n;
    return (struct page_grant){.mode = n % 3,
                               .since = n,
                               .chunk = n,
                               .ops_since = n,
                               .allowed = x,
                               .rate = x,
                               .burst = x,
                               .ops_allowed = x,
                               .ops_rate = x,
                               .ops_burst = x};
}

static void assert_is(const struct page_grant *grant, uint32_t n)
{
    struct page_grant wanted = grant_of(n);
    wanted.change = grant->change;
    assert_true(grant->mode == wanted.mode && grant->since == wanted.since &&
                grant->chunk == wanted.chunk && grant->ops_since == wanted.ops_since);
    assert_true(grant->allowed == wanted.allowed && grant->rate == wanted.rate &&
                grant->burst == wanted.burst);
    assert_true(grant->ops_allowed == wanted.ops_allowed && grant->ops_rate == wanted.ops_rate &&
                grant->ops_burst == wanted.ops_burst);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct grant_page page = {0};
    struct page_grant written = grant_of(17), read;
    page_write(&page, &written);
    assert_true(page_read(&page, &read));
    assert_is(&read, 17);
}

static void every_write_changes_the_futex_word(void **state)
{
    (void)state;
    struct grant_page page = {0};
    struct page_grant same = grant_of(1), first, second;
    page_write(&page, &same);
    assert_true(page_read(&page, &first));
    page_write(&page, &same);
    assert_true(page_read(&page, &second));
    assert_int_not_equal(first.change, second.change);
    assert_int_equal(second.change, atomic_load(&page.change));
}

static void a_reader_does_not_wait_for_a_writer_that_died(void **state)
{
    (void)state;
    struct grant_page page = {0};
    struct page_grant grant = grant_of(1);
    page_write(&page, &grant);
    atomic_fetch_add(&page.sequence, 1);
    assert_false(page_read(&page, &grant));
}

enum { READS = 1000 };
static struct grant_page shared;
static _Atomic uint32_t finished;

static void *write_many(void *unused)
{
    (void)unused;
    for (uint32_t n = 1; !atomic_load(&finished); n++) {
        struct page_grant grant = grant_of(n);
        page_write(&shared, &grant);
        sched_yield();
    }
    return NULL;
}

static void no_reader_sees_parts_of_two_grants(void **state)
{
    (void)state;
    pthread_t writer;
    struct page_grant grant = grant_of(0);
    page_write(&shared, &grant);
    assert_int_equal(pthread_create(&writer, NULL, write_many, NULL), 0);
    uint64_t last = 0;
    for (int reads = 0; reads < READS;) {
        if (!page_read(&shared, &grant))
            continue;
        assert_is(&grant, (uint32_t)grant.since);
        assert_true(grant.since >= last); /* and time does not go back */
        reads += grant.since > last || last == 0;
        last = grant.since;
    }
    atomic_store(&finished, 1);
    pthread_join(writer, NULL);
}

static void the_allowance_is_a_line(void **state)
{
    (void)state;
    struct page_grant grant = {.since = 1000000000, .allowed = 500, .rate = 100};
    /* 500 + 100 (t - 1), before and after t = 1 s. */
    assert_true(page_allowed(&grant, 1000000000) == 500);
    assert_true(page_allowed(&grant, 3000000000) == 700);
    assert_true(page_allowed(&grant, 0) == 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(every_write_changes_the_futex_word),
        cmocka_unit_test(a_reader_does_not_wait_for_a_writer_that_died),
        cmocka_unit_test(no_reader_sees_parts_of_two_grants),
        cmocka_unit_test(the_allowance_is_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
