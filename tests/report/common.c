#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct iteration iterations[] = {{10, 100}, {10, 50}};

static struct app apps[] = {
    {.facts =
         {.nodes = 2, .bmax = 10, .weight = 1, .total_work = 10, .total_io = 10, .iterations = 1},
     .name = "big",
     .iterations = &iterations[0],
     .room = INFINITY},
    {.facts =
         {.nodes = 1, .bmax = 5, .weight = 1, .total_work = 10, .total_io = 10, .iterations = 1},
     .name = "a<b>&\"c\"",
     .iterations = &iterations[1],
     .room = INFINITY},
};

const struct workload sample_workload = {
    .name = "two, by hand",
    .platform = {.nodes = 3, .node_bandwidth = 5, .bandwidth = 10},
    .apps = apps,
    .count = 2,
    .nodes_known = true,
    .window = {.kind = WINDOW_NONE},
    .io_pressure = 0.75,
    .occupancy = {.nodes = 3, .busy = 20, .mean = 3, .together = true},
    .seed = 7,
};

static struct app_outcome app_outcomes[] = {
    {.completion = 20, .done_work = 10, .done_ideal = 20},
    {.completion = 30, .lost = 10, .done_work = 10, .done_ideal = 20},
};
static struct app_span spans[] = {{.work = 10}, {.lost = 10, .work = 10}};
const struct outcome sample_outcome = {
    .end = 30, .events = 6, .decisions = 2, .count = 2, .apps = app_outcomes, .spans = spans};

static struct segment segments[] = {
    {.start = 0, .end = 10, .app = 0, .kind = SEGMENT_WORK},
    {.start = 0, .end = 10, .app = 1, .kind = SEGMENT_WORK},
    {.start = 10, .end = 20, .rate = 10, .app = 0, .kind = SEGMENT_IO},
    {.start = 10, .end = 20, .app = 1, .kind = SEGMENT_WAIT},
    {.start = 20, .end = 30, .rate = 5, .app = 1, .kind = SEGMENT_IO},
};
const struct timeline sample_timeline = {.segments = segments, .count = 5, .capacity = 5};

struct rows sample_rows(void)
{
    struct rows rows = {0};
    struct row row;
    assert_int_equal(row_init(&row, &sample_workload, "fcfs", &sample_outcome, NULL), 0);
    row.made.version = "1.2";
    assert_int_equal(rows_add(&rows, &row, NULL), 0);
    return rows;
}

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

static char *captured;
static size_t captured_size;
static FILE *stream;

FILE *capture_begin(void)
{
    stream = open_memstream(&captured, &captured_size);
    assert_non_null(stream);
    return stream;
}

char *capture_end(void)
{
    fclose(stream);
    return captured;
}
