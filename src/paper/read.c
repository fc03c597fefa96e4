#include "base/suggest.h"
#include "base/text.h"
#include "format/reader.h"
#include "format/word.h"
#include "paper/result.h"
#include <string.h>

static const struct experiment *read_experiment(const struct reader *reader)
{
    return reader->context;
}

/* --- values --------------------------------------------------------------------------------- */

static int read_prose(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_prose(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    *(const char **)into = arena_strndup(&reader->draft->scenario->arena, text, strlen(text));
    return *(const char **)into ? 0 : err_memory(reader->err);
}
static const struct kind kind_prose = {.value = "a text", .read = read_prose};

static int read_flag(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, "true or false");
    if (!text)
        return -1;
    *(bool *)into = strcmp(text, "true") == 0;
    if (!*(bool *)into && strcmp(text, "false") != 0)
        return reader_fail(reader, reader_line(reader), "%s must be true or false", key->name);
    return 0;
}
static const struct kind kind_flag = {.value = "true or false", .read = read_flag};

/* A number may be negative, so no unit's reader fits. */
static int read_double(struct reader *reader, const char *what, double *value)
{
    const char *text = reader_scalar(reader, what, "a number"), *at = text;
    if (!text)
        return -1;
    if (text_number(&at, text + strlen(text), value) != 0 || *at)
        return reader_fail(reader, reader_line(reader), "%s: '%s' is not a number", what,
                           quote_text(text, strlen(text)).text);
    return 0;
}

static int read_number(struct reader *reader, const struct key *key, void *into)
{
    return read_double(reader, key->name, into);
}
static const struct kind kind_number = {.value = "a number", .read = read_number};

/* Numbers of a list, for the time of reading. */
struct read_numbers {
    const double *list;
    uint32_t count;
};

static int read_append(struct reader *reader, void *into)
{
    struct read_numbers *numbers = into;
    double *list = list_extend(reader, numbers->list, numbers->count, sizeof *list);
    if (!list)
        return -1;
    numbers->list = list;
    return read_double(reader, "an element", &list[numbers->count++]);
}

static int read_numbers(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, read_append, into);
}
static const struct kind kind_numbers = {.value = "a list of numbers", .read = read_numbers};

/* From and to, which are neighbours in their struct. */
static int read_range(struct reader *reader, const struct key *key, void *into)
{
    struct read_numbers numbers = {0};
    size_t line = reader_line(reader);
    if (list_read(reader, key, read_append, &numbers) != 0)
        return -1;
    if (numbers.count != 2 || numbers.list[0] > numbers.list[1])
        return reader_fail(reader, line, "%s must be %s", key->name, kind_value(key->kind));
    memcpy(into, numbers.list, 2 * sizeof(double));
    return 0;
}
static const struct kind kind_range = {.value = "a range, such as [0, 1]", .read = read_range};

/* --- names ---------------------------------------------------------------------------------- */

/* The index of the name that the reader stands on; -1 with err. */
static int read_index(struct reader *reader, const char *what, const char *const *names)
{
    const char *text = reader_scalar(reader, what, "a name");
    for (int i = 0; text && names[i]; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    if (!text)
        return -1;
    return reader_fail(reader, reader_line(reader), "unknown %s '%s'%s", what,
                       quote_text(text, strlen(text)).text, suggest(text, names, NULL).text);
}

/* A kind whose values have names; the target is an enum. */
struct name_kind {
    struct kind kind;
    const char *const *names;
};

static int read_enum_name(struct reader *reader, const struct key *key, void *into)
{
    const struct name_kind *kind = (const struct name_kind *)key->kind;
    int index = read_index(reader, key->name, kind->names);
    *(unsigned *)into = index < 0 ? 0 : (unsigned)index;
    return index < 0 ? -1 : 0;
}
#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define NAME_KIND(...)                                                                             \
    {                                                                                              \
        {.value = "a name", .read = read_enum_name}, __VA_ARGS__                                   \
    }
static const struct name_kind kind_chart =
    NAME_KIND(NAMES("lines", "boxes", "points", "bars", "means"));
static const struct name_kind kind_statistic =
    NAME_KIND(NAMES("mean", "least", "most", "geometric"));
static const struct name_kind kind_take = NAME_KIND(NAMES("largest", "smallest"));
static const struct name_kind kind_over = NAME_KIND(NAMES("all", "largest", "smallest"));
static const struct name_kind kind_relation = NAME_KIND(relation_names);

/* What the names of columns, groups and series mean depends on it. */
static int read_experiment_name(struct reader *reader, const struct key *key, void *into)
{
    int index = read_index(reader, key->name, experiment_names);
    if (index < 0)
        return -1;
    *(enum experiment_id *)into = (enum experiment_id)index;
    reader->context = experiments[index];
    return 0;
}
static const struct kind kind_experiment = {.value = "a name", .read = read_experiment_name};

static int read_of_experiment(struct reader *reader, const struct key *key, uint16_t *into,
                              const char *const *names)
{
    int index = read_index(reader, key->name, names);
    *into = index < 0 ? 0 : (uint16_t)index;
    return index < 0 ? -1 : 0;
}

static int read_column(struct reader *reader, const struct key *key, void *into)
{
    return read_of_experiment(reader, key, into, read_experiment(reader)->columns);
}
static const struct kind kind_column = {.value = "a column", .read = read_column};

static int read_group(struct reader *reader, const struct key *key, void *into)
{
    return read_of_experiment(reader, key, into, read_experiment(reader)->groups);
}
static const struct kind kind_group = {.value = "a group", .read = read_group};

static int read_one_series(struct reader *reader, const struct key *key, void *into)
{
    return read_of_experiment(reader, key, into, read_experiment(reader)->series);
}
static const struct kind kind_one_series = {.value = "a series", .read = read_one_series};

static int read_bit(struct reader *reader, void *into)
{
    int index = read_index(reader, "series", read_experiment(reader)->series);
    if (index >= 0)
        *(uint32_t *)into |= SERIES(index);
    return index < 0 ? -1 : 0;
}

static int read_series_bits(struct reader *reader, const struct key *key, void *into)
{
    return reader_is_list(reader) ? list_read(reader, key, read_bit, into) : read_bit(reader, into);
}
static const struct kind kind_series = {.value = "a series, or a list of them",
                                        .read = read_series_bits};

/* --- charts --------------------------------------------------------------------------------- */

/* A list in the arena whose last element is zeroed, which ends it. */
struct read_list {
    size_t size; /* of an element */
    int (*read)(struct reader *reader, void *element);
    void *list;
    uint32_t count;
};

static int read_element(struct reader *reader, void *into)
{
    struct read_list *of = into;
    of->list = list_extend(reader, of->list, of->count, of->size);
    return of->list ? of->read(reader, (char *)of->list + of->size * of->count++) : -1;
}

static int read_list(struct reader *reader, const struct key *key, struct read_list of, void *into)
{
    if (!reader->context)
        return reader_fail(reader, reader_line(reader), "experiment must stand before %s",
                           key->name);
    if (list_read(reader, key, read_element, &of) != 0)
        return -1;
    void *list = list_extend(reader, of.list, of.count, of.size);
    if (!list)
        return -1;
    memset((char *)list + of.size * of.count, 0, of.size);
    *(const void **)into = list;
    return 0;
}

#define AT(member) offsetof(struct chart, member)
static const struct key chart_keys[] = {{"title", &kind_prose, AT(title), REQUIRED, NULL},
                                        {"y", &kind_prose, AT(y), OPTIONAL, NULL},
                                        {"kind", &kind_chart.kind, AT(kind), OPTIONAL, NULL},
                                        {"column", &kind_column, AT(column), REQUIRED, NULL},
                                        {"group", &kind_group, AT(group), OPTIONAL, NULL},
                                        {"series", &kind_series, AT(series), OPTIONAL, NULL},
                                        {"across", &kind_column, AT(across), OPTIONAL, NULL},
                                        {"by_column", &kind_flag, AT(by_column), OPTIONAL, NULL},
                                        {"by_series", &kind_flag, AT(by_series), OPTIONAL, NULL},
                                        {"x", &kind_prose, AT(x), OPTIONAL, NULL},
                                        {"intervals", &kind_flag, AT(intervals), OPTIONAL, NULL},
                                        {"y_range", &kind_range, AT(low), OPTIONAL, NULL},
                                        {"x_range", &kind_range, AT(left), OPTIONAL, NULL},
                                        {0}};
#undef AT
static const struct key_table chart_table = {"a chart", chart_keys};

static int read_chart(struct reader *reader, void *element)
{
    return key_table_read(reader, &chart_table, element, NULL);
}

static int read_charts(struct reader *reader, const struct key *key, void *into)
{
    return read_list(reader, key, (struct read_list){sizeof(struct chart), read_chart, NULL, 0},
                     into);
}
static const struct kind kind_charts = {.value = "a list of charts", .read = read_charts};

/* --- published numbers ---------------------------------------------------------------------- */

/* Those of one group and series, beside each other. */
struct read_line {
    uint16_t group, series;
    struct read_numbers x, are;
};

#define AT(member) offsetof(struct read_line, member)
static const struct key line_keys[] = {{"group", &kind_group, AT(group), OPTIONAL, NULL},
                                       {"series", &kind_one_series, AT(series), OPTIONAL, NULL},
                                       {"x", &kind_numbers, AT(x), REQUIRED, NULL},
                                       {"are", &kind_numbers, AT(are), REQUIRED, NULL},
                                       {0}};
#undef AT
static const struct key_table line_table = {"values", line_keys};

static int read_values_line(struct reader *reader, void *into)
{
    struct printed *printed = into;
    struct read_line values = {0};
    size_t line = reader_line(reader);
    if (key_table_read(reader, &line_table, &values, NULL) != 0)
        return -1;
    if (values.x.count != values.are.count)
        return reader_fail(reader, line, "%u numbers for %u of x", values.are.count,
                           values.x.count);
    for (uint32_t i = 0; i < values.x.count; i++) {
        struct printed_number *list =
            list_extend(reader, printed->list, (uint32_t)printed->count, sizeof *list);
        if (!list)
            return -1;
        list[printed->count++] = (struct printed_number){values.group, values.series,
                                                         values.x.list[i], values.are.list[i]};
        printed->list = list;
    }
    return 0;
}

/* Into the whole of a printed column. */
static int read_values(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, read_values_line, into);
}
static const struct kind kind_values = {.value = "a list of values", .read = read_values};

#define AT(member) offsetof(struct printed, member)
static const struct key printed_keys[] = {
    {"says", &kind_prose, AT(text), REQUIRED, NULL},
    {"column", &kind_column, AT(column), REQUIRED, NULL},
    {"relation", &kind_relation.kind, AT(relation), OPTIONAL, NULL},
    {"tolerance", &kind_number, AT(tolerance), OPTIONAL, NULL},
    {"digits", &kind_number, AT(digits), OPTIONAL, NULL},
    {"runs", &kind_number, AT(runs), OPTIONAL, NULL},
    {"full", &kind_flag, AT(full), OPTIONAL, NULL},
    {"differs", &kind_prose, AT(record.differs), OPTIONAL, NULL},
    {"not comparable", &kind_prose, AT(record.incomparable), OPTIONAL, NULL},
    {"at", &kind_prose, AT(source.at), OPTIONAL, NULL},
    {"quote", &kind_prose, AT(source.quote), OPTIONAL, NULL},
    {"values", &kind_values, 0, REQUIRED, NULL},
    {0}};
#undef AT
static const struct key_table printed_table = {"numbers", printed_keys};

static int read_printed(struct reader *reader, void *element)
{
    return key_table_read(reader, &printed_table, element, NULL);
}

static int read_columns(struct reader *reader, const struct key *key, void *into)
{
    return read_list(reader, key, (struct read_list){sizeof(struct printed), read_printed, NULL, 0},
                     into);
}
static const struct kind kind_columns = {.value = "a list of columns", .read = read_columns};

/* --- statements ----------------------------------------------------------------------------- */

#define AT(member) offsetof(struct pick, member)
static const struct key pick_keys[] = {
    {"column", &kind_column, AT(column), REQUIRED, NULL},
    {"group", &kind_group, AT(group), OPTIONAL, NULL},
    {"series", &kind_series, AT(series), OPTIONAL, NULL},
    {"statistic", &kind_statistic.kind, AT(statistic), OPTIONAL, NULL},
    {"take", &kind_take.kind, AT(extreme), OPTIONAL, NULL},
    {"x", &kind_range, AT(from), OPTIONAL, NULL},
    {0}};
#undef AT
static const struct key_table pick_table = {"a number of ours", pick_keys};

static int read_pick(struct reader *reader, const struct key *key, void *into)
{
    (void)key;
    return key_table_read(reader, &pick_table, into, NULL);
}
static const struct kind kind_pick = {.value = "a mapping", .read = read_pick};

/* "minus: {...}": the key says what is done with the other number. Into the whole claim. */
static int read_against(struct reader *reader, const struct key *key, void *into)
{
    struct claim *claim = into;
    claim->operation = strcmp(key->name, "minus") == 0 ? CLAIM_DIFFERENCE : CLAIM_RATIO;
    return key_table_read(reader, &pick_table, &claim->against, NULL);
}
static const struct kind kind_against = {.value = "a mapping", .read = read_against};

/* "at most: 1": the key is the relation, the value its bound. Into the whole claim. */
static int read_bound(struct reader *reader, const struct key *key, void *into)
{
    struct claim *claim = into;
    claim->relation = 0;
    while (strcmp(relation_names[claim->relation], key->name) != 0)
        claim->relation++;
    return read_double(reader, key->name, &claim->bound);
}
static const struct kind kind_bound = {.value = "a number", .read = read_bound};

/* RELATIONS and OPERATIONS below count on the order of the first seven. */
#define AT(member) offsetof(struct claim, member)
static const struct key claim_keys[] = {
    {"is", &kind_bound, 0, OPTIONAL, NULL},
    {"at most", &kind_bound, 0, OPTIONAL, NULL},
    {"at least", &kind_bound, 0, OPTIONAL, NULL},
    {"below", &kind_bound, 0, OPTIONAL, NULL},
    {"above", &kind_bound, 0, OPTIONAL, NULL},
    {"minus", &kind_against, 0, OPTIONAL, NULL},
    {"divided by", &kind_against, 0, OPTIONAL, NULL},
    {"says", &kind_prose, AT(text), REQUIRED, NULL},
    {"at", &kind_prose, AT(source.at), OPTIONAL, NULL},
    {"quote", &kind_prose, AT(source.quote), OPTIONAL, NULL},
    {"measured", &kind_prose, AT(measured), REQUIRED, NULL},
    {"ours", &kind_pick, AT(ours), REQUIRED, NULL},
    {"over", &kind_over.kind, AT(over), OPTIONAL, NULL},
    {"x", &kind_range, AT(from), OPTIONAL, NULL},
    {"tolerance", &kind_number, AT(tolerance), OPTIONAL, NULL},
    {"full", &kind_flag, AT(full), OPTIONAL, NULL},
    {"noise", &kind_number, AT(noise), OPTIONAL, NULL},
    {"differs", &kind_prose, AT(record.differs), OPTIONAL, NULL},
    {"not comparable", &kind_prose, AT(record.incomparable), OPTIONAL, NULL},
    {0},
};
#undef AT
static const struct key_table claim_table = {"a statement", claim_keys};

/* Whether one bit of the mask is set, and no more. */
static bool read_is_one(uint64_t mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0;
}

static int read_claim(struct reader *reader, void *element)
{
    enum { RELATIONS = 31, OPERATIONS = 3 << 5 };
    size_t line = reader_line(reader);
    uint64_t seen;
    if (key_table_read(reader, &claim_table, element, &seen) != 0)
        return -1;
    if (!read_is_one(seen & RELATIONS))
        return reader_fail(
            reader, line,
            "a statement needs one relation: 'is', 'at most', 'at least', 'below' or 'above'");
    if ((seen & OPERATIONS) == OPERATIONS)
        return reader_fail(reader, line, "a statement has either 'minus' or 'divided by'");
    return 0;
}

static int read_claims(struct reader *reader, const struct key *key, void *into)
{
    return read_list(reader, key, (struct read_list){sizeof(struct claim), read_claim, NULL, 0},
                     into);
}
static const struct kind kind_claims = {.value = "a list of statements", .read = read_claims};

/* --- the file ------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct result, member)
static const struct key result_keys[] = {
    {"experiment", &kind_experiment, AT(experiment), REQUIRED, NULL},
    {"source", &kind_prose, AT(source), OPTIONAL, NULL},
    {"title", &kind_prose, AT(title), REQUIRED, NULL},
    {"note", &kind_prose, AT(note), OPTIONAL, NULL},
    {"charts", &kind_charts, AT(charts), REQUIRED, NULL},
    {"tables", &kind_charts, AT(tables), OPTIONAL, NULL},
    {"numbers", &kind_columns, AT(printed), OPTIONAL, NULL},
    {"statements", &kind_claims, AT(claims), OPTIONAL, NULL},
    {0}};
#undef AT
static const struct key_table result_table = {"a result", result_keys};

int result_read(const char *text, size_t length, const char *where, struct result *result,
                struct err *err)
{
    struct draft draft;
    struct reader reader;
    *result = (struct result){0};
    int status = draft_init(&draft, where, err);
    if (status == 0) {
        struct arena *arena = &draft.scenario->arena;
        result->name = draft.scenario->name;
        status = reader_init(&reader, text, length, &draft, err);
        if (status == 0)
            status = key_table_read(&reader, &result_table, result, NULL);
        if (status == 0)
            status = reader_finish(&reader);
        reader_fini(&reader);
        result->arena = *arena;
        *arena = (struct arena){0};
    }
    draft_fini(&draft);
    return status;
}
