#include "base/units.h"
#include "model/jam.h"
#include "report/description.h"
#include "report/table.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { SCREEN = 80, TEXT = 64 };

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

static void description_text_print_title(const struct workload *workload, FILE *out)
{
    char rate[TEXT], start[TEXT], end[TEXT];
    fprintf(out, "%s: %u application%s", workload->name, (unsigned)workload->count,
            plural(workload->count));
    if (workload->nodes_known)
        fprintf(out, " on %.15g node%s", workload->platform.nodes,
                plural(workload->platform.nodes));
    fprintf(out, ", file system %s\n",
            units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate));
    if (workload->window.kind == WINDOW_FIXED)
        fprintf(out, "window %s to %s\n",
                units_print(workload->window.start, UNIT_SECONDS, start, sizeof start),
                units_print(workload->window.end, UNIT_SECONDS, end, sizeof end));
    fputc('\n', out);
}

/* --- applications ---------------------------------------------------------------------------- */

/* One unit for a column of volumes. */
static double choose_size(double largest, char *heading)
{
    static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double size = 1;
    size_t i = 0;
    for (; largest >= 3000 * size && i + 1 < sizeof names / sizeof *names; i++)
        size *= 1000;
    snprintf(heading, TEXT, "io_(%s)", names[i]);
    return size;
}

/* A long list would not be read. */
static void description_text_print_apps(const struct description *description, FILE *out)
{
    enum { MOST_ROWS = 40, COLUMNS = 7, DIGITS = 4 };
    char io[TEXT];
    size_t rows = description->row_count < MOST_ROWS ? description->row_count : MOST_ROWS;
    double largest = 0, values[MOST_ROWS * COLUMNS];
    const char *names[MOST_ROWS];
    for (size_t i = 0; i < rows; i++)
        largest = fmax(largest, description->rows[i].volume);
    double size = choose_size(largest, io);
    for (size_t i = 0; i < rows; i++) {
        const struct description_row *row = &description->rows[i];
        const double cells[COLUMNS] = {row->count,         row->nodes,  row->iterations, row->work,
                                       row->volume / size, row->period, row->ideal};
        names[i] = row->name;
        memcpy(&values[i * COLUMNS], cells, sizeof cells);
    }
    const struct table_column columns[COLUMNS] = {
        {"count", UNIT_NONE, METRIC_INFO, DIGITS, false},
        {"nodes", UNIT_NONE, METRIC_INFO, DIGITS, false},
        {"iterations", UNIT_NONE, METRIC_INFO, DIGITS, false},
        {"work", UNIT_SECONDS, METRIC_INFO, DIGITS, true},
        {io, UNIT_NONE, METRIC_INFO, DIGITS, true},
        {"period", UNIT_SECONDS, METRIC_INFO, DIGITS, true},
        {"alone", UNIT_SECONDS, METRIC_INFO, DIGITS, true},
    };
    table_print(&(struct table){.corner = "application",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .width = SCREEN},
                out);
    if (rows < description->row_count)
        fprintf(out, "and %zu more, listed by --json\n", description->row_count - rows);
}

/* --- summary --------------------------------------------------------------------------------- */

static void print_sets(const struct description *description, FILE *out)
{
    enum { PER_LINE = 3 };
    int shown = 0;
    for (int n = MAGNITUDE_FIRST; n <= MAGNITUDE_LAST; n++) {
        uint32_t count = description->sets[n - MAGNITUDE_FIRST];
        if (count == 0)
            continue;
        const char *before = shown == 0             ? "Set-10 sets      "
                             : shown % PER_LINE > 0 ? ", "
                                                    : ",\n                 ";
        fprintf(out, "%s10^%d s: %u", before, n, (unsigned)count);
        shown++;
    }
    fputc('\n', out);
}

/* What the phases of each application show; a long list would not be read. */
static void print_detected(const struct description *description, FILE *out)
{
    enum { MOST_LINES = 12 };
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < description->row_count; i++) {
        const struct description_row *row = &description->rows[i];
        char length[TEXT];
        if (!(row->detected.length > 0))
            continue;
        if (shown == MOST_LINES) {
            more++;
            continue;
        }
        fprintf(out, "%s%s: ", shown++ == 0 ? "I/O repeats      " : "                 ", row->name);
        if (row->detected.confidence >= PERIOD_CONFIDENT)
            fprintf(out, "every %s, ",
                    units_print(row->detected.length, UNIT_SECONDS, length, sizeof length));
        else
            fputs("not clearly, ", out);
        fprintf(out, "confidence %.2f\n", row->detected.confidence);
    }
    if (more > 0)
        fprintf(out, "                 and %zu more, listed by --json\n", more);
}

static void print_periods(const struct description *description, FILE *out)
{
    char shortest[TEXT], longest[TEXT];
    if (!(description->longest > 0)) {
        fputs("periods          no application does I/O\n", out);
        return;
    }
    units_print(description->shortest, UNIT_SECONDS, shortest, sizeof shortest);
    units_print(description->longest, UNIT_SECONDS, longest, sizeof longest);
    bool same = strcmp(shortest, longest) == 0;
    fprintf(out, "periods          %s%s%s\n", shortest, same ? "" : " to ", same ? "" : longest);
    print_sets(description, out);
    print_detected(description, out);
}

static const char *word_for(double share)
{
    static const struct {
        double below;
        const char *word;
    } words[] = {{DBL_MIN, "never"},         {0.001, "hardly ever"}, {0.05, "rarely"},
                 {0.2, "sometimes"},         {0.5, "often"},         {0.9, "mostly"},
                 {INFINITY, "nearly always"}};
    size_t i = 0;
    while (share >= words[i].below)
        i++;
    return words[i].word;
}

static void print_congestion(const struct description *description, FILE *out)
{
    const struct row *row = description->row;
    if (!row) {
        fprintf(out, "congestion       not simulated: %s\n", description_obstacle(description));
        return;
    }
    fprintf(out, "congestion       %s: demand exceeds the bandwidth %.1f %% of the time\n",
            word_for(description->congested), 100 * description->congested);
    if (isfinite(row->metrics.io_slowdown))
        fprintf(out, "                 I/O takes %.3g times as long as alone (geometric mean)\n",
                row->metrics.io_slowdown);
    if (isfinite(row->metrics.max_stretch))
        fprintf(out, "                 the worst application takes %.4g times as long as alone\n",
                row->metrics.max_stretch);
    else if (isfinite(row->metrics.min_yield))
        fprintf(out, "                 the worst application makes %.1f %% of its progress alone\n",
                100 * row->metrics.min_yield);
    fprintf(out, "                 (simulated under %s)\n", row->policy);
}

/* Whether fair sharing can end in a jam, which only a store that loses bandwidth has. */
static void print_jam(const struct workload *workload, FILE *out)
{
    struct jam jam = jam_find(workload);
    if (isnan(jam.edge))
        return;
    fprintf(out, "edge of the jam  %-6.4g  work / I/O alone is %.4g: %s\n", jam.edge, jam.ratio,
            jam.edge > jam.ratio ? "beyond it" : "not beyond it");
    if (!isnan(jam.tips))
        fprintf(
            out,
            "                 without control, %.0f in I/O at once tip it over; then about %.0f "
            "wait\n",
            jam.tips, jam.rest);
}

static void description_text_print_summary(const struct description *description, FILE *out)
{
    const struct workload *workload = description->workload;
    char volume[TEXT], start[TEXT];
    double load = workload_io_load(workload);
    fprintf(out, "volume           %s\n",
            units_print(description->volume, UNIT_BYTES, volume, sizeof volume));
    fprintf(out, "I/O pressure W   %-6.4g  bytes wanted / bytes the file system can move\n",
            workload->io_pressure);
    if (isfinite(description->busiest.start))
        fprintf(out, "busiest hour     %-6.4g  bytes wanted / those of a full hour, from %s on\n",
                description->busiest.pressure,
                units_print(description->busiest.start, UNIT_SECONDS, start, sizeof start));
    fprintf(out, "weight of I/O    %-6.4g  applications in I/O at a time if none had to wait\n",
            description->io_weight);
    if (isfinite(load))
        fprintf(out, "I/O load alpha   %-6.4g  the same as W, with the nodes filled without gaps\n",
                load);
    print_periods(description, out);
    print_congestion(description, out);
    print_jam(workload, out);
}

/* --- timeline -------------------------------------------------------------------------------- */

/* Rows of a quarter of the bandwidth, or two, four, ... times that: as many as are enough to show
 * the highest demand, and at least up to the bandwidth. */
static double choose_step(const struct description *description, int *rows)
{
    enum { MOST_ROWS = 8 };
    double peak = 1, step = 0.25;
    for (int part = 0; part < DESCRIPTION_PARTS; part++)
        peak = fmax(peak, description->demand[part]);
    while (peak > MOST_ROWS * step)
        step *= 2;
    *rows = (int)round(peak / step);
    return step;
}

static void print_times(const struct description *description, FILE *out)
{
    char start[TEXT], end[TEXT];
    units_print(description->start, UNIT_SECONDS, start, sizeof start);
    units_print(description->end, UNIT_SECONDS, end, sizeof end);
    int gap = DESCRIPTION_PARTS - (int)strlen(start) - (int)strlen(end);
    fprintf(out, "          %s%*s%s\n", start, gap > 1 ? gap : 1, "", end);
}

static void print_timeline(const struct description *description, FILE *out)
{
    int rows;
    double step = choose_step(description, &rows);
    fputs("demand / bandwidth, each application alone\n", out);
    for (int row = rows; row > 0; row--) {
        char line[DESCRIPTION_PARTS + 1] = "";
        char empty = row * step == 1 ? '-' : ' ';
        size_t length = 0;
        for (int part = 0; part < DESCRIPTION_PARTS; part++) {
            line[part] = description->demand[part] >= (row - 0.5) * step ? '#' : empty;
            length = line[part] != ' ' ? (size_t)part + 1 : length;
        }
        line[length] = 0;
        fprintf(out, "%8.3g |%s\n", row * step, line);
    }
    fputs("         +", out);
    for (int part = 0; part < DESCRIPTION_PARTS; part++)
        fputc('-', out);
    fputc('\n', out);
    print_times(description, out);
}

void description_print(const struct description *description, FILE *out)
{
    description_text_print_title(description->workload, out);
    description_text_print_apps(description, out);
    fputc('\n', out);
    description_text_print_summary(description, out);
    fputc('\n', out);
    print_timeline(description, out);
}
