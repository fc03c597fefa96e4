/* Requests to etcd, and answers as etcd 3.4 gives them. */
#include "cluster/etcd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEADER                                                                                     \
    "\"header\":{\"cluster_id\":\"15118495548433857066\",\"member_id\":\"13668033151171901709\","  \
    "\"revision\":\"2\",\"raft_term\":\"2\"}"

static struct leader_answer answer_to(enum leader_ask ask, int status, const char *body)
{
    const struct leader_request request = {.ask = ask, .lease = 77};
    return etcd_read(&request, status, body, strlen(body));
}

static void requests_are_what_etcd_understands(void **state)
{
    const struct etcd_election election = {"a", "head1", {0}};
    char body[ETCD_BODY];
    (void)state;
    struct leader_request request = {LEADER_GRANT, .ttl = 4};
    assert_string_equal(etcd_write(&request, &election, body), "/v3/lease/grant");
    assert_string_equal(body, "{\"TTL\":\"4\"}");
    request = (struct leader_request){LEADER_RENEW, .lease = UINT64_C(7587872312345678901)};
    assert_string_equal(etcd_write(&request, &election, body), "/v3/lease/keepalive");
    assert_string_equal(body, "{\"ID\":\"7587872312345678901\"}");
    request.ask = LEADER_REVOKE;
    assert_string_equal(etcd_write(&request, &election, body), "/v3/lease/revoke");
    request.ask = LEADER_CLAIM;
    assert_string_equal(etcd_write(&request, &election, body), "/v3/kv/txn");
    /* printf weir/a | base64: d2Vpci9h; printf head1 | base64: aGVhZDE= */
    assert_string_equal(
        body, "{\"compare\":[{\"key\":\"d2Vpci9h\",\"target\":\"CREATE\",\"result\":\"EQUAL\","
              "\"create_revision\":\"0\"}],\"success\":[{\"request_put\":{\"key\":\"d2Vpci9h\","
              "\"value\":\"aGVhZDE=\",\"lease\":\"7587872312345678901\"}},"
              "{\"request_delete_range\":{\"key\":\"d2Vpci9hL2Nsb3NlZA==\",\"prev_kv\":true}}],"
              "\"failure\":[{\"request_range\":{\"key\":\"d2Vpci9h\"}}]}");
}

static void the_longest_names_fit_a_request(void **state)
{
    char name[ETCD_NAME + 100], body[ETCD_BODY];
    const struct etcd_election election = {name, name, {0}};
    const struct leader_request request = {LEADER_CLAIM, .lease = UINT64_MAX};
    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    etcd_write(&request, &election, body);
    assert_string_equal(body + strlen(body) - 4, "}}]}");
}

/* The last of a leader that agents owe 2.5e9 and 0.1, and the first of the next one. */
static void a_leader_leaves_what_agents_hold_to_the_next(void **state)
{
    const struct etcd_election election = {"a", "head1", {2, {2.5e9, 0.1}}};
    const struct leader_request request = {LEADER_CLOSE, .lease = 7, .epoch = 12};
    char body[ETCD_BODY];
    (void)state;
    assert_string_equal(etcd_write(&request, &election, body), "/v3/kv/txn");
    /* printf '2500000000 0.10000000000000001 ' | base64 */
    assert_string_equal(
        body, "{\"compare\":[{\"key\":\"d2Vpci9h\",\"target\":\"CREATE\",\"result\":\"EQUAL\","
              "\"create_revision\":\"12\"}],\"success\":[{\"request_put\":{\"key\":"
              "\"d2Vpci9hL2Nsb3NlZA==\",\"value\":\"MjUwMDAwMDAwMCAwLjEwMDAwMDAwMDAwMDAwMDAxIA==\","
              "\"lease\":\"7\"}},{\"request_delete_range\":{\"key\":\"d2Vpci9h\"}}]}");
#define TAKEN(value)                                                                               \
    "{" HEADER ",\"succeeded\":true,\"responses\":[{\"response_put\":{}},{"                        \
    "\"response_delete_range\":{\"deleted\":\"1\",\"prev_kvs\":[{\"key\":\"d2Vpci9hL2Nsb3NlZA=="   \
    "\","                                                                                          \
    "\"create_revision\":\"9\",\"lease\":\"7\",\"value\":\"" value "\"}]}}]}"
    struct leader_answer answer =
        answer_to(LEADER_CLAIM, 200, TAKEN("MjUwMDAwMDAwMCAwLjEwMDAwMDAwMDAwMDAwMDAxIA=="));
    assert_true(answer.there && answer.holder == 77 && answer.revision == 2);
    assert_int_equal(answer.legacy.count, 2);
    assert_true(answer.legacy.held[0] == 2.5e9 && answer.legacy.held[1] == 0.1);
    /* "-1 ", "nan ", "5" without its end, and what is not base64: nothing is known. */
    static const char *const nonsense[] = {TAKEN("LTEg"), TAKEN("bmFuIA=="), TAKEN("NQ=="),
                                           TAKEN("%%%"), TAKEN("")};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        answer = answer_to(LEADER_CLAIM, 200, nonsense[i]);
        assert_true(answer.there && answer.legacy.count == 0);
    }
}

static void leases_are_read(void **state)
{
    (void)state;
    struct leader_answer answer =
        answer_to(LEADER_GRANT, 200, "{" HEADER ",\"ID\":\"4111120052465235461\",\"TTL\":\"2\"}");
    assert_true(answer.there);
    assert_true(answer.lease == UINT64_C(4111120052465235461));
    assert_int_equal(answer.ttl, 2);
    answer =
        answer_to(LEADER_RENEW, 200, "{\"result\":{" HEADER ",\"ID\":\"77\",\"TTL\":\"4\"}}\n");
    assert_true(answer.there && answer.lease == 77 && answer.ttl == 4);
    answer = answer_to(LEADER_RENEW, 200, "{\"result\":{" HEADER ",\"ID\":\"77\"}}");
    assert_true(answer.there && answer.lease == 0); /* it has ended */
}

static void a_claim_tells_whose_the_key_is(void **state)
{
    (void)state;
    struct leader_answer answer =
        answer_to(LEADER_CLAIM, 200,
                  "{" HEADER ",\"succeeded\":true,\"responses\":[{\"response_put\":{\"header\":{"
                  "\"revision\":\"2\"}}}]}");
    assert_true(answer.there && answer.holder == 77 && answer.revision == 2);
    answer = answer_to(LEADER_CLAIM, 200,
                       "{" HEADER ",\"responses\":[{\"response_range\":{\"header\":{\"revision\":"
                       "\"9\"},\"kvs\":[{\"key\":\"d2Vpcg==\",\"create_revision\":\"5\","
                       "\"mod_revision\":\"6\",\"version\":\"1\",\"value\":\"YQ==\",\"lease\":"
                       "\"4111120052465235463\"}],\"count\":\"1\"}}]}");
    assert_true(answer.there && answer.holder == UINT64_C(4111120052465235463));
    assert_int_equal(answer.revision, 5);
    answer = answer_to(LEADER_CLAIM, 200,
                       "{" HEADER ",\"responses\":[{\"response_range\":{\"kvs\":[{"
                       "\"create_revision\":\"5\"}]}}]}");
    assert_true(answer.there && answer.holder != 0 && answer.holder != 77); /* put there by hand */
    answer = answer_to(LEADER_CLAIM, 404,
                       "{\"error\":\"etcdserver: requested lease not found\",\"message\":"
                       "\"etcdserver: requested lease not found\",\"code\":5}");
    assert_true(answer.there && answer.holder == 0);
}

static void faults_are_no_answers(void **state)
{
    static const char *const bodies[] = {
        "",
        "{}",
        "404 page not found",
        "{\"error\":\"etcdserver: no leader\",\"message\":\"etcdserver: no leader\",\"code\":14}",
        "{\"ID\":\"x\",\"TTL\":\"y\"}",
        "{\"ID\":\"99999999999999999999999\",\"TTL\":\"2\"}",
        "{\"ID\":\"-5\",\"TTL\":\"2\"}",
        "{\"ID\":\"5\",\"TTL\":\"99999999\"}",
        "{\"result\":{\"ID\":\"78\",\"TTL\":\"4\"}}", /* another lease */
        "{\"succeeded\":true}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int ask = LEADER_GRANT; ask <= LEADER_CLAIM; ask++)
            for (int status = 200; status <= 503; status += 303)
                if (answer_to((enum leader_ask)ask, status, bodies[i]).there)
                    fail_msg("'%s' counts as an answer to %d", bodies[i], ask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_what_etcd_understands),
        cmocka_unit_test(the_longest_names_fit_a_request),
        cmocka_unit_test(a_leader_leaves_what_agents_hold_to_the_next),
        cmocka_unit_test(leases_are_read),
        cmocka_unit_test(a_claim_tells_whose_the_key_is),
        cmocka_unit_test(faults_are_no_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
