#include "answer/stored.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of the database after the columns of its experiments; the results of an experiment
 * come together, in order of their seeds. */
static const char stored_columns[] =
    ", json_remove(parameters, '$.file'), window_start IS NOT NULL, seed";
enum { PARAMETERS, WINDOWED, SEED, MEASURES };

bool stored_is(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *stream = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    bool is = stream && fread(head, 1, sizeof head, stream) == sizeof head &&
              memcmp(head, magic, sizeof head) == 0;
    if (stream)
        fclose(stream);
    return is;
}

/* --- reading ------------------------------------------------------------------------------- */

/* A copy that lives as long as the answer. 0, or -1 when memory is out. */
static int stored_keep(struct stored *stored, const struct store_cell *cell,
                       struct store_cell *copy)
{
    *copy = *cell;
    if (cell->kind == STORE_TEXT || cell->kind == STORE_BLOB)
        copy->text = arena_strndup(&stored->arena, cell->text, cell->length);
    return copy->text || (cell->kind != STORE_TEXT && cell->kind != STORE_BLOB) ? 0 : -1;
}

double stored_number(const struct store_cell *cell)
{
    return cell->kind == STORE_REAL      ? cell->real
           : cell->kind == STORE_INTEGER ? (double)cell->integer
                                         : NAN;
}

static bool stored_equal(const struct store_cell *a, const struct store_cell *b)
{
    if (a->kind != b->kind || a->kind == STORE_NULL)
        return a->kind == b->kind;
    if (a->kind == STORE_TEXT || a->kind == STORE_BLOB)
        return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    return stored_number(a) == stored_number(b);
}

/* Whether a row belongs to a case: what identifies its experiment is the same. */
static bool stored_is_of(const struct stored *stored, const struct stored_case *of,
                         const struct store_cell *cells)
{
    size_t columns = stored->experiments.count;
    bool same = of->windowed == (cells[columns + WINDOWED].integer != 0);
    for (size_t i = 0; i < columns && same; i++)
        same = stored->experiments.list[i].part == EXPERIMENT_STRATEGY ||
               stored_equal(&of->keys[i], &cells[i]);
    return same;
}

static int stored_begin_case(struct stored *stored, const struct store_cell *cells)
{
    size_t columns = stored->experiments.count;
    if (stored->case_count > 0 &&
        stored_is_of(stored, &stored->cases[stored->case_count - 1], cells))
        return 0;
    struct store_cell parameters;
    struct stored_case *cases =
        mem_reserve(stored->cases, &stored->case_capacity, stored->case_count + 1, sizeof *cases);
    struct store_cell *keys = arena_alloc(&stored->arena, columns, sizeof *keys);
    stored->cases = cases ? cases : stored->cases;
    if (!cases || !keys || stored_keep(stored, &cells[columns + PARAMETERS], &parameters) < 0)
        return -1;
    for (size_t i = 0; i < columns; i++)
        if (stored_keep(stored, &cells[i], &keys[i]) < 0)
            return -1;
    cases[stored->case_count++] =
        (struct stored_case){.keys = keys,
                             .parameters = parameters.kind == STORE_TEXT ? parameters.text : "{}",
                             .windowed = cells[columns + WINDOWED].integer != 0,
                             .first = stored->result_count};
    return 0;
}

/* The strategy of a row. */
static struct stored_strategy stored_strategy_of(const struct stored *stored,
                                                 const struct store_cell *cells)
{
    struct stored_strategy strategy = {0};
    for (size_t i = 0; i < stored->experiments.count; i++) {
        const struct experiment_column *column = &stored->experiments.list[i];
        if (column->part != EXPERIMENT_STRATEGY)
            continue;
        if (strcmp(column->name, "strategy") == 0)
            strategy.strategy = cells[i].text;
        else
            strategy.file = cells[i].kind == STORE_TEXT ? cells[i].text : NULL;
    }
    return strategy;
}

static bool stored_is_same_file(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Its index among all, SIZE_MAX when memory is out. */
static size_t stored_add_strategy(struct stored *stored, const struct store_cell *cells)
{
    struct stored_strategy found = stored_strategy_of(stored, cells);
    for (size_t i = 0; i < stored->strategy_count; i++)
        if (strcmp(stored->strategies[i].strategy, found.strategy) == 0 &&
            stored_is_same_file(stored->strategies[i].file, found.file))
            return i;
    struct stored_strategy *list = mem_reserve(stored->strategies, &stored->strategy_capacity,
                                               stored->strategy_count + 1, sizeof *list);
    if (!list)
        return SIZE_MAX;
    stored->strategies = list;
    found.name = found.strategy =
        arena_strndup(&stored->arena, found.strategy, strlen(found.strategy));
    if (found.file)
        found.file = arena_strndup(&stored->arena, found.file, strlen(found.file));
    list[stored->strategy_count] = found;
    return found.name ? stored->strategy_count++ : SIZE_MAX;
}

static int stored_read_row(void *context, const struct store_cell *cells, int count,
                           struct err *err)
{
    struct stored *stored = context;
    const struct store_cell *more = cells + stored->experiments.count;
    (void)count;
    struct stored_result *results = mem_reserve(stored->results, &stored->result_capacity,
                                                stored->result_count + 1, sizeof *results);
    if (!results)
        return err_memory(err);
    stored->results = results;
    size_t strategy = stored_add_strategy(stored, cells);
    if (strategy == SIZE_MAX || stored_begin_case(stored, cells) < 0)
        return err_memory(err);
    struct stored_case *of = &stored->cases[stored->case_count - 1];
    bool same = of->count > 0 && results[stored->result_count - 1].seed == more[SEED].integer;
    of->seeds += !same;
    of->count++;
    struct stored_result *result = &results[stored->result_count++];
    *result = (struct stored_result){.seed = more[SEED].integer, .strategy = strategy};
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        *(double *)(void *)((char *)&result->metrics + measures[i].offset) =
            stored_number(&more[MEASURES + i]);
    return 0;
}

static int stored_read_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context;
    (void)names;
    (void)count;
    (void)err;
    return 0;
}

/* NULL when memory is out; free() frees. */
static char *stored_sql(const struct experiments *experiments)
{
    char *text = NULL;
    size_t size, columns = experiments->count;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return NULL;
    fputs("SELECT ", sql);
    experiments_select(experiments, sql);
    fputs(stored_columns, sql);
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        fprintf(sql, ", %s", measures[i].name);
    fputs(" FROM run WHERE error IS NULL ORDER BY ", sql);
    for (size_t i = 0; i < columns; i++)
        if (experiments->list[i].part != EXPERIMENT_STRATEGY)
            fprintf(sql, "%zu, ", i + 1);
    fprintf(sql, "%zu, %zu, id", columns + WINDOWED + 1, columns + SEED + 1);
    if (fclose(sql) == 0)
        return text;
    free(text);
    return NULL;
}

/* Strategies of one name whose files differ are told apart by these. 0, or -1 when memory is out.
 */
static int stored_name_strategies(struct stored *stored)
{
    for (size_t i = 0; i < stored->strategy_count; i++) {
        struct stored_strategy *own = &stored->strategies[i];
        char name[STORED_TITLE];
        bool twice = false;
        for (size_t k = 0; k < stored->strategy_count; k++)
            twice |= k != i && strcmp(own->strategy, stored->strategies[k].strategy) == 0;
        if (!twice || !own->file)
            continue;
        snprintf(name, sizeof name, "%s (file %s)", own->strategy, own->file);
        own->name = arena_strndup(&stored->arena, name, strlen(name));
        if (!own->name)
            return -1;
    }
    return 0;
}

static int stored_read(struct stored *stored, struct database *database, struct err *err)
{
    const struct store_reader reader = {
        .head = stored_read_head, .row = stored_read_row, .context = stored};
    if (experiments_init(&stored->experiments, database, err) < 0)
        return -1;
    char *sql = stored_sql(&stored->experiments);
    int status = sql ? database_query(database, sql, &reader, err) : err_memory(err);
    free(sql);
    return status == 0 && stored_name_strategies(stored) < 0 ? err_memory(err) : status;
}

int stored_load(struct stored *stored, const char *path, struct err *err)
{
    struct database *database = database_open_read(path, err);
    *stored = (struct stored){0};
    int status = database ? stored_read(stored, database, err) : -1;
    database_close(database);
    if (status == 0 && stored->result_count == 0)
        return err_set(err, "%s: no run is stored that succeeded", path);
    return status;
}

void stored_fini(struct stored *stored)
{
    free(stored->cases);
    free(stored->results);
    free(stored->strategies);
    experiments_fini(&stored->experiments);
    arena_fini(&stored->arena);
}

/* --- questions ----------------------------------------------------------------------------- */

size_t stored_find(const struct stored *stored, const char *name)
{
    for (size_t i = 0; i < stored->strategy_count; i++)
        if (strcmp(stored->strategies[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

const char *stored_text(const struct stored *stored, const struct stored_case *of,
                        enum experiment_part part)
{
    for (size_t i = 0; i < stored->experiments.count; i++)
        if (stored->experiments.list[i].part == part && of->keys[i].kind == STORE_TEXT)
            return of->keys[i].text;
    return NULL;
}

char *stored_apart(const struct stored *stored, const struct stored_case *of,
                   char apart[STORED_TITLE])
{
    *apart = 0;
    for (size_t i = 0; i < stored->experiments.count; i++) {
        const struct experiment_column *column = &stored->experiments.list[i];
        const struct store_cell *cell = &of->keys[i];
        char value[64];
        if (column->part != EXPERIMENT_APART || cell->kind == STORE_NULL)
            continue;
        snprintf(value, sizeof value, "%.6g", stored_number(cell));
        text_append(apart, STORED_TITLE, *apart ? ", " : "");
        text_append(apart, STORED_TITLE, column->name);
        text_append(apart, STORED_TITLE, "=");
        text_append(apart, STORED_TITLE, cell->kind == STORE_TEXT ? cell->text : value);
    }
    return apart;
}
