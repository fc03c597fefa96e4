/* `instance`: the format of the authors' program of 002, one application per line. */
#include "format/draft.h"
#include "format/lines.h"
#include "format/registry.h"
#include "format/word.h"
#include <math.h>

/* The n phase lengths, alternately seconds and bytes, into iterations. */
static int instance_read_phases(struct lines *lines, bool io_first, uint32_t phases,
                                struct app_spec *app)
{
    /* Two bytes at least per phase: a count that cannot be true must not allocate. */
    if (phases > (size_t)(lines->end - lines->at) / 2 + 1)
        return lines_fail(lines, "%u phases announced, but the line is too short", phases);
    app->iterations = (phases + io_first + 1) / 2;
    struct iteration *list =
        arena_alloc(&lines->draft->scenario->arena, app->iterations, sizeof *list);
    if (!list)
        return err_memory(lines->err);
    for (uint32_t k = 0; k < app->iterations; k++) {
        bool working = k > 0 || !io_first, last_works = 2 * k + 1 == phases + io_first;
        if (working && lines_number(lines, "work length", 0, &list[k].work) != 0)
            return -1;
        if (!last_works && lines_number(lines, "I/O volume", 0, &list[k].volume) != 0)
            return -1;
    }
    app->explicit_iterations = list;
    return lines_finish(lines);
}

static int read_name(struct lines *lines, struct app_spec *app)
{
    const char *word;
    size_t length;
    if (lines_word(lines, "name", &word, &length) != 0)
        return -1;
    app->name = arena_strndup(&lines->draft->scenario->arena, word, length);
    return app->name ? 0 : err_memory(lines->err);
}

static int read_kind(struct lines *lines, bool *io_first)
{
    const char *word;
    size_t length;
    if (lines_word(lines, "kind of the first phase", &word, &length) != 0)
        return -1;
    if (length != 1 || (*word != 'W' && *word != 'C'))
        return lines_fail(lines, "'%s' is not a kind of phase: expected W (work) or C (I/O)",
                          quote_text(word, length).text);
    *io_first = *word == 'C';
    return 0;
}

static int instance_read_line(struct lines *lines, struct app_spec *app)
{
    double age, phases;
    bool io_first = false;
    if (read_name(lines, app) != 0 || lines_number(lines, "bmax", 0, &app->bandwidth) != 0 ||
        lines_number(lines, "age", 0, &age) != 0 ||
        lines_number(lines, "progress", 0, &app->progress) != 0 ||
        lines_number(lines, "age of the phase", 0, &app->waiting) != 0 ||
        lines_number(lines, "number of phases", 1, &phases) != 0 ||
        lines_number(lines, "omega", 0, &app->period) != 0 || read_kind(lines, &io_first) != 0)
        return -1;
    if (app->bandwidth <= 0)
        return lines_fail(lines, "bmax of '%s' must be above 0", app->name);
    if (phases != floor(phases) || phases > 2.0 * FORMAT_MAX_ITERATIONS)
        return lines_fail(lines, "number of phases must be whole and at most %d",
                          2 * FORMAT_MAX_ITERATIONS);
    app->release = 0 - age;
    if (!io_first)
        app->waiting = 0; /* nothing is posted while it works */
    return instance_read_phases(lines, io_first, (uint32_t)phases, app);
}

static struct scenario *instance_parse(const char *text, size_t length, const char *where,
                                       const struct format_defaults *defaults, struct err *err)
{
    struct source source = {text, length, where, defaults};
    return lines_parse(&source, instance_read_line, NULL, err);
}

const struct format format_instance = {
    .name = "instance",
    .help = "a line per application: name bmax age progress age_of_phase n omega W|C x1 ... xn",
    .parse = instance_parse,
};
