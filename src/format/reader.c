#include "format/reader.h"
#include "base/suggest.h"
#include "format/word.h"
#include <string.h>

/* --- events --------------------------------------------------------------------------------- */

static int fail_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return err_memory(reader->err);
    if (parser->error == YAML_READER_ERROR)
        return err_set(reader->err, "%s: not a text in UTF-8: %s at byte %zu", reader->draft->where,
                       parser->problem, parser->problem_offset);
    const char *context = parser->context ? parser->context : "";
    return err_set(reader->err, "%s:%zu:%zu: %s%s%s", reader->draft->where,
                   parser->problem_mark.line + 1, parser->problem_mark.column + 1, context,
                   *context ? ": " : "", parser->problem);
}

int reader_next(struct reader *reader)
{
    yaml_event_delete(&reader->event);
    if (!yaml_parser_parse(&reader->parser, &reader->event))
        return fail_syntax(reader);
    if (reader->event.type == YAML_ALIAS_EVENT)
        return reader_fail(reader, reader_line(reader),
                           "aliases are not supported: repeat the value");
    return 0;
}

int reader_init(struct reader *reader, const char *text, size_t length, struct draft *draft,
                struct err *err)
{
    *reader = (struct reader){.draft = draft, .err = err};
    if (!yaml_parser_initialize(&reader->parser))
        return err_memory(err);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text, length);
    if (reader_next(reader) != 0 || reader_next(reader) != 0)
        return -1;
    if (reader->event.type == YAML_STREAM_END_EVENT)
        return err_set(err, "%s: empty file", draft->where);
    return reader_next(reader);
}

void reader_fini(struct reader *reader)
{
    yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
}

int reader_finish(struct reader *reader)
{
    if (reader_next(reader) != 0 || reader_next(reader) != 0)
        return -1;
    if (reader->event.type != YAML_STREAM_END_EVENT)
        return reader_fail(reader, reader_line(reader), "a second document; expected only one");
    return 0;
}

size_t reader_line(const struct reader *reader)
{
    return reader->event.start_mark.line + 1;
}

bool reader_is_list(const struct reader *reader)
{
    return reader->event.type == YAML_SEQUENCE_START_EVENT;
}

/* A scalar in which `find` finds no fault. */
static const char *reader_text(struct reader *reader, const char *what, const char *expected,
                               const char *(*find)(const char *text, size_t length))
{
    size_t line = reader_line(reader);
    if (reader->event.type != YAML_SCALAR_EVENT) {
        reader_fail(reader, line, "%s must be %s", what, expected);
        return NULL;
    }
    const char *text = (const char *)reader->event.data.scalar.value;
    const char *fault = find(text, reader->event.data.scalar.length);
    if (fault) {
        reader_fail(reader, line, "%s %s", what, fault);
        return NULL;
    }
    return text;
}

const char *reader_scalar(struct reader *reader, const char *what, const char *expected)
{
    return reader_text(reader, what, expected, word_fault);
}

const char *reader_prose(struct reader *reader, const char *what, const char *expected)
{
    return reader_text(reader, what, expected, prose_fault);
}

/* --- mappings ------------------------------------------------------------------------------- */

static int fail_unknown(struct reader *reader, const struct key_table *table, const char *word)
{
    const char *names[65] = {NULL};
    /* Keys without help are there only to be refused with a hint; they stand last. */
    for (size_t i = 0; table->keys[i].name && table->keys[i].help; i++)
        names[i] = table->keys[i].name;
    return reader_fail(reader, reader_line(reader), "unknown key '%s' in %s%s",
                       quote_text(word, strlen(word)).text, table->name,
                       suggest(word, names, NULL).text);
}

/* The key the reader stands on, or NULL with err. */
static const struct key *read_key(struct reader *reader, const struct key_table *table,
                                  uint64_t *seen)
{
    const char *word = reader_scalar(reader, "a key", "a plain word");
    if (!word)
        return NULL;
    /* Keys without help are there only to be refused with a hint; they stand last. */
    for (size_t i = 0; table->keys[i].name && table->keys[i].help; i++) {
        if (strcmp(table->keys[i].name, word) != 0)
            continue;
        if (*seen >> i & 1) {
            reader_fail(reader, reader_line(reader), "key '%s' is given twice in %s", word,
                        table->name);
            return NULL;
        }
        *seen |= UINT64_C(1) << i;
        return &table->keys[i];
    }
    fail_unknown(reader, table, word);
    return NULL;
}

int key_table_read(struct reader *reader, const struct key_table *table, void *target,
                   uint64_t *seen)
{
    size_t line = reader_line(reader);
    uint64_t given = 0;
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return reader_fail(reader, line, "%s must be a mapping, such as {%s: ...}", table->name,
                           table->keys[0].name);
    while (reader_next(reader) == 0) {
        if (reader->event.type != YAML_MAPPING_END_EVENT) {
            const struct key *key = read_key(reader, table, &given);
            if (!key || reader_next(reader) != 0 ||
                key->kind->read(reader, key, (char *)target + key->offset) != 0)
                return -1;
            continue;
        }
        /* Keys without help are there only to be refused with a hint; they stand last. */
    for (size_t i = 0; table->keys[i].name && table->keys[i].help; i++) {
            if (table->keys[i].need == REQUIRED && !(given >> i & 1))
                return reader_fail(reader, line, "missing key '%s' in %s", table->keys[i].name,
                                   table->name);
        }
        if (seen)
            *seen = given;
        return 0;
    }
    return -1;
}

const char *kind_value(const struct kind *kind)
{
    return kind->value ? kind->value : units_expected(kind->unit);
}

int list_read(struct reader *reader, const struct key *key,
              int (*read)(struct reader *reader, void *into), void *into)
{
    if (!reader_is_list(reader))
        return reader_fail(reader, reader_line(reader), "%s must be %s", key->name,
                           kind_value(key->kind));
    while (reader_next(reader) == 0) {
        if (reader->event.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        if (read(reader, into) != 0)
            return -1;
    }
    return -1;
}

void *list_extend(struct reader *reader, const void *list, uint32_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return (void *)list;
    void *grown = arena_alloc(&reader->draft->scenario->arena, count ? 2 * (size_t)count : 1, size);
    if (!grown)
        err_memory(reader->err);
    else if (count > 0)
        memcpy(grown, list, count * size);
    return grown;
}

bool key_table_saw(const struct key_table *table, uint64_t seen, const char *name)
{
    /* Keys without help are there only to be refused with a hint; they stand last. */
    for (size_t i = 0; table->keys[i].name && table->keys[i].help; i++) {
        if (strcmp(table->keys[i].name, name) == 0)
            return seen >> i & 1;
    }
    return false;
}
