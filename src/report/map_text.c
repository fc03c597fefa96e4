#include "base/maths.h"
#include "base/mem.h"
#include "base/units.h"
#include "report/map_report.h"
#include "report/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN = 80, TEXT = 64, DIGITS = 4 };

static const struct table_column columns[] = {
#define X(name, unit, sense, help) {#name, UNIT_##unit, METRIC_##sense, DIGITS, false},
    MAP_METRICS(X)
#undef X
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void map_text_print_title(const struct map_answer *answer, FILE *out)
{
    const struct workload *workload = answer->study.workload;
    const struct map_run *run = answer->runs;
    char rate[TEXT];
    fprintf(out, "%s: %u job%s, I/O load %.3g\n", workload->name, (unsigned)workload->count,
            workload->count == 1 ? "" : "s", workload_io_load(workload));
    fprintf(out, "%u I/O node%s of %s with %.15g nodes%s, I/O by %s\n\n",
            (unsigned)run->rules.io_nodes, run->rules.io_nodes == 1 ? "" : "s",
            units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate),
            workload->platform.nodes, run->rules.io_nodes == 1 ? "" : " each", run->policy);
}

static int map_text_print_table(const struct map_answer *answer, bool colour, FILE *out)
{
    const char **names = mem_alloc(answer->runs_count, sizeof *names);
    double *values = mem_alloc(answer->runs_count * COLUMNS, sizeof *values), *value = values;
    if (!names || !values) {
        free(names);
        free(values);
        return -1;
    }
    for (size_t i = 0; i < answer->runs_count; i++) {
        names[i] = map_method_names[answer->runs[i].rules.method];
#define X(name, unit, sense, help) *value++ = answer->runs[i].measured.name;
        MAP_METRICS(X)
#undef X
    }
    table_print(&(struct table){.corner = "method",
                                .names = names,
                                .rows = answer->runs_count,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .width = SCREEN,
                                .colour = colour,
                                .legend = true},
                out);
    free(names);
    free(values);
    return 0;
}

/* A digit per part of the longest run: tenths of the node time in which jobs make progress. */
static void print_usage(const struct map_answer *answer, FILE *out)
{
    enum { PARTS = 66, NAME = 11 };
    char begin[TEXT], end[TEXT];
    double start = answer->runs[0].mapping->usage.start, longest = 0;
    for (size_t i = 0; i < answer->runs_count; i++)
        longest = maths_max(longest, answer->runs[i].measured.makespan);
    fputs("\nnodes in work or I/O over time, in tenths\n", out);
    for (size_t i = 0; i < answer->runs_count; i++) {
        const struct map_run *run = &answer->runs[i];
        char line[PARTS + 1] = "";
        for (int part = 0; part < PARTS; part++) {
            double shares[USAGE_KINDS], step = (longest - start) / PARTS;
            const double span[] = {start + part * step, start + (part + 1) * step};
            if (!(span[0] < run->measured.makespan))
                break;
            map_usage(answer->study.workload, run->mapping, span, shares);
            double tenths = 10 * (shares[USAGE_WORK] + shares[USAGE_IO]);
            line[part] = (char)('0' + (int)maths_min(9, tenths));
        }
        fprintf(out, "%-*s %s\n", NAME, map_method_names[run->rules.method], line);
    }
    units_print(start, UNIT_SECONDS, begin, sizeof begin);
    units_print(longest, UNIT_SECONDS, end, sizeof end);
    if (!(start > 0))
        snprintf(begin, sizeof begin, "0");
    fprintf(out, "%-*s %s%*s\n", NAME, "", begin, PARTS - (int)strlen(begin), end);
}

int map_print(const struct map_answer *answer, bool colour, FILE *out)
{
    map_text_print_title(answer, out);
    if (map_text_print_table(answer, colour, out) != 0)
        return -1;
    print_usage(answer, out);
    return 0;
}
