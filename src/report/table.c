#include "report/table.h"
#include "base/text.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { CELL_SIZE = 48, HEADING_SIZE = 64 };

static const char bold[] = "\033[1m", green[] = "\033[1;32m", plain[] = "\033[0m";

/* How a column is shown. */
struct layout {
    double divisor; /* of a time: the length of its unit */
    int decimals, width;
    int compact_digits; /* of each value by itself; 0 = decimals for all */
    char top[HEADING_SIZE], bottom[HEADING_SIZE]; /* the heading's lines */
    char best[CELL_SIZE];                         /* as printed; empty = mark nothing */
};

static int table_width_of(const char *text)
{
    return text_width(text, strlen(text));
}

static double value_at(const struct table *table, size_t row, size_t column)
{
    return table->values[row * table->count + column];
}

/* The decimals with which a value of this size has the digits asked for. */
static int decimals_of(double value, int digits)
{
    int decimals = digits - 1;
    for (double size = fabs(value); decimals > 0 && size >= 10 && isfinite(size); size /= 10)
        decimals--;
    return decimals;
}

static void format_cell(const struct layout *layout, double value, char *cell)
{
    double shown = value / layout->divisor;
    int decimals =
        layout->compact_digits ? decimals_of(shown, layout->compact_digits) : layout->decimals;
    if (isnan(value))
        snprintf(cell, CELL_SIZE, "-");
    else if (fabs(shown) < 1e15)
        snprintf(cell, CELL_SIZE, "%.*f", decimals, shown);
    else
        snprintf(cell, CELL_SIZE, "%.4g", shown);
}

/* What is known of a column before it is laid out. */
struct extent {
    double low, high; /* INFINITY, -INFINITY if all are NAN */
    bool whole;       /* only whole numbers */
};

static struct extent measure_extent(const struct table *table, size_t column, size_t rows)
{
    struct extent extent = {INFINITY, -INFINITY, true};
    for (size_t row = 0; row < rows; row++) {
        double value = value_at(table, row, column);
        if (isnan(value))
            continue;
        extent.low = fmin(extent.low, value);
        extent.high = fmax(extent.high, value);
        extent.whole = extent.whole && value == floor(value);
    }
    return extent;
}

/* The largest first; the last is always small enough. */
struct table_unit {
    double size;
    const char *name;
};
static const struct table_unit time_units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
static const struct table_unit byte_units[] = {
    {1e18, "EB"}, {1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};

/* Times in a unit of which there are at least three, sizes in one of which there is one. */
const char *table_choose_unit(enum unit of, double high, double *size)
{
    *size = 1;
    if (of != UNIT_SECONDS && of != UNIT_BYTES)
        return NULL;
    bool time = of == UNIT_SECONDS;
    const struct table_unit *unit = time ? time_units : byte_units;
    while (unit->size > 1 && high < (time ? 3 : 1) * unit->size)
        unit++;
    *size = unit->size;
    return unit->name;
}

/* Breaks a heading at the '_' that makes it narrowest; a unit goes below. */
static void break_heading(const char *heading, const char *unit, struct layout *layout)
{
    size_t length = strlen(heading), cut = 0, best = length;
    for (size_t i = 1; i + 1 < length; i++) {
        size_t wider = i > length - i - 1 ? i : length - i - 1;
        if (heading[i] == '_' && wider < best) {
            best = wider;
            cut = i;
        }
    }
    if (unit && !cut) {
        snprintf(layout->top, HEADING_SIZE, "%s", heading);
        snprintf(layout->bottom, HEADING_SIZE, "(%s)", unit);
        return;
    }
    snprintf(layout->top, HEADING_SIZE, "%.*s", (int)cut, heading);
    snprintf(layout->bottom, HEADING_SIZE, "%s%s%s%s", heading + (cut ? cut + 1 : 0),
             unit ? " (" : "", unit ? unit : "", unit ? ")" : "");
}

/* The best cell as printed, unless the rows do not differ. */
static void find_best(const struct table *table, size_t column, struct layout *layout)
{
    struct extent extent = measure_extent(table, column, table->rows - table->bounds);
    char low[CELL_SIZE], high[CELL_SIZE];
    enum metric_sense sense = table->columns[column].sense;
    if (sense == METRIC_INFO || extent.low > extent.high)
        return;
    format_cell(layout, extent.low, low);
    format_cell(layout, extent.high, high);
    if (strcmp(low, high) != 0)
        memcpy(layout->best, sense == METRIC_LOWER ? low : high, CELL_SIZE);
}

static void table_lay_out(const struct table *table, size_t column, struct layout *layout)
{
    const struct table_column *info = &table->columns[column];
    struct extent extent = measure_extent(table, column, table->rows);
    const char *unit = table_choose_unit(info->unit, extent.high, &layout->divisor);
    bool whole = extent.whole && layout->divisor == 1;
    layout->decimals = whole ? 0 : decimals_of(extent.low / layout->divisor, info->digits);
    layout->compact_digits = info->compact ? info->digits : 0;
    break_heading(info->heading, unit, layout);
    find_best(table, column, layout);

    int width = table_width_of(layout->top), bottom = table_width_of(layout->bottom);
    width = width > bottom ? width : bottom;
    for (size_t row = 0; row < table->rows; row++) {
        char cell[CELL_SIZE];
        format_cell(layout, value_at(table, row, column), cell);
        int wide = (int)strlen(cell) + 1; /* and the mark */
        width = wide > width ? wide : width;
    }
    layout->width = width;
}

static void table_print_name(const char *name, int width, FILE *out)
{
    fprintf(out, "%s%*s", name, width - table_width_of(name), "");
}

struct table_grid {
    struct layout columns[TABLE_MAX_COLUMNS];
    size_t shown;
    int name_width, gap;
};

/* Whether columns may touch: the place of the mark keeps their values apart, but headings that
 * fill their columns would run together. */
static bool may_touch(const struct table *table, const struct table_grid *grid)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct layout *column = &grid->columns[i];
        if (table_width_of(column->top) >= column->width ||
            table_width_of(column->bottom) >= column->width)
            return false;
    }
    return true;
}

/* Two spaces between columns if that fits, else one, else none, else fewer columns. */
static void fit(const struct table *table, struct table_grid *grid)
{
    grid->name_width = table_width_of(table->corner);
    for (size_t row = 0; row < table->rows; row++) {
        int width = table_width_of(table->names[row]);
        grid->name_width = width > grid->name_width ? width : grid->name_width;
    }
    int total = grid->name_width;
    for (size_t i = 0; i < table->count; i++)
        total += grid->columns[i].width;
    grid->shown = table->count;
    grid->gap = 2;
    if (!table->width)
        return;
    while (grid->gap > 1 && total + grid->gap * (int)grid->shown > table->width)
        grid->gap--;
    if (total + (int)grid->shown > table->width && may_touch(table, grid)) {
        grid->gap = 0;
        grid->name_width++;
        total++;
    }
    while (grid->shown > 1 && total + grid->gap * (int)grid->shown > table->width)
        total -= grid->columns[--grid->shown].width;
}

static void print_heading(const struct table *table, const struct table_grid *grid, FILE *out)
{
    bool two = false;
    for (size_t i = 0; i < grid->shown; i++)
        two = two || grid->columns[i].top[0];
    for (int line = two ? 0 : 1; line < 2; line++) {
        fputs(table->colour ? bold : "", out);
        const char *corner = line ? table->corner : "";
        fputs(corner, out);
        int space = grid->name_width - table_width_of(corner); /* none at the end of the line */
        for (size_t i = 0; i < grid->shown; i++) {
            const struct layout *column = &grid->columns[i];
            const char *text = line ? column->bottom : column->top;
            space += grid->gap + column->width;
            if (!*text)
                continue;
            fprintf(out, "%*s%s", space - table_width_of(text), "", text);
            space = 0;
        }
        fputs(table->colour ? plain : "", out);
        fputc('\n', out);
    }
}

static void print_row(const struct table *table, const struct table_grid *grid, size_t row,
                      FILE *out)
{
    table_print_name(table->names[row], grid->name_width, out);
    for (size_t i = 0; i < grid->shown; i++) {
        const struct layout *column = &grid->columns[i];
        char cell[CELL_SIZE];
        format_cell(column, value_at(table, row, i), cell);
        bool best =
            row < table->rows - table->bounds && column->best[0] && strcmp(cell, column->best) == 0;
        fprintf(out, "%*s", grid->gap + column->width - 1 - (int)strlen(cell), "");
        bool coloured = best && table->colour;
        fprintf(out, "%s%s%s%s", coloured ? green : "", cell, best ? "*" : "",
                coloured ? plain : "");
        if (!best && i + 1 < grid->shown)
            fputc(' ', out);
    }
    fputc('\n', out);
}

static bool has_mark(const struct table_grid *grid)
{
    for (size_t i = 0; i < grid->shown; i++)
        if (grid->columns[i].best[0])
            return true;
    return false;
}

struct table_shown table_print(const struct table *table, FILE *out)
{
    assert(table->count <= TABLE_MAX_COLUMNS);
    struct table_grid grid = {0};
    for (size_t i = 0; i < table->count; i++)
        table_lay_out(table, i, &grid.columns[i]);
    fit(table, &grid);
    print_heading(table, &grid, out);
    for (size_t row = 0; row < table->rows; row++)
        print_row(table, &grid, row, out);
    bool marked = has_mark(&grid);
    if (table->legend && marked)
        fputs("\n* best of its column\n", out);
    return (struct table_shown){.columns = grid.shown, .marked = marked};
}
