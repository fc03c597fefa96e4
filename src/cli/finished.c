#include "cli/finished.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/user.h"
#include "controller/account.h"
#include <math.h>
#include <time.h>

/* --- cells ------------------------------------------------------------------------------------ */

static void show_name(const void *row, char cell[GRID_CELL])
{
    snprintf(cell, GRID_CELL, "%s", ((const struct wire_done *)row)->name);
}

static void show_store(const void *row, char cell[GRID_CELL])
{
    *cell = '\0';
    text_append(cell, GRID_CELL, ((const struct wire_done *)row)->store);
}

static void show_user(const void *row, char cell[GRID_CELL])
{
    snprintf(cell, GRID_CELL, "%s", user_name(((const struct wire_done *)row)->uid));
}

static void show_job(const void *row, char cell[GRID_CELL])
{
    const struct wire_done *done = row;
    snprintf(cell, GRID_CELL, "%s", *done->job ? done->job : "-");
}

static void show_end(const void *row, char cell[GRID_CELL])
{
    struct tm day;
    time_t ended = (time_t)((const struct wire_done *)row)->ended;
    if (!localtime_r(&ended, &day) || !strftime(cell, GRID_CELL, "%Y-%m-%d %H:%M:%S", &day))
        snprintf(cell, GRID_CELL, "?");
}

/* From its beginning to its end: exact, which the difference of two times since 1970 is not. */
static double finished_time(const struct wire_done *done)
{
    return done->ideal + done->waited;
}

static void show_elapsed(const void *row, char cell[GRID_CELL])
{
    units_print(finished_time(row), UNIT_SECONDS, cell, GRID_CELL);
}

static void show_io_time(const void *row, char cell[GRID_CELL])
{
    units_print(((const struct wire_done *)row)->io_time, UNIT_SECONDS, cell, GRID_CELL);
}

static void show_waited(const void *row, char cell[GRID_CELL])
{
    units_print(((const struct wire_done *)row)->waited, UNIT_SECONDS, cell, GRID_CELL);
}

static void show_stretch(const void *row, char cell[GRID_CELL])
{
    snprintf(cell, GRID_CELL, "%.2f", ((const struct wire_done *)row)->stretch);
}

static void show_moved(const void *row, char cell[GRID_CELL])
{
    units_print(((const struct wire_done *)row)->moved, UNIT_BYTES, cell, GRID_CELL);
}

static void show_escaped(const void *row, char cell[GRID_CELL])
{
    const struct wire_done *done = row;
    if (done->escaped > 0)
        units_print(done->escaped, UNIT_BYTES, cell, GRID_CELL);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void show_phases(const void *row, char cell[GRID_CELL])
{
    snprintf(cell, GRID_CELL, "%u", ((const struct wire_done *)row)->phases);
}

static void show_ideal(const void *row, char cell[GRID_CELL])
{
    units_print(((const struct wire_done *)row)->ideal, UNIT_SECONDS, cell, GRID_CELL);
}

#define USUAL_COLUMNS                                                                              \
    {"user", show_user}, {"ended", show_end}, {"took", show_elapsed}, {"waited", show_waited},     \
        {"stretch", show_stretch}, {"moved", show_moved}, {"job", show_job},                       \
        {"escaped", show_escaped}, {"I/O", show_io_time}, {"I/Os", show_phases},                   \
    {                                                                                              \
        "ideal", show_ideal                                                                        \
    }

static const struct grid_column finished_columns[] = {{"application", show_name}, USUAL_COLUMNS};
static const struct grid_column finished_columns_of_stores[] = {
    {"application", show_name}, {"store", show_store}, USUAL_COLUMNS};
enum { FINISHED_COLUMNS = sizeof finished_columns / sizeof *finished_columns };

/* --- all of them ------------------------------------------------------------------------------ */

int finished_draw(const struct screen *screen, const struct snapshot *snapshot)
{
    char line[64] = "no application has left yet";
    bool several = snapshot->channel_count > 0;
    const struct grid grid = {.columns = several ? finished_columns_of_stores : finished_columns,
                              .column_count = FINISHED_COLUMNS + several,
                              .rows = snapshot->done,
                              .row_size = sizeof *snapshot->done,
                              .row_count = snapshot->done_count};
    if (grid.row_count == 0) {
        screen_put(screen, (struct spot){0, 0, INK_PLAIN}, line);
        return 1;
    }
    return screen_put_grid(screen, &grid);
}

/* A time in seconds since 1970, in ISO 8601. */
static void write_date(struct json *json, const char *key, double date)
{
    char day[32], text[48];
    struct tm parts;
    double whole = floor(date);
    time_t seconds = (time_t)whole;
    if (!gmtime_r(&seconds, &parts) || !strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts)) {
        json_string(json, key, NULL);
        return;
    }
    snprintf(text, sizeof text, "%s.%03dZ", day, (int)(1000 * (date - whole)));
    json_string(json, key, text);
}

void finished_write_who(struct json *json, const struct finished_who *who)
{
    json_string(json, "name", who->name);
    if (*who->store)
        json_string(json, "store", who->store);
    json_integer(json, "uid", who->uid);
    json_string(json, "user", user_name(who->uid));
    json_integer(json, "pid", who->pid);
    json_string(json, "job", who->job);
    json_string(json, "account", who->account);
    json_string(json, "partition", who->partition);
}

void finished_write(struct json *json, const struct wire_done *done)
{
    json_begin_object(json, NULL);
    finished_write_who(json, &(struct finished_who){.name = done->name,
                                                    .store = done->store,
                                                    .job = done->job,
                                                    .account = done->account,
                                                    .partition = done->partition,
                                                    .uid = done->uid,
                                                    .pid = done->pid});
    write_date(json, "started", done->started);
    write_date(json, "ended", done->ended);
    json_number(json, "elapsed", finished_time(done));
    account_write(json, done);
    json_end_object(json);
}
