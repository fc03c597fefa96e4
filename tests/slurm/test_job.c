#include "slurm/job.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int get(void *context, const char *variable, char *value, size_t size)
{
    for (const char *const *pair = context; *pair; pair += 2)
        if (strcmp(pair[0], variable) == 0) {
            if (strlen(pair[1]) >= size)
                return -1;
            strcpy(value, pair[1]);
            return 0;
        }
    *value = '\0';
    return 0;
}

/* The application of a job in an environment: names and values, then NULL. */
static struct wire_attach identify(struct job_step job, const char **pairs)
{
    const struct environment environment = {get, NULL, pairs};
    struct settings settings = {.socket = "/s", .volume = 7};
    struct identity identity;
    job_identify(&job, &environment, &settings, &identity);
    assert_string_equal(identity.socket, "/s");
    return identity.attach;
}

static bool is_same(const struct wire_attach *a, const struct wire_attach *b)
{
    return memcmp(a->token, b->token, sizeof a->token) == 0;
}

static void a_job_is_known_by_what_slurm_says(void **state)
{
    (void)state;
    const char *pairs[] = {"SLURM_JOB_NAME",
                           "a/b",
                           "SLURM_JOB_ACCOUNT",
                           "physics",
                           "SLURM_JOB_PARTITION",
                           "long",
                           "SLURM_JOB_ID",
                           "99",
                           "SLURM_JOB_NUM_NODES",
                           "500",
                           "WEIR_WEIGHT",
                           "5",
                           NULL};
    struct wire_attach who = identify((struct job_step){.id = 42, .uid = 1042, .nodes = 3}, pairs);
    assert_string_equal(who.name, "a_b");
    assert_string_equal(who.job, "42");
    assert_string_equal(who.account, "physics");
    assert_string_equal(who.partition, "long");
    assert_int_equal(who.user, 1043);
    assert_int_equal(who.leader, WIRE_HOSTS);
    assert_true(who.nodes == 3 && who.weight == 1 && who.volume_hint == 7);
}

static void the_steps_of_a_job_are_one_application(void **state)
{
    (void)state;
    const char *batch[] = {"SLURM_JOB_NUM_NODES", "4", "SLURM_JOB_NAME", "sim", NULL};
    const char *none[] = {NULL};
    struct wire_attach shell = identify((struct job_step){.id = 42, .batch = true}, batch);
    struct wire_attach step = identify((struct job_step){.id = 42, .nodes = 2}, none);
    struct wire_attach other = identify((struct job_step){.id = 43, .nodes = 2}, none);
    assert_true(shell.nodes == 4);
    assert_true(is_same(&shell, &step) && !is_same(&shell, &other));
    assert_string_equal(step.name, "job");
}

static void the_components_of_a_heterogeneous_job_are_one_application(void **state)
{
    (void)state;
    const char *pairs[] = {"SLURM_JOB_ID",
                           "42",
                           "SLURM_HET_SIZE",
                           "2",
                           "SLURM_JOB_NUM_NODES",
                           "1",
                           "SLURM_JOB_NUM_NODES_HET_GROUP_0",
                           "1",
                           "SLURM_JOB_NUM_NODES_HET_GROUP_1",
                           "2",
                           NULL};
    struct wire_attach first = identify((struct job_step){.id = 42, .batch = true}, pairs);
    struct wire_attach second = identify((struct job_step){.id = 43, .nodes = 2}, pairs);
    assert_true(is_same(&first, &second));
    assert_string_equal(second.job, "42");
    assert_true(first.nodes == 3 && second.nodes == 3);
    /* The number of a job that cannot be a part of it is not believed. */
    struct wire_attach far = identify((struct job_step){.id = 42 + 128}, pairs);
    assert_string_equal(far.job, "170");
    far = identify((struct job_step){.id = 41}, pairs);
    assert_string_equal(far.job, "41");
}

static void what_makes_no_sense_counts_as_not_given(void **state)
{
    (void)state;
    static const char *const numbers[] = {"", "x", "-1", "0", "4x", "99999999999", " 4"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *pairs[] = {"SLURM_JOB_NUM_NODES",
                               numbers[i],
                               "SLURM_HET_SIZE",
                               numbers[i],
                               "SLURM_JOB_ID",
                               numbers[i],
                               NULL};
        struct wire_attach who = identify((struct job_step){.id = 42, .batch = true}, pairs);
        assert_true(who.nodes == 1);
        assert_string_equal(who.job, "42");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_known_by_what_slurm_says),
        cmocka_unit_test(the_steps_of_a_job_are_one_application),
        cmocka_unit_test(the_components_of_a_heterogeneous_job_are_one_application),
        cmocka_unit_test(what_makes_no_sense_counts_as_not_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
