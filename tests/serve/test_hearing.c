/* Quotas of users, and who is heard when. */
#include "serve/peer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ALICE = 1001, BOB = 1002, CONNECTIONS = 100 };
#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

struct bench {
    struct hearing hearing;
    struct user users[2];
    struct peer peers[2][CONNECTIONS];
};

static struct bench *bench_new(void)
{
    struct bench *bench = test_calloc(1, sizeof *bench);
    for (int i = 0; i < 2; i++) {
        bench->users[i].uid = i == 0 ? ALICE : BOB;
        for (int k = 0; k < CONNECTIONS; k++)
            bench->peers[i][k].user = &bench->users[i];
    }
    return bench;
}

static void a_user_takes_a_quarter_of_the_time_in_the_long_run(void **state)
{
    (void)state;
    struct quotas *quotas = test_calloc(1, sizeof *quotas);
    uint64_t taken = 0, now = S;
    /* 200 ms at once, and a quarter of the 8 s after that: 2.2 s, with pieces of 0.1 ms. */
    for (; now < 9 * S; now += MS / 10)
        if (quota_next(quotas, now, ALICE) <= now) {
            quota_take(quotas, now, ALICE, MS / 10);
            taken += MS / 10;
        }
    assert_in_range(taken, 2190 * MS, 2210 * MS);
    assert_true(quota_next(quotas, now, BOB) <= now); /* his is his own */
    test_free(quotas);
}

static void only_the_moment_at_which_a_quota_is_used_up_is_told(void **state)
{
    (void)state;
    struct quotas *quotas = test_calloc(1, sizeof *quotas);
    assert_false(quota_take(quotas, S, ALICE, 199 * MS));
    assert_true(quota_take(quotas, S, ALICE, MS));
    assert_false(quota_take(quotas, S, ALICE, MS));
    /* 201 of 200 ms are taken; 5 ms more are there when 6 ms are paid back, 4 ms for each. */
    assert_int_equal(quota_next(quotas, S, ALICE), S + 24 * MS);
    assert_int_equal(quota_next(quotas, S + 24 * MS, ALICE), S + 24 * MS);
    test_free(quotas);
}

static void quotas_of_more_users_than_places_stay_apart_as_far_as_possible(void **state)
{
    (void)state;
    struct quotas *quotas = test_calloc(1, sizeof *quotas);
    quota_take(quotas, S, ALICE, 250 * MS);
    /* Others with the same place, who took little. */
    for (uint32_t i = 1; i <= 100; i++)
        quota_take(quotas, S, ALICE + i * QUOTA_USERS, MS);
    assert_true(quota_next(quotas, S, ALICE) > S);
    assert_true(quota_next(quotas, S, ALICE + 100 * QUOTA_USERS) <= S);
    test_free(quotas);
}

static void a_peer_is_heard_at_once_unless_the_turn_is_used_up(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    assert_true(hearing_admits(&bench->hearing, S, &bench->peers[0][0]));
    assert_true(hearing_admits(&bench->hearing, S + MS, &bench->peers[0][1]));
    assert_false(hearing_admits(&bench->hearing, S + 2 * MS, &bench->peers[0][2]));
    assert_int_equal(hearing_due(&bench->hearing, S + 2 * MS), S + 2 * MS);
    assert_ptr_equal(hearing_next(&bench->hearing, S + 3 * MS), &bench->peers[0][2]);
    assert_null(hearing_next(&bench->hearing, S + 3 * MS));
    assert_true(hearing_due(&bench->hearing, S + 3 * MS) == UINT64_MAX);
    hearing_end_turn(&bench->hearing);
    assert_true(hearing_admits(&bench->hearing, S + 5 * MS, &bench->peers[0][3]));
    test_free(bench);
}

/* Alice has 100 connections that wait, Bob comes last with one. */
static void users_take_turns_whatever_the_number_of_their_connections(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    struct peer *peer;
    uint64_t now = S;
    int before = 0;
    for (int i = 0; i < CONNECTIONS; i++)
        hearing_add(&bench->hearing, &bench->peers[0][i]);
    hearing_add(&bench->hearing, &bench->peers[1][0]);
    while ((peer = hearing_next(&bench->hearing, now)) && peer->user->uid == ALICE) {
        now += MS / 10;
        hearing_spend(&bench->hearing, now, peer->user, MS / 10);
        before++;
    }
    assert_ptr_equal(peer, &bench->peers[1][0]);
    assert_int_equal(before, 5); /* her half millisecond */
    test_free(bench);
}

static void a_turn_ends_however_many_wait(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    struct peer *peer;
    uint64_t now = S;
    for (int i = 0; i < CONNECTIONS; i++)
        hearing_add(&bench->hearing, &bench->peers[0][i]);
    for (; (peer = hearing_next(&bench->hearing, now)); now += MS / 10)
        hearing_spend(&bench->hearing, now, peer->user, MS / 10);
    assert_int_equal(now, S + 4 * MS);
    assert_int_equal(hearing_due(&bench->hearing, now),
                     now); /* the rest at once, in the next one */
    test_free(bench);
}

static void a_user_without_quota_waits_until_there_is_some(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    assert_true(hearing_spend(&bench->hearing, S, &bench->users[0], 200 * MS));
    assert_false(hearing_admits(&bench->hearing, S, &bench->peers[0][0]));
    assert_true(hearing_admits(&bench->hearing, S, &bench->peers[1][0]));
    assert_null(hearing_next(&bench->hearing, S));
    assert_int_equal(hearing_due(&bench->hearing, S), S + 20 * MS);
    hearing_end_turn(&bench->hearing);
    assert_ptr_equal(hearing_next(&bench->hearing, S + 20 * MS), &bench->peers[0][0]);
    test_free(bench);
}

static void a_peer_can_leave_the_queue_from_anywhere(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    for (int i = 0; i < 3; i++)
        for (int user = 0; user < 2; user++)
            hearing_add(&bench->hearing, &bench->peers[user][i]);
    hearing_remove(&bench->hearing, &bench->peers[0][1]);
    hearing_remove(&bench->hearing, &bench->peers[0][2]);
    hearing_remove(&bench->hearing, &bench->peers[0][0]);
    hearing_remove(&bench->hearing, &bench->peers[1][2]);
    hearing_remove(&bench->hearing, &bench->peers[1][2]); /* is not there any more */
    hearing_add(&bench->hearing, &bench->peers[1][2]);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(hearing_next(&bench->hearing, S), &bench->peers[1][i]);
    assert_null(hearing_next(&bench->hearing, S));
    assert_null(bench->hearing.first);
    assert_null(bench->hearing.last);
    test_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_takes_a_quarter_of_the_time_in_the_long_run),
        cmocka_unit_test(only_the_moment_at_which_a_quota_is_used_up_is_told),
        cmocka_unit_test(quotas_of_more_users_than_places_stay_apart_as_far_as_possible),
        cmocka_unit_test(a_peer_is_heard_at_once_unless_the_turn_is_used_up),
        cmocka_unit_test(users_take_turns_whatever_the_number_of_their_connections),
        cmocka_unit_test(a_turn_ends_however_many_wait),
        cmocka_unit_test(a_user_without_quota_waits_until_there_is_some),
        cmocka_unit_test(a_peer_can_leave_the_queue_from_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
