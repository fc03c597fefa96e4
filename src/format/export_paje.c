/* `paje`: what became of the workload, for the viewers of the Paje trace format (de Kergommeaux,
 * de Oliveira Stein, Martin: "Paje trace file format", 2003), which SimGrid writes too. */
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/exporter.h"
#include <stdlib.h>
#include <string.h>

/* The kinds of lines: their number, name and fields. One X-list gives enum and definitions. */
#define EVENTS(X)                                                                                  \
    X(DEFINE_CONTAINER_TYPE, "PajeDefineContainerType",                                            \
      "Alias string\0Type string\0Name string\0")                                                  \
    X(DEFINE_VARIABLE_TYPE, "PajeDefineVariableType",                                              \
      "Alias string\0Type string\0Name string\0Color color\0")                                     \
    X(DEFINE_STATE_TYPE, "PajeDefineStateType", "Alias string\0Type string\0Name string\0")        \
    X(DEFINE_ENTITY_VALUE, "PajeDefineEntityValue",                                                \
      "Alias string\0Type string\0Name string\0Color color\0")                                     \
    X(CREATE_CONTAINER, "PajeCreateContainer",                                                     \
      "Time date\0Alias string\0Type string\0Container string\0Name string\0")                     \
    X(DESTROY_CONTAINER, "PajeDestroyContainer", "Time date\0Type string\0Name string\0")          \
    X(SET_VARIABLE, "PajeSetVariable", "Time date\0Type string\0Container string\0Value double\0") \
    X(SET_STATE, "PajeSetState", "Time date\0Type string\0Container string\0Value string\0")

enum event_kind {
#define X(name, text, fields) name,
    EVENTS(X)
#undef X
        EVENT_KINDS
};
static const struct {
    const char *name, *fields; /* each field ends with a 0 byte, the last with two */
} event_kinds[EVENT_KINDS] = {
#define X(name, text, fields) {text, fields},
    EVENTS(X)
#undef X
};

/* Names in the trace: F the file system, A an application, S its state, R and T rates. */
static const struct {
    const char *alias, *name, *colour;
} states[] = {[SEGMENT_WORK] = {"w", "work", "0.55 0.70 0.85"},
              [SEGMENT_WAIT] = {"d", "waiting", "0.90 0.35 0.30"},
              [SEGMENT_IO] = {"i", "io", "0.35 0.70 0.40"}};

/* A segment begins, or an application ends. */
struct happening {
    double time, rate;
    uint32_t app;
    int state; /* enum segment_kind, -1 = it ends */
};

static int export_paje_compare(const void *a, const void *b)
{
    const struct happening *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->app != y->app)
        return x->app < y->app ? -1 : 1;
    return (x->state < 0) - (y->state < 0);
}

static void write_definitions(FILE *out)
{
    for (int i = 0; i < EVENT_KINDS; i++) {
        fprintf(out, "%%EventDef %s %d\n", event_kinds[i].name, i);
        for (const char *field = event_kinds[i].fields; *field; field += strlen(field) + 1)
            fprintf(out, "%% %s\n", field);
        fputs("%EndEventDef\n", out);
    }
    fprintf(out, "%d F 0 \"file system\"\n", DEFINE_CONTAINER_TYPE);
    fprintf(out, "%d A F \"application\"\n", DEFINE_CONTAINER_TYPE);
    fprintf(out, "%d T F \"total bandwidth\" \"0.35 0.70 0.40\"\n", DEFINE_VARIABLE_TYPE);
    fprintf(out, "%d R A \"bandwidth\" \"0.35 0.70 0.40\"\n", DEFINE_VARIABLE_TYPE);
    fprintf(out, "%d S A \"state\"\n", DEFINE_STATE_TYPE);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        fprintf(out, "%d %s S \"%s\" \"%s\"\n", DEFINE_ENTITY_VALUE, states[i].alias,
                states[i].name, states[i].colour);
}

/* A text in quotes, in which there can be none. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc(*text == '"' ? '\'' : *text, out);
    fputc('"', out);
}

static void write_containers(FILE *out, const struct workload *workload, const char *time)
{
    fprintf(out, "%d %s f F 0 ", CREATE_CONTAINER, time);
    write_quoted(out, workload->name);
    fputc('\n', out);
    for (uint32_t i = 0; i < workload->count; i++) {
        char label[EXPORT_LABEL_SIZE];
        fprintf(out, "%d %s a%u A f ", CREATE_CONTAINER, time, i);
        write_quoted(out, app_label(&workload->apps[i], label, sizeof label));
        fputc('\n', out);
    }
}

/* --- what happens ---------------------------------------------------------------------------- */

/* All of it by time. NULL when memory is out. */
static struct happening *export_paje_collect(const struct export_input *input, size_t *count)
{
    const struct timeline *timeline = input->timeline;
    uint32_t apps = input->workload->count;
    struct happening *list = mem_alloc(timeline->count + apps, sizeof *list);
    if (!list)
        return NULL;
    /* The last segment of an application is the latest in the list. */
    struct happening *ends = list + timeline->count;
    for (uint32_t i = 0; i < apps; i++)
        ends[i] = (struct happening){.app = i, .state = -1};
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        list[i] =
            (struct happening){segment->start, segment->kind == SEGMENT_IO ? segment->rate : 0,
                               segment->app, (int)segment->kind};
        ends[segment->app].time = segment->end;
    }
    *count = timeline->count + apps;
    qsort(list, *count, sizeof *list, export_paje_compare);
    return list;
}

static void write_happening(FILE *out, const struct happening *happening, const char *time,
                            double *rate)
{
    char text[TEXT_NUMBER_SIZE];
    if (happening->rate != *rate)
        fprintf(out, "%d %s R a%u %s\n", SET_VARIABLE, time, happening->app,
                text_print_number(happening->rate, text));
    *rate = happening->rate;
    if (happening->state < 0)
        fprintf(out, "%d %s A a%u\n", DESTROY_CONTAINER, time, happening->app);
    else
        fprintf(out, "%d %s S a%u %s\n", SET_STATE, time, happening->app,
                states[happening->state].alias);
}

static void write_happenings(FILE *out, const struct happening *list, size_t count, double *rates)
{
    struct sum total = {0};
    uint32_t transfers = 0;
    double said = 0;
    char time[TEXT_NUMBER_SIZE], text[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < count; i++) {
        double *rate = &rates[list[i].app], before = *rate;
        text_print_number(list[i].time, time);
        write_happening(out, &list[i], time, rate);
        sum_add(&total, *rate - before);
        transfers += (uint32_t)(*rate > 0) - (uint32_t)(before > 0);
        if (transfers == 0)
            total = (struct sum){0};
        bool last = i + 1 == count || list[i + 1].time > list[i].time;
        if (!last || sum_value(&total) == said)
            continue;
        said = sum_value(&total);
        fprintf(out, "%d %s T f %s\n", SET_VARIABLE, time, text_print_number(said, text));
    }
    fprintf(out, "%d %s F f\n", DESTROY_CONTAINER, count ? time : "0");
}

static int write_paje(FILE *out, const struct export_input *input, struct err *err)
{
    size_t count = 0;
    struct happening *list = export_paje_collect(input, &count);
    double *rates = mem_alloc(input->workload->count, sizeof *rates);
    char time[TEXT_NUMBER_SIZE];
    if (list && rates) {
        write_definitions(out);
        write_containers(out, input->workload, text_print_number(count ? list[0].time : 0, time));
        write_happenings(out, list, count, rates);
    }
    int status = list && rates ? 0 : err_memory(err);
    free(list);
    free(rates);
    return status;
}

const struct exporter export_paje = {
    .name = "paje",
    .help = "a run under --policy, for viewers of Paje traces",
    .simulated = true,
    .write = write_paje,
};
