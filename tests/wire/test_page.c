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

/* --- the pages before ------------------------------------------------------------------------- */

enum { FIRST, SECOND, THIRD, FOURTH, PAIRS };
static struct pair {
    struct grant_page grant;
    struct usage_page usage;
} pairs[PAIRS];

/* Pages of the agents with these lives; the third has no memory of earlier ones. */
static int set_up_pairs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[i] = (struct pair){.grant = {.newest = i == THIRD ? 3 : PAGE_VERSION}};
        atomic_store(&pairs[i].grant.life, 10 + i);
        atomic_store(&pairs[i].grant.counter, i == THIRD ? 0 : 1);
    }
    return 0;
}

static uint64_t inherit(int from, int to)
{
    const struct page_origin origin = page_origin_of(&pairs[from].grant);
    return page_inherit(&origin, &pairs[from].usage, &pairs[to].grant, &pairs[to].usage);
}

static void assert_left(int pair, uint32_t place, uint64_t life, uint64_t moved)
{
    const struct page_left *left = &pairs[pair].usage.left[place];
    assert_int_equal(atomic_load(&left->life), life);
    assert_int_equal(atomic_load(&left->moved), moved);
}

static void what_was_moved_in_earlier_pages_is_noted_with_its_identity(void **state)
{
    (void)state;
    atomic_store(&pairs[FIRST].usage.slots[0].moved, 70);
    atomic_store(&pairs[FIRST].grant.told, 50);
    assert_int_equal(inherit(FIRST, SECOND), 0);
    atomic_store(&pairs[FIRST].usage.slots[9].moved, 5); /* by a process that follows later */
    assert_int_equal(inherit(FIRST, SECOND), 0);
    assert_left(SECOND, 0, 10, 75);
    assert_left(SECOND, 1, 0, 0);
    atomic_store(&pairs[SECOND].usage.slots[0].moved, 20);
    assert_int_equal(inherit(SECOND, FOURTH), 0); /* both travel on */
    assert_left(FOURTH, 0, 10, 75);
    assert_left(FOURTH, 1, 11, 20);
    assert_int_equal(atomic_load(&pairs[FOURTH].usage.left[0].told), 50);
}

static void the_same_pages_leave_nothing(void **state)
{
    (void)state;
    atomic_store(&pairs[FIRST].usage.slots[0].moved, 70);
    assert_int_equal(inherit(FIRST, FIRST), 0);
    assert_left(FIRST, 0, 0, 0);
}

static void another_count_of_the_same_agent_is_another(void **state)
{
    (void)state;
    atomic_store(&pairs[FIRST].usage.slots[0].moved, 70);
    atomic_store(&pairs[SECOND].grant.life, 10);
    atomic_store(&pairs[SECOND].grant.counter, 2);
    assert_int_equal(inherit(FIRST, SECOND), 0);
    assert_left(SECOND, 0, 10, 70);
}

/* 70 were moved and 50 told: one process takes 20 along, a second one what was moved since. */
static void an_older_agent_is_told_the_difference_once(void **state)
{
    (void)state;
    atomic_store(&pairs[FIRST].usage.slots[0].moved, 70);
    atomic_store(&pairs[FIRST].grant.told, 50);
    assert_int_equal(inherit(FIRST, THIRD), 20);
    assert_int_equal(inherit(FIRST, THIRD), 0);
    atomic_store(&pairs[FIRST].usage.slots[9].moved, 5);
    assert_int_equal(inherit(FIRST, THIRD), 5);
    assert_left(THIRD, 0, 0, 0);
}

static void of_too_many_counts_the_oldest_is_given_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PAGE_LEFT; i++) {
        atomic_store(&pairs[FIRST].usage.left[i].life, 100 + i);
        atomic_store(&pairs[FIRST].usage.left[i].counter, 1);
        atomic_store(&pairs[FIRST].usage.left[i].moved, 1);
    }
    atomic_store(&pairs[FIRST].usage.slots[0].moved, 70);
    assert_int_equal(inherit(FIRST, SECOND), 0);
    assert_left(SECOND, 0, 101, 1);
    assert_left(SECOND, PAGE_LEFT - 1, 10, 70);
}

int main(void)
{
#define WITH_PAIRS(test) cmocka_unit_test_setup(test, set_up_pairs)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(every_write_changes_the_futex_word),
        cmocka_unit_test(a_reader_does_not_wait_for_a_writer_that_died),
        cmocka_unit_test(no_reader_sees_parts_of_two_grants),
        WITH_PAIRS(what_was_moved_in_earlier_pages_is_noted_with_its_identity),
        WITH_PAIRS(the_same_pages_leave_nothing),
        WITH_PAIRS(another_count_of_the_same_agent_is_another),
        WITH_PAIRS(an_older_agent_is_told_the_difference_once),
        WITH_PAIRS(of_too_many_counts_the_oldest_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
