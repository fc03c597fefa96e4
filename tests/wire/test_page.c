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
    const struct line line = {n, n, n, n};
    return (struct page_grant){
        .mode = n % 3, .bytes = line, .ops = line, .chunk = n, .patience = n};
}

static void assert_is(const struct page_grant *grant, uint32_t n)
{
    struct page_grant wanted = grant_of(n);
    wanted.change = grant->change;
    assert_true(grant->mode == wanted.mode && grant->chunk == wanted.chunk &&
                grant->patience == wanted.patience);
    assert_memory_equal(&grant->bytes, &wanted.bytes, sizeof wanted.bytes);
    assert_memory_equal(&grant->ops, &wanted.ops, sizeof wanted.ops);
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
        assert_is(&grant, (uint32_t)grant.bytes.since);
        assert_true(grant.bytes.since >= last); /* and time does not go back */
        reads += grant.bytes.since > last || last == 0;
        last = grant.bytes.since;
    }
    atomic_store(&finished, 1);
    pthread_join(writer, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(every_write_changes_the_futex_word),
        cmocka_unit_test(a_reader_does_not_wait_for_a_writer_that_died),
        cmocka_unit_test(no_reader_sees_parts_of_two_grants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
