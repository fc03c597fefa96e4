/* Bounded waits for a word to change. */
#include "client/clock.h"
#include "client/wait.h"
#include <pthread.h>
#include <stdatomic.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static _Atomic uint32_t word;

static void *change_soon(void *unused)
{
    (void)unused;
    wait_nap(WAIT_MS);
    atomic_store(&word, 1);
    return NULL;
}

static void a_change_is_seen_at_once(void **state)
{
    (void)state;
    atomic_store(&word, 1);
    assert_true(wait_soon(&word, 0, 0));
}

static void nobody_looks_for_a_change_for_ever(void **state)
{
    (void)state;
    atomic_store(&word, 0);
    uint64_t start = wait_now();
    assert_false(wait_soon(&word, 0, WAIT_MS));
    assert_true(wait_now() - start >= WAIT_MS);
}

static void a_change_by_another_thread_is_seen(void **state)
{
    (void)state;
    pthread_t thread;
    atomic_store(&word, 0);
    assert_int_equal(pthread_create(&thread, NULL, change_soon, NULL), 0);
    assert_true(wait_soon(&word, 0, 10000 * WAIT_MS));
    pthread_join(thread, NULL);
}

static void the_clock_is_the_kernels(void **state)
{
    (void)state;
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC_COARSE};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct timespec now;
        syscall(SYS_clock_gettime, clocks[i], &now);
        uint64_t before = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
        uint64_t read = clock_read(clocks[i]);
        assert_true(read >= before && read - before < 1000000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_seen_at_once),
        cmocka_unit_test(nobody_looks_for_a_change_for_ever),
        cmocka_unit_test(a_change_by_another_thread_is_seen),
        cmocka_unit_test(the_clock_is_the_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
