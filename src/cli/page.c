#include "cli/page.h"
#include "base/text.h"
#include "cli/cli.h"
#include <string.h>
#include <sys/ioctl.h>

struct page {
    int row, column; /* where the next character would go */
    bool colour;
};

static void cli_page_print(void *context, int row, int column, enum ink ink, const char *text)
{
    static const char *const codes[] = {"", "1", "2", "7"};
    struct page *page = context;
    for (; page->row < row; page->row++, page->column = 0)
        putchar('\n');
    printf("%*s", column > page->column ? column - page->column : 0, "");
    if (page->colour && ink >= INK_FIRST)
        printf("\033[%dm%s\033[0m", 31 + (int)(ink - INK_FIRST), text);
    else if (page->colour && ink != INK_PLAIN)
        printf("\033[%sm%s\033[0m", codes[ink], text);
    else
        fputs(text, stdout);
    page->column = column + text_width(text, strlen(text));
}

static struct screen page_screen(struct page *page)
{
    struct winsize window;
    *page = (struct page){.colour = terminal_colour(stdout)};
    bool sized = ioctl(fileno(stdout), TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    return (struct screen){
        .width = sized ? window.ws_col : 0, .put = cli_page_print, .context = page};
}

void page_print(const struct snapshot *snapshot,
                int (*draw)(const struct screen *screen, const struct snapshot *snapshot))
{
    struct page page;
    const struct screen screen = page_screen(&page);
    draw(&screen, snapshot);
    putchar('\n');
}

void page_print_grid(const struct grid *grid)
{
    struct page page;
    const struct screen screen = page_screen(&page);
    screen_put_grid(&screen, grid);
    putchar('\n');
}
