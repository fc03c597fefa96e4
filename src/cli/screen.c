#include "cli/screen.h"
#include "base/text.h"
#include "base/units.h"
#include <pwd.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 96, LINE = 512 };

/* --- columns ---------------------------------------------------------------------------------- */

static void print_rate(double rate, char *cell)
{
    if (rate > 0)
        units_print(rate, UNIT_RATE, cell, CELL);
    else
        snprintf(cell, CELL, "-");
}

static void print_state(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%s", snapshot_state(app));
}

static void print_granted(const struct wire_app *app, char *cell)
{
    print_rate(app->rate, cell);
}

static void print_measured(const struct wire_app *app, char *cell)
{
    print_rate(app->measured, cell);
}

static void print_yield(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%.3f", app->yield);
}

static void print_stretch(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%.2f", app->stretch);
}

static void print_left(const struct wire_app *app, char *cell)
{
    if (app->volume > 0)
        units_print(app->remaining, UNIT_BYTES, cell, CELL);
    else
        snprintf(cell, CELL, "-");
}

static void print_source(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%s", app->volume > 0 ? snapshot_source(app) : "-");
}

static void print_phases(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%u", app->phases);
}

static void print_moved(const struct wire_app *app, char *cell)
{
    units_print(app->moved, UNIT_BYTES, cell, CELL);
}

static void print_processes(const struct wire_app *app, char *cell)
{
    snprintf(cell, CELL, "%u", app->processes);
}

static void print_user(const struct wire_app *app, char *cell)
{
    const struct passwd *user = getpwuid(app->uid);
    if (user)
        snprintf(cell, CELL, "%s", user->pw_name);
    else
        snprintf(cell, CELL, "%u", app->uid);
}

/* Behind the name; those that do not fit are left out, the last first. */
static const struct column {
    const char *heading;
    int width;
    void (*print)(const struct wire_app *app, char *cell);
} columns[] = {
    {"state", 13, print_state},    {"granted", 11, print_granted}, {"measured", 11, print_measured},
    {"yield", 7, print_yield},     {"stretch", 8, print_stretch},  {"left", 10, print_left},
    {"by", 6, print_source},       {"I/Os", 6, print_phases},      {"moved", 10, print_moved},
    {"procs", 6, print_processes}, {"user", 10, print_user},
};
enum { COLUMNS = sizeof columns / sizeof *columns, NAME_LEAST = 10, NAME_MOST = 24 };

/* How many columns fit; the name takes what is left. */
static int fit(int width, int *name)
{
    int count = 0, used = NAME_LEAST;
    while (count < COLUMNS && used + columns[count].width <= width)
        used += columns[count++].width;
    *name = NAME_LEAST + (width > used ? width - used : 0);
    if (*name > NAME_MOST)
        *name = NAME_MOST;
    return count;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The text cut to so many columns. */
static void put(const struct screen *screen, int row, int column, enum ink ink, char *text)
{
    size_t length = strlen(text), most = length;
    int room = screen->width - column;
    if (room <= 0)
        return;
    while (text_width(text, most) > room)
        most = text_cut(text, length, most - 1);
    text[most] = '\0';
    screen->put(screen->context, row, column, ink, text);
}

static enum ink colour_of(size_t index)
{
    return (enum ink)(INK_FIRST + index % INK_COLOURS);
}

static void draw_head(const struct screen *screen, const struct wire_status *status)
{
    char line[LINE], age[32], rate[32];
    units_print(status->now, UNIT_SECONDS, age, sizeof age);
    units_print(status->bandwidth, UNIT_RATE, rate, sizeof rate);
    snprintf(line, sizeof line, "%s%s", status->policy, status->off ? ", control is off" : "");
    put(screen, 0, 0, INK_STRONG, line);
    int column = text_width(line, strlen(line));
    snprintf(line, sizeof line, "  %s, up %s, %u application%s, %u process%s, %llu decisions", rate,
             age, status->applications, status->applications == 1 ? "" : "s", status->processes,
             status->processes == 1 ? "" : "es", (unsigned long long)status->decisions);
    put(screen, 0, column, INK_PLAIN, line);
}

/* A bar of the bandwidth: each application's part in its colour, then its sum. */
static void draw_bar(const struct screen *screen, int row, const struct snapshot *snapshot,
                     bool measured)
{
    char line[LINE], sum[32];
    const struct wire_status *status = &snapshot->status;
    int length = screen->width - 24, from = 0;
    double total = 0;
    if (length < 4 || !(status->bandwidth > 0))
        return;
    if (length > LINE - 1)
        length = LINE - 1;
    snprintf(line, sizeof line, "%-9s[", measured ? "measured" : "granted");
    put(screen, row, 0, INK_PLAIN, line);
    for (size_t i = 0; i < snapshot->count; i++) {
        const struct wire_app *app = &snapshot->apps[i];
        total += measured ? app->measured : app->rate;
        double part = total / status->bandwidth;
        int to = (int)(0.5 + length * (part < 1 ? part : 1));
        if (to <= from)
            continue;
        memset(line, '#', (size_t)(to - from));
        line[to - from] = '\0';
        put(screen, row, 10 + from, colour_of(i), line);
        from = to;
    }
    units_print(total, UNIT_RATE, sum, sizeof sum);
    snprintf(line, sizeof line, "%*s] %s", length - from, "", sum);
    put(screen, row, 10 + from, INK_PLAIN, line);
}

static void draw_application(const struct screen *screen, int row, const struct wire_app *app,
                             enum ink ink)
{
    char cell[CELL];
    int name, count = fit(screen->width, &name);
    snprintf(cell, sizeof cell, "%s", app->name);
    size_t length = strlen(cell), most = length;
    while (text_width(cell, most) >= name)
        most = text_cut(cell, length, most - 1);
    cell[most] = '\0';
    put(screen, row, 0, app->rate > 0 ? ink : INK_PLAIN, cell);
    for (int i = 0, column = name; i < count; column += columns[i++].width) {
        columns[i].print(app, cell);
        int indent = columns[i].width - text_width(cell, strlen(cell));
        put(screen, row, column + (indent > 0 ? indent : 0),
            app->state == WIRE_WORKING ? INK_DIM : INK_PLAIN, cell);
    }
}

static void draw_headings(const struct screen *screen, int row)
{
    char cell[CELL];
    int name, count = fit(screen->width, &name);
    snprintf(cell, sizeof cell, "%-*s", name, "application");
    put(screen, row, 0, INK_HEADING, cell);
    for (int i = 0, column = name; i < count; column += columns[i++].width) {
        snprintf(cell, sizeof cell, "%*s", columns[i].width, columns[i].heading);
        put(screen, row, column, INK_HEADING, cell);
    }
}

int screen_draw(const struct screen *screen, const struct snapshot *snapshot)
{
    int row = 0;
    draw_head(screen, &snapshot->status);
    draw_bar(screen, ++row, snapshot, false);
    draw_bar(screen, ++row, snapshot, true);
    if (snapshot->count == 0)
        return row + 1;
    draw_headings(screen, row += 2);
    for (size_t i = 0; i < snapshot->count; i++) {
        char line[CELL];
        row++;
        if (row != screen->height - 1 || i + 1 == snapshot->count) {
            draw_application(screen, row, &snapshot->apps[i], colour_of(i));
            continue;
        }
        snprintf(line, sizeof line, "and %zu more", snapshot->count - i);
        put(screen, row, 0, INK_DIM, line);
        break;
    }
    return row + 1;
}
