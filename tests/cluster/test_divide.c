#include "cluster/divide.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 64 };

/* The claims are reordered: what each got, by its place before. */
static void divide_for(struct divide_claim *claims, uint32_t count, double amount, double *parts)
{
    for (uint32_t i = 0; i < count; i++)
        claims[i].of = &parts[i];
    divide(claims, count, amount);
    for (uint32_t i = 0; i < count; i++)
        *(double *)claims[i].of = claims[i].part;
}

static void an_amount_is_divided_by_what_each_needs_and_then_by_what_it_can_use(void **state)
{
    (void)state;
    static const struct {
        struct divide_claim claims[3];
        double amount, parts[3];
    } cases[] = {
        /* Equal ones get equal parts. */
        {{{9, 9, 0, 0}, {9, 9, 0, 0}, {9, 9, 0, 0}}, 12, {4, 4, 4}},
        /* One that needs 1 leaves 11 to the others. */
        {{{1, 9, 0, 0}, {9, 9, 0, 0}, {9, 9, 0, 0}}, 12, {1, 5.5, 5.5}},
        {{{1, 9, 0, 0}, {2, 9, 0, 0}, {9, 9, 0, 0}}, 12, {1, 2, 9}},
        /* 9 + 2 + 1 are needed, 3 are left for the two that could use more. */
        {{{9, 9, 0, 0}, {2, 9, 0, 0}, {1, 9, 0, 0}}, 15, {9, 3.5, 2.5}},
        /* 6 are left, but one of them can use only 1 more. */
        {{{9, 9, 0, 0}, {2, 3, 0, 0}, {1, 9, 0, 0}}, 18, {9, 3, 6}},
        /* More than all can use; nothing. */
        {{{9, 9, 0, 0}, {2, 3, 0, 0}, {1, 9, 0, 0}}, 30, {9, 3, 9}},
        {{{9, 9, 0, 0}, {2, 3, 0, 0}, {1, 9, 0, 0}}, 0, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct divide_claim claims[3] = {cases[i].claims[0], cases[i].claims[1],
                                         cases[i].claims[2]};
        double parts[3];
        divide_for(claims, 3, cases[i].amount, parts);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(parts[j] - cases[i].parts[j]) < 1e-12);
    }
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* Whether the smallest of `a`, or with that equal the next one, is larger than that of `b`. */
static int is_fairer(const double *a, const double *b, int count)
{
    double one[MOST], two[MOST];
    for (int i = 0; i < count; i++) {
        one[i] = a[i];
        two[i] = b[i];
    }
    qsort(one, (size_t)count, sizeof *one, ascending);
    qsort(two, (size_t)count, sizeof *two, ascending);
    for (int i = 0; i < count; i++)
        if (fabs(one[i] - two[i]) > 1e-9)
            return one[i] > two[i];
    return 0;
}

/* Tries all divisions in steps of 1/2 of what four ask for, for all that they can ask for. */
static void no_other_division_is_fairer(void **state)
{
    (void)state;
    enum { COUNT = 4, ASK = 4, ALL = ASK * ASK * ASK * ASK, STEPS = 2 * ASK + 1 };
    for (int asked = 0; asked < ALL; asked++)
        for (int amount = 0; amount <= 8; amount += 2) {
            struct divide_claim claims[COUNT];
            double parts[COUNT], other[COUNT], need[COUNT];
            for (int i = 0, rest = asked; i < COUNT; i++, rest /= ASK) {
                need[i] = rest % ASK;
                claims[i] = (struct divide_claim){.need = need[i], .most = need[i]};
            }
            divide_for(claims, COUNT, amount, parts);
            for (int point = 0; point < STEPS * STEPS * STEPS * STEPS; point++) {
                double sum = 0;
                int fits = 1;
                for (int i = 0, rest = point; i < COUNT && fits; i++, rest /= STEPS) {
                    other[i] = rest % STEPS / 2.0;
                    sum += other[i];
                    fits = other[i] <= need[i] && sum <= amount;
                }
                assert_false(fits && is_fairer(other, parts, COUNT));
            }
        }
}

static void parts_add_up_to_the_amount_or_to_all_that_can_be_used(void **state)
{
    (void)state;
    srand48(1);
    for (int round = 0; round < 20000; round++) {
        struct divide_claim claims[MOST];
        double parts[MOST], all = 0, needed = 0, sum = 0, largest = 0;
        uint32_t count = 1 + (uint32_t)lrand48() % MOST;
        for (uint32_t i = 0; i < count; i++) {
            double most = lrand48() % 4 ? 1e9 * drand48() : 1e9;
            claims[i] = (struct divide_claim){.most = most,
                                              .need = lrand48() % 2 ? most : most * drand48()};
            all += claims[i].most;
            needed += claims[i].need;
        }
        double amount = 1.2 * all * drand48();
        struct divide_claim asked[MOST];
        for (uint32_t i = 0; i < count; i++)
            asked[i] = claims[i];
        divide_for(claims, count, amount, parts);
        for (uint32_t i = 0; i < count; i++) {
            sum += parts[i];
            largest = fmax(largest, parts[i]);
            assert_true(parts[i] >= 0 && parts[i] <= asked[i].most * (1 + 1e-12));
            assert_true(amount < needed || parts[i] >= asked[i].need * (1 - 1e-12));
        }
        assert_true(sum <= amount * (1 + 1e-12));
        assert_true(fabs(sum - fmin(amount, all)) <= 1e-9 * all);
        for (uint32_t i = 0; i < count && amount < needed; i++) /* what lacks has the most */
            assert_true(parts[i] >= asked[i].need * (1 - 1e-9) || parts[i] >= largest * (1 - 1e-9));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_is_divided_by_what_each_needs_and_then_by_what_it_can_use),
        cmocka_unit_test(no_other_division_is_fairer),
        cmocka_unit_test(parts_add_up_to_the_amount_or_to_all_that_can_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
