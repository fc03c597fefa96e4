#include "cli/ask.h"
#include "base/mem.h"
#include "figure/figure.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

void ask_print_window(const struct window *window)
{
    char start[64], end[64];
    if (window->kind == WINDOW_FIXED)
        printf("window %s to %s\n", units_print(window->start, UNIT_SECONDS, start, sizeof start),
               units_print(window->end, UNIT_SECONDS, end, sizeof end));
}

/* --- tables ---------------------------------------------------------------------------------- */

/* The fields that are columns; returns their number. */
static size_t ask_columns(const struct ask_table *table, const struct answer_field **fields,
                          struct table_column *columns)
{
    size_t count = 0;
    for (const struct answer_field *field = table->fields; field->key; field++) {
        bool renamed = table->renamed && strcmp(field->key, table->renamed) == 0;
        if (!field->heading || (table->without && strcmp(field->key, table->without) == 0))
            continue;
        fields[count] = field;
        columns[count++] = (struct table_column){renamed ? table->heading : field->heading,
                                                 field->unit, field->better, field->digits, false};
    }
    return count;
}

int ask_print_table(const struct ask_table *table, struct err *err)
{
    const struct answer_field *fields[TABLE_MAX_COLUMNS];
    struct table_column columns[TABLE_MAX_COLUMNS];
    size_t count = ask_columns(table, fields, columns);
    const char **names = mem_alloc(table->count, sizeof *names);
    double *values = mem_alloc(table->count, sizeof *values * count);
    for (size_t i = 0; names && values && i < table->count; i++) {
        const void *element = (const char *)table->list + i * table->size;
        names[i] = field_as_text(table->fields, element);
        for (size_t k = 0; k < count; k++)
            values[i * count + k] =
                field_as_number(fields[k], element) * (fields[k]->percent ? 100 : 1);
    }
    int status = names && values ? 0 : err_memory(err);
    if (status == 0)
        table_print(&(struct table){.corner = table->corner,
                                    .names = names,
                                    .rows = table->count,
                                    .bounds = table->bounds,
                                    .columns = columns,
                                    .count = count,
                                    .values = values,
                                    .width = table->width,
                                    .colour = terminal_colour(stdout),
                                    .legend = table->legend},
                    stdout);
    free(names);
    free(values);
    return status;
}

/* --- asking ---------------------------------------------------------------------------------- */

static int ask_show(const struct command *command, const struct question *question,
                    const void *values, const void *answer, struct err *err)
{
    const struct asking *asking = values;
    if (asking->json)
        fields_json(question->fields, answer, NULL, &(struct json){.out = stdout, .pretty = true});
    else if (!output_is_stdout(asking->plot) && command->print(values, answer, err) < 0)
        return -1;
    fflush(stdout); /* what was computed is there, whatever becomes of the figure */
    return 0;
}

/* The file of the figure is opened before anything runs: what is wrong with it is known at once. */
static int ask_answer(const struct command *command, const void *values, void *answer,
                      struct err *err)
{
    const struct question *question = command->question;
    const struct asking *asking = values;
    struct picture picture = {0};
    if (question->instead && question->instead(values))
        question = question->instead(values);
    if (command->check && command->check(values, err) < 0)
        return -1;
    if (asking->plot && (figure_check(err) < 0 || picture_open(&picture, asking->plot, err) < 0))
        return -1;
    int status = question->answer(values, answer, err);
    if (status == 0 && (ask_show(command, question, values, answer, err) < 0 ||
                        (asking->plot && command->draw(values, answer, &picture, err) < 0)))
        status = err_run(err);
    question->fini(answer);
    picture_discard(&picture);
    return status;
}

int ask_run(const struct command *command, const void *values, struct err *err)
{
    const struct question *other =
        command->question->instead ? command->question->instead(values) : NULL;
    size_t size = other ? other->answer_size : command->question->answer_size;
    void *answer = mem_alloc(1, size);
    int status = answer ? ask_answer(command, values, answer, err) : err_memory(err);
    free(answer);
    if (status == 0)
        return STATUS_DONE;
    return err->kind == ERR_RUN || err->kind == ERR_MEMORY ? STATUS_FAILED : STATUS_MISUSE;
}
