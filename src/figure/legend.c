#include "base/mem.h"
#include "figure/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In a row: the sample, a gap, the text, a gap. */
enum { ROW = 21, SAMPLE = 34, SAMPLE_GAP = 6, ENTRY_GAP = 16, LEGEND_SIDE = 14, LONGEST_NAME = 40 };

static const char published_name[] = "published";
/* Differences that are seen in greyscale, of areas and of hatched ones. */
static const double visible_lightness = 12, visible_hatch = 25;

const struct sheet_entry *legend_find(const struct sheet *sheet, const char *name)
{
    for (size_t i = 0; i < sheet->count; i++)
        if (strcmp(sheet->entries[i].name, name) == 0)
            return &sheet->entries[i];
    return NULL;
}

static bool legend_is_taken(const struct sheet *sheet, const struct style *style)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const struct style *other = &sheet->entries[i].style;
        if (strcmp(other->colour, style->colour) == 0 && other->dash == style->dash &&
            other->marker == style->marker)
            return true;
    }
    return false;
}

/* Whether areas of another entry look like these in greyscale. */
static bool legend_is_filled_alike(const struct sheet *sheet, const struct sheet_entry *entry)
{
    double lightness = style_lightness(&entry->style);
    double visible = entry->pattern > 0 ? visible_hatch : visible_lightness;
    for (size_t i = 0; i < sheet->count; i++) {
        const struct sheet_entry *other = &sheet->entries[i];
        if (other->pattern == entry->pattern &&
            fabs(style_lightness(&other->style) - lightness) < visible)
            return true;
    }
    return false;
}

/* The table may give the same style to two names that it does not have. Areas of about the same
 * lightness are hatched. */
static void legend_tell_apart(const struct sheet *sheet, struct sheet_entry *entry)
{
    struct style *style = &entry->style;
    while (entry->pattern <= SHEET_PATTERNS && legend_is_filled_alike(sheet, entry))
        entry->pattern++;
    if (entry->pattern > SHEET_PATTERNS) /* there are no more: by turns */
        entry->pattern = 1 + (unsigned)sheet->count % SHEET_PATTERNS;
    for (int i = 0; i < STYLE_MARKERS * STYLE_DASHES && legend_is_taken(sheet, style); i++) {
        style->marker = style->marker % STYLE_MARKERS + 1;
        style->dash = (style->dash + 1) % STYLE_DASHES;
    }
}

static void legend_add(struct sheet *sheet, const struct figure_series *series,
                       enum figure_kind kind)
{
    sheet->published = sheet->published || series->published;
    if (legend_find(sheet, series->name))
        return;
    struct sheet_entry entry = {
        .name = series->name, .kind = kind, .style = style_of(series->name)};
    legend_tell_apart(sheet, &entry);
    sheet->entries[sheet->count++] = entry;
}

int legend_init(struct sheet *sheet, struct err *err)
{
    const struct figure *figure = sheet->figure;
    size_t most = 0;
    for (size_t p = 0; p < figure->count; p++)
        most += figure->panels[p].count;
    sheet->entries = mem_alloc(most, sizeof *sheet->entries);
    if (!sheet->entries)
        return err_memory(err);
    for (size_t p = 0; p < figure->count; p++)
        for (size_t s = 0; s < figure->panels[p].count; s++)
            legend_add(sheet, &figure->panels[p].series[s], figure->panels[p].kind);
    return 0;
}

/* --- layout ---------------------------------------------------------------------------------- */

static const char *legend_name(const struct sheet *sheet, size_t i)
{
    return i < sheet->count ? sheet->entries[i].name : published_name;
}

static size_t legend_count(const struct sheet *sheet)
{
    return sheet->count + sheet->published;
}

static double legend_entry_width(const struct sheet *sheet, size_t i)
{
    return SAMPLE + SAMPLE_GAP + sheet_text_extent(legend_name(sheet, i), LONGEST_NAME) + ENTRY_GAP;
}

/* Entries go from left to right, row by row; a column is as wide as its widest. */
static double legend_column_width(const struct sheet *sheet, size_t columns, size_t column)
{
    double width = 0;
    for (size_t i = column; i < legend_count(sheet); i += columns)
        width = fmax(width, legend_entry_width(sheet, i));
    return width;
}

static double legend_width(const struct sheet *sheet, size_t columns)
{
    double width = -ENTRY_GAP;
    for (size_t i = 0; i < columns; i++)
        width += legend_column_width(sheet, columns, i);
    return width;
}

/* As many as fit, but no more than the number of rows needs: so rows are of about the same length.
 */
static size_t legend_columns(const struct sheet *sheet)
{
    size_t count = legend_count(sheet), columns = count;
    while (columns > 1 && legend_width(sheet, columns) > sheet->width - 2 * LEGEND_SIDE)
        columns--;
    size_t rows = (count + columns - 1) / columns, even = (count + rows - 1) / rows;
    bool fits = legend_width(sheet, even) <= sheet->width - 2 * LEGEND_SIDE;
    return fits ? even : columns;
}

double legend_height(const struct sheet *sheet)
{
    size_t count = legend_count(sheet);
    if (count == 0)
        return 0;
    size_t columns = legend_columns(sheet);
    return (double)((count + columns - 1) / columns) * ROW + ROW * 0.3;
}

/* --- drawing --------------------------------------------------------------------------------- */

static void legend_draw_line(const struct sheet *sheet, const struct sheet_entry *entry, double x,
                             double y)
{
    if (entry->kind == FIGURE_CURVES) {
        fputs("set arrow from ", sheet->script);
        sheet_at(sheet, x, y);
        fputs(" to ", sheet->script);
        sheet_at(sheet, x + SAMPLE, y);
        fputs(" nohead ", sheet->script);
        sheet_line(sheet, &entry->style);
        fputc('\n', sheet->script);
    }
    fputs("set label '' at ", sheet->script);
    sheet_at(sheet, x + SAMPLE / 2.0, y);
    fputs(" point ", sheet->script);
    sheet_marker(sheet, &entry->style);
    fputc('\n', sheet->script);
}

static void legend_draw_area(const struct sheet *sheet, const struct sheet_entry *entry, double x,
                             double y)
{
    for (int hatch = 0; hatch <= (entry->pattern > 0); hatch++) {
        fputs("set object rectangle from ", sheet->script);
        sheet_at(sheet, x + SAMPLE / 3.0, y + 6);
        fputs(" to ", sheet->script);
        sheet_at(sheet, x + SAMPLE, y - 6);
        fputs(" fc ", sheet->script);
        sheet_fill(sheet, entry, hatch);
        fputc('\n', sheet->script);
    }
}

static void legend_draw_sample(const struct sheet *sheet, size_t i, double x, double y)
{
    if (i == sheet->count) {
        fputs("set label '' at ", sheet->script);
        sheet_at(sheet, x + SAMPLE / 2.0, y);
        fputs(" point " SHEET_PUBLISHED "\n", sheet->script);
        return;
    }
    const struct sheet_entry *entry = &sheet->entries[i];
    if (entry->kind == FIGURE_BARS || entry->kind == FIGURE_BOXES)
        legend_draw_area(sheet, entry, x, y);
    else
        legend_draw_line(sheet, entry, x, y);
}

static void legend_draw_entry(const struct sheet *sheet, size_t i, double x, double y)
{
    legend_draw_sample(sheet, i, x, y);
    fputs("set label ", sheet->script);
    sheet_text(sheet, legend_name(sheet, i), LONGEST_NAME);
    fputs(" at ", sheet->script);
    sheet_at(sheet, x + SAMPLE + SAMPLE_GAP, y);
    fputs(" left\n", sheet->script);
}

void legend_draw(const struct sheet *sheet, double top)
{
    size_t count = legend_count(sheet), columns = count ? legend_columns(sheet) : 0;
    double left = fmax(LEGEND_SIDE, (sheet->width - legend_width(sheet, columns)) / 2);
    for (size_t column = 0; column < columns; column++) {
        for (size_t i = column; i < count; i += columns)
            legend_draw_entry(sheet, i, left, top + ((double)(i / columns) + 0.5) * ROW);
        left += legend_column_width(sheet, columns, column);
    }
}
