#include "client/identity.h"
#include "wire/page.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const variables[] = {
    WIRE_ENV_SOCKET,    WIRE_ENV_TOKEN,      WIRE_ENV_NAME,         WIRE_ENV_NODES,
    WIRE_ENV_WEIGHT,    WIRE_ENV_HINT,       "XDG_RUNTIME_DIR",     "SLURM_JOB_ID",
    "PBS_JOBID",        "LSB_JOBID",         WIRE_ENV_JOB,          WIRE_ENV_ACCOUNT,
    WIRE_ENV_PARTITION, "SLURM_JOB_ACCOUNT", "SLURM_JOB_PARTITION", "PBS_QUEUE",
    "LSB_QUEUE"};

static int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
    return 0;
}

static void without_anything_there_are_defaults(void **state)
{
    (void)state;
    struct identity identity;
    identity_init(&identity, NULL);
    assert_string_equal(identity.socket, "/run/weir.sock");
    assert_string_equal(identity.attach.name, program_invocation_short_name);
    assert_true(identity.attach.nodes == 1 && identity.attach.weight == 1);
    assert_true(identity.attach.volume_hint == 0 && identity.attach.period == 0);
    assert_true(identity.attach.leader == 0);
    setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
    identity_init(&identity, NULL);
    assert_string_equal(identity.socket, "/run/user/7/weir.sock");
}

static void the_environment_says_who_it_is(void **state)
{
    (void)state;
    struct identity identity;
    setenv(WIRE_ENV_SOCKET, "/x/y.sock", 1);
    setenv(WIRE_ENV_TOKEN, "00000000000000ff0123456789abcdef", 1);
    setenv(WIRE_ENV_NAME, "ocean", 1);
    setenv(WIRE_ENV_NODES, "2.5", 1);
    setenv(WIRE_ENV_WEIGHT, "4", 1);
    setenv(WIRE_ENV_HINT, "1.5e+9", 1);
    identity_init(&identity, NULL);
    assert_string_equal(identity.socket, "/x/y.sock");
    assert_string_equal(identity.attach.name, "ocean");
    assert_true(identity.attach.token[0] == 0xff);
    assert_true(identity.attach.token[1] == 0x0123456789abcdef);
    assert_true(identity.attach.nodes == 2.5 && identity.attach.weight == 4);
    assert_true(identity.attach.volume_hint == 1.5e9);
}

static void what_the_program_says_itself_goes_first(void **state)
{
    (void)state;
    struct identity identity;
    struct weir_join join = {.socket = "/a", .name = "b", .token = {1, 2}, .nodes = 3, .period = 9};
    setenv(WIRE_ENV_NAME, "ocean", 1);
    setenv(WIRE_ENV_WEIGHT, "4", 1);
    identity_init(&identity, &join);
    assert_string_equal(identity.socket, "/a");
    assert_string_equal(identity.attach.name, "b");
    assert_true(identity.attach.token[0] == 1 && identity.attach.nodes == 3);
    assert_true(identity.attach.period == 9 && identity.attach.weight == 4);
}

static void what_makes_no_sense_counts_as_not_given(void **state)
{
    (void)state;
    static const char *const numbers[] = {"",     "x",   "-1", "nan", "inf", "1e999", "0",
                                          "0x10", "1,5", ".",  "2e",  "2 ",  "1e-999"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct identity identity;
        setenv(WIRE_ENV_NODES, numbers[i], 1);
        setenv(WIRE_ENV_TOKEN, numbers[i], 1);
        identity_init(&identity, &(struct weir_join){.weight = NAN, .volume_hint = INFINITY});
        assert_true(identity.attach.nodes == 1);
        assert_true(identity.attach.weight == 1 && identity.attach.volume_hint == 0);
        assert_true(identity.attach.token[0] != 0 || identity.attach.token[1] != 0);
    }
    struct identity identity;
    char longer[200] = "";
    memset(longer, 'x', sizeof longer - 1);
    setenv(WIRE_ENV_SOCKET, longer, 1);
    identity_init(&identity, NULL);
    assert_string_equal(identity.socket, ""); /* not somebody else's, cut off */
}

static void the_job_is_what_the_batch_system_says(void **state)
{
    (void)state;
    struct identity identity;
    identity_init(&identity, NULL);
    assert_string_equal(identity.attach.job, "");
    setenv("LSB_JOBID", "77", 1);
    setenv("PBS_JOBID", "1234[5].server/\n", 1);
    setenv("SLURM_JOB_ID", "", 1); /* not set */
    identity_init(&identity, NULL);
    assert_string_equal(identity.attach.job, "1234[5].server__");
    setenv("SLURM_JOB_ID", "42", 1);
    identity_init(&identity, NULL);
    assert_string_equal(identity.attach.job, "42");
    assert_string_equal(identity.attach.account, "");
    setenv("SLURM_JOB_ACCOUNT", "physics", 1);
    setenv("PBS_QUEUE", "short", 1);
    setenv("SLURM_JOB_PARTITION", "long", 1);
    setenv(WIRE_ENV_JOB, "40", 1); /* of which 42 is a part */
    identity_init(&identity, NULL);
    assert_string_equal(identity.attach.job, "40");
    assert_string_equal(identity.attach.account, "physics");
    assert_string_equal(identity.attach.partition, "long");
}

static void tokens_are_drawn_and_written(void **state)
{
    (void)state;
    uint64_t first[2], second[2];
    char text[IDENTITY_TOKEN];
    identity_draw_token(first);
    identity_draw_token(second);
    assert_memory_not_equal(first, second, sizeof first);
    identity_print_token(first, text);
    assert_int_equal(identity_parse_token(text, second), 0);
    assert_memory_equal(first, second, sizeof first);
    assert_int_equal(identity_parse_token("0123", second), -1);
    assert_int_equal(identity_parse_token("0123456789abcdef0123456789abcdeg", second), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_anything_there_are_defaults, clear_environment),
        cmocka_unit_test_setup(the_environment_says_who_it_is, clear_environment),
        cmocka_unit_test_setup(what_the_program_says_itself_goes_first, clear_environment),
        cmocka_unit_test_setup(what_makes_no_sense_counts_as_not_given, clear_environment),
        cmocka_unit_test_setup(the_job_is_what_the_batch_system_says, clear_environment),
        cmocka_unit_test_setup(tokens_are_drawn_and_written, clear_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
