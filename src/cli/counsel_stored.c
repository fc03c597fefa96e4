/* The answer for a campaign's database: the strategies that are stored there, paired over seeds. */
#include "base/arena.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/counsel.h"
#include "store/database.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STORED_TITLE = 512 };

/* What is asked of the database. A scenario is its name, a family with its parameters; runs of one
 * come together, in order of their seeds. */
static const char stored_sql[] =
    "SELECT coalesce(family, scenario), parameters, platform, window_start IS NOT NULL, seed,"
    " strategy, min_yield, max_stretch, efficiency, sys_efficiency FROM run WHERE error IS NULL"
    " ORDER BY 1, 2, 3, 4, 5, id";
enum { NAME, PARAMETERS, PLATFORM, WINDOWED, SEED, STRATEGY, YIELD, STRETCH, GAINED, SYSTEM };

/* What strategies are compared in: runs of it have the same index in the list of all. */
struct stored_case {
    const char *name, *parameters, *platform; /* the platform may be NULL */
    bool windowed;
    size_t first, count; /* of its results */
    size_t seeds;
    /* The answer: */
    size_t best; /* of the strategies that are compared */
    size_t runs; /* of the present strategy; 0 = it has none */
    struct choice_gain gains[CHOICE_MEASURES];
};

struct stored_result {
    int64_t seed;
    size_t strategy;
    double values[CHOICE_MEASURES];
};

struct stored {
    const struct counsel_options *options;
    enum choice_goal goal;
    const char *now;
    struct stored_case *cases;
    size_t case_count, case_capacity;
    struct stored_result *results;
    size_t result_count, result_capacity;
    const char **names; /* of all strategies */
    size_t name_count, name_capacity;
    size_t *compared; /* of the names: the present strategy, and the others that are considered */
    unsigned *needs;  /* of these */
    size_t compared_count;
    struct arena arena;
};

bool counsel_is_stored(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              memcmp(head, magic, sizeof head) == 0;
    if (file)
        fclose(file);
    return is;
}

/* --- reading ------------------------------------------------------------------------------- */

static const char *stored_keep(struct stored *stored, const struct store_cell *cell)
{
    return cell->kind == STORE_TEXT ? arena_strndup(&stored->arena, cell->text, strlen(cell->text))
                                    : NULL;
}

static bool stored_is_text(const struct store_cell *cell, const char *text)
{
    if (cell->kind != STORE_TEXT || !text)
        return cell->kind != STORE_TEXT && !text;
    return strcmp(cell->text, text) == 0;
}

static int stored_begin_case(struct stored *stored, const struct store_cell *cells)
{
    const struct stored_case *last =
        stored->case_count ? &stored->cases[stored->case_count - 1] : NULL;
    bool windowed = cells[WINDOWED].integer != 0;
    if (last && stored_is_text(&cells[NAME], last->name) &&
        stored_is_text(&cells[PARAMETERS], last->parameters) &&
        stored_is_text(&cells[PLATFORM], last->platform) && windowed == last->windowed)
        return 0;
    struct stored_case *cases =
        mem_reserve(stored->cases, &stored->case_capacity, stored->case_count + 1, sizeof *cases);
    if (!cases)
        return -1;
    stored->cases = cases;
    struct stored_case *new = &cases[stored->case_count];
    *new = (struct stored_case){.name = stored_keep(stored, &cells[NAME]),
                                .parameters = stored_keep(stored, &cells[PARAMETERS]),
                                .platform = stored_keep(stored, &cells[PLATFORM]),
                                .windowed = windowed,
                                .first = stored->result_count};
    if (!new->name || !new->parameters || (cells[PLATFORM].kind == STORE_TEXT && !new->platform))
        return -1;
    stored->case_count++;
    return 0;
}

/* The index of a strategy of all, SIZE_MAX = it is not there. */
static size_t stored_find(const struct stored *stored, const char *name)
{
    for (size_t i = 0; i < stored->name_count; i++)
        if (strcmp(stored->names[i], name) == 0)
            return i;
    return SIZE_MAX;
}

static size_t stored_add_name(struct stored *stored, const struct store_cell *cell)
{
    size_t found = stored_find(stored, cell->text);
    if (found != SIZE_MAX)
        return found;
    const char **names =
        mem_reserve(stored->names, &stored->name_capacity, stored->name_count + 1, sizeof *names);
    if (!names)
        return SIZE_MAX;
    stored->names = names;
    names[stored->name_count] = stored_keep(stored, cell);
    return names[stored->name_count] ? stored->name_count++ : SIZE_MAX;
}

static double stored_number(const struct store_cell *cell)
{
    return cell->kind == STORE_REAL      ? cell->real
           : cell->kind == STORE_INTEGER ? (double)cell->integer
                                         : NAN;
}

static int stored_read_row(void *context, const struct store_cell *cells, int count,
                           struct err *err)
{
    struct stored *stored = context;
    (void)count;
    struct stored_result *results = mem_reserve(stored->results, &stored->result_capacity,
                                                stored->result_count + 1, sizeof *results);
    if (!results)
        return err_memory(err);
    stored->results = results;
    size_t strategy = stored_add_name(stored, &cells[STRATEGY]);
    if (strategy == SIZE_MAX || stored_begin_case(stored, cells) < 0)
        return err_memory(err);
    struct stored_case *of = &stored->cases[stored->case_count - 1];
    bool same = of->count > 0 && results[stored->result_count - 1].seed == cells[SEED].integer;
    of->seeds += !same;
    of->count++;
    results[stored->result_count++] =
        (struct stored_result){.seed = cells[SEED].integer,
                               .strategy = strategy,
                               .values = {stored_number(&cells[of->windowed ? YIELD : STRETCH]),
                                          stored_number(&cells[of->windowed ? GAINED : SYSTEM])}};
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

static int stored_load(struct stored *stored, const char *path, struct err *err)
{
    struct database *database = database_open_read(path, err);
    const struct store_reader reader = {
        .head = stored_read_head, .row = stored_read_row, .context = stored};
    int status = database ? database_query(database, stored_sql, &reader, err) : -1;
    database_close(database);
    if (status == 0 && stored->result_count == 0)
        return err_set(err, "%s: no run is stored that succeeded", path);
    return status;
}

/* --- choosing ------------------------------------------------------------------------------ */

static int stored_miss(const struct stored *stored, const char *option, const char *name,
                       struct err *err)
{
    char list[STORED_TITLE] = "";
    for (size_t i = 0; i < stored->name_count; i++) {
        text_append(list, sizeof list, i ? ", " : "");
        text_append(list, sizeof list, stored->names[i]);
    }
    return err_set(err, "--%s: the database has no run of '%s', only of %s", option, name, list);
}

/* A plug-in that is not at hand is taken to need nothing. */
static unsigned stored_needs(const char *name)
{
    struct err ignored;
    struct policy *policy = strchr(name, '/') ? NULL : policy_open(name, &ignored);
    unsigned needs = policy ? policy->ops->flags : 0;
    policy_free(policy);
    return needs;
}

static void stored_compare_with(struct stored *stored, size_t strategy)
{
    for (size_t i = 0; i < stored->compared_count; i++)
        if (stored->compared[i] == strategy)
            return;
    stored->needs[stored->compared_count] = stored_needs(stored->names[strategy]);
    stored->compared[stored->compared_count++] = strategy;
}

static int stored_select(struct stored *stored, struct err *err)
{
    const struct words *asked = &stored->options->policies;
    const char *path = stored->options->operands.list[0];
    size_t now = stored_find(stored, stored->now);
    stored->compared = mem_alloc(stored->name_count, sizeof *stored->compared);
    stored->needs = mem_alloc(stored->name_count, sizeof *stored->needs);
    if (!stored->compared || !stored->needs)
        return err_memory(err);
    if (now == SIZE_MAX)
        return stored_miss(stored, "now", stored->now, err);
    stored_compare_with(stored, now);
    for (size_t i = 0; i < asked->count; i++) {
        size_t found = stored_find(stored, asked->list[i]);
        if (found == SIZE_MAX)
            return stored_miss(stored, "policy", asked->list[i], err);
        stored_compare_with(stored, found);
    }
    for (size_t i = 0; asked->count == 0 && i < stored->name_count; i++)
        stored_compare_with(stored, i);
    if (stored->compared_count < 2)
        return err_set(err, "%s: '%s' is the only strategy: there is none to compare it with", path,
                       stored->now);
    return 0;
}

/* The column of a strategy in a table, SIZE_MAX = it is not compared. */
static size_t stored_column(const struct stored *stored, size_t strategy)
{
    for (size_t i = 0; i < stored->compared_count; i++)
        if (stored->compared[i] == strategy)
            return i;
    return SIZE_MAX;
}

static void stored_fill(const struct stored *stored, const struct stored_case *of,
                        double *values[CHOICE_MEASURES])
{
    size_t run = 0;
    for (size_t i = 0; i < of->seeds * stored->compared_count; i++)
        values[0][i] = values[1][i] = NAN;
    for (size_t i = of->first; i < of->first + of->count; i++) {
        const struct stored_result *result = &stored->results[i];
        size_t column = stored_column(stored, result->strategy);
        run += i > of->first && result->seed != result[-1].seed;
        for (int k = 0; column != SIZE_MAX && k < CHOICE_MEASURES; k++)
            values[k][run * stored->compared_count + column] = result->values[k];
    }
}

static int stored_choose(const struct stored *stored, struct stored_case *of)
{
    struct choice_table table = {
        .needs = stored->needs, .runs = of->seeds, .strategies = stored->compared_count};
    double *values[CHOICE_MEASURES];
    int status = 0;
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        values[i] = mem_alloc(of->seeds * stored->compared_count, sizeof *values[i]);
        status = values[i] ? status : -1;
        table.measures[i] = choice_measure((enum choice_goal)i, of->windowed);
        table.values[i] = values[i];
    }
    if (status == 0) {
        stored_fill(stored, of, values);
        of->best = choice_find(&table, stored->goal);
        of->runs = choice_gain(&table, 0, CHOICE_FAIRNESS).runs;
        for (int i = 0; i < CHOICE_MEASURES; i++)
            of->gains[i] = choice_gain(&table, of->best, i);
    }
    for (int i = 0; i < CHOICE_MEASURES; i++)
        free(values[i]);
    return status;
}

/* --- printing ------------------------------------------------------------------------------ */

static const char *stored_best(const struct stored *stored, const struct stored_case *of)
{
    return stored->names[stored->compared[of->best]];
}

/* "general, noise=0.2, on intrepid": a JSON object of parameters without its punctuation. */
static char *stored_title(const struct stored_case *of, char title[STORED_TITLE])
{
    char piece[3] = "";
    snprintf(title, STORED_TITLE, "%s%s", of->name, strcmp(of->parameters, "{}") == 0 ? "" : ", ");
    for (const char *at = of->parameters; *at; at++) {
        if (strchr("{}\" ", *at))
            continue;
        piece[0] = *at == ':' ? '=' : *at;
        piece[1] = *at == ',' ? ' ' : 0;
        text_append(title, STORED_TITLE, piece);
    }
    if (of->platform) {
        text_append(title, STORED_TITLE, ", on ");
        text_append(title, STORED_TITLE, of->platform);
    }
    return title;
}

static void stored_print_case(const struct stored *stored, const struct stored_case *of)
{
    char title[STORED_TITLE];
    printf("%s: ", stored_title(of, title));
    if (of->runs == 0) {
        printf("no run of %s to compare with.\n", stored->now);
    } else if (of->best == 0) {
        printf("keep %s; no gain is sure and above %.1f %%%s.\n", stored->now, 100 * CHOICE_WORTH,
               stored->goal == CHOICE_BOTH ? " without a loss" : "");
    } else {
        printf("use %s.\n", stored_best(stored, of));
        counsel_print_gain(choice_measure(CHOICE_FAIRNESS, of->windowed),
                           &of->gains[CHOICE_FAIRNESS]);
        counsel_print_gain(choice_measure(CHOICE_EFFICIENCY, of->windowed),
                           &of->gains[CHOICE_EFFICIENCY]);
    }
}

/* How often each strategy is the best. */
static void stored_print_sums(const struct stored *stored)
{
    bool first = true;
    for (size_t s = 0; s < stored->compared_count; s++) {
        size_t best = 0;
        for (size_t i = 0; i < stored->case_count; i++)
            best += stored->cases[i].runs > 0 && stored->cases[i].best == s;
        if (best > 0)
            printf("%s%s in %zu", first ? "\nIn all: " : ", ", stored->names[stored->compared[s]],
                   best);
        first &= best == 0;
    }
    if (!first)
        printf(" of %zu cases.\n", stored->case_count);
}

static void stored_print(const struct stored *stored)
{
    printf("%s, %zu case%s, %zu strategies, compared with %s\n\n",
           stored->options->operands.list[0], stored->case_count,
           stored->case_count == 1 ? "" : "s", stored->compared_count, stored->now);
    for (size_t i = 0; i < stored->case_count; i++)
        stored_print_case(stored, &stored->cases[i]);
    if (stored->case_count > 1)
        stored_print_sums(stored);
}

static void stored_json_measure(const struct stored_case *of, int which, struct json *json)
{
    const struct choice_gain *gain = &of->gains[which];
    json_begin_object(json, counsel_goals[which]);
    json_string(json, "measure", choice_measure((enum choice_goal)which, of->windowed)->name);
    json_number(json, "now", gain->now);
    json_number(json, "mean", gain->mean);
    json_number(json, "difference", gain->difference);
    json_number(json, "margin", gain->margin);
    json_number(json, "win_rate", gain->wins);
    json_number(json, "runs", (double)gain->runs);
    json_end_object(json);
}

static void stored_print_json(const struct stored *stored)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", row_version);
    json_string(&json, "database", stored->options->operands.list[0]);
    json_string(&json, "objective", counsel_goals[stored->goal]);
    json_string(&json, "now", stored->now);
    json_begin_array(&json, "cases");
    for (size_t i = 0; i < stored->case_count; i++) {
        const struct stored_case *of = &stored->cases[i];
        json_begin_object(&json, NULL);
        json_string(&json, "name", of->name);
        json_string(&json, "parameters", of->parameters);
        json_string(&json, "platform", of->platform);
        json_string(&json, "use", of->best > 0 ? stored_best(stored, of) : NULL);
        stored_json_measure(of, CHOICE_FAIRNESS, &json);
        stored_json_measure(of, CHOICE_EFFICIENCY, &json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

int counsel_read_stored(const struct counsel_options *options, enum choice_goal goal,
                        struct err *err)
{
    struct stored stored = {.options = options, .goal = goal};
    int status = 0;
    stored.now = options->now ? options->now : "fair-share";
    if (options->window || options->seeds.given)
        status = err_set(err, "--%s: the runs of a database are what they are",
                         options->window ? "window" : "seeds");
    if (status == 0 && stored_load(&stored, options->operands.list[0], err) == 0)
        status = stored_select(&stored, err);
    else
        status = -1;
    for (size_t i = 0; status == 0 && i < stored.case_count; i++)
        if (stored_choose(&stored, &stored.cases[i]) < 0)
            status = err_memory(err);
    if (status == 0 && options->json)
        stored_print_json(&stored);
    else if (status == 0)
        stored_print(&stored);
    free(stored.cases);
    free(stored.results);
    free(stored.names);
    free(stored.compared);
    free(stored.needs);
    arena_fini(&stored.arena);
    return status == 0 ? STATUS_DONE : STATUS_MISUSE;
}
