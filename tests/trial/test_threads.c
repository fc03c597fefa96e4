/* Trials side by side; ThreadSanitizer looks on. */
#include "common.h"
#include "gen/gen.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, SEEDS = 3, MOST = 256 };

/* What all threads share, and nobody changes, but the rows, of which each trial has its own. */
struct work {
    struct scenario *noisy, *twins; /* the latter for strategies that follow a plan */
    struct workload *workload;      /* of the former */
    struct policy *policies[MOST];
    size_t policies_count;
    atomic_size_t next;
    struct row *rows;
};

/* A number per strategy and seed, and one more per strategy for the workload that they share. */
static size_t work_count(const struct work *work)
{
    return work->policies_count * (SEEDS + 1);
}

static void *work_on(void *context)
{
    struct work *work = context;
    for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work_count(work);) {
        struct err err;
        const struct policy *policy = work->policies[i % work->policies_count];
        bool planned = policy->ops->flags & WEIR_NEEDS_PLAN;
        struct scenario seeded = planned ? *work->twins : *work->noisy;
        struct trial trial = {.scenario = &seeded, .policy = policy};
        seeded.seed = i / work->policies_count;
        if (seeded.seed == SEEDS && !planned)
            trial.workload = work->workload;
        trial_run(&trial, &work->rows[i], &err); /* a failure leaves an empty row */
    }
    return NULL;
}

static void work_init(struct work *work)
{
    static const char *const planned[] = {"plan", "apio", "plan:objective=dilation"};
    struct err err;
    work->noisy = open_example("noisy");
    work->twins = open_twins();
    work->workload = workload_realise(work->noisy, &err);
    assert_non_null(work->workload);
    for (size_t i = 0; policy_all[i]; i++)
        work->policies[work->policies_count++] = open_policy(policy_all[i]);
    for (size_t i = 0; i < sizeof planned / sizeof *planned; i++)
        work->policies[work->policies_count++] = open_policy(planned[i]);
    assert_true(work_count(work) <= MOST);
}

static void work_fini(struct work *work)
{
    for (size_t i = 0; i < work->policies_count; i++)
        policy_free(work->policies[i]);
    workload_free(work->workload);
    scenario_free(work->noisy);
    scenario_free(work->twins);
}

static void four_threads_make_the_rows_of_one(void **state)
{
    (void)state;
    static struct work work;
    static struct row alone[MOST], together[MOST];
    pthread_t threads[THREADS];
    work_init(&work);
    work.rows = alone;
    work_on(&work);
    atomic_store(&work.next, 0);
    work.rows = together;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_on, &work), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < work_count(&work); i++) {
        assert_non_null(alone[i].apps);
        assert_non_null(together[i].apps);
        expect_same(&together[i], &alone[i]);
        row_fini(&alone[i]);
        row_fini(&together[i]);
    }
    work_fini(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_threads_make_the_rows_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
