#include "model/parties.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const party_kind_names[PARTY_KINDS] = {
#define X(name, one, several) one,
    PARTIES(X)
#undef X
};

const char *const party_kind_plurals[PARTY_KINDS] = {
#define X(name, one, several) several,
    PARTIES(X)
#undef X
};

struct parties_entry {
    const char *text;
    uint32_t index, first; /* of the text, and of its first appearance */
};

static int parties_compare(const void *a, const void *b)
{
    const struct parties_entry *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Fills in the first appearance of every text, and returns how many differ. */
static uint32_t parties_group(struct parties_entry *entries, uint32_t count)
{
    uint32_t groups = 0;
    qsort(entries, count, sizeof *entries, parties_compare);
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && strcmp(entries[i].text, entries[i - 1].text) == 0;
        entries[i].first = same ? entries[i - 1].first : entries[i].index;
        groups += !same;
    }
    return groups;
}

int parties_number(struct parties *parties, const char *const *texts, uint32_t *numbers,
                   uint32_t count, struct arena *arena)
{
    uint32_t known = 0;
    struct parties_entry *entries = mem_alloc(count, sizeof *entries);
    if (!entries)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        if (texts[i])
            entries[known++] = (struct parties_entry){.text = texts[i], .index = i};
    uint32_t groups = parties_group(entries, known);
    const char **names = arena_alloc(arena, groups, sizeof *names);
    *parties = (struct parties){.names = names};
    for (uint32_t i = 0; names && i < known; i++)
        numbers[entries[i].index] = entries[i].first;
    free(entries);
    /* Firsts come before the others of their group, so their numbers are there in time. */
    for (uint32_t i = 0; names && i < count; i++) {
        if (texts[i] && numbers[i] == i) {
            names[parties->count++] = texts[i];
            numbers[i] = parties->count;
        } else {
            numbers[i] = texts[i] ? numbers[numbers[i]] : 0;
        }
    }
    return names ? 0 : -1;
}

int parties_copy(struct parties *parties, const struct parties *from, struct arena *arena)
{
    const char **names = arena_alloc(arena, from->count, sizeof *names);
    if (!names)
        return -1;
    for (uint32_t i = 0; i < from->count; i++)
        names[i] = from->names[i];
    *parties = (struct parties){.names = names, .count = from->count};
    return 0;
}
