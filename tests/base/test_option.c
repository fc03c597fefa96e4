#include "base/option.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct sample {
    struct words operands;
    struct whole seeds, top;
    struct words names;
    const char *plot, *store;
    double mtbf, node_mtbf;
    bool json, csv;
};

#define AT(member) offsetof(struct sample, member)
static const struct option options[] = {
    {"seeds", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(seeds), ""},
    {"top", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(top), ""},
    {"name", 0, OPTION_WORDS, UNIT_NONE, "NAME", AT(names), ""},
    {"plot", 'p', OPTION_TEXT, UNIT_NONE, "FILE", AT(plot), ""},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store), ""},
    {"mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(mtbf), ""},
    {"node-mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(node_mtbf), ""},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), ""},
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(csv), ""},
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("seeds", 2, 10),
    RULE_RANGE("top", 1, 0),
    RULE_EXCLUDE("json", "csv"),
    RULE_NEED("store", "name"),
    RULE_REQUIRE("mtbf", "node-mtbf"),
    RULE_STDOUT("plot", "json"),
    {.name = NULL},
};

static const struct syntax syntax = {"try", "FILE", 1, 1, options, rules};

/* What is wrong with these arguments; NULL = nothing. */
static const char *fault(const char *const *argv)
{
    static struct err err;
    struct arena arena = {0};
    struct sample values = {0};
    int status = options_parse(&syntax, argv, &values, &arena, &err);
    arena_fini(&arena);
    return status < 0 ? err.text : NULL;
}
#define FAULT(...) fault((const char *const[]){"f", __VA_ARGS__, NULL})

static void a_number_stays_in_its_range(void **state)
{
    (void)state;
    assert_string_equal(FAULT("--mtbf=1", "--seeds=1"), "--seeds: expected 2 to 10");
    assert_string_equal(FAULT("--mtbf=1", "--seeds=11"), "--seeds: expected 2 to 10");
    assert_null(FAULT("--mtbf=1", "--seeds=2"));
    assert_null(FAULT("--mtbf=1", "--seeds=10"));
    assert_string_equal(FAULT("--mtbf=1", "--top=0"), "--top: expected at least 1");
    assert_null(FAULT("--mtbf=1", "--top=1000000"));
}

static void options_exclude_and_need_each_other(void **state)
{
    (void)state;
    assert_string_equal(FAULT("--mtbf=1", "--csv", "--json"),
                        "--json and --csv exclude each other");
    assert_string_equal(FAULT("--mtbf=1", "--store=s"), "--store needs --name NAME");
    assert_null(FAULT("--mtbf=1", "--store=s", "--name=a"));
    assert_null(FAULT("--mtbf=1", "--name=a", "--csv"));
}

static void one_of_two_is_required(void **state)
{
    (void)state;
    assert_string_equal(FAULT("--csv"), "missing --mtbf TIME or --node-mtbf TIME");
    assert_null(FAULT("--node-mtbf=1h"));
}

static void standard_output_holds_one_thing(void **state)
{
    (void)state;
    assert_string_equal(FAULT("--mtbf=1", "--plot=-", "--json"),
                        "standard output can hold only one of --plot and --json");
    assert_null(FAULT("--mtbf=1", "--plot=-"));
    assert_null(FAULT("--mtbf=1", "-pfile", "--json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_stays_in_its_range),
        cmocka_unit_test(options_exclude_and_need_each_other),
        cmocka_unit_test(one_of_two_is_required),
        cmocka_unit_test(standard_output_holds_one_thing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
