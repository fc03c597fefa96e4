/* The comparison of what a campaign's database has: means and differences, paired over seeds. */
#include "answer/compare.h"
#include "base/mem.h"
#include "base/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is made of the cases of a database. */
struct stored_view {
    const struct stored *stored;
    struct compare_answer *answer;
    struct policy *strategies; /* that have names only */
    size_t *columns;           /* by strategy of the database: its place among those; SIZE_MAX */
    size_t count;
    size_t parameters[COMPARE_MOST_SWEEPS]; /* columns of the experiments that are swept */
};

/* --- what is asked --------------------------------------------------------------------------- */

/* The runs are there: nothing can be asked of how they are made. */
static int compare_check_stored(const struct compare_question *question, struct err *err)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {{"seeds", question->seeds.given},
                   {"first-seed", question->first_seed.given},
                   {"ensemble", question->ensemble.given},
                   {"sweep", question->sweeps.count > 0},
                   {"window", question->window != NULL},
                   {"knowledge", question->knowledge.volumes != NULL},
                   {"progress-age", question->knowledge.age.given},
                   {"together", question->together},
                   {"db", question->database != NULL}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return err_option(err, "--%s: the runs of a database are there already",
                              options[i].name);
    return 0;
}

static int compare_miss_stored(const struct stored *stored, const char *option, const char *name,
                               struct err *err)
{
    char list[STORED_TITLE] = "";
    for (size_t i = 0; i < stored->strategy_count; i++) {
        text_append(list, sizeof list, i ? ", " : "");
        text_append(list, sizeof list, stored->strategies[i].name);
    }
    return err_option(err, "--%s: the database has no run of '%s', only of %s", option, name, list);
}

static int compare_use_stored(struct stored_view *view, const char *name, struct err *err)
{
    size_t at = stored_find(view->stored, name);
    if (at == SIZE_MAX)
        return compare_miss_stored(view->stored, "policy", name, err);
    if (view->columns[at] == SIZE_MAX) {
        view->columns[at] = view->count;
        view->strategies[view->count++].name = (char *)(uintptr_t)view->stored->strategies[at].name;
    }
    return 0;
}

/* Those that are named, or all in the order of the database. */
static int compare_choose_stored(struct stored_view *view, const struct compare_question *question,
                                 struct compare_task *task, struct err *err)
{
    struct arena *arena = &view->answer->arena;
    size_t most = view->stored->strategy_count;
    const struct words *named = &question->policies;
    struct policy **list = arena_alloc(arena, most, sizeof *list);
    view->strategies = arena_alloc(arena, most, sizeof *view->strategies);
    view->columns = arena_alloc(arena, most, sizeof *view->columns);
    if (!list || !view->strategies || !view->columns)
        return err_memory(err);
    for (size_t i = 0; i < most; i++)
        view->columns[i] = SIZE_MAX;
    bool all = named->count == 0 || (named->count == 1 && strcmp(named->list[0], "all") == 0);
    for (size_t i = 0; i < (all ? most : named->count); i++)
        if (compare_use_stored(view, all ? view->stored->strategies[i].name : named->list[i], err) <
            0)
            return -1;
    for (size_t i = 0; i < view->count; i++) {
        list[i] = &view->strategies[i];
        if (question->baseline && strcmp(list[i]->name, question->baseline) == 0)
            task->baseline = i;
    }
    if (question->baseline && strcmp(list[task->baseline]->name, question->baseline) != 0)
        return err_option(err, "--baseline: '%s' is not among the strategies", question->baseline);
    task->policies = list;
    task->policy_count = view->count;
    return 0;
}

/* --- cases ----------------------------------------------------------------------------------- */

/* A cell as people read it, in the arena; NULL when memory is out. */
static const char *compare_cell_text(struct arena *arena, const struct store_cell *cell)
{
    char number[64];
    if (cell->kind == STORE_TEXT)
        return arena_strndup(arena, cell->text, cell->length);
    snprintf(number, sizeof number, cell->kind == STORE_NULL ? "-" : "%.10g", stored_number(cell));
    return arena_strndup(arena, number, strlen(number));
}

/* "synthetic, intrepid": what is not swept of a case. With `all`, what is swept too. */
static const char *compare_name_stored(struct stored_view *view, const struct stored_case *of,
                                       bool all)
{
    const struct experiments *experiments = &view->stored->experiments;
    struct arena *arena = &view->answer->arena;
    char name[STORED_TITLE] = "";
    for (size_t i = 0; i < experiments->count; i++) {
        const struct experiment_column *column = &experiments->list[i];
        bool parameter = column->part == EXPERIMENT_PARAMETER;
        if (column->part == EXPERIMENT_STRATEGY || of->keys[i].kind == STORE_NULL ||
            (parameter && !all))
            continue;
        const char *value = compare_cell_text(arena, &of->keys[i]);
        if (!value)
            return NULL;
        text_append(name, sizeof name, *name ? ", " : "");
        if (parameter || column->part == EXPERIMENT_APART) {
            text_append(name, sizeof name, column->name);
            text_append(name, sizeof name, "=");
        }
        text_append(name, sizeof name, value);
    }
    return arena_strndup(arena, *name ? name : "runs", strlen(*name ? name : "runs"));
}

static struct experiment_source *compare_source_named(struct compare_answer *answer,
                                                      const char *name)
{
    for (size_t i = 0; i < answer->opened; i++)
        if (strcmp(answer->sources[i].name, name) == 0)
            return &answer->sources[i];
    answer->sources[answer->opened] = (struct experiment_source){.name = name};
    return &answer->sources[answer->opened++];
}

/* The order in which values are drawn: numbers by size. */
static int compare_order_values(const void *one, const void *two)
{
    const char *a = *(const char *const *)one, *b = *(const char *const *)two;
    double x = strtod(a, NULL), y = strtod(b, NULL);
    return x != y ? (x > y) - (x < y) : strcmp(a, b);
}

/* The values of a parameter in all cases. 0 or -1. */
static int compare_sweep_stored(struct stored_view *view, size_t column, struct sweep *sweep)
{
    struct arena *arena = &view->answer->arena;
    *sweep = (struct sweep){.path = view->stored->experiments.list[column].name,
                            .values = arena_alloc(arena, view->stored->case_count, sizeof(char *))};
    for (size_t i = 0; sweep->values && i < view->stored->case_count; i++) {
        const char *value = compare_cell_text(arena, &view->stored->cases[i].keys[column]);
        bool known = !value;
        for (size_t k = 0; k < sweep->count && !known; k++)
            known = strcmp(sweep->values[k], value) == 0;
        if (!value)
            return -1;
        if (!known)
            sweep->values[sweep->count++] = value;
    }
    if (!sweep->values)
        return -1;
    qsort(sweep->values, sweep->count, sizeof *sweep->values, compare_order_values);
    return 0;
}

/* The parameters that differ between cases become sweeps. 0 or -1. */
static int compare_sweeps_stored(struct stored_view *view, struct compare_task *task)
{
    const struct experiments *experiments = &view->stored->experiments;
    struct compare_answer *answer = view->answer;
    for (size_t i = 0; i < experiments->count; i++) {
        if (experiments->list[i].part != EXPERIMENT_PARAMETER)
            continue;
        if (task->sweep_count == COMPARE_MOST_SWEEPS) {
            task->sweep_count = 0; /* too many to be axes */
            return 0;
        }
        view->parameters[task->sweep_count] = i;
        if (compare_sweep_stored(view, i, &answer->sweeps[task->sweep_count]) < 0)
            return -1;
        task->sweep_count += answer->sweeps[task->sweep_count].count > 1;
    }
    task->sweeps = answer->sweeps;
    return 0;
}

/* The place of a case in the product of sources and sweeps. */
static size_t compare_place_stored(const struct stored_view *view, const struct compare_task *task,
                                   const struct stored_case *of, size_t source)
{
    size_t place = source;
    for (size_t i = 0; i < task->sweep_count; i++) {
        const struct sweep *sweep = &task->sweeps[i];
        const struct store_cell *cell = &of->keys[view->parameters[i]];
        size_t value = 0;
        char number[64];
        snprintf(number, sizeof number, cell->kind == STORE_NULL ? "-" : "%.10g",
                 stored_number(cell));
        const char *text = cell->kind == STORE_TEXT ? cell->text : number;
        while (strcmp(sweep->values[value], text) != 0)
            value++;
        place = place * sweep->count + value;
    }
    return place;
}

static size_t compare_points_stored(const struct compare_task *task)
{
    size_t points = 1;
    for (size_t i = 0; i < task->sweep_count; i++)
        points *= task->sweeps[i].count;
    return points;
}

/* Puts every case at its place. Only a full product can be drawn over its parameters: if there are
 * gaps, each case is a source of its own. 0 or -1. */
static int compare_arrange_stored(struct stored_view *view, struct compare_task *task,
                                  size_t *order)
{
    const struct stored *stored = view->stored;
    struct compare_answer *answer = view->answer;
    for (int attempt = 0; attempt < 2; attempt++) {
        answer->opened = 0;
        for (size_t i = 0; i < stored->case_count; i++)
            order[i] = SIZE_MAX;
        bool full = true;
        for (size_t i = 0; i < stored->case_count; i++) {
            const struct stored_case *of = &stored->cases[i];
            const char *name = compare_name_stored(view, of, task->sweep_count == 0);
            if (!name)
                return -1;
            size_t source = (size_t)(compare_source_named(answer, name) - answer->sources);
            size_t place = compare_place_stored(view, task, of, source);
            full = full && place < stored->case_count && order[place] == SIZE_MAX;
            if (full)
                order[place] = i;
        }
        if (full && answer->opened * compare_points_stored(task) == stored->case_count)
            return 0;
        task->sweep_count = 0;
    }
    /* Cases of one name, with and without a window: in the order of the database. */
    for (size_t i = 0; i < stored->case_count; i++) {
        order[i] = i;
        answer->sources[i] =
            (struct experiment_source){.name = compare_name_stored(view, &stored->cases[i], true)};
        if (!answer->sources[i].name)
            return -1;
    }
    answer->opened = stored->case_count;
    return 0;
}

/* --- measures -------------------------------------------------------------------------------- */

/* What a strategy has not run is unknown. */
static void compare_fill_stored(const struct stored_view *view, const struct stored_case *of,
                                struct weir_metrics *metrics)
{
    size_t member = 0;
    for (size_t i = 0; i < of->seeds * view->count; i++)
        for (size_t k = 0; k < MEASURE_COUNT; k++)
            *(double *)(void *)((char *)&metrics[i] + measures[k].offset) = NAN;
    for (size_t i = of->first; i < of->first + of->count; i++) {
        const struct stored_result *result = &view->stored->results[i];
        size_t column = view->columns[result->strategy];
        member += i > of->first && result->seed != result[-1].seed;
        if (column != SIZE_MAX)
            metrics[member * view->count + column] = result->metrics;
    }
}

static int compare_make_stored(struct stored_view *view, const struct compare_task *task,
                               const size_t *order, struct err *err)
{
    struct comparison *comparison = &view->answer->comparison;
    size_t count = view->stored->case_count, points = compare_points_stored(task);
    *comparison = (struct comparison){.asked = *task, .count = count};
    comparison->cases = mem_alloc(count, sizeof *comparison->cases);
    for (size_t i = 0; i < count; i++)
        comparison->members += view->stored->cases[i].seeds;
    comparison->metrics = mem_alloc(comparison->members * view->count, sizeof *comparison->metrics);
    if (!comparison->cases || !comparison->metrics)
        return err_memory(err);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stored_case *from = &view->stored->cases[order[i]];
        struct compare_case *of = &comparison->cases[i];
        *of = (struct compare_case){.source = &view->answer->sources[i / points],
                                    .windowed = from->windowed,
                                    .members = from->seeds,
                                    .first = first};
        for (size_t k = task->sweep_count, rest = i % points; k-- > 0;) {
            const struct sweep *sweep = &task->sweeps[k];
            of->changes[k] = (struct variation){sweep->path, sweep->values[rest % sweep->count]};
            rest /= sweep->count;
        }
        compare_fill_stored(view, from, &comparison->metrics[first * view->count]);
        first += from->seeds;
    }
    return 0;
}

int compare_read_stored(const struct compare_question *question, struct compare_answer *answer,
                        struct err *err)
{
    struct stored_view view = {.stored = &answer->stored, .answer = answer};
    struct compare_task task = {.first_seed = 1};
    if (compare_check_stored(question, err) < 0 ||
        stored_load(&answer->stored, question->asking.operands.list[0], err) < 0 ||
        compare_choose_stored(&view, question, &task, err) < 0)
        return -1;
    size_t cases = answer->stored.case_count;
    size_t *order = arena_alloc(&answer->arena, cases, sizeof *order);
    answer->sources = mem_alloc(cases, sizeof *answer->sources);
    if (!order || !answer->sources || compare_sweeps_stored(&view, &task) < 0 ||
        compare_arrange_stored(&view, &task, order) < 0)
        return err_memory(err);
    task.sources = answer->sources;
    task.source_count = answer->opened;
    return compare_make_stored(&view, &task, order, err);
}
