/* `set`: applications of 003's Tables 1 and 2, one per line. */
#include "format/draft.h"
#include "format/lines.h"
#include "format/registry.h"
#include <math.h>
#include <stdio.h>

/* The longest iteration runs this often; the others as often as fits in the same time. */
static const double rounds = 20;

static int set_read_line(struct lines *lines, struct app_spec *app)
{
    double gigabytes;
    if (lines_number(lines, "work length", 0, &app->work.mean) != 0 ||
        lines_number(lines, "I/O volume", 0, &gigabytes) != 0 ||
        lines_number(lines, "number of nodes", 1, &app->nodes) != 0 || lines_finish(lines) != 0)
        return -1;
    app->io.mean = gigabytes * 1e9;
    if (!isfinite(app->io.mean))
        return lines_fail(lines, "I/O volume '%g' GB is too large", gigabytes);
    char name[32];
    int length = snprintf(name, sizeof name, "app%zu", lines->draft->count + 1);
    app->name = arena_strndup(&lines->draft->scenario->arena, name, (size_t)length);
    return app->name ? 0 : err_memory(lines->err);
}

static double iteration_length(const struct platform *platform, const struct app_spec *app)
{
    return app->work.mean + app->io.mean / platform_bmax(platform, app->nodes);
}

static int count_iterations(struct draft *draft, struct err *err)
{
    const struct platform *platform = &draft->scenario->platform;
    double longest = 0;
    for (size_t i = 0; i < draft->count; i++)
        longest = fmax(longest, iteration_length(platform, &draft->apps[i]));
    for (size_t i = 0; i < draft->count; i++) {
        double length = iteration_length(platform, &draft->apps[i]);
        if (length <= 0)
            return draft_fail(draft, draft->lines[i], err, "an application without work and I/O");
        double iterations = round(rounds * longest / length);
        if (!(iterations <= FORMAT_MAX_ITERATIONS))
            return draft_fail(draft, draft->lines[i], err,
                              "so short beside the longest application that it would need more "
                              "than %d iterations",
                              FORMAT_MAX_ITERATIONS);
        draft->apps[i].iterations = (uint32_t)iterations;
    }
    return 0;
}

static struct scenario *set_parse(const char *text, size_t length, const char *where,
                                  const struct format_defaults *defaults, struct err *err)
{
    struct source source = {text, length, where, defaults};
    return lines_parse(&source, set_read_line, count_iterations, err);
}

const struct format format_set = {
    .name = "set",
    .help = "a line per application: w_seconds io_GB nodes, for about 20 of the longest iterations",
    .parse = set_parse,
};
