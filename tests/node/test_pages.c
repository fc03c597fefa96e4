/* What clients can and cannot do with the pages, and what they say. */
#include "node/pages.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND 1000000000u

static void start(struct pages *pages)
{
    struct err err = {0};
    assert_int_equal(pages_init(pages, 0, &err), 0);
}

static void use(struct pages *pages, uint64_t bytes)
{
    pages->usage->used = bytes * LINE_BYTE;
}

/* The bytes that are allowed by then. */
static double allowed(const struct page_grant *grant, uint64_t now)
{
    return (double)line_at(&grant->bytes, now) / LINE_BYTE;
}

static void nobody_can_write_grants_or_shorten_a_page(void **state)
{
    (void)state;
    struct pages pages;
    start(&pages);
    const int fds[2] = {pages.grant_fd, pages.usage_fd};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ftruncate(fds[i], 0), -1);
        assert_int_equal(ftruncate(fds[i], 1 << 20), -1);
        assert_int_equal(fcntl(fds[i], F_ADD_SEALS, F_SEAL_WRITE), -1); /* nor lock others out */
    }
    assert_int_equal(write(pages.grant_fd, "x", 1), -1);
    assert_ptr_equal(
        mmap(NULL, PAGE_GRANT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pages.grant_fd, 0),
        MAP_FAILED);
    /* Nor by way of a read-only map, or of another descriptor. */
    void *map = mmap(NULL, PAGE_GRANT_BYTES, PROT_READ, MAP_SHARED, pages.grant_fd, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    assert_int_equal(mprotect(map, PAGE_GRANT_BYTES, PROT_READ | PROT_WRITE), -1);
    munmap(map, PAGE_GRANT_BYTES);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", pages.grant_fd);
    int again = open(path, O_RDWR);
    if (again >= 0) {
        assert_int_equal(write(again, "x", 1), -1);
        close(again);
    }
    pages_fini(&pages);
}

static void a_change_of_rate_keeps_what_was_allowed(void **state)
{
    (void)state;
    struct pages pages;
    struct page_grant grant;
    start(&pages);
    pages_grant(&pages, 1 * SECOND, 100);
    pages_grant(&pages, 3 * (uint64_t)SECOND, 10);
    page_read(pages.grant, &grant);
    assert_int_equal(grant.mode, PAGE_PACED);
    assert_true(fabs(allowed(&grant, 3 * (uint64_t)SECOND) - 200) < 1e-3);
    assert_true(fabs(allowed(&grant, 5 * (uint64_t)SECOND) - 220) < 1e-3);
    assert_true(grant.bytes.burst == (uint64_t)(10 * 0.004 * LINE_BYTE));
    pages_fini(&pages);
}

static void what_was_not_claimed_before_a_wait_is_lost(void **state)
{
    (void)state;
    struct pages pages;
    start(&pages);
    pages_grant(&pages, 0, 100);
    use(&pages, 30);
    pages_grant(&pages, SECOND, 0); /* 100 were allowed, 30 claimed */
    assert_int_equal(pages.last.mode, PAGE_HOLD);
    pages_grant(&pages, 2 * (uint64_t)SECOND, 100);
    assert_true(allowed(&pages.last, 2 * (uint64_t)SECOND) == 30);
    /* Who has claimed more than that, waits for it after the wait as before. */
    use(&pages, 60);
    pages_grant(&pages, 2 * (uint64_t)SECOND + SECOND / 10, 0); /* 40 */
    pages_grant(&pages, 4 * (uint64_t)SECOND, 100);
    assert_true(fabs(allowed(&pages.last, 4 * (uint64_t)SECOND) - 40) < 1e-3);
    pages_fini(&pages);
}

static void large_transfers_are_cut_by_the_rate_within_bounds(void **state)
{
    (void)state;
    static const struct {
        double rate;
        uint64_t chunk;
    } cases[] = {{1, 65536}, {100e6, 61 * 4096}, {1e12, 4 << 20}};
    struct pages pages;
    start(&pages);
    for (size_t i = 0; i < 3; i++) {
        pages_grant(&pages, SECOND, cases[i].rate);
        assert_int_equal(pages.last.chunk, cases[i].chunk);
    }
    pages_fini(&pages);
}

static void tokens_lie_unclaimed_while_fewer_are_used_than_allowed(void **state)
{
    (void)state;
    struct pages pages;
    start(&pages);
    assert_false(pages_unclaimed(&pages, SECOND)); /* held */
    pages_grant(&pages, 0, 100);
    use(&pages, 50);
    assert_false(pages_unclaimed(&pages, SECOND / 4));
    assert_true(pages_unclaimed(&pages, SECOND));
    pages_fini(&pages);
}

/* 100 bytes/s for 1 s. 300 are moved in a call of which 100 were waited for, and 50 more claimed by
 * a process that was killed: the 50 are not waited for, the 200 are, in the next I/O. */
static void what_was_moved_in_advance_is_paid_for_in_the_next_io(void **state)
{
    (void)state;
    struct pages pages;
    start(&pages);
    pages_begin_io(&pages);
    pages_grant(&pages, 0, 100);
    use(&pages, 350);
    pages_grant(&pages, SECOND, 0);
    pages_end_io(&pages, 300);
    pages_begin_io(&pages);
    pages_grant(&pages, SECOND, 100);
    double ahead = 350 - allowed(&pages.last, SECOND);
    assert_true(fabs(ahead - 200) < 0.01);
    /* And what is left of it in the one after that. */
    pages_grant(&pages, 2 * (uint64_t)SECOND, 0);
    pages_end_io(&pages, 0);
    pages_begin_io(&pages);
    pages_grant(&pages, 2 * (uint64_t)SECOND, 100);
    assert_true(fabs(350 - allowed(&pages.last, 2 * (uint64_t)SECOND) - 100) < 0.01);
    pages_fini(&pages);
}

/* After 1e22 B/s for a while, and after a controller that was away for a year. */
static void a_low_rate_holds_after_any_other(void **state)
{
    (void)state;
    struct pages pages;
    start(&pages);
    uint64_t now = SECOND;
    pages_beat(&pages, now);
    pages_grant(&pages, now, 1e22);
    for (int i = 0; i < 2000; i++)
        pages_beat(&pages, now += 50000000);
    pages_beat(&pages, now += UINT64_C(365) * 86400 * SECOND);
    pages_grant(&pages, now, 20e6);
    uint64_t used = line_take(&pages.last.bytes, &pages.usage->used, 0, now);
    assert_true(line_ahead(&pages.last.bytes, used, now) <= 0);
    used = line_take(&pages.last.bytes, &pages.usage->used, (uint64_t)20e6 * LINE_BYTE, now);
    double wait = (double)(line_due(&pages.last.bytes, used) - now) / SECOND;
    assert_true(wait > 0.9 && wait < 1.1); /* 20 MB at 20 MB/s, less what 50 ms had left over */
    pages_fini(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_can_write_grants_or_shorten_a_page),
        cmocka_unit_test(a_change_of_rate_keeps_what_was_allowed),
        cmocka_unit_test(what_was_not_claimed_before_a_wait_is_lost),
        cmocka_unit_test(large_transfers_are_cut_by_the_rate_within_bounds),
        cmocka_unit_test(what_was_moved_in_advance_is_paid_for_in_the_next_io),
        cmocka_unit_test(a_low_rate_holds_after_any_other),
        cmocka_unit_test(tokens_lie_unclaimed_while_fewer_are_used_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
