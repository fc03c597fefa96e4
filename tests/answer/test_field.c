#include "answer/field.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct member {
    const char *name;
    double value;
};

struct sample {
    const char *title;
    double rate;
    uint64_t seed;
    bool sure, has_more;
    struct member best;
    struct member *list;
    size_t list_count;
    struct field_number *measures;
    size_t measures_count;
    double more;
};

static const struct answer_field member_fields[] = {
    {FIELD_OF(struct member, name, TEXT, "its name")},
    {FIELD_OF(struct member, value, NUMBER, "its value"), .unit = UNIT_SECONDS},
    {.key = NULL},
};

static const struct answer_field inner_fields[] = {
    {FIELD_OF(struct sample, rate, NUMBER, "a rate"), .unit = UNIT_RATE},
    {FIELD_OF(struct sample, seed, WHOLE, "a seed")},
    {.key = NULL},
};

static const struct answer_field sample_fields[] = {
    {FIELD_OF(struct sample, title, TEXT, "a title")},
    {.key = "", .kind = FIELD_INLINE, .offset = 0, .members = inner_fields},
    {FIELD_OF(struct sample, sure, FLAG, "whether")},
    {FIELD_OF(struct sample, best, OBJECT, "the best"), .members = member_fields},
    {FIELD_LIST_OF(struct sample, list, struct member, member_fields, "all")},
    {FIELD_MAP_OF(struct sample, measures, struct field_number, field_numbers, "by name")},
    {FIELD_OF(struct sample, more, NUMBER, "more"), .when = offsetof(struct sample, has_more)},
    {.key = NULL},
};

static struct member two[] = {{"a", 1}, {"b", NAN}};
static struct field_number numbers[] = {{"makespan", 7}, {"dilation", 1.5}};
static const struct sample sample = {.title = "t",
                                     .rate = 3,
                                     .seed = UINT64_MAX,
                                     .sure = true,
                                     .best = {"b", 2},
                                     .list = two,
                                     .list_count = 2,
                                     .measures = numbers,
                                     .measures_count = 2,
                                     .more = 9};

static void a_table_writes_json(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    (void)state;
    fields_json(sample_fields, &sample, NULL, &(struct json){.out = file});
    fclose(file);
    assert_string_equal(text,
                        "{\"title\":\"t\",\"rate\":3,\"seed\":18446744073709551615,\"sure\":true,"
                        "\"best\":{\"name\":\"b\",\"value\":2},\"list\":[{\"name\":\"a\","
                        "\"value\":1},{\"name\":\"b\",\"value\":null}],"
                        "\"measures\":{\"makespan\":7,\"dilation\":1.5}}\n");
    free(text);
}

static double number(const char *path)
{
    struct field_found found = fields_find(sample_fields, &sample, path);
    return found.field ? field_as_number(found.field, found.at) : -1;
}

static void a_path_leads_to_a_member(void **state)
{
    (void)state;
    assert_true(number("rate") == 3 && number("sure") == 1 && number("best.value") == 2);
    assert_true(number("list[0].value") == 1 && isnan(number("list[1].value")));
    assert_true(number("measures.dilation") == 1.5);
    struct field_found found = fields_find(sample_fields, &sample, "list[1].name");
    assert_string_equal(field_as_text(found.field, found.at), "b");
    found = fields_find(sample_fields, &sample, "list");
    assert_int_equal(field_count(found.field, found.at), 2);
}

static void a_wrong_path_leads_nowhere(void **state)
{
    static const char *const wrong[] = {
        "",          "rat",           "rates",
        "more",      "list[2].value", "list[].value",
        "list[0]",   "list[0]x",      "list.value",
        "list[0",    "best",          "best.",
        "best[0]",   "measures",      "measures.x",
        "measures.", "rate.x",        "list[99999999999999999999].value"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value = number(wrong[i]);
        if (value != -1 && !isnan(value)) /* "best" and "measures" are there, but no numbers */
            fail_msg("'%s' leads to %g", wrong[i], value);
    }
}

static void tell(void *context, const char *path, const char *value, const char *help)
{
    fprintf(context, "%s|%s|%s\n", path, value, help);
}

static void a_table_documents_itself(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    (void)state;
    fields_document(sample_fields, tell, file);
    fclose(file);
    assert_string_equal(text, "title|text|a title\nrate|rate|a rate\nseed|number|a seed\n"
                              "sure|boolean|whether\nbest|object|the best\n"
                              "best.name|text|its name\nbest.value|time|its value\nlist|array|all\n"
                              "list[].name|text|its name\nlist[].value|time|its value\n"
                              "measures|object|by name\nmeasures.*|number|each by name\n"
                              "more|number|*maybe*: more\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_writes_json),
        cmocka_unit_test(a_path_leads_to_a_member),
        cmocka_unit_test(a_wrong_path_leads_nowhere),
        cmocka_unit_test(a_table_documents_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
