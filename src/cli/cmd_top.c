#include "cli/commands.h"
#include "cli/page.h"
#include "cli/screen.h"
#include "client/clock.h"
#include <curses.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL 1.0

static const struct wire_query everything = {.applications = 1};

struct top_options {
    struct words operands;
    struct where where;
    double interval;
    bool once;
};

/* --- the terminal ------------------------------------------------------------------------------
 */

static void top_show(void *context, int row, int column, enum ink ink, const char *text)
{
    static const attr_t inks[] = {A_NORMAL, A_BOLD, A_DIM, A_REVERSE};
    attr_t look = ink < INK_FIRST ? inks[ink] : A_BOLD;
    if (ink >= INK_FIRST && *(const bool *)context)
        look = (attr_t)COLOR_PAIR(1 + (int)(ink - INK_FIRST));
    attrset(look);
    mvaddstr(row, column, text);
}

static bool top_open_terminal(void)
{
    setlocale(LC_CTYPE, ""); /* names as the terminal writes them; numbers stay those of C */
    /* Those of main would leave the terminal as it is; the library's own do not. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    initscr();
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    if (!terminal_colour(stdout) || !has_colors() || start_color() != OK)
        return false;
    use_default_colors();
    for (short i = 0; i < INK_COLOURS; i++)
        init_pair((short)(1 + i), (short)(COLOR_RED + i), -1);
    return true;
}

static void top_draw(const struct where *where, bool colour)
{
    struct err err;
    struct snapshot snapshot;
    const struct screen screen = {
        .width = COLS, .height = LINES, .put = top_show, .context = &colour};
    erase();
    if (snapshot_take(&snapshot, where, everything, &err) == 0)
        screen_draw(&screen, &snapshot);
    else
        top_show(&colour, 0, 0, INK_PLAIN, err.text);
    snapshot_fini(&snapshot);
    refresh();
}

/* Updates the screen until q is pressed. */
static void top_watch(const struct where *where, double interval)
{
    bool colour = top_open_terminal();
    for (int key = 0; key != 'q' && key != 'Q';) {
        top_draw(where, colour);
        double next = clock_now() + interval;
        do {
            double left = next - clock_now();
            timeout(left > 0 ? (int)(1000 * left) + 1 : 0);
            key = getch();
        } while (key != ERR && key != 'q' && key != 'Q' && key != KEY_RESIZE);
    }
    endwin();
}

/* --- the command ------------------------------------------------------------------------------ */

static int top_run(const void *values, struct err *err)
{
    const struct top_options *options = values;
    char path[IDENTITY_PATH];
    struct where where;
    struct snapshot snapshot;
    if (where_find(&options->where, path, &where, err) != 0)
        return STATUS_MISUSE;
    int status = snapshot_take(&snapshot, &where, everything, err);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (status == 0 && (options->once || !terminal))
        page_print(&snapshot, screen_draw);
    snapshot_fini(&snapshot);
    if (status != 0)
        return STATUS_FAILED;
    if (terminal && !options->once)
        top_watch(&where, options->interval > 0 ? options->interval : INTERVAL);
    return STATUS_DONE;
}

#define AT(member) offsetof(struct top_options, member)
static const struct option options[] = {
    WHERE_OPTIONS(struct top_options, where),
    {"interval", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(interval),
     "time between updates; default 1 s"},
    {"once", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(once), "print one screen and exit"},
    {.name = NULL},
};
#undef AT

const struct command command_top = {
    .name = "top",
    .summary = "watch the applications under a controller",
    .options = options,
    .details = "Press q to quit. The bars show which part of the bandwidth each application is "
               "granted, and which it uses. Columns that do not fit are left out.",
    .example = "weir top --interval 0.2s",
    .size = sizeof(struct top_options),
    .run = top_run,
};
