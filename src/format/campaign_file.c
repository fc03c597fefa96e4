#include "format/campaign_file.h"
#include "base/text.h"
#include "format/kinds.h"
#include "format/word.h"
#include <stdlib.h>
#include <string.h>

static int campaign_read_texts(struct reader *reader, const struct key *key, void *into);
static int campaign_read_groups(struct reader *reader, const struct key *key, void *into);
static int campaign_read_sweep(struct reader *reader, const struct key *key, void *into);

static const struct kind campaign_texts = {.value = "a text, or a list",
                                           .read = campaign_read_texts};
static const struct kind campaign_seeds = {
    .value = "their number, a range such as 5..20, or a list", .read = campaign_read_texts};
static const struct kind campaign_groups = {.value = "a list of names, or mappings with a name",
                                            .read = campaign_read_groups};
static const struct kind campaign_sweep = {.value = "a mapping of lists",
                                           .read = campaign_read_sweep};

#define AT(member) offsetof(struct campaign_file, member)
static const struct key campaign_keys[] = {
    {"name", &kind_text, AT(name), OPTIONAL, "default that of the file"},
    {"scenarios", &campaign_texts, AT(scenarios), OPTIONAL,
     "files, directories with files *.yaml, or patterns such as runs/w-*.yaml; a relative path "
     "starts at the directory of the campaign file"},
    {"generator", &campaign_texts, AT(generators), OPTIONAL,
     "programs that print a scenario, such as ./make.py --seed {seed} --load {load}, where sweep "
     "has values of load; what they print is kept by the content of the program"},
    {"families", &campaign_groups, AT(families), OPTIONAL,
     "published workloads, with values of their parameters; 'weir generate --list' lists them"},
    {"seeds", &campaign_seeds, AT(seeds), OPTIONAL,
     "of all randomness; 200 stands for 1..200; default that of each file, and 1 of a family"},
    {"strategies", &campaign_texts, AT(strategies), OPTIONAL,
     "as for --policy, 'all' included; a relative path of a plug-in or of file= starts at the "
     "directory of the campaign file; default the few that differ most"},
    {"platforms", &campaign_groups, AT(platforms), OPTIONAL,
     "machines, with values of nodes, node_bandwidth and bandwidth; a name alone leaves the "
     "platform as it is"},
    {"sweep", &campaign_sweep, AT(sweep), OPTIONAL, "paths into the scenario, with their values"},
    {0}};
#undef AT

static const struct key_table campaign_table = {"the campaign", campaign_keys};

/* --- values ------------------------------------------------------------------------------------
 */

static int campaign_copy_text(struct reader *reader, const char *what, struct file_text *into)
{
    const char *text = reader_scalar(reader, what, "a text or a number");
    if (!text)
        return -1;
    if (!*text)
        return reader_fail(reader, reader_line(reader), "%s: empty text", what);
    into->line = (uint32_t)reader_line(reader);
    into->text = arena_strndup(&reader->draft->scenario->arena, text, strlen(text));
    return into->text ? 0 : err_memory(reader->err);
}

static int campaign_add_text(struct reader *reader, void *into)
{
    struct file_texts *texts = into;
    struct file_text *list = list_extend(reader, texts->list, texts->count, sizeof *list);
    if (!list)
        return -1;
    texts->list = list;
    if (campaign_copy_text(reader, "a value", &list[texts->count]) != 0)
        return -1;
    texts->count++;
    return 0;
}

/* One value, or a list of at least one. */
static int campaign_read_values(struct reader *reader, const char *name, struct file_texts *into)
{
    const struct key key = {.name = name, .kind = &campaign_texts};
    size_t line = reader_line(reader);
    into->single = reader->event.type == YAML_SCALAR_EVENT;
    if (into->single)
        return campaign_add_text(reader, into);
    if (list_read(reader, &key, campaign_add_text, into) != 0)
        return -1;
    if (into->count == 0)
        return reader_fail(reader, line, "%s has no values", quote_text(name, strlen(name)).text);
    return 0;
}

static int campaign_read_texts(struct reader *reader, const struct key *key, void *into)
{
    return campaign_read_values(reader, key->name, into);
}

/* --- groups ------------------------------------------------------------------------------------
 */

/* One member of a group's mapping: its name, or an axis. The reader stands on the key. */
static int campaign_read_member(struct reader *reader, struct file_group *group, bool named)
{
    struct file_axis axis = {0};
    if (campaign_copy_text(reader, "a key", &axis.name) != 0 || reader_next(reader) != 0)
        return -1;
    if (named && strcmp(axis.name.text, "name") == 0)
        return campaign_copy_text(reader, "name", &group->name);
    for (uint32_t i = 0; i < group->count; i++)
        if (strcmp(group->axes[i].name.text, axis.name.text) == 0)
            return reader_fail(reader, axis.name.line, "'%s' is given twice",
                               quote_text(axis.name.text, strlen(axis.name.text)).text);
    struct file_axis *axes = list_extend(reader, group->axes, group->count, sizeof *axes);
    if (!axes || campaign_read_values(reader, axis.name.text, &axis.values) != 0)
        return -1;
    group->axes = axes;
    axes[group->count++] = axis;
    return 0;
}

static int campaign_read_members(struct reader *reader, struct file_group *group, bool named)
{
    size_t line = reader_line(reader);
    while (reader_next(reader) == 0) {
        if (reader->event.type != YAML_MAPPING_END_EVENT) {
            if (campaign_read_member(reader, group, named) != 0)
                return -1;
            continue;
        }
        if (named && !group->name.text)
            return reader_fail(reader, line, "missing key 'name'");
        return 0;
    }
    return -1;
}

static int campaign_add_group(struct reader *reader, void *into)
{
    struct file_groups *groups = into;
    struct file_group group = {.name.line = (uint32_t)reader_line(reader)};
    int status = reader->event.type == YAML_MAPPING_START_EVENT
                     ? campaign_read_members(reader, &group, true)
                     : campaign_copy_text(reader, "a name", &group.name);
    if (status != 0)
        return -1;
    struct file_group *list = list_extend(reader, groups->list, groups->count, sizeof *list);
    if (!list)
        return -1;
    list[groups->count++] = group;
    groups->list = list;
    return 0;
}

static int campaign_read_groups(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, campaign_add_group, into);
}

static int campaign_read_sweep(struct reader *reader, const struct key *key, void *into)
{
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return reader_fail(reader, reader_line(reader),
                           "%s must be a mapping, such as {bandwidth: [1x, 2x]}", key->name);
    return campaign_read_members(reader, into, false);
}

/* --- the file ----------------------------------------------------------------------------------
 */

int campaign_file_parse(const char *text, size_t length, const char *where,
                        struct campaign_file *file, struct err *err)
{
    struct draft draft;
    struct reader reader;
    *file = (struct campaign_file){0};
    int status = draft_init(&draft, where, err);
    if (status == 0) {
        struct arena *arena = &draft.scenario->arena;
        file->name = draft.scenario->name;
        status = reader_init(&reader, text, length, &draft, err);
        if (status == 0)
            status = key_table_read(&reader, &campaign_table, file, NULL);
        if (status == 0)
            status = reader_finish(&reader);
        reader_fini(&reader);
        file->where = arena_strndup(arena, where, strlen(where));
        if (!file->where)
            status = err_memory(err);
        file->arena = *arena;
        *arena = (struct arena){0};
    }
    draft_fini(&draft);
    if (status == 0 && file->scenarios.count == 0 && file->families.count == 0 &&
        file->generators.count == 0)
        status = err_set(err, "%s: no 'scenarios', 'families' or 'generator': nothing to run", where);
    return status;
}

int campaign_file_load(const char *path, struct campaign_file *file, struct err *err)
{
    size_t length;
    *file = (struct campaign_file){0};
    char *text = text_load(path, &length, err);
    if (!text)
        return -1;
    const char *where = strcmp(path, "-") == 0 ? "stdin" : path;
    int status = campaign_file_parse(text, length, where, file, err);
    free(text);
    return status;
}

void campaign_file_fini(struct campaign_file *file)
{
    arena_fini(&file->arena);
    *file = (struct campaign_file){0};
}

void campaign_file_document(void (*row)(void *context, const char *mapping, const char *key,
                                        const char *value, const char *help),
                            void *context)
{
    for (const struct key *key = campaign_keys; key->name; key++)
        row(context, campaign_table.name, key->name, kind_value(key->kind), key->help);
}
