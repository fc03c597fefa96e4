#include "base/option.h"
#include "base/output.h"
#include "base/suggest.h"
#include "base/text.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 32, LABEL = 64 };

static const char help_name[] = "help";

static const struct option *options_find_long(const struct syntax *syntax, const char *name,
                                              size_t length)
{
    for (const struct option *o = syntax->options; o && o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static const struct option *options_find_short(const struct syntax *syntax, char letter)
{
    for (const struct option *o = syntax->options; o && o->name; o++)
        if (o->letter == letter)
            return o;
    return NULL;
}

/* The dashes do not count: they would make any two short names alike. */
static int options_refuse(const struct syntax *syntax, const char *text, size_t length,
                          struct err *err)
{
    char label[LABEL], word[LABEL], lister[LABEL];
    const char *names[MAX_OPTIONS + 2] = {help_name}, *only[] = {NULL, NULL};
    size_t count = 0;
    for (const struct option *o = syntax->options; o && o->name; o++, count++) {
        assert(count < MAX_OPTIONS);
        names[count + 1] = o->name;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    snprintf(lister, sizeof lister, "weir %s --help", syntax->name);
    const char *nearest = text_nearest(word + strspn(word, "-"), names);
    if (nearest) {
        snprintf(label, sizeof label, "--%s", nearest);
        only[0] = label;
    }
    return err_set(err, "unknown option '%s'%s", word, suggest(word, only, lister).text);
}

static int options_add_word(struct words *words, const char *word, struct arena *arena,
                            struct err *err)
{
    /* Grows by doubling inside the arena, at the powers of two. */
    if ((words->count & (words->count - 1)) == 0) {
        size_t capacity = words->count ? 2 * words->count : 1;
        const char **list = arena_alloc(arena, capacity, sizeof *list);
        if (!list)
            return err_memory(err);
        if (words->count)
            memcpy(list, words->list, words->count * sizeof *list);
        words->list = list;
    }
    words->list[words->count++] = word;
    return 0;
}

static int options_read_whole(const char *text, struct whole *whole, struct err *err)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return err_set(err, "'%s' is not a whole number", text);
    *whole = (struct whole){.value = value, .given = true};
    return 0;
}

static int options_read_amount(const char *text, enum unit unit, double *amount, struct err *err)
{
    if (units_parse(text, unit, amount, err) < 0)
        return -1;
    if (!(*amount > 0))
        return err_set(err, "'%s' is not positive", text);
    return 0;
}

static int options_read_delay(const char *text, enum unit unit, struct delay *delay,
                              struct err *err)
{
    if (units_parse(text, unit, &delay->value, err) < 0)
        return -1;
    if (!(delay->value >= 0))
        return err_set(err, "'%s' is below 0", text);
    delay->given = true;
    return 0;
}

/* The structure begins zeroed, so what a single-valued option has set already shows in it. */
static bool options_is_set(const struct option *option, const void *values)
{
    const void *member = (const char *)values + option->offset;
    switch (option->kind) {
    case OPTION_TEXT:
        return *(const char *const *)member != NULL;
    case OPTION_AMOUNT:
        return *(const double *)member > 0;
    case OPTION_DELAY:
        return ((const struct delay *)member)->given;
    case OPTION_WHOLE:
        return ((const struct whole *)member)->given;
    case OPTION_FLAG:
    case OPTION_WORDS:
        break;
    }
    return false;
}

static int options_store(const struct option *option, const char *text, void *values,
                         struct arena *arena, struct err *err)
{
    void *member = (char *)values + option->offset;
    int status = 0;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_TEXT:
        *(const char **)member = text;
        break;
    case OPTION_WORDS:
        status = options_add_word(member, text, arena, err);
        break;
    case OPTION_AMOUNT:
        status = options_read_amount(text, option->unit, member, err);
        break;
    case OPTION_DELAY:
        status = options_read_delay(text, option->unit, member, err);
        break;
    case OPTION_WHOLE:
        status = options_read_whole(text, member, err);
        break;
    }
    return status < 0 ? err_prepend_option(err, option->name) : 0;
}

/* An argument that begins with a dash, taken apart. */
struct argument {
    const struct option *option; /* NULL = unknown */
    const char *value;           /* after '=', or after the letter; NULL = none */
    size_t length;               /* of the option's name with its dashes */
    bool help;
};

static struct argument options_split(const struct syntax *syntax, const char *text)
{
    struct argument argument = {0};
    if (text[1] == '-') {
        argument.length = strcspn(text, "=");
        argument.option = options_find_long(syntax, text + 2, argument.length - 2);
        argument.value = text[argument.length] ? text + argument.length + 1 : NULL;
        argument.help = strcmp(text + 2, help_name) == 0;
    } else {
        argument.length = 2;
        argument.option = options_find_short(syntax, text[1]);
        argument.value = text[2] ? text + 2 : NULL;
        argument.help = strcmp(text, "-h") == 0;
    }
    return argument;
}

/* Parses one option and its value. Returns the number of further arguments used, or -1. */
static int options_parse_one(const struct argument *argument, const char *const *argv, void *values,
                             struct arena *arena, struct err *err)
{
    const struct option *option = argument->option;
    if (option->kind == OPTION_FLAG && argument->value)
        return err_option(err, "--%s takes no value", option->name);
    bool next = option->kind != OPTION_FLAG && !argument->value;
    if (next && !argv[1])
        return err_option(err, "--%s needs a value: %s", option->name, option->value);
    if (options_is_set(option, values))
        return err_option(err, "--%s is given twice, but takes one value", option->name);
    return options_store(option, next ? argv[1] : argument->value, values, arena, err) < 0 ? -1
                                                                                           : next;
}

static int options_check_operands(const struct syntax *syntax, const struct words *operands,
                                  struct err *err)
{
    if (operands->count > syntax->most)
        return err_set(err, "unexpected argument '%s'", operands->list[syntax->most]);
    if (operands->count < syntax->least)
        return err_set(err, "expected %s; see 'weir %s --help'", syntax->operands, syntax->name);
    return 0;
}

/* --- rules ------------------------------------------------------------------------------------ */

static bool options_is_given(const struct option *option, const void *values)
{
    const void *member = (const char *)values + option->offset;
    if (option->kind == OPTION_FLAG)
        return *(const bool *)member;
    if (option->kind == OPTION_WORDS)
        return ((const struct words *)member)->count > 0;
    return options_is_set(option, values);
}

static int options_check_range(const struct option *option, const struct option_rule *rule,
                               const void *values, struct err *err)
{
    const void *member = (const char *)values + option->offset;
    double value = option->kind == OPTION_AMOUNT ? *(const double *)member
                                                 : (double)((const struct whole *)member)->value;
    if (!rule->most && value < (double)rule->least)
        return err_option(err, "--%s: expected at least %llu", option->name,
                          (unsigned long long)rule->least);
    if (rule->most && (value < (double)rule->least || value > (double)rule->most))
        return err_option(err, "--%s: expected %llu to %llu", option->name,
                          (unsigned long long)rule->least, (unsigned long long)rule->most);
    return 0;
}

/* "NAME" after the option's name, with a blank before it; "" for a flag. */
static const char *options_value(const struct option *option, char *text, size_t size)
{
    snprintf(text, size, "%s%s", option->value ? " " : "", option->value ? option->value : "");
    return text;
}

static int options_check_need(const struct option_rule *rule, const struct option *other,
                              struct err *err)
{
    char value[LABEL];
    return err_option(err, "--%s needs --%s%s", rule->name, rule->other,
                      options_value(other, value, sizeof value));
}

static int options_check_required(const struct option *option, const struct option *other,
                                  struct err *err)
{
    char value[LABEL], another[LABEL];
    options_value(option, value, sizeof value);
    if (!other)
        return err_set(err, "missing --%s%s", option->name, value);
    return err_set(err, "missing --%s%s or --%s%s", option->name, value, other->name,
                   options_value(other, another, sizeof another));
}

static int options_check_rule(const struct syntax *syntax, const struct option_rule *rule,
                              const void *values, struct err *err)
{
    const struct option *option = options_find_long(syntax, rule->name, strlen(rule->name));
    const struct option *other =
        rule->other ? options_find_long(syntax, rule->other, strlen(rule->other)) : NULL;
    bool given = options_is_given(option, values), with = other && options_is_given(other, values);
    switch (rule->demand) {
    case OPTION_RANGE:
        return given ? options_check_range(option, rule, values, err) : 0;
    case OPTION_EXCLUDE:
        return given && with
                   ? err_option(err, "--%s and --%s exclude each other", rule->name, rule->other)
                   : 0;
    case OPTION_NEED:
        return given && !with ? options_check_need(rule, other, err) : 0;
    case OPTION_REQUIRE:
        return given || with ? 0 : options_check_required(option, other, err);
    case OPTION_STDOUT:
        if (given && with &&
            output_is_stdout(*(const char *const *)((const char *)values + option->offset)))
            return err_set(err, "standard output can hold only one of --%s and --%s", rule->name,
                           rule->other);
        return 0;
    }
    return 0;
}

int options_parse(const struct syntax *syntax, const char *const *argv, void *values,
                  struct arena *arena, struct err *err)
{
    struct words *operands = values;
    bool only_operands = false;
    for (; *argv; argv++) {
        if (only_operands || argv[0][0] != '-' || !argv[0][1]) {
            if (options_add_word(operands, *argv, arena, err) < 0)
                return -1;
            continue;
        }
        if (strcmp(*argv, "--") == 0) {
            only_operands = true;
            continue;
        }
        struct argument argument = options_split(syntax, *argv);
        if (argument.help)
            return 1;
        if (!argument.option)
            return options_refuse(syntax, *argv, argument.length, err);
        int used = options_parse_one(&argument, argv, values, arena, err);
        if (used < 0)
            return -1;
        argv += used;
    }
    if (options_check_operands(syntax, operands, err) < 0)
        return -1;
    for (const struct option_rule *rule = syntax->rules; rule && rule->name; rule++)
        if (options_check_rule(syntax, rule, values, err) < 0)
            return -1;
    return 0;
}

int option_choose(const char *option, const char *word, const char *const *names, int count,
                  struct err *err)
{
    const char *list[MAX_OPTIONS + 1] = {NULL};
    assert(count <= MAX_OPTIONS);
    for (int i = 0; i < count; i++) {
        list[i] = names[i];
        if (!word || strcmp(names[i], word) == 0)
            return i;
    }
    return err_option(err, "--%s: unknown value '%s'%s", option, word,
                      suggest(word, list, NULL).text);
}
