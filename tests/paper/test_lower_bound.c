/* The bound for any strategy in Table 2 of Benoit et al. (2024), example 5 of their report: no
 * strategy is better than 3/2-competitive in MinYield. The same example shows 2.
 *
 * m applications post an I/O of 1 at the same time, and nothing tells them apart. The (1 - l) m
 * that complete it first then work; the others work for m, post an I/O of 1/l, and then work. In a
 * window of (3 - l) m those have had time for m of progress and little more. Served first they
 * would have finished their second I/O by about 2 m, and nobody would have lost more than m. So the
 * ratio is (2 - l) m / (m + 1 + 1/l) or more: 3/2 for l = 1/2, and 2 for l towards 0 and m l large.
 */
#include "common.h"
#include "sim/sim.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_APPS = 1000, PHASES = 3 };

struct example {
    uint32_t count, late; /* m; and l m, of those that are served last */
    struct workload workload;
    struct app apps[MOST_APPS];
    struct iteration iterations[MOST_APPS][PHASES];
};

static void example_reset(struct example *example, uint32_t count, uint32_t late)
{
    example->count = count;
    example->late = late;
    example->workload =
        (struct workload){.name = "example 5",
                          .platform = {.nodes = count, .node_bandwidth = INFINITY, .bandwidth = 1},
                          .apps = example->apps,
                          .count = count,
                          .nodes_known = true};
}

static void example_set(struct example *example, uint32_t id, bool late)
{
    double m = example->count, window = 3 * m - example->late;
    struct iteration *list = example->iterations[id];
    uint32_t phases = 0;
    list[phases++] = (struct iteration){0, 1};
    if (late)
        list[phases++] = (struct iteration){m, m / example->late};
    list[phases++] = (struct iteration){window, 0};
    example->apps[id] = (struct app){
        .facts = {.nodes = 1, .bmax = 1, .weight = 1, .iterations = phases},
        .name = "app",
        .stride = 1,
        .iterations = list,
        .room = INFINITY,
    };
    app_profile(&example->apps[id]);
    example->workload.window = (struct window){.kind = WINDOW_FIXED, .end = window};
}

/* When an application completes its first I/O, of which everything depends. */
struct service {
    double date;
    uint32_t id;
};

static int by_date(const void *a, const void *b)
{
    const struct service *x = a, *y = b;
    if (x->date != y->date)
        return x->date < y->date ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

/* Who is served when, if all have one I/O and nothing else. */
static void order_of_service(struct example *example, const char *strategy,
                             struct service services[MOST_APPS])
{
    struct err err = {""};
    for (uint32_t id = 0; id < example->count; id++) {
        example_set(example, id, false);
        example->apps[id].facts.iterations = 1;
        app_profile(&example->apps[id]);
    }
    example->workload.window = (struct window){.kind = WINDOW_NONE};
    struct policy *policy = policy_open(strategy, &err);
    struct outcome *outcome = policy ? sim_run(&example->workload, policy, NULL, &err) : NULL;
    if (!outcome)
        fail_msg("%s", err.text);
    for (uint32_t id = 0; id < example->count; id++)
        services[id] = (struct service){outcome->apps[id].completion, id};
    qsort(services, example->count, sizeof(*services), by_date);
    outcome_free(outcome);
    policy_free(policy);
}

/* MinYield of the strategy against the adversary; and of serving the same applications first. */
static double ratio(uint32_t count, uint32_t late, const char *strategy)
{
    static struct example example;
    static struct service services[MOST_APPS];
    example_reset(&example, count, late);
    order_of_service(&example, strategy, services);
    for (uint32_t i = 0; i < count; i++)
        example_set(&example, services[i].id, i >= count - late);
    double played = simulate(&example.workload, strategy).min_yield;
    for (uint32_t id = 0; id < count; id++)
        example_set(&example, id, id < late);
    /* First come, first served in the order of the list. */
    return simulate(&example.workload, "fcfs").min_yield / played;
}

/* Those that do not know what an application will do later. */
static const char *const strategies[] = {
    "fcfs",
    "fair-share",
    "best-effort",
    "greedy-com",
    "greedy-yield",
    "set-10",
    "floor",
    "min-dilation",
    "list:order=fifo",
    "list:order=shortest-io",
    "periodic-greedy-yield",
    "look-ahead-greedy-yield",
    "best-next-event",
};
enum { STRATEGIES = sizeof(strategies) / sizeof(*strategies), FAST = 10 };

static void compare(uint32_t count, uint32_t late, int how_many)
{
    double l = (double)late / count, bound = (2 - l) * count / (count + 1 + 1 / l);
    printf("m %u, l %.3f: at least %.3f;", (unsigned)count, l, bound);
    for (int i = 0; i < how_many; i++) {
        double own = ratio(count, late, strategies[i]);
        printf(" %s %.3f", strategies[i], own);
        assert_true(own >= bound);
    }
    printf("\n");
}

static void no_strategy_is_better_than_two_competitive_in_min_yield(void **state)
{
    (void)state;
    compare(100, 50, STRATEGIES);
    compare(100, 10, STRATEGIES);
    compare(1000, 500, FAST);
    compare(1000, 40, FAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_strategy_is_better_than_two_competitive_in_min_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
