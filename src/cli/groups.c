#include "cli/groups.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/page.h"
#include "cli/user.h"
#include <stdlib.h>
#include <string.h>

static const char *const key_words[] = {
#define GROUPS_WORD(name, word) word,
    GROUPS_KEYS(GROUPS_WORD)
#undef GROUPS_WORD
};

const char *groups_word(enum groups_key key)
{
    return key_words[key];
}

int groups_find(const char *word, struct err *err)
{
    return option_choose("by", word, key_words, GROUPS_KEYS_COUNT, err);
}

/* --- sums ------------------------------------------------------------------------------------- */

static void groups_set_key(struct group *group, const char *key, const char *store)
{
    text_append(group->key, sizeof group->key, key);
    text_append(group->store, sizeof group->store, store);
}

static struct group groups_of_app(const struct wire_app *app, enum groups_key by)
{
    struct group group = {.applications = 1,
                          .processes = app->processes,
                          .phases = app->phases,
                          .nodes = app->nodes,
                          .granted = app->rate,
                          .measured = app->measured,
                          .moved = app->moved,
                          .escaped = app->escaped};
    groups_set_key(&group,
                   by == GROUPS_BY_JOB    ? app->job
                   : by == GROUPS_BY_USER ? user_name(app->uid)
                                          : app->account,
                   app->store);
    return group;
}

static struct group groups_of_done(const struct wire_done *done, enum groups_key by)
{
    struct group group = {.applications = 1,
                          .phases = done->phases,
                          .moved = done->moved,
                          .escaped = done->escaped,
                          .elapsed = done->ideal + done->waited,
                          .io_time = done->io_time,
                          .waited = done->waited,
                          .ideal = done->ideal};
    groups_set_key(&group,
                   by == GROUPS_BY_JOB    ? done->job
                   : by == GROUPS_BY_USER ? user_name(done->uid)
                                          : done->account,
                   done->store);
    return group;
}

static void groups_add(struct group *sum, const struct group *more)
{
    sum->applications += more->applications;
    sum->processes += more->processes;
    sum->phases += more->phases;
    sum->nodes += more->nodes;
    sum->granted += more->granted;
    sum->measured += more->measured;
    sum->moved += more->moved;
    sum->escaped += more->escaped;
    sum->elapsed += more->elapsed;
    sum->io_time += more->io_time;
    sum->waited += more->waited;
    sum->ideal += more->ideal;
}

/* Job 9 comes before job 10. */
static int groups_compare(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    int order = strverscmp(a->key, b->key);
    return order != 0 ? order : strcmp(a->store, b->store);
}

int groups_init(struct groups *groups, const struct snapshot *snapshot, enum groups_key by,
                bool finished, struct err *err)
{
    size_t count = finished ? snapshot->done_count : snapshot->count, last = 0;
    *groups = (struct groups){.by = by, .finished = finished};
    struct group *list = groups->list = mem_alloc(count, sizeof *list);
    if (!list)
        return err_memory(err);
    for (size_t i = 0; i < count; i++)
        list[i] = finished ? groups_of_done(&snapshot->done[i], by)
                           : groups_of_app(&snapshot->apps[i], by);
    qsort(list, count, sizeof *list, groups_compare);
    for (size_t i = 1; i < count; i++) {
        if (groups_compare(&list[last], &list[i]) == 0)
            groups_add(&list[last], &list[i]);
        else
            list[++last] = list[i];
    }
    groups->count = count > 0 ? last + 1 : 0;
    return 0;
}

void groups_fini(struct groups *groups)
{
    free(groups->list);
    *groups = (struct groups){0};
}

/* --- for people ------------------------------------------------------------------------------- */

static double groups_stretch(const struct group *group)
{
    return group->ideal > 0 ? group->elapsed / group->ideal : 1;
}

static void groups_put(char cell[GRID_CELL], double value, enum unit unit)
{
    if (value > 0)
        units_print(value, unit, cell, GRID_CELL);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void groups_put_text(char cell[GRID_CELL], const char *text)
{
    *cell = '\0';
    text_append(cell, GRID_CELL, *text ? text : "-");
}

static void groups_put_count(char cell[GRID_CELL], uint64_t count)
{
    snprintf(cell, GRID_CELL, "%llu", (unsigned long long)count);
}

#define GROUPS_SHOW(name, put, ...)                                                                \
    static void groups_show_##name(const void *row, char cell[GRID_CELL])                          \
    {                                                                                              \
        const struct group *group = row;                                                           \
        put(cell, __VA_ARGS__);                                                                    \
    }
GROUPS_SHOW(key, groups_put_text, group->key)
GROUPS_SHOW(store, groups_put_text, group->store)
GROUPS_SHOW(applications, groups_put_count, group->applications)
GROUPS_SHOW(processes, groups_put_count, group->processes)
GROUPS_SHOW(phases, groups_put_count, group->phases)
GROUPS_SHOW(nodes, groups_put, group->nodes, UNIT_NONE)
GROUPS_SHOW(granted, groups_put, group->granted, UNIT_RATE)
GROUPS_SHOW(measured, groups_put, group->measured, UNIT_RATE)
GROUPS_SHOW(moved, groups_put, group->moved, UNIT_BYTES)
GROUPS_SHOW(escaped, groups_put, group->escaped, UNIT_BYTES)
GROUPS_SHOW(elapsed, groups_put, group->elapsed, UNIT_SECONDS)
GROUPS_SHOW(io_time, groups_put, group->io_time, UNIT_SECONDS)
GROUPS_SHOW(waited, groups_put, group->waited, UNIT_SECONDS)
GROUPS_SHOW(ideal, groups_put, group->ideal, UNIT_SECONDS)
GROUPS_SHOW(stretch, groups_put, groups_stretch(group), UNIT_NONE)
#undef GROUPS_SHOW

static const struct grid_column groups_running[] = {
    {"apps", groups_show_applications}, {"granted", groups_show_granted},
    {"measured", groups_show_measured}, {"moved", groups_show_moved},
    {"nodes", groups_show_nodes},       {"procs", groups_show_processes},
    {"I/Os", groups_show_phases},       {"escaped", groups_show_escaped}};
static const struct grid_column groups_finished[] = {
    {"apps", groups_show_applications}, {"took", groups_show_elapsed},
    {"waited", groups_show_waited},     {"stretch", groups_show_stretch},
    {"moved", groups_show_moved},       {"escaped", groups_show_escaped},
    {"I/O", groups_show_io_time},       {"I/Os", groups_show_phases},
    {"ideal", groups_show_ideal}};
#define GROUPS_SIZE(list) (sizeof(list) / sizeof *(list))

static void groups_print_grid(const struct groups *groups)
{
    struct grid_column columns[GRID_MOST] = {{groups_word(groups->by), groups_show_key}};
    bool several = groups->count > 0 && *groups->list->store;
    size_t first = 1 + several;
    if (several)
        columns[1] = (struct grid_column){"store", groups_show_store};
    if (groups->finished)
        memcpy(columns + first, groups_finished, sizeof groups_finished);
    else
        memcpy(columns + first, groups_running, sizeof groups_running);
    size_t count = groups->finished ? GROUPS_SIZE(groups_finished) : GROUPS_SIZE(groups_running);
    page_print_grid(&(struct grid){.columns = columns,
                                   .column_count = (int)(first + count),
                                   .rows = groups->list,
                                   .row_size = sizeof *groups->list,
                                   .row_count = groups->count});
}

/* --- for programs ----------------------------------------------------------------------------- */

static void groups_write(struct json *json, const struct groups *groups, const struct group *group)
{
    json_begin_object(json, NULL);
    json_string(json, groups_word(groups->by), group->key);
    if (*group->store)
        json_string(json, "store", group->store);
    json_integer(json, "applications", group->applications);
    if (groups->finished) {
        json_number(json, "elapsed", group->elapsed);
        json_integer(json, "ios", group->phases);
    } else {
        json_integer(json, "processes", group->processes);
        json_number(json, "nodes", group->nodes);
        json_number(json, "granted", group->granted);
        json_number(json, "measured", group->measured);
        json_integer(json, "phases", group->phases);
    }
    json_number(json, "moved", group->moved);
    json_number(json, "escaped", group->escaped);
    if (groups->finished) {
        json_number(json, "io_time", group->io_time);
        json_number(json, "waited", group->waited);
        json_number(json, "ideal", group->ideal);
        json_number(json, "stretch", groups_stretch(group));
    }
    json_end_object(json);
}

void groups_print(const struct groups *groups, bool json)
{
    if (!json) {
        groups_print_grid(groups);
        return;
    }
    struct json out = {.out = stdout, .pretty = true};
    json_begin_object(&out, NULL);
    json_begin_array(&out, "groups");
    for (size_t i = 0; i < groups->count; i++)
        groups_write(&out, groups, &groups->list[i]);
    json_end_array(&out);
    json_end_object(&out);
}
