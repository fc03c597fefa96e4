/* Values of a scenario by their paths. */
#include "experiment/sweep.h"
#include "format/format.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scenario *open_text(void)
{
    static const char text[] =
        "platform: {nodes: 100, bandwidth: 10 GB/s}\n"
        "applications:\n"
        "  - {name: cfd, count: 2, nodes: 10, work: 10 min, io: 1 TB, iterations: 4}\n"
        "  - {name: a.b, nodes: 5, io: 8 GB, iterations: 3,\n"
        "     work: {distribution: normal, mean: 60, sd: 6, min: 30, max: 90}}\n"
        "  - {name: post, nodes: 5, phases: [{work: 1, io: 100}, {work: 3, io: 500}]}\n";
    struct err err;
    struct scenario *scenario =
        format_find("scenario", &err)->parse(text, strlen(text), "sweep", NULL, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

static int vary(struct scenario *copy, const struct scenario *original, const char *path,
                const char *value, struct err *err)
{
    struct variation change = {path, value};
    return scenario_vary(copy, original, &change, 1, err);
}

/* Applies one change, which must succeed. */
static struct scenario varied(const struct scenario *original, const char *path, const char *value)
{
    struct scenario copy;
    struct err err;
    if (vary(&copy, original, path, value, &err) < 0)
        fail_msg("%s", err.text);
    return copy;
}

static void a_value_replaces_or_multiplies_the_platforms(void **state)
{
    (void)state;
    struct scenario *original = open_text();
    static const struct {
        const char *path, *value;
        double bandwidth;
    } cases[] = {{"bandwidth", "2x", 20e9},
                 {"platform.bandwidth", "0.5x", 5e9},
                 {"bandwidth", "64 GB/s", 64e9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario copy = varied(original, cases[i].path, cases[i].value);
        assert_true(copy.platform.bandwidth == cases[i].bandwidth);
        assert_true(original->platform.bandwidth == 10e9);
        assert_true(scenario_hash(&copy) != scenario_hash(original));
        scenario_fini_varied(&copy);
    }
    scenario_free(original);
}

static void only_the_named_application_changes(void **state)
{
    (void)state;
    struct scenario *original = open_text();
    struct scenario copy = varied(original, "applications.cfd.work", "20 min");
    assert_true(copy.apps[0].work.mean == 1200 && original->apps[0].work.mean == 600);
    assert_ptr_equal(copy.apps[1].work.random, original->apps[1].work.random);
    scenario_fini_varied(&copy);
    copy = varied(original, "applications.*.noise.work", "25 %");
    for (uint32_t i = 0; i < copy.count; i++)
        assert_true(copy.apps[i].noise_work == 0.25 && copy.apps[i].noise_io == 0);
    scenario_fini_varied(&copy);
    copy = varied(original, "applications.cfd.count", "3x");
    assert_int_equal(copy.apps[0].count, 6);
    scenario_fini_varied(&copy);
    scenario_free(original);
}

static void a_multiple_scales_a_distribution_and_every_phase(void **state)
{
    (void)state;
    struct scenario *original = open_text();
    struct scenario copy = varied(original, "applications.a.b.work", "2x");
    const struct distribution *random = copy.apps[1].work.random;
    assert_true(random->mean == 120 && random->sd == 12 && random->min == 60 && random->max == 180);
    assert_true(original->apps[1].work.random->mean == 60);
    scenario_fini_varied(&copy);
    copy = varied(original, "applications.post.io", "3x");
    assert_true(copy.apps[2].explicit_iterations[1].volume == 1500);
    assert_true(copy.apps[2].explicit_iterations[1].work == 3);
    assert_true(original->apps[2].explicit_iterations[1].volume == 500);
    scenario_fini_varied(&copy);
    scenario_free(original);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value, *fault;
    } cases[] = {
        {"bandwith", "1", "unknown path 'bandwith', did you mean 'bandwidth'?"},
        {"applications.cfd.wrk", "1", "did you mean 'applications.cfd.work'?"},
        {"applications.work", "1", "unknown path"},
        {"bandwidth", "fast", "bandwidth: "},
        {"bandwidth", "-2x", "'-2x' is not a multiple"},
        {"bandwidth", "0", "bandwidth"},
        {"node_bandwidth", "2x", "the scenario has no value to multiply"},
        {"applications.cfd.bandwidth", "2x", "no value to multiply"},
        {"applications.cfx.work", "2x", "sweep has no application 'cfx'"},
        {"applications.cfd.count", "1.5", "1.5 is not a whole number from 1 on"},
        {"applications.post.work", "5", "post has its phases one by one"},
        {"applications.post.iterations", "5", "post has its phases one by one"},
        {"applications.cfd.nodes", "1000", "the platform only 100"},
    };
    struct scenario *original = open_text();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario copy;
        struct err err = {0};
        assert_int_equal(vary(&copy, original, cases[i].path, cases[i].value, &err), -1);
        if (!strstr(err.text, cases[i].fault))
            fail_msg("'%s' does not say '%s'", err.text, cases[i].fault);
        scenario_fini_varied(&copy);
    }
    scenario_free(original);
}

static void a_sweep_lists_values(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct sweep sweep;
    struct err err;
    assert_int_equal(sweep_parse(&sweep, "bandwidth=1x,2x,8 GB/s", NULL, &arena, &err), 0);
    assert_string_equal(sweep.path, "bandwidth");
    assert_int_equal(sweep.count, 3);
    assert_string_equal(sweep.values[2], "8 GB/s");
    static const char *const wrong[] = {"bandwidth", "=1", "bandwidth=", "bandwidth=1x,", "x=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(sweep_parse(&sweep, wrong[i], NULL, &arena, &err), -1);
    arena_fini(&arena);
}

/* The scenario stays as it is: what strategies know is no part of it. */
static void what_strategies_know_can_be_varied(void **state)
{
    (void)state;
    static const struct variation changes[] = {
        {"bandwidth", "2x"}, {"knowledge", "30%"}, {"progress_age", "2 min"}};
    static const struct variation wrong[] = {{"knowledge", "2x"},
                                             {"knowledge", "all"},
                                             {"progress_age", "2x"},
                                             {"progress_age", "-1 s"},
                                             {"platform.knowledge", "mean"}};
    struct scenario *original = open_text(), copy;
    struct knowledge knowledge = {0};
    struct err err = {0};
    assert_int_equal(knowledge_vary(&knowledge, changes, 3, &err), 0);
    assert_int_equal(knowledge.volumes, KNOWLEDGE_WITHIN);
    assert_true(knowledge.part == 0.3);
    assert_true(knowledge.age == 120);
    assert_int_equal(scenario_vary(&copy, original, changes, 3, &err), 0);
    assert_true(copy.platform.bandwidth == 2 * original->platform.bandwidth);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(variation_check(&wrong[i], &err), -1);
        assert_non_null(strstr(err.text, wrong[i].path));
    }
    assert_true(sweep_is_platform("bandwidth"));
    assert_false(sweep_is_platform("knowledge"));
    assert_false(sweep_is_platform("applications.cfd.work"));
    scenario_fini_varied(&copy);
    scenario_free(original);
}

/* --- every number of the file has a path -------------------------------------------------------
 */

static void find_path(void *context, const char *mapping, const char *path, const char *value,
                      const char *help)
{
    (void)mapping, (void)value, (void)help;
    const char **wanted = context;
    size_t skip = strncmp(path, "applications.", 13) == 0 ? strlen("applications.NAME.") : 0;
    if (*wanted && strcmp(path + skip, *wanted) == 0)
        *wanted = NULL;
}

static void find_key(void *context, const char *mapping, const char *key, const char *value,
                     const char *help)
{
    (void)context;
    (void)help;
    static const char *const others[] = {"a text", "a list of phases", "a mapping"};
    const char *wanted = key;
    if (strcmp(mapping, "platform") != 0 && strcmp(mapping, "application") != 0)
        return;
    if (strcmp(key, "length") == 0) /* how well lengths are known is varied by "knowledge" */
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(value, others[i]) == 0)
            return;
    sweep_document(find_path, &wanted);
    if (wanted)
        fail_msg("no path for '%s' of %s", key, mapping);
}

static void every_number_of_a_scenario_file_has_a_path(void **state)
{
    (void)state;
    scenario_document(find_key, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_replaces_or_multiplies_the_platforms),
        cmocka_unit_test(only_the_named_application_changes),
        cmocka_unit_test(a_multiple_scales_a_distribution_and_every_phase),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_sweep_lists_values),
        cmocka_unit_test(what_strategies_know_can_be_varied),
        cmocka_unit_test(every_number_of_a_scenario_file_has_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
