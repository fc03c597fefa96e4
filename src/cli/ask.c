#include "cli/ask.h"
#include "base/mem.h"
#include "figure/figure.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

void ask_print_window(const struct workload *workload)
{
    const struct window *window = &workload->window;
    char start[MOMENT_SIZE], end[MOMENT_SIZE];
    if (window->kind == WINDOW_FIXED)
        printf("window %s to %s\n", calendar_print(&workload->calendar, window->start, start),
               calendar_print(&workload->calendar, window->end, end));
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

/* A question, once or for each operand, and its answers. */
struct ask_round {
    const struct command *command;
    const struct question *question;
    const struct asking *asking; /* as it is asked, the whole structure */
    char *values, *answers;      /* one after the other */
    size_t count, done;
    struct picture picture;
};

/* Several scenarios are asked about one by one. */
static int ask_init(struct ask_round *round, struct err *err)
{
    const struct question *question = round->question;
    const struct words *operands = &round->asking->operands;
    round->count = question->each ? operands->count : 1;
    round->values = mem_alloc(round->count, question->size);
    round->answers = mem_alloc(round->count, question->answer_size);
    if (!round->values || !round->answers)
        return err_memory(err);
    for (size_t i = 0; i < round->count; i++) {
        char *values = round->values + i * question->size;
        memcpy(values, round->asking, question->size);
        if (question->each)
            ((struct asking *)(void *)values)->operands = (struct words){&operands->list[i], 1};
    }
    return 0;
}

static void ask_show_json(const struct ask_round *round)
{
    struct json json = {.out = stdout, .pretty = true};
    if (round->count > 1)
        json_begin_array(&json, NULL);
    for (size_t i = 0; i < round->count; i++)
        fields_json(round->question->fields, round->answers + i * round->question->answer_size,
                    NULL, &json);
    if (round->count > 1)
        json_end_array(&json);
}

static int ask_print(const struct ask_round *round, struct err *err)
{
    for (size_t i = 0; i < round->count; i++) {
        if (i > 0)
            putchar('\n');
        if (round->command->print(round->values + i * round->question->size,
                                  round->answers + i * round->question->answer_size, err) < 0)
            return -1;
    }
    return 0;
}

static int ask_show(struct ask_round *round, struct err *err)
{
    const struct command *command = round->command;
    if (round->asking->json)
        ask_show_json(round);
    else if (!output_is_stdout(round->asking->plot) && ask_print(round, err) < 0)
        return -1;
    fflush(stdout); /* what was computed is there, whatever becomes of the figure */
    if (!round->asking->plot)
        return 0;
    return command->paint ? command->paint(round->values, round->answers, err)
                          : command->draw(round->values, round->answers, &round->picture, err);
}

/* All is answered before anything is printed. The file of the figure is opened before: what is
 * wrong with it is known at once. */
static int ask_answer(struct ask_round *round, struct err *err)
{
    const struct command *command = round->command;
    const char *plot = command->draw ? round->asking->plot : NULL;
    if (ask_init(round, err) < 0 || (command->check && command->check(round->values, err) < 0))
        return -1;
    if (plot && (figure_check(err) < 0 || picture_open(&round->picture, plot, err) < 0))
        return -1;
    while (round->done < round->count) {
        size_t i = round->done++;
        if (round->question->answer(round->values + i * round->question->size,
                                    round->answers + i * round->question->answer_size, err) < 0)
            return -1;
    }
    return ask_show(round, err) < 0 ? err_run(err) : 0;
}

int ask_run(const struct command *command, const void *values, struct err *err)
{
    const struct question *own = command->question;
    const struct question *other = own->instead ? own->instead(values) : NULL;
    struct ask_round round = {
        .command = command, .question = other ? other : own, .asking = values};
    int status = ask_answer(&round, err);
    for (size_t i = 0; i < round.done; i++)
        round.question->fini(round.answers + i * round.question->answer_size);
    picture_discard(&round.picture);
    free(round.values);
    free(round.answers);
    if (status == 0)
        return STATUS_DONE;
    return err->kind == ERR_RUN || err->kind == ERR_MEMORY ? STATUS_FAILED : STATUS_MISUSE;
}
