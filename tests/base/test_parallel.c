#include "base/mem.h"
#include "base/parallel.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 1000, BAD = 300 };
static atomic_int calls[COUNT];

static int count_call(void *context, size_t i)
{
    atomic_fetch_add(&calls[i], 1);
    return context && i >= BAD ? -1 : 0;
}

static void reset(void)
{
    for (size_t i = 0; i < COUNT; i++)
        atomic_store(&calls[i], 0);
}

static void every_turn_is_taken_once(void **state)
{
    (void)state;
    static const size_t jobs[] = {0, 1, 2, 7, 5000};
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
        reset();
        assert_int_equal(parallel_run(COUNT, jobs[k], count_call, NULL), 0);
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(calls[i], 1);
    }
    assert_int_equal(parallel_run(0, 4, count_call, NULL), 0);
}

static void all_turns_before_the_first_that_fails_are_taken(void **state)
{
    (void)state;
    for (size_t jobs = 1; jobs <= 4; jobs++) {
        reset();
        assert_int_equal(parallel_run(COUNT, jobs, count_call, calls), -1);
        int failed = 0;
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(i >= BAD ? calls[i] <= 1 : calls[i] == 1);
            failed += i >= BAD && calls[i];
        }
        assert_in_range(failed, 1, jobs);
    }
}

static void without_memory_the_caller_does_it_alone(void **state)
{
    (void)state;
    reset();
    mem_fail_after(0);
    assert_int_equal(parallel_run(COUNT, 4, count_call, NULL), 0);
    mem_fail_after(-1);
    assert_int_equal(calls[COUNT - 1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_is_taken_once),
        cmocka_unit_test(all_turns_before_the_first_that_fails_are_taken),
        cmocka_unit_test(without_memory_the_caller_does_it_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
