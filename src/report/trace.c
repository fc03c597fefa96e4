#include "report/trace.h"
#include "base/json.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>

enum { PROCESS = 1, LABEL_SIZE = 256 };

static const char *const kind_names[] = {
    [SEGMENT_WORK] = "work", [SEGMENT_WAIT] = "waiting", [SEGMENT_IO] = "io"};

static double trace_microseconds(double seconds)
{
    return seconds * 1e6;
}

/* Every event begins alike; the caller ends it. */
static void begin_event(struct json *json, const char *phase, const char *name, uint64_t track)
{
    json_begin_object(json, NULL);
    json_string(json, "ph", phase);
    json_string(json, "name", name);
    json_integer(json, "pid", PROCESS);
    json_integer(json, "tid", track);
}

static void trace_write_name(struct json *json, const char *what, uint64_t track, const char *name)
{
    begin_event(json, "M", what, track);
    json_begin_object(json, "args");
    json_string(json, "name", name);
    json_end_object(json);
    json_end_object(json);
}

static void write_names(struct json *json, const struct workload *workload, const char *policy)
{
    char text[LABEL_SIZE];
    snprintf(text, sizeof text, "%s under %s", workload->name, policy);
    trace_write_name(json, "process_name", 0, text);
    for (uint32_t i = 0; i < workload->count; i++) {
        uint64_t track = (uint64_t)i + 1;
        trace_write_name(json, "thread_name", track,
                         app_label(&workload->apps[i], text, sizeof text));
        begin_event(json, "M", "thread_sort_index", track);
        json_begin_object(json, "args");
        json_integer(json, "sort_index", track);
        json_end_object(json);
        json_end_object(json);
    }
}

static void write_segment(struct json *json, const struct segment *segment)
{
    begin_event(json, "X", kind_names[segment->kind], (uint64_t)segment->app + 1);
    json_number(json, "ts", trace_microseconds(segment->start));
    json_number(json, "dur", trace_microseconds(segment->end - segment->start));
    if (segment->kind == SEGMENT_IO) {
        json_begin_object(json, "args");
        json_number(json, "bandwidth", segment->rate);
        json_end_object(json);
    }
    json_end_object(json);
}

/* A change of the total bandwidth. */
struct trace_change {
    double time, rate;
};

static int trace_compare_times(const void *a, const void *b)
{
    double x = ((const struct trace_change *)a)->time, y = ((const struct trace_change *)b)->time;
    return (x > y) - (x < y);
}

static size_t collect_changes(const struct timeline *timeline, struct trace_change *changes)
{
    size_t count = 0;
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        if (segment->kind != SEGMENT_IO)
            continue;
        changes[count++] = (struct trace_change){segment->start, segment->rate};
        changes[count++] = (struct trace_change){segment->end, -segment->rate};
    }
    qsort(changes, count, sizeof *changes, trace_compare_times);
    return count;
}

static void write_counter(struct json *json, const struct trace_change *changes, size_t count)
{
    struct sum total = {0};
    size_t transfers = 0;
    for (size_t i = 0; i < count; i++) {
        sum_add(&total, changes[i].rate);
        transfers += changes[i].rate > 0 ? 1 : (size_t)-1;
        if (i + 1 < count && changes[i + 1].time == changes[i].time)
            continue;
        if (transfers == 0)
            total = (struct sum){0};
        begin_event(json, "C", "total bandwidth", 0);
        json_number(json, "ts", trace_microseconds(changes[i].time));
        json_begin_object(json, "args");
        json_number(json, "bytes/s", sum_value(&total));
        json_end_object(json);
        json_end_object(json);
    }
}

int trace_write(FILE *out, const struct workload *workload, const struct timeline *timeline,
                const char *policy, struct err *err)
{
    struct trace_change *changes = mem_alloc(timeline->count + 1, 2 * sizeof *changes);
    if (!changes)
        return err_memory(err);
    struct json json = {.out = out};
    json_begin_object(&json, NULL);
    json_string(&json, "displayTimeUnit", "ms");
    json_begin_array(&json, "traceEvents");
    write_names(&json, workload, policy);
    for (size_t i = 0; i < timeline->count; i++)
        write_segment(&json, &timeline->segments[i]);
    write_counter(&json, changes, collect_changes(timeline, changes));
    json_end_array(&json);
    json_end_object(&json);
    free(changes);
    return 0;
}
