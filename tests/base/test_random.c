#include "base/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The known-answer vectors that the authors of Philox publish with Random123. */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t counter[4];
        for (int k = 0; k < 4; k++)
            counter[k] = known[i].counter[k];
        random_philox(counter, known[i].key);
        assert_memory_equal(counter, known[i].answer, sizeof counter);
    }
}

static void a_draw_depends_on_its_place_alone(void **state)
{
    (void)state;
    struct random one = random_at(5, 3, 9), other = random_at(5, 4, 0), again = random_at(5, 3, 9);
    double first = random_uniform(&one);
    for (int i = 0; i < 10; i++)
        random_uniform(&other);
    assert_true(random_uniform(&again) == first);
    assert_true(random_uniform(&again) == random_uniform(&one));
}

static void every_part_of_the_place_matters(void **state)
{
    (void)state;
    struct random places[] = {random_at(5, 3, 9),
                              random_at(6, 3, 9),
                              random_at(5, 4, 9),
                              random_at(5, 3, 8),
                              random_at(5 | UINT64_C(1) << 32, 3, 9),
                              random_at(5, 9, 3)};
    double values[7];
    for (int i = 0; i < 6; i++)
        values[i] = random_uniform(&places[i]);
    values[6] = random_uniform(&places[0]); /* the second draw at the first place */
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < i; k++)
            assert_true(values[i] != values[k]);
}

/* First four moments of n draws, against those of the distribution; an estimate of a moment with
 * variance v is off by more than 5 sqrt(v/n) once in two million times, and the seed is fixed. */
enum { DRAWS = 400000 };

static void uniform_numbers_have_the_moments_of_their_distribution(void **state)
{
    (void)state;
    struct random random = random_at(11, 0, 0);
    double mean = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = random_uniform(&random);
        assert_true(u > 0 && u < 1);
        mean += u / DRAWS;
        square += u * u / DRAWS;
    }
    assert_true(fabs(mean - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
    /* Var u^2 = 1/5 - 1/9. */
    assert_true(fabs(square - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
    for (int i = 0; i < 1000; i++) {
        double x = random_between(&random, -3, 5);
        assert_true(x >= -3 && x <= 5);
    }
    assert_true(random_between(&random, 4, 4) == 4);
}

static void normal_numbers_have_the_moments_of_their_distribution(void **state)
{
    (void)state;
    struct random random = random_at(12, 0, 0);
    double moments[5] = {0};
    int beyond = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = random_normal(&random), power = 1;
        for (int k = 1; k <= 4; k++)
            moments[k] += (power *= x) / DRAWS;
        beyond += fabs(x) > 1.959963984540054;
    }
    /* Variances of x, x^2, x^3, x^4: 1, 2, 15, 96. */
    assert_true(fabs(moments[1]) < 5 * sqrt(1.0 / DRAWS));
    assert_true(fabs(moments[2] - 1) < 5 * sqrt(2.0 / DRAWS));
    assert_true(fabs(moments[3]) < 5 * sqrt(15.0 / DRAWS));
    assert_true(fabs(moments[4] - 3) < 5 * sqrt(96.0 / DRAWS));
    assert_true(fabs(beyond / (double)DRAWS - 0.05) < 5 * sqrt(0.05 * 0.95 / DRAWS));
}

static void exponential_numbers_have_the_moments_of_their_distribution(void **state)
{
    (void)state;
    struct random random = random_at(13, 0, 0);
    double mean = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = random_exponential(&random);
        assert_true(x > 0);
        mean += x / DRAWS;
        square += x * x / DRAWS;
    }
    /* Var x = 1, Var x^2 = 4! - 2^2 = 20. */
    assert_true(fabs(mean - 1) < 5 * sqrt(1.0 / DRAWS));
    assert_true(fabs(square - 2) < 5 * sqrt(20.0 / DRAWS));
}

static void whole_numbers_are_uniform_below_their_bound(void **state)
{
    (void)state;
    struct random random = random_at(14, 0, 0);
    int counts[6] = {0};
    for (int i = 0; i < 60000; i++) {
        uint32_t x = random_below(&random, 6);
        assert_true(x < 6);
        counts[x]++;
    }
    for (int i = 0; i < 6; i++)
        assert_true(abs(counts[i] - 10000) < 5 * sqrt(60000 / 6.0 * 5 / 6));
    assert_int_equal(random_below(&random, 1), 0);
    /* 32 random bits modulo 3 * 2^30 would fall into its lowest third half of the time. */
    int low = 0;
    for (int i = 0; i < 60000; i++)
        low += random_below(&random, UINT32_C(3) << 30) < UINT32_C(1) << 30;
    assert_true(abs(low - 20000) < 5 * sqrt(60000 * 2.0 / 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(a_draw_depends_on_its_place_alone),
        cmocka_unit_test(every_part_of_the_place_matters),
        cmocka_unit_test(uniform_numbers_have_the_moments_of_their_distribution),
        cmocka_unit_test(normal_numbers_have_the_moments_of_their_distribution),
        cmocka_unit_test(exponential_numbers_have_the_moments_of_their_distribution),
        cmocka_unit_test(whole_numbers_are_uniform_below_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
