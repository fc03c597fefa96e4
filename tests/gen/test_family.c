/* The table of families, and what is true of all of them. */
#include "base/mem.h"
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Every family with its defaults, but not larger than a test needs. */
static struct scenario *make(const struct family *family, uint64_t seed, struct err *err)
{
    double values[FAMILY_MOST_PARAMS];
    family_defaults(family, values);
    family_set(family, "horizon=1e4", values, NULL);
    family_set(family, "months=1", values, NULL);
    family_set(family, "data=paper", values, NULL);
    return family_make(family, values, seed, err);
}

/* The phases of a workload, added up so that no change goes unnoticed. */
static double fingerprint(const struct family *family, uint64_t seed)
{
    struct err err;
    struct scenario *scenario = make(family, seed, &err);
    assert_non_null(scenario);
    struct workload *workload = workload_realise(scenario, &err);
    assert_non_null(workload);
    double sum = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        for (uint32_t k = 0; k < app->facts.iterations; k++) {
            struct iteration it = app_iteration(app, k);
            sum += (i + 1) * (k + 1) * (it.work + 1e-6 * it.volume) * app->facts.bmax;
        }
    }
    workload_free(workload);
    scenario_free(scenario);
    return sum;
}

static void every_family_is_found_by_its_name_and_says_where_it_is_from(void **state)
{
    (void)state;
    for (size_t i = 0; families[i]; i++) {
        assert_ptr_equal(family_find(families[i]->name, NULL), families[i]);
        assert_true(strlen(families[i]->summary) > 10);
        /* Ours are not published. */
        assert_true(strstr(families[i]->paper, ", section ") ||
                    strcmp(families[i]->paper, "Weir") == 0);
    }
    struct err err;
    assert_null(family_find("intrepit", &err));
    assert_string_equal(err.text, "unknown family 'intrepit', did you mean 'intrepid'?");
    assert_null(family_find("x", &err));
    assert_string_equal(err.text, "unknown family 'x'; 'weir generate --list' lists them");
}

static void every_default_is_within_its_range(void **state)
{
    (void)state;
    for (size_t i = 0; families[i]; i++) {
        const struct family_param *param = families[i]->params;
        size_t count = 0;
        for (; param->name; param++, count++) {
            assert_true(param->low < param->high);
            assert_true(param->initial >= param->low && param->initial <= param->high);
            for (size_t c = 0; param->choices && c <= param->high; c++)
                assert_non_null(param->choices[c]);
        }
        assert_true(count <= FAMILY_MOST_PARAMS);
    }
}

static void every_family_makes_a_valid_scenario(void **state)
{
    (void)state;
    for (size_t i = 0; families[i]; i++) {
        struct err err;
        struct scenario *scenario = make(families[i], 1, &err);
        assert_non_null(scenario);
        assert_int_equal(scenario_validate(scenario, &err), 0);
        /* What is yet to be mapped may need more nodes than there are. */
        assert_true(!scenario->warning || families[i]->batch);
        assert_int_equal(strncmp(scenario->name, families[i]->name, strlen(families[i]->name)), 0);
        scenario_free(scenario);
    }
}

static void a_seed_says_everything_and_matters_only_to_random_families(void **state)
{
    (void)state;
    for (size_t i = 0; families[i]; i++) {
        double first = fingerprint(families[i], 1);
        assert_true(fingerprint(families[i], 1) == first);
        assert_int_equal(fingerprint(families[i], 2) != first, families[i]->random);
    }
}

static void a_parameter_is_set_by_its_name(void **state)
{
    (void)state;
    double values[FAMILY_MOST_PARAMS] = {0};
    family_defaults(&family_apio, values);
    assert_int_equal(family_set(&family_apio, "distribution=lognormal", values, NULL), 0);
    assert_int_equal(family_set(&family_apio, "load=1.2", values, NULL), 0);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == 1.2 && values[3] == 20);
}

static void a_wrong_parameter_is_an_error_that_quotes_it(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"set", "'set' is not KEY=VALUE"},
        {"set=11", "set: '11' is not a whole number from 1 to 10"},
        {"set=1.5", "set: '1.5' is not a whole number from 1 to 10"},
        {"lood=1", "apio has no parameter 'lood', did you mean 'load'?"},
        {"colour=1", "apio has no parameter 'colour'; 'weir generate --list' lists them"},
        {"distribution=norml", "distribution: unknown choice 'norml', did you mean 'normal'?"},
        {"distribution=2",
         "distribution: unknown choice '2', expected uniform, normal or lognormal"},
        {"load=-1", "load: '-1' is not a number from 0 to 100"},
        {"a_key_that_is_longer_than_any_parameter=1",
         "'a_key_that_is_longer_than_any_parameter=1' is not KEY=VALUE"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double values[FAMILY_MOST_PARAMS];
        struct err err;
        assert_int_equal(family_set(&family_apio, wrong[i].text, values, &err), -1);
        assert_string_equal(err.text, wrong[i].error);
    }
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    family_defaults(&family_apio, values);
    values[2] = NAN;
    assert_null(family_make(&family_apio, values, 1, &err));
    assert_string_equal(err.text, "apio: load: 'nan' is not a number from 0 to 100");
}

static void running_out_of_memory_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; families[i]; i++) {
        struct scenario *scenario = NULL;
        int n = 0;
        for (; !scenario && n < 1000; n++) {
            struct err err = {0};
            mem_fail_after(n);
            scenario = make(families[i], 1, &err);
            mem_fail_after(-1);
            assert_true(scenario || strcmp(err.text, "out of memory") == 0);
        }
        assert_non_null(scenario);
        assert_true(n > 2);
        scenario_free(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_found_by_its_name_and_says_where_it_is_from),
        cmocka_unit_test(every_default_is_within_its_range),
        cmocka_unit_test(every_family_makes_a_valid_scenario),
        cmocka_unit_test(a_seed_says_everything_and_matters_only_to_random_families),
        cmocka_unit_test(a_parameter_is_set_by_its_name),
        cmocka_unit_test(a_wrong_parameter_is_an_error_that_quotes_it),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
