#include "figure/figure.h"
#include "base/filter.h"
#include "base/text.h"
#include "figure/colours.h"
#include "figure/sheet.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE = 30, TEXT_MOST = 1024 };
static const char program[] = "gnuplot";

struct figure_point figure_mean(double x, const struct summary *summary)
{
    double mean = summary_mean(summary), margin = summary_margin(summary);
    return (struct figure_point){x, mean, mean - margin, mean + margin};
}

/* --- what all parts write -------------------------------------------------------------------- */

/* Keeps `most` characters of a text, its beginning and its end, in which names of one kind differ.
 */
static void figure_clip(char *text, size_t most)
{
    static const char dots[] = "\u2026";
    const char *end = text + strlen(text), *starts[TEXT_MOST];
    size_t count = 0;
    for (const char *at = text; at < end; count++) {
        uint32_t code;
        int length = text_character(at, end, &code);
        starts[count] = at;
        at += length ? length : 1;
    }
    if (count <= most || most < 3)
        return;
    size_t head = most / 2, tail = most - 1 - head, left = (size_t)(starts[head] - text);
    char rest[TEXT_MOST];
    snprintf(rest, sizeof rest, "%s%s", dots, starts[count - tail]);
    strcpy(text + left, rest);
}

/* In single quotes only a quote has a meaning. It is joined to the rest as a text of its own:
 * written twice, as gnuplot has it, it is misread at the beginning. */
static void figure_quote(const struct sheet *sheet, const char *text, size_t most, bool format)
{
    char copy[TEXT_MOST];
    size_t length = text_cut(text, strlen(text), sizeof copy - 1);
    memcpy(copy, text, length);
    text_clean(copy, length);
    figure_clip(copy, most);
    fputc('\'', sheet->script);
    for (const char *s = copy; *s; s++) {
        if (*s == '\'')
            fputs("'.\"'\".'", sheet->script);
        else if (format && *s == '%')
            fputs("%%", sheet->script);
        else
            fputc(*s, sheet->script);
    }
    fputc('\'', sheet->script);
}

void sheet_text(const struct sheet *sheet, const char *text, size_t most)
{
    figure_quote(sheet, text, most, false);
}

void sheet_tic_text(const struct sheet *sheet, const char *text, size_t most)
{
    figure_quote(sheet, text, most, true);
}

/* Of a character, in parts of the font's size: DejaVu Sans, which replaces Helvetica on most Linux
 * machines and is wider than it. */
static double figure_character_width(uint32_t code)
{
    static const struct {
        const char *characters;
        double width;
    } classes[] = {{"ijlI'", 0.3},      {" .,:;|!ft/-()[]r", 0.42},
                   {"_scvxyzkJL", 0.6}, {"mMW@%", 1.0},
                   {"w=+<>", 0.84},     {"ABCDEFGHKNOPQRSTUVXYZ", 0.79}};
    for (size_t i = 0; code < 128 && i < sizeof classes / sizeof *classes; i++)
        if (strchr(classes[i].characters, (int)code))
            return classes[i].width;
    return code < 128 ? 0.64 : 1;
}

double sheet_text_extent(const char *text, size_t most)
{
    double width = 0;
    const char *end = text + strlen(text);
    for (size_t i = 0; i < most && text < end; i++) {
        uint32_t code = 0;
        int length = text_character(text, end, &code);
        width += figure_character_width(length ? code : '?');
        text += length ? length : 1;
    }
    return width * SHEET_FONT;
}

double sheet_text_width(size_t characters)
{
    return (double)characters * SHEET_FONT * 0.6;
}

void sheet_at(const struct sheet *sheet, double x, double y)
{
    fprintf(sheet->script, "screen %.6g,screen %.6g", x / sheet->width, 1 - y / sheet->height);
}

void sheet_fill(const struct sheet *sheet, const struct sheet_entry *entry, bool hatch)
{
    static const int patterns[SHEET_PATTERNS] = {6, 2, 7, 1, 4, 5}; /* gnuplot's hatches */
    const char *lines = style_lightness(&entry->style) < 55 ? "#ffffff" : COLOUR_INK;
    if (hatch)
        fprintf(sheet->script, "rgb '%s' fs transparent pattern %d", lines,
                patterns[entry->pattern - 1]);
    else
        fprintf(sheet->script, "rgb '%s' fs solid", entry->style.colour);
    fputs(" border rgb '" COLOUR_INK "'", sheet->script);
}

void sheet_line(const struct sheet *sheet, const struct style *style)
{
    const char *dash = style_dash(style->dash);
    fprintf(sheet->script, "lw 2.5 lc rgb '%s'", style->colour);
    if (*dash)
        fprintf(sheet->script, " dt (%s)", dash);
    else
        fputs(" dt solid", sheet->script);
}

void sheet_marker(const struct sheet *sheet, const struct style *style)
{
    fprintf(sheet->script, "pt %d ps 0.9 lw 1.5 lc rgb '%s'", style->marker, style->colour);
}

/* --- layout ---------------------------------------------------------------------------------- */

static size_t figure_columns(const struct figure *figure)
{
    return figure->columns > 1 ? figure->columns : 1;
}

/* The panels of a row are equally high, the margins of all included. */
static double figure_row_height(const struct figure *figure, size_t row, double width)
{
    size_t columns = figure_columns(figure), first = row * columns;
    double height = 0;
    for (size_t n = first; n < first + columns && n < figure->count; n++) {
        struct sheet_area margins = panel_margins(figure, n, width);
        double inner = (width - margins.left - margins.right) * sheet_aspect(figure);
        height = fmax(height, inner + margins.top + margins.bottom);
    }
    return height;
}

static size_t figure_rows(const struct figure *figure)
{
    return (figure->count + figure_columns(figure) - 1) / figure_columns(figure);
}

static void sheet_measure(struct sheet *sheet)
{
    const struct figure *figure = sheet->figure;
    size_t columns = figure_columns(figure);
    sheet->width = sheet_width(figure);
    sheet->height = (figure->title ? TITLE : 0) + legend_height(sheet);
    for (size_t row = 0; row < figure_rows(figure); row++)
        sheet->height += figure_row_height(figure, row, sheet->width / (double)columns);
    sheet->height = ceil(sheet->height);
}

/* --- the script ------------------------------------------------------------------------------ */

static void sheet_begin(const struct sheet *sheet)
{
    fprintf(sheet->script,
            "set encoding utf8\n"
            "set terminal svg size %.0f,%.0f fixed font 'Helvetica,Arial,sans-serif,%d' "
            "noenhanced background '#ffffff' name 'weir'\n"
            "unset key\nset border 3 lw 1 lc rgb '#4a5562'\nset tics nomirror out scale 0.5 "
            "textcolor rgb "
            "'" COLOUR_INK "'\n"
            "set grid y lt 1 lw 1 lc rgb '#e3e8ed'\nset grid back\n"
            "set samples 2\n",
            sheet->width, sheet->height, SHEET_FONT);
}

static void sheet_draw_title(const struct sheet *sheet)
{
    if (!sheet->figure->title)
        return;
    fputs("set label ", sheet->script);
    sheet_text(sheet, sheet->figure->title, (size_t)(sheet->width / sheet_text_width(1)));
    fputs(" at ", sheet->script);
    sheet_at(sheet, sheet->width / 2, TITLE / 2.0);
    fputs(" center\n", sheet->script);
}

static void sheet_draw_panels(const struct sheet *sheet)
{
    const struct figure *figure = sheet->figure;
    size_t columns = figure_columns(figure);
    double width = sheet->width / (double)columns, top = figure->title ? TITLE : 0, height = 0;
    for (size_t n = 0; n < figure->count; n++) {
        size_t column = n % columns;
        if (column == 0) {
            top += height;
            height = figure_row_height(figure, n / columns, width);
        }
        double left = (double)column * width;
        panel_draw(sheet, n, (struct sheet_area){left, top, left + width, top + height});
    }
}

static void sheet_write(const struct sheet *sheet)
{
    sheet_begin(sheet);
    for (size_t n = 0; n < sheet->figure->count; n++)
        panel_write_data(sheet, n);
    fputs("set multiplot\n", sheet->script);
    /* Part of the first panel, so that they are drawn once. */
    sheet_draw_title(sheet);
    legend_draw(sheet, sheet->height - legend_height(sheet));
    sheet_draw_panels(sheet);
    fputs("unset multiplot\n", sheet->script);
}

/* --- all of it ------------------------------------------------------------------------------- */

int figure_check(struct err *err)
{
    if (filter_installed(program))
        return 0;
    return err_set(err, "cannot draw a figure: %s is not installed (Debian package gnuplot-nox)",
                   program);
}

static int figure_script(const struct figure *figure, FILE *script, struct err *err)
{
    struct sheet sheet = {.script = script, .figure = figure};
    if (legend_init(&sheet, err) < 0)
        return -1;
    sheet_measure(&sheet);
    sheet_write(&sheet);
    free(sheet.entries);
    return 0;
}

/* Whether a temporary file can grow: what gnuplot does not tell. 0, or -1 with err. */
static int figure_try(FILE *file, struct err *err)
{
    static const char nothing[64 * 1024];
    if (fseek(file, 0, SEEK_END) == 0 &&
        fwrite(nothing, 1, sizeof nothing, file) == sizeof nothing && fflush(file) == 0)
        return 0;
    return err_set(err, "cannot write a temporary file: %s", strerror(errno));
}

/* gnuplot does not notice that a disk is full: it ends as if all were written. So its picture is
 * copied if it is complete, and writing `out` is checked as that of any file is. */
static int figure_copy(FILE *drawn, FILE *out, struct err *err)
{
    enum { TAIL = 32 }; /* "</svg>", and lines that are empty */
    char buffer[64 * 1024], last[TAIL] = "";
    size_t length;
    rewind(drawn);
    while ((length = fread(buffer, 1, sizeof buffer, drawn)) > 0) {
        fwrite(buffer, 1, length, out);
        size_t kept = length < TAIL ? length : TAIL;
        memmove(last, last + kept, TAIL - kept);
        memcpy(last + TAIL - kept, buffer + length - kept, kept);
    }
    if (memmem(last, TAIL, "</svg>", 6))
        return 0;
    return figure_try(drawn, err) < 0 ? -1
                                      : err_set(err, "%s has not finished its picture", program);
}

/* Writes the script into one file and lets gnuplot draw into the other. */
static int figure_draw(const struct figure *figure, FILE *script, FILE *drawn, struct err *err)
{
    /* -d: neither the machine's settings nor the user's. */
    static const char *const arguments[] = {program, "-d", NULL};
    if (!script || !drawn)
        return err_set(err, "cannot create a temporary file: %s", strerror(errno));
    if (figure_script(figure, script, err) < 0)
        return -1;
    if (fflush(script) != 0 || ferror(script))
        return err_set(err, "cannot write a temporary file: %s", strerror(errno));
    return filter_run(arguments, script, drawn, err);
}

int figure_write(const struct figure *figure, FILE *out, struct err *err)
{
    if (figure_check(err) < 0)
        return -1;
    FILE *script = tmpfile(), *drawn = tmpfile();
    int status = figure_draw(figure, script, drawn, err);
    if (status == 0)
        status = figure_copy(drawn, out, err);
    if (script)
        fclose(script);
    if (drawn)
        fclose(drawn);
    return status;
}

int figure_commit(const struct figure *figure, struct picture *picture, struct err *err)
{
    picture->print_width = sheet_width(figure) == SHEET_PAGE ? "17.5cm" : "8.5cm";
    if (figure_write(figure, picture->file, err) == 0)
        return picture_commit(picture, err);
    picture_discard(picture);
    return -1;
}

int figure_save(const struct figure *figure, const char *path, struct err *err)
{
    struct picture picture;
    if (figure_check(err) < 0 || picture_open(&picture, path, err) < 0)
        return -1;
    return figure_commit(figure, &picture, err);
}
