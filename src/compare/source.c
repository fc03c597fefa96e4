#include "base/suggest.h"
#include "compare/compare.h"
#include "format/format.h"
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

static int source_open_family(struct compare_source *source, const char *params, struct err *err)
{
    char word[SOURCE_WORD];
    if (source->family->batch)
        return err_set(err, "%s: its jobs are still to be mapped, see weir map", source->name);
    family_defaults(source->family, source->values);
    while (source_next_word(&params, word))
        if (family_set(source->family, word, source->values, err) < 0)
            return err_prepend(err, "%s", source->name);
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

int compare_source_open(struct compare_source *source, const char *text, struct err *err)
{
    char name[SOURCE_WORD];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *source = (struct compare_source){.name = text, .family = source_find_family(name)};
    if (source->family)
        return source_open_family(source, text[length] ? text + length + 1 : "", err);
    if (!strpbrk(name, "./") && strcmp(text, "-") != 0 && access(text, F_OK) != 0)
        return source_refuse(name, err);
    source->scenario = source->read = format_load(text, NULL, &(struct format_defaults){0}, err);
    if (!source->scenario)
        return -1;
    source->name = source->scenario->name;
    return 0;
}

struct compare_source compare_source_of(const struct scenario *scenario)
{
    return (struct compare_source){.name = scenario->name, .scenario = scenario};
}

void compare_source_fini(struct compare_source *source)
{
    scenario_free(source->read);
    *source = (struct compare_source){0};
}
