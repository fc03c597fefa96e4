#include "policy/exclusive.h"
#include "base/maths.h"

static struct greedy_item exclusive_item(uint32_t app, double key)
{
    return (struct greedy_item){.key = key, .app = app};
}

/* Keys are equal within 1e-12, relative, which after a year is 30 us: within a block of times it is
 * 1 ns at any time. */
#define BLOCK 1024.0

static struct greedy_item exclusive_fifo(const struct weir_view *view, uint32_t app)
{
    double posted = view->runs[app].posted, block = floor(posted / BLOCK);
    double rank = maths_min(maths_max(block, INT32_MIN), INT32_MAX) - INT32_MIN;
    return (struct greedy_item){.key = posted - block * BLOCK, .app = app, .rank = (uint32_t)rank};
}

/* All keys are equal, and ties go to the lower id. */
static struct greedy_item exclusive_lowest_id(const struct weir_view *view, uint32_t app)
{
    (void)view;
    return exclusive_item(app, 0);
}

static struct greedy_item exclusive_shortest_io(const struct weir_view *view, uint32_t app)
{
    return exclusive_item(app, view->runs[app].volume / view->runs[app].app->bmax);
}

static struct greedy_item exclusive_longest_io(const struct weir_view *view, uint32_t app)
{
    return exclusive_item(app, -exclusive_shortest_io(view, app).key);
}

/* Ideal time left: all its work and I/O, less the progress since it joined. */
static struct greedy_item exclusive_shortest_remaining(const struct weir_view *view, uint32_t app)
{
    const struct weir_run *run = &view->runs[app];
    double made = weir_progress(view, run) - run->app->progress;
    return exclusive_item(app, run->app->total_work + run->app->total_io - made);
}

static struct greedy_item exclusive_most_remaining(const struct weir_view *view, uint32_t app)
{
    return exclusive_item(app, -exclusive_shortest_remaining(view, app).key);
}

/* "Applications with the lowest ratio between I/O time and execution are advantaged (fairness)"
 * (thesis III.C.1): the seconds of I/O so far in its age, which a delay lowers. */
static struct greedy_item exclusive_bandwidth(const struct weir_view *view, uint32_t app)
{
    const struct weir_run *run = &view->runs[app];
    double age = weir_age(view, run), moved = run->volume - weir_remaining(view, run);
    double io = run->done_ideal - run->done_work + moved / run->app->bmax;
    return exclusive_item(app, age > 0 ? io / age : 0);
}

/* The same read as a constant of the whole application: those that use the file system least should
 * not wait for those that use it most. */
static struct greedy_item exclusive_bandwidth_total(const struct weir_view *view, uint32_t app)
{
    const struct weir_app *facts = view->runs[app].app;
    double total = facts->total_work + facts->total_io;
    return exclusive_item(app, total > 0 ? facts->total_io / total : 0);
}

/* The largest stretch so far, age / progress, first. That is the smallest yield, which has no
 * division by a progress of 0. */
static struct greedy_item exclusive_largest_stretch(const struct weir_view *view, uint32_t app)
{
    return exclusive_item(app, weir_yield(view, &view->runs[app]));
}

/* Johnson's order for a flow shop of two machines (thesis def. 9), here the nodes and the file
 * system, with the mean work a and the mean I/O b of an iteration: those with a <= b by increasing
 * a, which fill the file system early, then the others by decreasing b, which leave short I/Os to
 * the end. */
static struct greedy_item exclusive_johnson(const struct weir_view *view, uint32_t app)
{
    const struct weir_app *facts = view->runs[app].app;
    double count = facts->iterations > 0 ? facts->iterations : 1;
    double work = facts->total_work / count, io = facts->total_io / count;
    bool first = !weir_less(io, work);
    return (struct greedy_item){.key = first ? work : -io, .app = app, .rank = first ? 0 : 1};
}

/* One list gives the names and the keys. */
#define LIST_ORDERS(X)                                                                             \
    X(exclusive_fifo, "fifo")                                                                      \
    X(exclusive_lowest_id, "lowest-id")                                                            \
    X(exclusive_longest_io, "longest-io")                                                          \
    X(exclusive_shortest_io, "shortest-io")                                                        \
    X(exclusive_most_remaining, "most-remaining")                                                  \
    X(exclusive_shortest_remaining, "shortest-remaining")                                          \
    X(exclusive_bandwidth, "bandwidth")                                                            \
    X(exclusive_bandwidth_total, "bandwidth-total")                                                \
    X(exclusive_largest_stretch, "stretch")                                                        \
    X(exclusive_johnson, "johnson")

#define PERIODIC_ORDERS(X)                                                                         \
    X(exclusive_fifo, "fifo")                                                                      \
    X(exclusive_johnson, "johnson")                                                                \
    X(exclusive_most_remaining, "most-remaining")

#define NAME(key, name) name,
#define KEY(key, name)  key,
const char *const exclusive_list_orders[] = {LIST_ORDERS(NAME) NULL};
exclusive_key *const exclusive_list_keys[] = {LIST_ORDERS(KEY)};
const char *const exclusive_periodic_orders[] = {PERIODIC_ORDERS(NAME) NULL};
exclusive_key *const exclusive_periodic_keys[] = {PERIODIC_ORDERS(KEY)};
