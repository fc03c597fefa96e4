#include "base/arena.h"
#include "base/mem.h"
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_product_that_overflows_is_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(mem_alloc(SIZE_MAX / 2, 4));
    assert_null(mem_grow(NULL, SIZE_MAX / 2, 4));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2, 4));
    assert_null(arena_alloc(&arena, SIZE_MAX - 7, 1));
    assert_null(arena_strndup(&arena, "", SIZE_MAX));
    arena_fini(&arena);
}

static void an_empty_array_is_no_failure(void **state)
{
    (void)state;
    void *empty = mem_alloc(0, 8);
    assert_non_null(empty);
    free(empty);
    empty = mem_grow(NULL, 0, 8);
    assert_non_null(empty);
    free(empty);
}

static void the_allocation_asked_for_fails_and_only_that_one(void **state)
{
    (void)state;
    mem_fail_after(1);
    void *first = mem_alloc(1, 1), *second = mem_alloc(1, 1), *third = mem_alloc(1, 1);
    mem_fail_after(-1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    free(first);
    free(third);
}

static void reserving_doubles_and_keeps_the_content(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *array = mem_reserve(NULL, &capacity, 1, sizeof *array);
    assert_int_equal(capacity, 8);
    array[7] = 42;
    array = mem_reserve(array, &capacity, 9, sizeof *array);
    assert_int_equal(capacity, 16);
    assert_int_equal(array[7], 42);
    assert_ptr_equal(mem_reserve(array, &capacity, 16, sizeof *array), array);
    mem_fail_after(0);
    assert_null(mem_reserve(array, &capacity, 17, sizeof *array));
    mem_fail_after(-1);
    assert_int_equal(capacity, 16);
    assert_int_equal(array[7], 42);
    assert_null(mem_reserve(array, &capacity, SIZE_MAX, sizeof *array));
    free(array);
}

static void an_arena_gives_zeroed_aligned_and_separate_memory(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned char *places[300];
    /* 300 objects of up to 299 * 7 bytes need several blocks. */
    for (size_t i = 0; i < 300; i++) {
        places[i] = arena_alloc(&arena, i, 7);
        assert_non_null(places[i]);
        assert_int_equal((uintptr_t)places[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < 7 * i; k++)
            assert_int_equal(places[i][k], 0);
        memset(places[i], (int)(i % 255 + 1), 7 * i);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t k = 0; k < 7 * i; k++)
            assert_int_equal(places[i][k], i % 255 + 1);
    arena_fini(&arena);
    assert_null(arena.blocks);
}

static void a_large_object_does_not_waste_the_block_in_use(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *before = arena_alloc(&arena, 16, 1);
    assert_non_null(arena_alloc(&arena, 1000000, 1));
    char *after = arena_alloc(&arena, 16, 1);
    assert_ptr_equal(after, before + 16);
    arena_fini(&arena);
}

static void a_string_is_copied_up_to_its_length(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_strndup(&arena, "weirdo", 4), "weir");
    assert_string_equal(arena_strndup(&arena, "x", 0), "");
    mem_fail_after(0);
    assert_null(arena_alloc(&arena, 1000000, 1));
    mem_fail_after(-1);
    arena_fini(&arena);
}

/* Enough of both for several blocks: neither runs into the other. */
static void strings_and_objects_of_an_arena_are_separate(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char *names[COUNT];
    static double *numbers[COUNT];
    struct arena arena = {0};
    for (int i = 0; i < COUNT; i++) {
        char name[16];
        int length = snprintf(name, sizeof name, "app%d", i);
        names[i] = arena_strndup(&arena, name, (size_t)length);
        numbers[i] = arena_alloc(&arena, 3, sizeof *numbers[i]);
        assert_true(names[i] && numbers[i] && (uintptr_t)numbers[i] % alignof(max_align_t) == 0);
        assert_true(numbers[i][0] == 0 && numbers[i][2] == 0);
        numbers[i][0] = numbers[i][2] = i;
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(atoi(names[i] + 3), i);
        assert_true(numbers[i][0] == i && numbers[i][1] == 0 && numbers[i][2] == i);
    }
    arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_that_overflows_is_refused),
        cmocka_unit_test(an_empty_array_is_no_failure),
        cmocka_unit_test(the_allocation_asked_for_fails_and_only_that_one),
        cmocka_unit_test(reserving_doubles_and_keeps_the_content),
        cmocka_unit_test(an_arena_gives_zeroed_aligned_and_separate_memory),
        cmocka_unit_test(a_large_object_does_not_waste_the_block_in_use),
        cmocka_unit_test(a_string_is_copied_up_to_its_length),
        cmocka_unit_test(strings_and_objects_of_an_arena_are_separate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
