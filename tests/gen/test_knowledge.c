/* What a controller knows: texts, and the lengths of applications. */
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void what_is_printed_can_be_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"exact",    "mean",     "30%",        "exact/exact",
                                        "mean/20%", "30%/none", "0.1%/99.5%", NULL};
    for (int i = 0; texts[i]; i++) {
        struct knowledge knowledge = {0};
        struct err err;
        char text[KNOWLEDGE_TEXT];
        assert_int_equal(knowledge_parse(&knowledge, texts[i], &err), 0);
        assert_string_equal(knowledge_print(&knowledge, text, sizeof text), texts[i]);
    }
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "/", "/exact", "mean/", "mean/mean", "mean/100%", "exact/exact/exact", "0%", NULL};
    for (int i = 0; texts[i]; i++) {
        struct knowledge knowledge = {0};
        struct err err;
        assert_int_equal(knowledge_parse(&knowledge, texts[i], &err), -1);
    }
}

static void lengths_are_known_as_asked(void **state)
{
    (void)state;
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    const struct family *family = family_find("churn", &err);
    assert_non_null(family);
    family_defaults(family, values);
    struct scenario *scenario = family_make(family, values, 3, &err);
    struct workload *workload = workload_realise(scenario, &err);
    assert_non_null(workload);
    static const double parts[] = {0, 0.2};
    for (int i = 0; i < 2; i++) {
        struct knowledge knowledge = {.lengths = parts[i] > 0 ? KNOWLEDGE_ROUGHLY : KNOWLEDGE_EACH,
                                      .length_part = parts[i]};
        double *lengths = gen_know_lengths(workload, &knowledge, &err);
        double most = 0;
        for (uint32_t id = 0; id < workload->count; id++)
            most = fmax(most, fabs(lengths[id] / app_ideal(&workload->apps[id]) - 1));
        assert_true(parts[i] > 0 ? most > 0.1 && most <= 0.2 : most == 0);
        free(lengths);
    }
    workload_free(workload);
    scenario_free(scenario);
}

/* Of the family churn: the bytes wanted until the last start are those asked for, to what rounding
 * and noise of 30 % leave, and no more nodes are used than there are. */
static void churn_has_its_load_and_fits_on_the_machine(void **state)
{
    (void)state;
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    const struct family *family = family_find("churn", &err);
    family_defaults(family, values);
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (values[0] = 0.5; values[0] < 1.1; values[0] += 0.25) {
            struct scenario *scenario = family_make(family, values, seed, &err);
            assert_non_null(scenario);
            double bytes = 0, last = 0;
            for (uint32_t i = 0; i < scenario->count; i++)
                last = fmax(last, scenario->apps[i].release);
            for (uint32_t i = 0; i < scenario->count; i++) {
                const struct app_spec *app = &scenario->apps[i];
                double bmax = app_spec_bmax(app, &scenario->platform);
                double period = app->work.mean + app->io.mean / bmax;
                bytes +=
                    app->io.mean / period * fmin(last - app->release, app->iterations * period);
            }
            assert_true(fabs(bytes / (values[0] * scenario->platform.bandwidth * last) - 1) < 1e-6);
            assert_null(scenario->warning);
            scenario_free(scenario);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_can_be_read),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(lengths_are_known_as_asked),
        cmocka_unit_test(churn_has_its_load_and_fits_on_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
