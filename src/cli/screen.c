#include "cli/screen.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/user.h"
#include <stdio.h>
#include <string.h>

enum { LINE = 512, USUAL_WIDTH = 80 };

/* --- columns ---------------------------------------------------------------------------------- */

static void print_rate(double rate, char *cell)
{
    if (rate > 0)
        units_print(rate, UNIT_RATE, cell, GRID_CELL);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void screen_print_name(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%s", ((const struct wire_app *)row)->name);
}

static void print_store(const void *row, char *cell)
{
    *cell = '\0';
    text_append(cell, GRID_CELL, ((const struct wire_app *)row)->store);
}

static void print_user(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%s", user_name(((const struct wire_app *)row)->uid));
}

static void print_pid(const void *row, char *cell)
{
    const struct wire_app *app = row;
    if (app->pid > 0)
        snprintf(cell, GRID_CELL, "%u", app->pid);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void print_state(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%s", wire_state_word(((const struct wire_app *)row)->state));
}

static void print_granted(const void *row, char *cell)
{
    print_rate(((const struct wire_app *)row)->rate, cell);
}

static void print_measured(const void *row, char *cell)
{
    print_rate(((const struct wire_app *)row)->measured, cell);
}

static void print_yield(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%.3f", ((const struct wire_app *)row)->yield);
}

static void print_stretch(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%.2f", ((const struct wire_app *)row)->stretch);
}

static void print_left(const void *row, char *cell)
{
    const struct wire_app *app = row;
    if (app->volume > 0)
        units_print(app->remaining, UNIT_BYTES, cell, GRID_CELL);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void print_source(const void *row, char *cell)
{
    const struct wire_app *app = row;
    snprintf(cell, GRID_CELL, "%s", app->volume > 0 ? wire_volume_word(app->volume_source) : "-");
}

static void print_phases(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%u", ((const struct wire_app *)row)->phases);
}

static void print_moved(const void *row, char *cell)
{
    units_print(((const struct wire_app *)row)->moved, UNIT_BYTES, cell, GRID_CELL);
}

static void print_processes(const void *row, char *cell)
{
    snprintf(cell, GRID_CELL, "%u", ((const struct wire_app *)row)->processes);
}

#define USUAL_COLUMNS                                                                              \
    {"user", print_user}, {"pid", print_pid}, {"state", print_state}, {"granted", print_granted},  \
        {"measured", print_measured}, {"yield", print_yield}, {"stretch", print_stretch},          \
        {"left", print_left}, {"by", print_source}, {"I/Os", print_phases},                        \
        {"moved", print_moved},                                                                    \
    {                                                                                              \
        "procs", print_processes                                                                   \
    }

static const struct grid_column columns[] = {{"application", screen_print_name}, USUAL_COLUMNS};
static const struct grid_column columns_of_stores[] = {
    {"application", screen_print_name}, {"store", print_store}, USUAL_COLUMNS};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* What the agent of a node knows of an application. */
static const struct grid_column columns_of_agent[] = {{"application", screen_print_name},
                                                      {"user", print_user},
                                                      {"pid", print_pid},
                                                      {"state", print_state},
                                                      {"granted", print_granted},
                                                      {"moved", print_moved},
                                                      {"I/Os", print_phases},
                                                      {"procs", print_processes}};
enum { COLUMNS_OF_AGENT = sizeof columns_of_agent / sizeof *columns_of_agent };

/* --- lines ------------------------------------------------------------------------------------ */

void screen_put(const struct screen *screen, struct spot spot, char *text)
{
    size_t length = strlen(text), most = length;
    int room = screen->width - spot.column;
    if (screen->width > 0 && room <= 0)
        return;
    while (screen->width > 0 && text_width(text, most) > room)
        most = text_cut(text, length, most - 1);
    text[most] = '\0';
    screen->put(screen->context, spot.row, spot.column, spot.ink, text);
}

static void cli_screen_put(const struct screen *screen, int row, int column, enum ink ink,
                           char *text)
{
    screen_put(screen, (struct spot){row, column, ink}, text);
}

void screen_put_row(const struct screen *screen, const struct grid *grid,
                    const struct grid_layout *layout, size_t index, struct spot spot)
{
    char cell[2 * GRID_CELL];
    for (int i = 0; i < layout->count; i++) {
        /* A heading is one bar, without gaps. */
        int behind = i == 0 || index != GRID_HEADING
                         ? 0
                         : layout->starts[i] - layout->starts[i - 1] - layout->widths[i - 1];
        snprintf(cell, sizeof cell, "%*s", behind, "");
        grid_print(grid, layout, index, i, cell + behind);
        spot.column = layout->starts[i] - behind;
        screen_put(screen, spot, cell);
    }
}

int screen_put_grid(const struct screen *screen, const struct grid *grid)
{
    struct grid_layout layout;
    grid_fit(grid, screen->width, &layout);
    screen_put_row(screen, grid, &layout, GRID_HEADING, (struct spot){0, 0, INK_HEADING});
    for (size_t i = 0; i < grid->row_count; i++)
        screen_put_row(screen, grid, &layout, i, (struct spot){(int)i + 1, 0, INK_PLAIN});
    return (int)grid->row_count + 1;
}

static enum ink colour_of(size_t index)
{
    return (enum ink)(INK_FIRST + index % INK_COLOURS);
}

static void draw_head(const struct screen *screen, int row, const struct wire_status *status)
{
    char line[LINE + WIRE_STORE], age[32], rate[32];
    units_print(status->now, UNIT_SECONDS, age, sizeof age);
    units_print(status->bandwidth, UNIT_RATE, rate, sizeof rate);
    snprintf(line, sizeof line, "%s%s%s%s", status->store, *status->store ? "  " : "",
             status->policy, status->off ? ", control is off" : "");
    cli_screen_put(screen, row, 0, INK_STRONG, line);
    int column = text_width(line, strlen(line));
    char refused[40] = "";
    if (status->refused > 0)
        snprintf(refused, sizeof refused, ", %llu refused", (unsigned long long)status->refused);
    snprintf(line, sizeof line, "  %s, up %s, %u application%s, %u process%s%s, %llu decision%s",
             rate, age, status->applications, status->applications == 1 ? "" : "s",
             status->processes, status->processes == 1 ? "" : "es", refused,
             (unsigned long long)status->decisions, status->decisions == 1 ? "" : "s");
    cli_screen_put(screen, row, column, INK_PLAIN, line);
}

/* What stands above the applications: that of one bandwidth, or of several. */
static const struct wire_status *find_channel(const struct snapshot *snapshot, uint32_t channel)
{
    return channel == 0 ? &snapshot->status : &snapshot->channels[channel - 1];
}

/* A bar of a bandwidth: each application's part in its colour, then its sum. */
static void draw_bar(const struct screen *screen, int row, const struct snapshot *snapshot,
                     uint32_t channel, bool measured)
{
    char line[LINE], sum[32];
    const struct wire_status *status = find_channel(snapshot, channel);
    int length = (screen->width > 0 ? screen->width : USUAL_WIDTH) - 24, from = 0;
    double total = 0;
    if (length < 4 || !(status->bandwidth > 0))
        return;
    if (length > LINE - 1)
        length = LINE - 1;
    snprintf(line, sizeof line, "%-9s[", measured ? "measured" : "granted");
    cli_screen_put(screen, row, 0, INK_PLAIN, line);
    for (size_t i = 0; i < snapshot->count; i++) {
        const struct wire_app *app = &snapshot->apps[i];
        if (app->channel != channel)
            continue;
        total += measured ? app->measured : app->rate;
        double part = total / status->bandwidth;
        int to = (int)(0.5 + length * (part < 1 ? part : 1));
        if (to <= from)
            continue;
        memset(line, '#', (size_t)(to - from));
        line[to - from] = '\0';
        cli_screen_put(screen, row, 10 + from, colour_of(i), line);
        from = to;
    }
    units_print(total, UNIT_RATE, sum, sizeof sum);
    snprintf(line, sizeof line, "%*s] %s", length - from, "", sum);
    cli_screen_put(screen, row, 10 + from, INK_PLAIN, line);
}

/* The name of one that holds bandwidth bears the colour of its part of the bar. */
static void draw_application(const struct screen *screen, const struct grid *grid,
                             const struct grid_layout *layout, size_t index, int row)
{
    char cell[2 * GRID_CELL];
    const struct wire_app *app = (const struct wire_app *)grid->rows + index;
    enum ink ink = app->state == WIRE_WORKING ? INK_DIM : INK_PLAIN;
    for (int i = 0; i < layout->count; i++) {
        grid_print(grid, layout, index, i, cell);
        if (i == 0)
            cli_screen_put(screen, row, 0, app->rate > 0 ? colour_of(index) : INK_PLAIN, cell);
        else
            cli_screen_put(screen, row, layout->starts[i], ink, cell);
    }
}

static void draw_agent(const struct screen *screen, const struct wire_agent *agent)
{
    char line[LINE], lease[32];
    units_print(agent->lease, UNIT_SECONDS, lease, sizeof lease);
    snprintf(line, sizeof line, "node %s", agent->node);
    cli_screen_put(screen, 0, 0, INK_STRONG, line);
    int column = text_width(line, strlen(line));
    char refused[40] = "";
    if (agent->refused > 0)
        snprintf(refused, sizeof refused, ", %llu refused", (unsigned long long)agent->refused);
    snprintf(line, sizeof line, "  %s controller %s, %u application%s, %u process%s%s",
             agent->connected ? "connected to" : "tries", agent->controller, agent->applications,
             agent->applications == 1 ? "" : "s", agent->processes,
             agent->processes == 1 ? "" : "es", refused);
    cli_screen_put(screen, 0, column, INK_PLAIN, line);
    if (!agent->reached)
        snprintf(line, sizeof line, "no controller was reached so far: programs run unthrottled");
    else if (agent->lease > 0)
        snprintf(line, sizeof line, "epoch %llu, lease valid for %s",
                 (unsigned long long)agent->epoch, lease);
    else
        snprintf(line, sizeof line, "epoch %llu, %s", (unsigned long long)agent->epoch,
                 agent->connected ? "no lease, since there is no I/O"
                                  : "the lease has ended: programs run unthrottled");
    cli_screen_put(screen, 1, 0, INK_PLAIN, line);
}

/* The bandwidths of a controller; returns the last row. */
static int draw_channels(const struct screen *screen, const struct snapshot *snapshot)
{
    int row = -1;
    for (uint32_t i = 0; i <= snapshot->channel_count; i++) {
        draw_head(screen, ++row, find_channel(snapshot, i));
        draw_bar(screen, ++row, snapshot, i, false);
        draw_bar(screen, ++row, snapshot, i, true);
    }
    return row;
}

int screen_draw(const struct screen *screen, const struct snapshot *snapshot)
{
    int row = 1;
    bool several = snapshot->channel_count > 0, agent = *snapshot->agent.node;
    if (agent)
        draw_agent(screen, &snapshot->agent);
    else
        row = draw_channels(screen, snapshot);
    if (snapshot->count == 0)
        return row + 1;
    const struct grid grid = {.columns = agent     ? columns_of_agent
                                         : several ? columns_of_stores
                                                   : columns,
                              .column_count = agent ? COLUMNS_OF_AGENT : COLUMNS + several,
                              .rows = snapshot->apps,
                              .row_size = sizeof *snapshot->apps,
                              .row_count = snapshot->count};
    struct grid_layout layout;
    grid_fit(&grid, screen->width, &layout);
    row += 2;
    screen_put_row(screen, &grid, &layout, GRID_HEADING, (struct spot){row, 0, INK_HEADING});
    for (size_t i = 0; i < snapshot->count; i++) {
        char line[64];
        row++;
        if (row != screen->height - 1 || i + 1 == snapshot->count) {
            draw_application(screen, &grid, &layout, i, row);
            continue;
        }
        snprintf(line, sizeof line, "and %zu more", snapshot->count - i);
        cli_screen_put(screen, row, 0, INK_DIM, line);
        break;
    }
    return row + 1;
}
