#include "experiment/source.h"
#include "base/suggest.h"
#include "experiment/generator.h"
#include "format/format.h"
#include "gen/gen.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_WORD = 128, SOURCE_FAMILIES = 64 };

/* Copies the next of "a,b,c" and moves after it; false at the end. */
static bool source_next_word(const char **list, char word[SOURCE_WORD])
{
    size_t length = strcspn(*list, ",");
    if (!**list)
        return false;
    snprintf(word, SOURCE_WORD, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Keeps "key=value" among the given. 0, or -1 when memory is out. */
static int source_note(struct experiment_source *source, const char *word)
{
    size_t key = strcspn(word, "=");
    struct variation *given = &source->given[source->given_count++];
    *given = (struct variation){
        arena_strndup(&source->arena, word, key),
        word[key] ? arena_strndup(&source->arena, word + key + 1, strlen(word + key + 1)) : ""};
    return given->path && given->value ? 0 : -1;
}

static int source_open_family(struct experiment_source *source, const char *params, struct err *err)
{
    char word[SOURCE_WORD];
    size_t most = 1;
    if (source->family->batch)
        return err_set(err, "%s: its jobs are still to be mapped, see weir map", source->name);
    family_defaults(source->family, source->values);
    for (const char *c = params; *c; c++)
        most += *c == ',';
    source->given = arena_alloc(&source->arena, most, sizeof *source->given);
    if (!source->given)
        return err_memory(err);
    while (source_next_word(&params, word)) {
        if (family_set(source->family, word, source->values, err) < 0)
            return err_prepend(err, "%s", source->name);
        if (source_note(source, word) < 0)
            return err_memory(err);
    }
    return 0;
}

static int source_open_generator(struct experiment_source *source, struct err *err)
{
    struct generator generator = {source->generator, source->directory, 0};
    if (generator_read(&generator, err) < 0)
        return -1;
    source->content = generator.content;
    return 0;
}

static const struct family *source_find_family(const char *name)
{
    for (size_t i = 0; families[i]; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

/* A word that looks like no file is a family with a mistake. */
static int source_refuse(const char *name, struct err *err)
{
    const char *names[SOURCE_FAMILIES + 1] = {NULL};
    for (size_t i = 0; families[i] && i < SOURCE_FAMILIES; i++)
        names[i] = families[i]->name;
    return err_set(err, "'%s' is neither a file nor a family%s", name,
                   suggest(name, names, "weir generate --list").text);
}

int source_open(struct experiment_source *source, const char *text, struct err *err)
{
    char name[SOURCE_WORD];
    size_t length = strcspn(text, ":");
    const char *directory = source->directory;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *source = (struct experiment_source){
        .name = text, .directory = directory, .family = source_find_family(name)};
    if (source->family)
        return source_open_family(source, text[length] ? text + length + 1 : "", err);
    if (generator_is(text)) {
        source->generator = text;
        return source_open_generator(source, err);
    }
    if (!strpbrk(name, "./") && strcmp(text, "-") != 0 && access(text, F_OK) != 0)
        return source_refuse(name, err);
    source->scenario = source->read = format_load(text, NULL, &(struct format_defaults){0}, err);
    if (!source->scenario)
        return -1;
    source->name = source->scenario->name;
    return 0;
}

struct experiment_source source_of(const struct scenario *scenario)
{
    return (struct experiment_source){.name = scenario->name, .scenario = scenario};
}

void source_fini(struct experiment_source *source)
{
    scenario_free(source->read);
    arena_fini(&source->arena);
    *source = (struct experiment_source){0};
}

bool source_has_parameter(const struct experiment_source *source, const char *path)
{
    if (source && source->generator)
        return generator_has(source->generator, path);
    return source && sweep_is_parameter(path, source->family);
}

struct scenario *source_draw(const struct experiment_source *source, uint64_t seed,
                             const struct variation *point, size_t count, struct err *err)
{
    double values[FAMILY_MOST_PARAMS];
    if (source->generator) {
        const struct generator generator = {source->generator, source->directory, source->content};
        return generator_draw(&generator, seed, point, count, err);
    }
    memcpy(values, source->values, sizeof values);
    for (size_t i = 0; i < count; i++)
        if (parameter_vary(source->family, &point[i], values, err) < 0)
            return NULL;
    return family_make(source->family, values, seed, err);
}
