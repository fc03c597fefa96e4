/* Controllers that elect a leader, with an etcd that forgets, loses and delays, on virtual time. */
#include "cluster/leader.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

/* --- one machine, answered by hand ------------------------------------------------------------ */

static struct leader leader;

/* The next request, which must be due now and be this one. */
static struct leader_request expect(uint64_t now, enum leader_ask ask)
{
    struct leader_request request = {.ask = LEADER_ASKS_COUNT};
    leader_settle(&leader, now);
    assert_true(leader_next(&leader) <= now);
    assert_true(leader_request(&leader, now, &request));
    assert_int_equal(request.ask, ask);
    return request;
}

static void answer_lease(uint64_t now, uint64_t lease, uint32_t ttl)
{
    leader_answer(&leader, now, &(struct leader_answer){.there = true, .lease = lease, .ttl = ttl});
}

static void answer_claim(uint64_t now, uint64_t holder, uint64_t revision)
{
    leader_answer(&leader, now,
                  &(struct leader_answer){.there = true, .holder = holder, .revision = revision});
}

static void answer_nothing(uint64_t now)
{
    leader_answer(&leader, now, &(struct leader_answer){0});
}

/* It leads with lease 7 of 4 s from the time 1 s on. */
static void lead(void)
{
    leader_init(&leader, 4);
    assert_int_equal(expect(SECOND, LEADER_GRANT).ttl, 4);
    answer_lease(SECOND, 7, 4);
    assert_int_equal(expect(SECOND, LEADER_CLAIM).lease, 7);
    answer_claim(SECOND, 7, 42);
    assert_true(leader.leads);
    assert_int_equal(leader.epoch, 42);
}

static void a_free_key_makes_a_leader_until_before_its_lease_ends(void **state)
{
    (void)state;
    lead();
    /* asked for at 1 s, 4 s long, 10 % less */
    assert_int_equal(leader.until, SECOND + 4 * SECOND - 4 * SECOND / 10);
    assert_int_equal(leader_next(&leader), 2 * SECOND); /* a quarter of the lease */
}

static void a_term_counts_from_the_request_and_not_from_its_answer(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    answer_lease(2 * SECOND + SECOND / 2, 7, 4);
    assert_int_equal(leader.until, SECOND * 46 / 10); /* before the key is confirmed */
    expect(2 * SECOND + SECOND / 2, LEADER_CLAIM);
    answer_claim(3 * SECOND, 7, 42);
    assert_int_equal(leader.until, 2 * SECOND + SECOND * 36 / 10);
    assert_int_equal(leader.epoch, 42);
}

static void without_answers_it_steps_down_in_time_and_begins_again(void **state)
{
    (void)state;
    lead();
    for (uint64_t now = leader_next(&leader); now < SECOND * 46 / 10; now = leader_next(&leader)) {
        struct leader_request request;
        leader_settle(&leader, now);
        assert_true(leader.leads);
        if (leader_request(&leader, now, &request))
            answer_nothing(now + SECOND / 100);
    }
    leader_settle(&leader, SECOND * 46 / 10 - 1);
    assert_true(leader.leads);
    leader_settle(&leader, SECOND * 46 / 10);
    assert_false(leader.leads);
    assert_int_equal(expect(5 * SECOND, LEADER_REVOKE).lease, 7);
    answer_nothing(5 * SECOND);
    expect(5 * SECOND, LEADER_GRANT); /* the old lease is not used again */
}

static void an_answer_after_the_term_does_not_bring_it_back(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    answer_lease(6 * SECOND, 7, 4); /* frozen in between */
    assert_false(leader.leads);
    expect(6 * SECOND, LEADER_REVOKE);
}

static void another_holder_ends_the_term_at_once(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    answer_lease(2 * SECOND, 7, 4);
    expect(2 * SECOND, LEADER_CLAIM);
    answer_claim(2 * SECOND, 8, 43);
    assert_false(leader.leads);
}

static void a_key_that_was_deleted_and_made_again_is_another_term(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    answer_lease(2 * SECOND, 7, 4);
    expect(2 * SECOND, LEADER_CLAIM);
    answer_claim(2 * SECOND, 7, 44);
    assert_false(leader.leads);
}

static void a_claim_whose_answer_was_lost_is_found_out(void **state)
{
    (void)state;
    leader_init(&leader, 4);
    expect(SECOND, LEADER_GRANT);
    answer_lease(SECOND, 7, 4);
    expect(SECOND, LEADER_CLAIM);
    answer_nothing(SECOND + SECOND / 10);
    expect(SECOND + SECOND / 2, LEADER_CLAIM);
    answer_claim(SECOND + SECOND / 2, 7, 42); /* ours already */
    assert_true(leader.leads);
}

static void a_lease_that_etcd_has_forgotten_is_replaced(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    answer_lease(2 * SECOND, 0, 0);
    assert_false(leader.leads);
    expect(2 * SECOND, LEADER_GRANT);
    answer_lease(2 * SECOND, 9, 4);
    expect(2 * SECOND, LEADER_CLAIM);
    answer_claim(2 * SECOND, 0, 0); /* gone again, before the claim */
    expect(2 * SECOND, LEADER_GRANT);
}

static void a_standby_keeps_its_lease_and_claims_again_and_again(void **state)
{
    uint32_t asked[LEADER_ASKS_COUNT] = {0};
    (void)state;
    leader_init(&leader, 4);
    for (uint64_t now = 0; now < 40 * SECOND; now = leader_next(&leader)) {
        struct leader_request request;
        assert_true(leader_request(&leader, now, &request));
        asked[request.ask]++;
        if (request.ask == LEADER_CLAIM)
            answer_claim(now, 8, 5);
        else
            answer_lease(now, 7, 4);
        assert_false(leader.leads);
    }
    assert_int_equal(asked[LEADER_GRANT], 1);
    assert_in_range(asked[LEADER_RENEW], 38, 40); /* one a second */
    assert_in_range(asked[LEADER_CLAIM], 78, 81); /* two */
}

static void a_leader_that_resigns_gives_its_lease_back_and_asks_no_more(void **state)
{
    (void)state;
    lead();
    expect(2 * SECOND, LEADER_RENEW);
    leader_resign(&leader);
    assert_false(leader.leads);
    assert_int_equal(expect(2 * SECOND, LEADER_CLOSE).lease, 7); /* it led */
    answer_nothing(3 * SECOND);
    struct leader_request request;
    assert_false(leader_request(&leader, 100 * SECOND, &request));
    assert_true(leader_next(&leader) == UINT64_MAX);
}

/* --- a crowd under faults --------------------------------------------------------------------- */

enum { CONTROLLERS = 3, LEASES = 512, TTL = 2 };
#define TICK (SECOND / 500)

struct etcd {
    bool down;
    uint64_t revision, holder, created; /* of the key; holder 0 = there is none */
    uint64_t granted;                   /* leases so far; they are numbered from 1 */
    uint64_t ends[LEASES];              /* 0 = ended */
};

/* A request under way, and then its answer. */
struct mail {
    bool under_way, answered;
    uint64_t at; /* arrives, or is given up as lost */
    uint64_t limit;
    struct leader_request request;
    struct leader_answer answer;
};

struct candidate {
    struct leader leader;
    double pace;     /* of its clock */
    uint64_t offset; /* and what it shows at the start */
    uint64_t frozen; /* until then */
    uint64_t cut;    /* its network, until then */
    struct mail mail;
};

static struct etcd etcd;
static struct candidate crowd[CONTROLLERS];
static uint64_t dice, latest_epoch;

static uint64_t roll(uint64_t sides)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (dice >> 33) % sides;
}

static uint64_t clock_of(const struct candidate *one, uint64_t now)
{
    return one->offset + (uint64_t)(one->pace * (double)now);
}

static void etcd_expire(uint64_t now)
{
    for (uint64_t i = 1; i <= etcd.granted; i++) {
        if (etcd.down || etcd.ends[i] == 0 || now < etcd.ends[i])
            continue;
        etcd.ends[i] = 0;
        if (etcd.holder == i) {
            etcd.holder = 0;
            etcd.revision++;
        }
    }
}

static struct leader_answer etcd_serve(uint64_t now, const struct leader_request *request)
{
    struct leader_answer answer = {.there = true};
    uint64_t lease = request->lease;
    if (request->ask == LEADER_GRANT) {
        assert_true(etcd.granted + 1 < LEASES);
        lease = ++etcd.granted;
        etcd.ends[lease] = now + TTL * SECOND;
    }
    if (etcd.ends[lease] == 0)
        return answer;
    if (request->ask == LEADER_REVOKE) {
        etcd.ends[lease] = now;
        etcd_expire(now);
    } else if (request->ask == LEADER_CLAIM) {
        if (etcd.holder == 0) {
            etcd.holder = lease;
            etcd.created = ++etcd.revision;
        }
        answer.holder = etcd.holder;
        answer.revision = etcd.created;
    } else {
        etcd.ends[lease] = now + TTL * SECOND;
        answer.lease = lease;
        answer.ttl = TTL;
    }
    return answer;
}

/* Between 0.2 and 20 ms, and now and then up to 0.7 s. */
static uint64_t crowd_delay(void)
{
    return SECOND / 5000 + roll(roll(20) == 0 ? SECOND * 7 / 10 : SECOND / 50);
}

static void crowd_carry(struct candidate *one, uint64_t now, bool lossy)
{
    struct mail *mail = &one->mail;
    if (!mail->under_way || now < mail->at)
        return;
    if (!mail->answered && now < mail->limit) { /* it arrives at etcd */
        bool lost = etcd.down || now < one->cut || (lossy && roll(15) == 0);
        if (!lost)
            mail->answer = etcd_serve(now, &mail->request);
        mail->answered = true;
        lost |= lossy && roll(15) == 0;
        mail->at = lost ? UINT64_MAX : now + crowd_delay();
        mail->at = mail->at < mail->limit ? mail->at : mail->limit;
        mail->answer.there = mail->at < mail->limit;
    } else if (now >= one->frozen) {
        mail->under_way = false;
        leader_answer(&one->leader, clock_of(one, now), &mail->answer);
    }
}

static void crowd_send(struct candidate *one, uint64_t now)
{
    struct leader_request request;
    if (!leader_request(&one->leader, clock_of(one, now), &request))
        return;
    one->mail = (struct mail){.under_way = true,
                              .at = now + crowd_delay(),
                              .limit = now + request.limit,
                              .request = request};
    if (one->mail.at > one->mail.limit)
        one->mail.at = one->mail.limit;
}

/* Only one leads at any time, and each term has a higher epoch than those before. */
static uint32_t crowd_check(uint64_t now)
{
    uint32_t leaders = 0;
    for (int i = 0; i < CONTROLLERS; i++) {
        const struct leader *one = &crowd[i].leader;
        if (!one->leads || clock_of(&crowd[i], now) >= one->until)
            continue;
        leaders++;
        assert_true(one->epoch >= latest_epoch);
        latest_epoch = one->epoch;
    }
    assert_in_range(leaders, 0, 1);
    return leaders;
}

static void crowd_hurt(uint64_t now)
{
    struct candidate *one = &crowd[roll(CONTROLLERS)];
    switch (roll(4)) {
    case 0:
        one->frozen = now + roll(5 * SECOND);
        break;
    case 1:
        one->cut = now + roll(5 * SECOND);
        break;
    case 2: /* restarted without memory */
        leader_init(&one->leader, TTL);
        one->mail.under_way = false;
        break;
    default:
        etcd.down = !etcd.down;
        for (uint64_t i = 1; i <= etcd.granted; i++) /* a restart gives all their whole time */
            if (etcd.ends[i] && etcd.ends[i] < now + TTL * SECOND)
                etcd.ends[i] = now + TTL * SECOND;
    }
}

static void crowd_turn(uint64_t now, bool faults)
{
    etcd_expire(now);
    for (int i = 0; i < CONTROLLERS; i++) {
        struct candidate *one = &crowd[i];
        crowd_carry(one, now, faults);
        if (now < one->frozen)
            continue;
        leader_settle(&one->leader, clock_of(one, now));
        crowd_send(one, now);
    }
}

/* Part of the time without a leader, after 20 s of faults and 6 s to heal. */
static double crowd_run(uint64_t seed)
{
    uint64_t quiet = 0, counted = 0;
    dice = seed * 977 + 1;
    latest_epoch = 0;
    memset(&etcd, 0, sizeof etcd);
    for (int i = 0; i < CONTROLLERS; i++) {
        crowd[i] = (struct candidate){.pace = 1 + ((double)roll(201) - 100) / 10000,
                                      .offset = roll(1000 * SECOND)};
        leader_init(&crowd[i].leader, TTL);
    }
    for (uint64_t now = 0; now < 30 * SECOND; now += TICK) {
        bool faults = now < 20 * SECOND;
        if (faults && roll(400) == 0)
            crowd_hurt(now);
        if (!faults) {
            etcd.down = false;
            for (int i = 0; i < CONTROLLERS; i++)
                crowd[i].frozen = crowd[i].cut = 0;
        }
        crowd_turn(now, faults);
        uint32_t leaders = crowd_check(now);
        counted += now >= 26 * SECOND;
        quiet += now >= 26 * SECOND && leaders == 0;
    }
    return (double)quiet / (double)counted;
}

static void no_two_lead_at_the_same_time_and_one_does_after_healing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        double without = crowd_run(seed);
        if (without > 0)
            print_message("seed %u: without a leader %.3f of the time\n", (unsigned)seed, without);
        assert_true(without < 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_key_makes_a_leader_until_before_its_lease_ends),
        cmocka_unit_test(a_term_counts_from_the_request_and_not_from_its_answer),
        cmocka_unit_test(without_answers_it_steps_down_in_time_and_begins_again),
        cmocka_unit_test(an_answer_after_the_term_does_not_bring_it_back),
        cmocka_unit_test(another_holder_ends_the_term_at_once),
        cmocka_unit_test(a_key_that_was_deleted_and_made_again_is_another_term),
        cmocka_unit_test(a_claim_whose_answer_was_lost_is_found_out),
        cmocka_unit_test(a_lease_that_etcd_has_forgotten_is_replaced),
        cmocka_unit_test(a_standby_keeps_its_lease_and_claims_again_and_again),
        cmocka_unit_test(a_leader_that_resigns_gives_its_lease_back_and_asks_no_more),
        cmocka_unit_test(no_two_lead_at_the_same_time_and_one_does_after_healing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
