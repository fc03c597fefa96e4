#include "report/description.h"
#include "report/table.h"
#include <string.h>

/* A long list would not be read. */
void programs_print(const struct program_use *list, size_t count, size_t applications, FILE *out)
{
    enum { MOST_ROWS = 40, COLUMNS = 5, DIGITS = 4, SCREEN = 80 };
    double values[MOST_ROWS * COLUMNS];
    const char *names[MOST_ROWS];
    size_t rows = count < MOST_ROWS ? count : MOST_ROWS;
    if (count == applications)
        return;
    for (size_t i = 0; i < rows; i++) {
        const struct program_use *use = &list[i];
        const double cells[COLUMNS] = {(double)use->applications, use->node_hours,
                                       use->node_hours_a_day, 100 * use->usage,
                                       100 * use->io_share};
        names[i] = use->name;
        memcpy(&values[i * COLUMNS], cells, sizeof cells);
    }
    const struct table_column columns[COLUMNS] = {
        {"applications", UNIT_NONE, METRIC_INFO, DIGITS, false},
        {"node_hours", UNIT_NONE, METRIC_INFO, DIGITS, true},
        {"a_day", UNIT_NONE, METRIC_INFO, DIGITS, true},
        {"usage_(%)", UNIT_NONE, METRIC_INFO, DIGITS, true},
        {"in_I/O_(%)", UNIT_NONE, METRIC_INFO, DIGITS, true},
    };
    fputc('\n', out);
    table_print(&(struct table){.corner = "program",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .width = SCREEN},
                out);
    if (rows < count)
        fprintf(out, "and %zu more, listed by --json\n", count - rows);
}
