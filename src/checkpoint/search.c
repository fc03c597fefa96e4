/* The best intervals. Contention is anything but smooth in an interval, so the search looks at many
 * before it goes into detail. It leaves out those that could not be best even alone. */
#include "base/maths.h"
#include "base/mem.h"
#include "checkpoint/checkpoint.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 32.0  /* up to which factor of the best interval alone to look, */
#define GRID   1.01  /* in which steps, */
#define NARROW 1.001 /* and how fine the best of these are improved */
enum {
    MOST_PARTS = 512, /* equal parts of the work that are tried one by one */
    IMPROVED = 6,     /* of the best, how many are improved */
    FEW = 4,          /* applications, for which every beginning is followed */
    LINE = 120,       /* intervals that are tried in turn, of all applications together, */
    LEAST_LINE = 6    /* and of each at least */
};

/* The search for all: all intervals begin as multiples of the best alone; and in which range of its
 * present interval each application looks, one range after the other. */
static const double beginnings[] = {1, 2, 0.5, 4};
static const double spans[] = {8, 3, 1.5, 1.2, 1.1, 1.05, 1.02, 1.005};
enum { BEGINNINGS = 4, SPANS = 8, SWEEPS = 3 };

struct checkpoint_search {
    const struct checkpoint_study *study;
    struct checkpoint_part *parts, *trial; /* the best so far, and those being tried */
    struct checkpoint_result result;
    double best; /* expected time of one application, or what all waste: to be least */
};

static int search_open(struct checkpoint_search *search, struct err *err)
{
    search->best = INFINITY;
    search->trial = mem_alloc(search->study->workload->count, sizeof *search->trial);
    return search->trial ? 0 : err_memory(err);
}

/* The least time that an interval can take: no checkpoint is faster than alone. */
static double search_floor(const struct checkpoint_study *study, uint32_t id, double interval)
{
    const struct app *app = &study->workload->apps[id];
    if (interval < checkpoint_shortest(app))
        return INFINITY;
    return interval_expected_whole(&study->failures[id], app->facts.total_work, interval,
                                   checkpoint_alone(app));
}

/* --- one application ---------------------------------------------------------------------------
 */

struct interval_trial {
    double interval, floor, value; /* value INFINITY = was not tried */
};

static int search_compare_floors(const void *a, const void *b)
{
    const struct interval_trial *x = a, *y = b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

static int search_compare_values(const void *a, const void *b)
{
    const struct interval_trial *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return search_compare_floors(a, b);
}

/* The points to try: equal parts of the work, and a grid. */
static struct interval_trial *search_list(const struct checkpoint_study *study, uint32_t id,
                                          size_t *count)
{
    const struct app *app = &study->workload->apps[id];
    double work = app->facts.total_work;
    double shortest = checkpoint_shortest(app);
    double middle = maths_max(shortest, interval_best(&study->failures[id], checkpoint_alone(app)));
    double low = maths_max(shortest, middle / WIDEST), high = maths_min(work, middle * WIDEST);
    size_t room = MOST_PARTS + 2 + (size_t)(2 * log(WIDEST) / log(GRID));
    struct interval_trial *list = mem_alloc(room, sizeof *list);
    *count = 0;
    for (int parts = 1; list && parts <= MOST_PARTS; parts++)
        if (work / parts >= low && work / parts <= high)
            list[(*count)++].interval = work / parts;
    for (double interval = low; list && interval <= high && *count < room; interval *= GRID)
        list[(*count)++].interval = interval;
    if (list && *count == 0)
        list[(*count)++].interval = work;
    for (size_t i = 0; list && i < *count; i++) {
        list[i].floor = search_floor(study, id, list[i].interval);
        list[i].value = INFINITY;
    }
    if (list)
        qsort(list, *count, sizeof *list, search_compare_floors);
    return list;
}

/* Tries a point, unless it could not be best. 0, or -1 with err. */
static int search_try(struct checkpoint_search *search, uint32_t id, struct interval_trial *point,
                      struct err *err)
{
    struct checkpoint_result result;
    size_t size = search->study->workload->count * sizeof *search->parts;
    if (!(point->floor < search->best))
        return 0;
    memcpy(search->trial, search->parts, size);
    search->trial[id].interval = point->interval;
    if (checkpoint_try(search->study, search->trial, &result, err) < 0)
        return -1;
    point->value = search->trial[id].expected;
    if (point->value < search->best) {
        memcpy(search->parts, search->trial, size);
        search->best = point->value;
    }
    return 0;
}

/* Moves a point by ever smaller factors as long as that helps. 0, or -1 with err. */
static int search_improve(struct checkpoint_search *search, uint32_t id,
                          struct interval_trial point, struct err *err)
{
    double work = search->study->workload->apps[id].facts.total_work;
    for (double factor = sqrt(GRID); factor > NARROW; factor = sqrt(factor))
        for (int way = 0; way < 2; way++) {
            struct interval_trial next = point;
            do {
                point = next.value < point.value ? next : point;
                next.interval = maths_min(work, point.interval * (way ? 1 / factor : factor));
                next.floor = search_floor(search->study, id, next.interval);
                next.value = INFINITY;
                if (search_try(search, id, &next, err) < 0)
                    return -1;
            } while (next.value < point.value);
        }
    return 0;
}

int checkpoint_best(const struct checkpoint_study *study, uint32_t id,
                    struct checkpoint_part *parts, struct err *err)
{
    struct checkpoint_search search = {.study = study, .parts = parts};
    size_t count;
    struct interval_trial *list = search_list(study, id, &count);
    int status = list ? search_open(&search, err) : err_memory(err);
    for (size_t i = 0; status == 0 && i < count; i++) {
        if (study->progress)
            study->progress(NULL, (double)i / (double)count);
        status = search_try(&search, id, &list[i], err);
    }
    if (list)
        qsort(list, count, sizeof *list, search_compare_values);
    for (size_t i = 0; status == 0 && i < count && i < IMPROVED; i++)
        if (list[i].value < INFINITY)
            status = search_improve(&search, id, list[i], err);
    if (status == 0 && search.best == INFINITY)
        status = err_set(err, "%s: fails so often that it does not get on with any interval",
                         study->workload->apps[id].name);
    free(list);
    free(search.trial);
    return status;
}

/* --- all applications --------------------------------------------------------------------------
 */

/* What the intervals of the trial waste at least. */
static double search_floor_all(const struct checkpoint_search *search)
{
    const struct checkpoint_study *study = search->study;
    double floor = 0;
    for (uint32_t id = 0; id < study->workload->count; id++) {
        const struct weir_app *facts = &study->workload->apps[id].facts;
        double interval = search->trial[id].interval;
        if (interval > 0)
            floor +=
                facts->nodes * (search_floor(study, id, maths_min(interval, facts->total_work)) -
                                facts->total_work);
    }
    return floor;
}

/* Simulates the trial, and keeps it if it wastes less. 1, 0, or -1 with err. */
static int search_try_all(struct checkpoint_search *search, struct err *err)
{
    struct checkpoint_result result;
    if (!(search_floor_all(search) < search->best))
        return 0;
    if (checkpoint_try(search->study, search->trial, &result, err) < 0)
        return -1;
    if (!(result.wasted < search->best))
        return 0;
    memcpy(search->parts, search->trial, search->study->workload->count * sizeof *search->parts);
    search->result = result;
    search->best = result.wasted;
    return 1;
}

/* Sets the interval of an application in the trial to a multiple of what it is in the best; `equal`
 * rounds so that its parts are. */
static void search_scale(struct checkpoint_search *search, uint32_t id, double factor, bool equal)
{
    double work = search->study->workload->apps[id].facts.total_work;
    double interval = maths_min(work, search->parts[id].interval * factor);
    if (equal)
        interval = work / maths_max(1, floor(work / interval + 0.5));
    search->trial[id].interval = interval;
}

/* Tries multiples of the present interval of one application, or of all if `id` is their number.
 * How often that helped, or -1 with err. */
static int search_line(struct checkpoint_search *search, uint32_t id, double span, struct err *err)
{
    uint32_t count = search->study->workload->count;
    int steps = (int)(LINE / count) / 2 > LEAST_LINE / 2 ? (int)(LINE / count) / 2 : LEAST_LINE / 2;
    int helped = 0;
    for (int i = -steps; i <= steps; i++)
        for (int equal = 0; equal < 2; equal++) {
            double factor = maths_exp(log(span) * i / steps);
            memcpy(search->trial, search->parts, count * sizeof *search->parts);
            for (uint32_t k = 0; k < count; k++)
                if (search->parts[k].interval > 0 && (k == id || id == count))
                    search_scale(search, k, factor, equal);
            int better = search_try_all(search, err);
            if (better < 0)
                return -1;
            helped += better;
        }
    return helped;
}

/* Goes on from the present intervals until nothing helps. 0, or -1 with err. */
static int search_descend(struct checkpoint_search *search, struct err *err)
{
    uint32_t count = search->study->workload->count;
    for (int i = 0; i < SPANS; i++)
        for (int sweep = 0, moved = 1; sweep < SWEEPS && moved > 0; sweep++) {
            moved = 0;
            for (uint32_t id = 0; id <= count; id++) {
                int helped = id == count || search->parts[id].interval > 0
                                 ? search_line(search, id, spans[i], err)
                                 : 0;
                if (helped < 0)
                    return -1;
                moved += helped;
            }
        }
    return 0;
}

/* One beginning: followed to its end if there are few applications. 0, or -1 with err. */
static int search_begin(struct checkpoint_search *search, const double *alone, int number,
                        struct err *err)
{
    const struct workload *workload = search->study->workload;
    for (uint32_t id = 0; id < workload->count; id++)
        search->trial[id] =
            (struct checkpoint_part){.interval = maths_min(alone[id] * beginnings[number],
                                                           workload->apps[id].facts.total_work)};
    int status = search_try_all(search, err);
    if (status >= 0 && workload->count <= FEW)
        status = search_descend(search, err);
    if (search->study->progress)
        search->study->progress(NULL, (number + 1.0) / (BEGINNINGS + 1));
    return status < 0 ? -1 : 0;
}

/* From each beginning, with what is best so far kept aside. */
static int search_all(struct checkpoint_search *search, struct checkpoint_part *parts,
                      const double *alone, struct err *err)
{
    const struct workload *workload = search->study->workload;
    struct checkpoint_result result = {0};
    double best = INFINITY;
    int status = 0;
    for (int i = 0; status == 0 && i < BEGINNINGS; i++) {
        search->best = INFINITY;
        status = search_begin(search, alone, i, err);
        if (status == 0 && search->best < best) {
            best = search->best;
            result = search->result;
            memcpy(parts, search->parts, workload->count * sizeof *parts);
        }
    }
    memcpy(search->parts, parts, workload->count * sizeof *parts);
    search->best = best;
    search->result = result;
    if (status == 0 && best < INFINITY && workload->count > FEW)
        status = search_descend(search, err);
    if (status == 0 && search->best == INFINITY)
        status = err_set(err, "%s: an application fails so often that it does not get on",
                         workload->name);
    memcpy(parts, search->parts, workload->count * sizeof *parts);
    return status;
}

int checkpoint_settle(const struct checkpoint_study *study, struct checkpoint_part *parts,
                      struct checkpoint_result *result, struct err *err)
{
    uint32_t count = study->workload->count;
    struct checkpoint_search search = {.study = study};
    int status = search_open(&search, err);
    double *alone = mem_alloc(count, sizeof *alone);
    search.parts = mem_alloc(count, sizeof *search.parts);
    if (status == 0 && (!alone || !search.parts))
        status = err_memory(err);
    for (uint32_t id = 0; status == 0 && id < count; id++) {
        double cost = checkpoint_alone(&study->workload->apps[id]);
        if (study->failures[id].between > 0 && cost > 0)
            alone[id] = maths_max(checkpoint_shortest(&study->workload->apps[id]),
                                  interval_best(&study->failures[id], cost));
    }
    if (status == 0)
        status = search_all(&search, parts, alone, err);
    *result = search.result;
    free(search.parts);
    free(search.trial);
    free(alone);
    return status;
}
