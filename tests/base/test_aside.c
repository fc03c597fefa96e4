/* Work in another thread that nobody has to wait for. */
#include "base/aside.h"
#include "base/mem.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

/* Work that hangs until it is let go. */
static struct {
    _Atomic bool go, worked, dropped;
} play;

static void play_nap(void)
{
    const struct timespec moment = {0, 1000000};
    nanosleep(&moment, NULL);
}

static void play_work(void *context)
{
    (void)context;
    while (!atomic_load(&play.go))
        play_nap();
    atomic_store(&play.worked, true);
}

static void play_drop(void *context)
{
    (void)context;
    atomic_store(&play.dropped, true);
}

static const struct aside_calls calls = {play_work, play_drop};

static void play_begin(bool go)
{
    atomic_store(&play.worked, false);
    atomic_store(&play.dropped, false);
    atomic_store(&play.go, go);
}

static void work_that_ends_is_the_callers_again(void **state)
{
    (void)state;
    play_begin(true);
    assert_true(aside_do(&calls, NULL, UINT64_C(20000000000)));
    assert_true(atomic_load(&play.worked));
    assert_false(atomic_load(&play.dropped));
}

static void work_that_hangs_drops_itself_later(void **state)
{
    (void)state;
    play_begin(false);
    struct aside *aside = aside_start(&calls, NULL);
    assert_non_null(aside);
    assert_false(aside_wait(aside, 0));
    assert_false(aside_wait(aside, 1000000));
    assert_false(aside_end(aside));
    assert_false(atomic_load(&play.dropped));
    atomic_store(&play.go, true);
    for (int i = 0; i < 20000 && !atomic_load(&play.dropped); i++)
        play_nap();
    assert_true(atomic_load(&play.dropped));
}

static void without_memory_the_work_is_dropped(void **state)
{
    (void)state;
    play_begin(true);
    mem_fail_after(0);
    bool done = aside_do(&calls, NULL, 1000000000);
    mem_fail_after(-1);
    assert_false(done);
    assert_true(atomic_load(&play.dropped));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_that_ends_is_the_callers_again),
        cmocka_unit_test(work_that_hangs_drops_itself_later),
        cmocka_unit_test(without_memory_the_work_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
