#include "model/scenario.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct iteration phases[] = {{1, 2}, {3, 4}}, others[] = {{1, 2}, {3, 5}};
static const struct distribution uniform = {.kind = DIST_UNIFORM, .min = 1, .max = 2};
static const struct app_extra ada = {.names = {"x", NULL}}, stars = {.names = {NULL, "x"}},
                              long_one = {.length = 9};
static const struct share_user twice = {"x", NULL, 2};
static const struct shares plain = {.levels = SHARES_LEVELS, .period = 2};
static const struct shares brief = {.levels = SHARES_LEVELS, .period = 1};
static const struct shares listed_users = {
    .levels = SHARES_LEVELS, .period = 2, .users = &twice, .user_count = 1};

static struct scenario *make(void)
{
    struct scenario *scenario = scenario_new("any", 2);
    assert_non_null(scenario);
    scenario->platform = (struct platform){.nodes = 10, .node_bandwidth = 1, .bandwidth = 5};
    scenario->apps[0].name = "a";
    scenario->apps[0].work.mean = 3;
    scenario->apps[1].name = "b";
    scenario->apps[1].iterations = 2;
    scenario->apps[1].explicit_iterations = phases;
    return scenario;
}

#define CHANGE(name, change)                                                                       \
    static void name(struct scenario *scenario)                                                    \
    {                                                                                              \
        change;                                                                                    \
    }
CHANGE(nodes, scenario->platform.nodes = 11)
CHANGE(bandwidth, scenario->platform.bandwidth = 6)
CHANGE(window, scenario->window.kind = WINDOW_AUTO)
CHANGE(end, scenario->window = ((struct window){WINDOW_FIXED, 0, 9}))
CHANGE(label, scenario->apps[0].name = "c")
CHANGE(count, scenario->apps[0].count = 2)
CHANGE(work, scenario->apps[0].work.mean = nextafter(3, 4))
CHANGE(swapped, scenario->apps[0].io = scenario->apps[0].work; scenario->apps[0].work.mean = 0)
CHANGE(drawn, scenario->apps[0].work.random = &uniform)
CHANGE(noise, scenario->apps[0].noise_io = 0.1)
CHANGE(weight, scenario->apps[1].weight = 2)
CHANGE(listed, scenario->apps[1].explicit_iterations = others)
CHANGE(fewer, scenario->count = 1)
CHANGE(last, scenario->drawn_last = &scenario->apps[1])
CHANGE(owned, scenario->apps[0].extra = &ada)
CHANGE(charged, scenario->apps[0].extra = &stars)
CHANGE(declared, scenario->apps[0].extra = &long_one)
CHANGE(shared, scenario->shares = &plain)
CHANGE(sooner, scenario->shares = &brief)
CHANGE(weighed, scenario->shares = &listed_users)
typedef void change(struct scenario *);
static change *const changes[] = {nodes,   bandwidth, window, end,    label,   count,   work,
                                  swapped, drawn,     noise,  weight, listed,  fewer,   last,
                                  owned,   charged,   shared, sooner, weighed, declared};
enum { CHANGES = sizeof changes / sizeof *changes };

static void every_change_of_the_content_gives_another_hash(void **state)
{
    (void)state;
    uint64_t seen[CHANGES + 1];
    for (size_t i = 0; i <= CHANGES; i++) {
        struct scenario *scenario = make();
        if (i < CHANGES)
            changes[i](scenario);
        seen[i] = scenario_hash(scenario);
        for (size_t k = 0; k < i; k++)
            assert_true(seen[k] != seen[i]);
        scenario_free(scenario);
    }
}

static void name_and_seed_are_not_part_of_the_content(void **state)
{
    (void)state;
    struct scenario *one = make(), *other = make();
    other->name = "another";
    other->seed = 77;
    other->apps[0].release = -0.0;
    assert_true(scenario_hash(one) == scenario_hash(other));
    scenario_free(one);
    scenario_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_of_the_content_gives_another_hash),
        cmocka_unit_test(name_and_seed_are_not_part_of_the_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
