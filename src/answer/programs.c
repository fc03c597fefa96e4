#include "answer/programs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the name without "-12345" at its end; 0 if it does not end like that. */
static size_t program_unnumbered(const char *name, size_t length)
{
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    bool numbered = digits > 0 && digits + 1 < length && name[length - 1 - digits] == '-';
    return numbered ? length - 1 - digits : 0;
}

void program_name(const char *application, char *name, size_t size)
{
    size_t length = strlen(application), shorter;
    while ((shorter = program_unnumbered(application, length)) > 0)
        length = shorter;
    snprintf(name, size, "%.*s", (int)length, application);
}

static int program_by_name(const void *a, const void *b)
{
    return strcmp(((const struct program_use *)a)->name, ((const struct program_use *)b)->name);
}

static int program_by_use(const void *a, const void *b)
{
    const struct program_use *one = a, *other = b;
    if (one->node_hours != other->node_hours)
        return one->node_hours < other->node_hours ? 1 : -1;
    return strcmp(one->name, other->name);
}

/* An entry as a program of its own; io_share is in hours of I/O on its nodes, for adding up. */
static struct program_use program_of(const struct description_row *row)
{
    struct program_use use = {.applications = row->count};
    double nodes = isnan(row->nodes) ? 1 : row->nodes;
    double io = fmax(0, row->ideal - row->iterations * row->work);
    program_name(row->name, use.name, sizeof use.name);
    use.node_hours = row->count * nodes * row->ideal / 3600;
    use.io_share = row->count * nodes * io / 3600;
    return use;
}

size_t programs_add_up(const struct description *description, struct program_use *list)
{
    size_t count = 0;
    double all = 0, days = fmax(1, (description->end - description->start) / 86400);
    for (size_t i = 0; i < description->row_count; i++)
        list[i] = program_of(&description->rows[i]);
    qsort(list, description->row_count, sizeof *list, program_by_name);
    for (size_t i = 0; i < description->row_count; i++) {
        struct program_use *last = count > 0 ? &list[count - 1] : NULL;
        all += list[i].node_hours;
        if (!last || strcmp(last->name, list[i].name) != 0) {
            list[count++] = list[i];
            continue;
        }
        last->applications += list[i].applications;
        last->node_hours += list[i].node_hours;
        last->io_share += list[i].io_share;
    }
    for (size_t i = 0; i < count; i++) {
        list[i].io_share = list[i].node_hours > 0 ? list[i].io_share / list[i].node_hours : 0;
        list[i].usage = all > 0 ? list[i].node_hours / all : 0;
        list[i].node_hours_a_day = list[i].node_hours / days;
    }
    qsort(list, count, sizeof *list, program_by_use);
    return count;
}
