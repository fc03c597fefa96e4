/* Divisions worked out by hand. */
#include "base/mem.h"
#include "control/tree.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct share_account accounts[] = {
    {"physics", NULL, 3}, {"chemistry", NULL, 1}, {"stars", "physics", 2}};
static const struct share_user users[] = {{"ada", "stars", 2}, {"eve", NULL, 4}};
static const struct shares shares = {.levels = SHARES_LEVELS,
                                     .period = 10,
                                     .accounts = accounts,
                                     .account_count = 3,
                                     .users = users,
                                     .user_count = 2};

static void expect_parts(struct tree *tree, struct tree_claim *claims, uint32_t count,
                         double amount, const double *parts)
{
    tree_divide(tree, claims, count, amount);
    for (uint32_t i = 0; i < count; i++)
        if (!(fabs(claims[i].part - parts[i]) <= 1e-12 * parts[i]))
            fail_msg("claim %u gets %.17g, expected %.17g", i, claims[i].part, parts[i]);
}

#define EXPECT(count, amount, ...)                                                                 \
    expect_parts(tree, claims, count, amount, (const double[]){__VA_ARGS__})

/* physics has 3 of 4, of which stars have 2 of 3 beside max, who has 1; in stars ada has 2 of 3. */
static void three_levels_divide_by_their_weights(void **state)
{
    (void)state;
    struct tree *tree = tree_new(&shares);
    struct tree_claim claims[] = {{.node = tree_place(tree, "stars", "ada"), .most = 100},
                                  {.node = tree_place(tree, "stars", "bob"), .most = 100},
                                  {.node = tree_place(tree, "physics", "max"), .most = 100},
                                  {.node = tree_place(tree, "chemistry", "kim"), .most = 100}};
    EXPECT(4, 36, 12, 6, 9, 9);
    /* bob is idle: ada has all of stars; all of stars is: max has all of physics. */
    claims[1] = claims[2], claims[2] = claims[3];
    EXPECT(3, 36, 18, 9, 9);
    claims[0] = claims[1], claims[1] = claims[2];
    EXPECT(2, 36, 27, 9);
    tree_free(tree);
}

/* ada takes only 3 of her 12: bob has the rest of the stars' 18, and can use 10 of it; of the other
 * 23, physics' part of 27 leaves 14 to max. If max takes only 2, chemistry has the rest. */
static void what_one_cannot_use_goes_to_its_siblings_first(void **state)
{
    (void)state;
    struct tree *tree = tree_new(&shares);
    struct tree_claim claims[] = {{.node = tree_place(tree, "stars", "ada"), .most = 3},
                                  {.node = tree_place(tree, "stars", "bob"), .most = 10},
                                  {.node = tree_place(tree, "physics", "max"), .most = 100},
                                  {.node = tree_place(tree, "chemistry", "kim"), .most = 100}};
    EXPECT(4, 36, 3, 10, 14, 9);
    claims[2].most = 2;
    EXPECT(4, 36, 3, 10, 2, 21);
    claims[3].most = 5;
    EXPECT(4, 36, 3, 10, 2, 5);
    EXPECT(4, 0, 0, 0, 0, 0);
    tree_free(tree);
}

static void names_lead_to_the_same_leaf_every_time(void **state)
{
    (void)state;
    struct tree *tree = tree_new(&shares);
    uint32_t ada = tree_place(tree, "stars", "ada");
    assert_int_equal(tree_place(tree, "stars", "ada"), ada);
    /* Without an account she is in the one that is listed for her. */
    assert_int_equal(tree_place(tree, NULL, "ada"), ada);
    assert_int_not_equal(tree_place(tree, "chemistry", "ada"), ada);
    assert_int_not_equal(tree_place(tree, NULL, "eve"), tree_place(tree, "stars", "eve"));
    assert_int_not_equal(tree_place(tree, "stars", NULL), tree_place(tree, NULL, NULL));
    assert_int_equal(tree_place(tree, "stars", NULL), tree_place(tree, "stars", NULL));
    tree_free(tree);
}

/* eve has 4 wherever she is; ada 1 in chemistry, and kim, who is not listed. */
static void a_user_may_have_a_weight_in_all_accounts(void **state)
{
    (void)state;
    struct tree *tree = tree_new(&shares);
    struct tree_claim claims[] = {{.node = tree_place(tree, "chemistry", "eve"), .most = 100},
                                  {.node = tree_place(tree, "chemistry", "ada"), .most = 100},
                                  {.node = tree_place(tree, "chemistry", "kim"), .most = 100}};
    EXPECT(3, 12, 8, 2, 2);
    /* An account that is not listed stands at the top, with weight 1, and so does a user without
     * an account: chemistry, biology and eve have 1, 1 and 4. */
    claims[1].node = tree_place(tree, "biology", "ada");
    claims[2].node = tree_place(tree, NULL, "eve");
    EXPECT(3, 12, 2, 2, 8);
    tree_free(tree);
}

static void levels_may_be_left_out(void **state)
{
    (void)state;
    struct shares flat = shares;
    flat.levels = 1u << SHARE_USER;
    struct tree *tree = tree_new(&flat);
    assert_int_equal(tree_place(tree, "stars", "ada"), tree_place(tree, "chemistry", "ada"));
    tree_free(tree);
    flat.levels = 1u << SHARE_ACCOUNT;
    tree = tree_new(&flat);
    assert_int_equal(tree_place(tree, "stars", "ada"), tree_place(tree, "stars", "bob"));
    assert_int_equal(tree_place(tree, "stars", "bob"), tree_place(tree, NULL, "ada"));
    /* What runs for physics itself stands beside stars, with 1 of 3. */
    struct tree_claim claims[] = {{.node = tree_place(tree, "stars", "ada"), .most = 100},
                                  {.node = tree_place(tree, "physics", "ada"), .most = 100}};
    EXPECT(2, 12, 8, 4);
    tree_free(tree);
    flat.levels = 1u << SHARE_SIZE;
    tree = tree_new(&flat);
    assert_int_equal(tree_place(tree, "stars", "ada"), TREE_ROOT);
    claims[0].node = tree_add(tree, TREE_ROOT, 16);
    claims[1].node = tree_add(tree, TREE_ROOT, 8);
    EXPECT(2, 12, 8, 4);
    tree_remove(tree, claims[0].node);
    claims[0].node = tree_add(tree, TREE_ROOT, 24);
    EXPECT(2, 12, 9, 3);
    tree_free(tree);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (long n = 0, failed = 1; failed; n++) {
        mem_fail_after(n);
        struct tree *tree = tree_new(&shares);
        failed = !tree || tree_place(tree, "stars", "ada") == TREE_NONE;
        mem_fail_after(-1);
        /* It can go on afterwards. */
        assert_true(!tree || tree_place(tree, "stars", "ada") != TREE_NONE);
        tree_free(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_levels_divide_by_their_weights),
        cmocka_unit_test(what_one_cannot_use_goes_to_its_siblings_first),
        cmocka_unit_test(names_lead_to_the_same_leaf_every_time),
        cmocka_unit_test(a_user_may_have_a_weight_in_all_accounts),
        cmocka_unit_test(levels_may_be_left_out),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
