#include "answer/map.h"
#include "base/output.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "report/map_report.h"
#include <stdlib.h>

/* The file of the picture of a method, named after that if there are several; NULL when memory is
 * out. */
static char *map_place(const struct asking *asking, int methods, enum map_method method)
{
    return artefact_place(asking->plot, NULL, methods > 1 ? map_method_names[method] : NULL);
}

/* A picture on standard output takes the place of the table. Whether pictures can be written is
 * known before anything runs. */
static int map_check(const void *values, struct err *err)
{
    const struct map_question *question = values;
    const struct asking *asking = &question->asking;
    enum map_method methods[MAP_METHODS_COUNT];
    int count = map_methods(&question->methods, methods, err), status = 0;
    if (count < 0)
        return -1;
    if (output_is_stdout(asking->plot) && (asking->json || count > 1))
        return err_set(
            err,
            "standard output can hold only one picture, of one --method, and not --json as well");
    for (int i = 0; asking->plot && i < count && status == 0; i++) {
        struct picture picture = {0};
        char *place = map_place(asking, count, methods[i]);
        status = place ? picture_open(&picture, place, err) : err_memory(err);
        picture_discard(&picture);
        free(place);
    }
    return status;
}

static int map_draw_run(const struct asking *asking, const struct map_answer *answer,
                        const struct map_run *run, struct err *err)
{
    struct picture picture = {0};
    char *place = map_place(asking, (int)answer->runs_count, run->rules.method);
    int status = place ? picture_open(&picture, place, err) : err_memory(err);
    if (status == 0)
        status = map_write_gantt(picture.file, answer->study.workload, run, err);
    if (status == 0)
        status = picture_commit(&picture, err);
    if (status == 0)
        artefact_tell(asking->plot, place);
    picture_discard(&picture);
    free(place);
    return status;
}

static int map_draw(const void *question, const void *found, struct err *err)
{
    const struct map_answer *answer = found;
    for (size_t i = 0; i < answer->runs_count; i++)
        if (map_draw_run(question, answer, &answer->runs[i], err) < 0)
            return -1;
    return 0;
}

static int cli_map_print(const void *question, const void *found, struct err *err)
{
    const struct map_answer *answer = found;
    (void)question;
    return map_print(answer, terminal_colour(stdout), stdout) < 0 ? err_memory(err) : 0;
}

static const struct entry methods_and_orders[] = {
#define X(name, text, make, help) {text, help},
    MAP_METHODS(X)
#undef X
#define X(name, text, help) {"order " text, help},
        MAP_ORDERS(X)
#undef X
            {NULL, NULL},
};

const struct command command_map = {
    .name = "map",
    .summary = "map jobs to nodes with their I/O in mind, and simulate them",
    .question = &map_asking,
    .details = "The applications in the file are jobs. Each needs its nodes behind one I/O node, "
               "from its start to its end. 'weir generate packs' and 'weir import swf' write such "
               "files. Methods and orders:",
    .entries = methods_and_orders,
    .example = "weir generate packs -o jobs.yaml && weir map jobs.yaml --gantt map.svg",
    .check = map_check,
    .print = cli_map_print,
    .paint = map_draw,
};
