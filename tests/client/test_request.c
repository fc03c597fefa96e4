#include "client/request.h"
#include "support/fake.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct fake fake;

static int start(void **state)
{
    (void)state;
    fake_start(&fake, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    fake_stop(&fake);
    return 0;
}

struct heard {
    uint32_t apps, ends;
    char reason[WIRE_TEXT];
};

static void hear(const struct wire_message *message, void *context)
{
    struct heard *heard = context;
    heard->apps += message->type == WIRE_APP;
    heard->ends += message->type == WIRE_STATUS || message->type == WIRE_REFUSED;
    if (message->type == WIRE_REFUSED)
        memcpy(heard->reason, message->refused.reason, sizeof heard->reason);
}

static const struct wire_message query = {.type = WIRE_QUERY, .query = {.applications = 1}};

static void a_query_brings_the_applications_and_the_status(void **state)
{
    (void)state;
    struct heard heard = {0};
    assert_null(request_ask(fake.path, &query, 2, hear, &heard));
    assert_int_equal(heard.apps, 1);
    assert_int_equal(heard.ends, 1);
    fake_wait_peers(&fake, 0);
}

static void a_refusal_is_an_answer(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct wire_message set = {
        .type = WIRE_SET, .set = {.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = 1e9}};
    assert_null(request_ask(fake.path, &set, 2, hear, &heard));
    assert_string_equal(heard.reason, "not you");
    assert_int_equal(heard.ends, 1);
}

static void a_controller_that_does_not_answer_is_not_waited_for(void **state)
{
    (void)state;
    struct heard heard = {0};
    atomic_store(&fake.mute, 1);
    uint64_t begin = fake_now();
    assert_string_equal(request_ask(fake.path, &query, 0.1, hear, &heard),
                        "the controller does not answer");
    uint64_t time = fake_now() - begin;
    assert_true(time >= 100000000 && time < 1000000000);
}

static void without_a_controller_it_says_so(void **state)
{
    (void)state;
    struct heard heard = {0};
    char longer[300];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_string_equal(request_ask("/nowhere/weir.sock", &query, 1, hear, &heard),
                        "neither a controller nor an agent listens there");
    assert_string_equal(request_ask(longer, &query, 1, hear, &heard),
                        "the path is too long for a socket");
    fake_kill(&fake);
    assert_string_equal(request_ask(fake.path, &query, 1, hear, &heard),
                        "neither a controller nor an agent listens there");
}

static void a_leader_stays_until_it_closes_its_socket(void **state)
{
    (void)state;
    struct identity identity;
    struct wire_message answer, attach;
    int fd;
    identity_init(&identity, &(struct weir_join){.socket = fake.path, .name = "leader"});
    identity.attach.leader = 1;
    assert_null(request_attach(&identity, 2, &answer, &fd));
    assert_int_equal(answer.type, WIRE_WELCOME);
    assert_string_equal(answer.welcome.stores, "/store:/scratch");
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, &attach), 1);
    assert_int_equal(attach.attach.leader, 1);
    fake_wait_peers(&fake, 1);
    close(fd);
    fake_wait_peers(&fake, 0);
}

static void without_an_answer_there_is_no_leader(void **state)
{
    (void)state;
    struct identity identity;
    struct wire_message answer;
    int fd;
    identity_init(&identity, &(struct weir_join){.socket = fake.path});
    atomic_store(&fake.mute, 1);
    assert_string_equal(request_attach(&identity, 0.05, &answer, &fd),
                        "the controller does not answer");
    assert_int_equal(fd, -1);
    fake_wait_peers(&fake, 0);
}

int main(void)
{
#define WITH_CONTROLLER(test) cmocka_unit_test_setup_teardown(test, start, stop)
    const struct CMUnitTest tests[] = {
        WITH_CONTROLLER(a_query_brings_the_applications_and_the_status),
        WITH_CONTROLLER(a_refusal_is_an_answer),
        WITH_CONTROLLER(a_controller_that_does_not_answer_is_not_waited_for),
        WITH_CONTROLLER(without_a_controller_it_says_so),
        WITH_CONTROLLER(a_leader_stays_until_it_closes_its_socket),
        WITH_CONTROLLER(without_an_answer_there_is_no_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
