#include "base/mem.h"
#include "figure/figure.h"
#include "figure/sheet.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* --- samples --------------------------------------------------------------------------------- */

enum { COUNT = 4 };
static const char *const names[] = {"fair-share", "fcfs", "greedy-yield", "set-10"};
static const char *const groups[] = {"10 large", "50 small", "100 mixed of all sizes", "Intrepid"};

static struct figure_point points[COUNT][COUNT];
static struct quantiles boxes[COUNT][COUNT];
static double published[COUNT];
static struct figure_series curves[COUNT], bars[COUNT], boxplots[COUNT], scattered[COUNT];

static int make_samples(void **state)
{
    (void)state;
    for (int s = 0; s < COUNT; s++) {
        for (int i = 0; i < COUNT; i++) {
            double y = 0.9 - 0.1 * s - 0.05 * i * (s + 1) / 2.0;
            points[s][i] = (struct figure_point){1 << i, y, y - 0.02, y + 0.03};
            boxes[s][i] = (struct quantiles){y - 0.1, y - 0.04, y, y + 0.03, y + 0.06};
            published[i] = 0.85 - 0.05 * i;
        }
        curves[s] = (struct figure_series){.name = names[s], .points = points[s], .count = COUNT};
        bars[s] = curves[s];
        bars[s].published = s == 1 ? published : NULL;
        boxplots[s] = (struct figure_series){.name = names[s], .boxes = boxes[s], .count = COUNT};
        scattered[s] = (struct figure_series){.name = names[s], .points = points[s], .count = 1};
    }
    published[3] = NAN;
    return 0;
}

static struct figure_panel panel_of(enum figure_kind kind)
{
    struct figure_panel panel = {.kind = kind, .count = COUNT, .y = {.label = "min_yield"}};
    switch (kind) {
    case FIGURE_CURVES:
        panel.x = (struct figure_axis){.label = "bandwidth, relative", .log = true};
        panel.series = curves;
        break;
    case FIGURE_SCATTER:
        panel.x = (struct figure_axis){.label = "syseff"};
        panel.series = scattered;
        break;
    case FIGURE_BARS:
    case FIGURE_BOXES:
        panel.series = kind == FIGURE_BARS ? bars : boxplots;
        panel.groups = groups;
        panel.group_count = COUNT;
    }
    return panel;
}

/* --- looking at files ------------------------------------------------------------------------ */

/* The SVG that a figure is drawn as; free() frees. */
static char *draw(const struct figure *figure)
{
    struct err err = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    if (figure_write(figure, file, &err) != 0)
        fail_msg("%s", err.text);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

/* Whether every element is closed by its own end, and no text holds what only markup may. */
static void assert_well_formed(const char *xml)
{
    char open[32][32];
    int depth = 0;
    for (const char *s = strchr(xml, '<'); s; s = strchr(s + 1, '<')) {
        const char *end = strchr(s, '>');
        size_t length = strcspn(s + 1, " \t\r\n/>");
        assert_non_null(end);
        if (s[1] == '?' || s[1] == '!')
            continue;
        if (s[1] == '/') {
            assert_true(depth-- > 0);
            length = strcspn(s + 2, " >");
            assert_true(strlen(open[depth]) == length && !strncmp(open[depth], s + 2, length));
        } else if (end[-1] != '/') {
            assert_true(depth < 32 && length < 32 && length > 0);
            snprintf(open[depth++], 32, "%.*s", (int)length, s + 1);
        }
        assert_null(memchr(s + 1, '<', (size_t)(end - s - 1)));
    }
    assert_int_equal(depth, 0);
    for (const char *s = strchr(xml, '&'); s; s = strchr(s + 1, '&'))
        assert_true(!strncmp(s, "&amp;", 5) || !strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) ||
                    !strncmp(s, "&quot;", 6) || !strncmp(s, "&apos;", 6) || s[1] == '#');
}

/* --- tests ----------------------------------------------------------------------------------- */

static void every_kind_is_well_formed_and_names_its_series(void **state)
{
    (void)state;
    for (int kind = FIGURE_CURVES; kind <= FIGURE_BOXES; kind++) {
        struct figure_panel panel = panel_of((enum figure_kind)kind);
        char *svg = draw(&(struct figure){.panels = &panel, .count = 1});
        assert_well_formed(svg);
        for (int s = 0; s < COUNT; s++)
            assert_non_null(strstr(svg, names[s]));
        assert_non_null(strstr(svg, "min_yield"));
        assert_true((strstr(svg, "published") != NULL) == (kind == FIGURE_BARS));
        assert_true((strstr(svg, "100 mixed") != NULL) == (kind >= FIGURE_BARS));
        free(svg);
    }
}

static void panels_share_one_legend(void **state)
{
    (void)state;
    struct figure_panel panels[4];
    for (int kind = 0; kind < 4; kind++)
        panels[kind] = panel_of((enum figure_kind)kind);
    char *svg = draw(&(struct figure){.title = "all", .panels = panels, .count = 4, .columns = 2});
    assert_well_formed(svg);
    const char *first = strstr(svg, "set-10");
    assert_non_null(first);
    assert_null(strstr(first + 1, "set-10"));
    free(svg);
}

static void the_same_figure_gives_the_same_bytes(void **state)
{
    (void)state;
    struct figure_panel panel = panel_of(FIGURE_CURVES);
    struct figure figure = {.panels = &panel, .count = 1};
    char *one = draw(&figure), *two = draw(&figure);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

/* Quotes end a text, a backslash escapes, a newline ends a command, '%' is a format, '`' and '!'
 * run programs, '@' is a macro, '$' a block, and EOD ends one. */
static void hostile_texts_are_printed_and_nothing_else(void **state)
{
    (void)state;
    static const char bad[] = "'; system \"touch hacked\" #\\n`touch hacked`\n!touch hacked\nEOD "
                              "%d%s @x $v0_0 <b>&amp;</b> \"q\" \x1b[1m \xff \xc3\xa9\\";
    const char *const hostile[] = {bad, "\\", "'", ""};
    struct figure_series series[2] = {curves[0], curves[1]};
    series[0].name = bad;
    series[1].name = "\\";
    struct figure_panel panels[2] = {panel_of(FIGURE_CURVES), panel_of(FIGURE_BARS)};
    panels[0].series = panels[1].series = series;
    panels[0].count = panels[1].count = 2;
    panels[0].title = panels[0].x.label = panels[0].y.label = bad;
    panels[1].groups = hostile;
    unlink("hacked");
    char *svg = draw(&(struct figure){.title = bad, .panels = panels, .count = 2, .columns = 2});
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "'; system"));
    assert_non_null(strstr(svg, "#\\n`touch"));
    assert_int_not_equal(access("hacked", F_OK), 0);
    free(svg);
}

static void what_is_not_finite_is_not_drawn(void **state)
{
    (void)state;
    const struct figure_point nothing[] = {{1, NAN, 0, 0}, {NAN, 1, 0, 0}, {2, INFINITY, 0, 0}};
    const struct figure_series series = {.name = "x", .points = nothing, .count = 3};
    for (int log = 0; log < 2; log++) {
        struct figure_panel panel = {.series = &series, .count = 1, .x.log = log, .y.log = log};
        char *svg = draw(&(struct figure){.panels = &panel, .count = 1});
        assert_well_formed(svg);
        free(svg);
    }
    struct figure_panel empty = {.kind = FIGURE_BARS};
    char *svg = draw(&(struct figure){.panels = &empty, .count = 1});
    assert_well_formed(svg);
    free(svg);
}

/* Half the width of the interval of 1, 2, 3 is 4.302652729749464 / sqrt(3). */
static void a_mean_comes_with_its_interval(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3};
    struct summary summary = summary_of(values, 3);
    struct figure_point point = figure_mean(7, &summary);
    assert_true(point.x == 7 && point.y == 2);
    assert_true(fabs(point.high - 2 - 4.302652729749464 / sqrt(3)) < 1e-12);
    assert_true(fabs(point.low - 2 + 4.302652729749464 / sqrt(3)) < 1e-12);
}

static void a_missing_or_failing_gnuplot_is_an_error_and_no_file_is_left(void **state)
{
    (void)state;
    struct figure_panel panel = panel_of(FIGURE_CURVES);
    struct err err = {0};
    char *path = strdup(getenv("PATH")), directory[] = "/tmp/weir-figure-XXXXXX", file[64];
    assert_non_null(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/out.svg", directory);
    setenv("PATH", directory, 1);
    assert_int_equal(figure_save(&(struct figure){.panels = &panel, .count = 1}, file, &err), -1);
    assert_non_null(strstr(err.text, "gnuplot-nox"));

    char fake[64]; /* one that fails after it has printed a part */
    snprintf(fake, sizeof fake, "%s/gnuplot", directory);
    FILE *script = fopen(fake, "w");
    fputs("#!/bin/sh\necho '<svg>'\necho '' >&2\necho '   line 3: no such thing' >&2\nexit 1\n",
          script);
    fclose(script);
    assert_int_equal(chmod(fake, 0700), 0);
    assert_int_equal(figure_save(&(struct figure){.panels = &panel, .count = 1}, file, &err), -1);
    assert_string_equal(err.text, "gnuplot fails: line 3: no such thing");

    script = fopen(fake, "w"); /* one that does not notice that the disk is full */
    fputs("#!/bin/sh\necho '<svg>'\n", script);
    fclose(script);
    assert_int_equal(figure_save(&(struct figure){.panels = &panel, .count = 1}, file, &err), -1);
    assert_non_null(strstr(err.text, "has not finished its picture"));
    setenv("PATH", path, 1);
    unlink(fake);
    assert_int_equal(rmdir(directory), 0); /* nothing else is in it */
    free(path);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    struct figure_panel panel = panel_of(FIGURE_CURVES);
    struct err err = {0};
    for (long n = 0; n < 2; n++) {
        FILE *file = tmpfile();
        mem_fail_after(n);
        assert_int_equal(figure_write(&(struct figure){.panels = &panel, .count = 1}, file, &err),
                         -1);
        mem_fail_after(-1);
        fclose(file);
    }
}

/* Run by hand with a directory: draws the samples into it, to be looked at. */
static int show(const char *directory)
{
    make_samples(NULL);
    static const char *const files[] = {"curves.svg", "scatter.svg", "bars.svg", "boxes.svg"};
    struct figure_panel panels[4];
    struct err err = {0};
    char path[1024];
    int status = 0;
    for (int kind = 0; kind < 4; kind++) {
        panels[kind] = panel_of((enum figure_kind)kind);
        panels[kind].title = files[kind];
        struct figure_panel one = panel_of((enum figure_kind)kind);
        snprintf(path, sizeof path, "%s/%s", directory, files[kind]);
        status |= figure_save(&(struct figure){.panels = &one, .count = 1}, path, &err);
    }
    struct figure all = {.title = "All kinds", .panels = panels, .count = 4, .columns = 2};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/all.%s", directory,
                 (const char *const[]){"svg", "png", "pdf"}[i]);
        status |= figure_save(&all, path, &err);
    }
    fprintf(stderr, "%s\n", err.text);
    return status ? 1 : 0;
}

/* --- layout ---------------------------------------------------------------------------------- */

/* In DejaVu Sans it is 11.0 times as wide as the font is high. */
static void a_text_is_given_the_room_of_a_wide_font(void **state)
{
    (void)state;
    double width = sheet_text_extent("min-max:gamma=0.5", 40);
    assert_true(width >= 11.0 * SHEET_FONT && width < 12.5 * SHEET_FONT);
    assert_true(sheet_text_extent("min-max:gamma=0.5", 7) < 0.5 * width);
}

/* Digits are 0.636 times as wide as the font is high; the label needs 20 pixels more. */
static void long_labels_of_tics_have_room_beside_that_of_the_axis(void **state)
{
    (void)state;
    const struct figure_point many[] = {{1, 250000, 250000, 250000}, {2, 1000, 1000, 1000}};
    const struct figure_series series = {.name = "fcfs", .points = many, .count = 2};
    const struct figure_panel panels[] = {
        {.y = {.label = "min_yield"}, .series = curves, .count = COUNT},
        {.y = {.label = "events"}, .series = &series, .count = 1}};
    const struct figure one = {.panels = panels, .count = 1};
    const struct figure both = {.panels = panels, .count = 2, .columns = 2};
    double usual = panel_margins(&one, 0, SHEET_COLUMN).left;
    double wider = panel_margins(&both, 1, SHEET_COLUMN).left;
    assert_true(wider >= 6 * 0.636 * SHEET_FONT + 20 && usual < wider);
    assert_true(panel_margins(&both, 0, SHEET_COLUMN).left == wider); /* aligned */
}

/* The script of one panel's places, as gnuplot reads it. */
static void assert_places(const struct figure_panel *panel, const char *expected)
{
    char *script = NULL;
    size_t size = 0;
    struct sheet sheet = {.script = open_memstream(&script, &size),
                          .figure = &(struct figure){.panels = panel, .count = 1}};
    assert_non_null(sheet.script);
    tics_write_places(&sheet, panel, 400);
    fclose(sheet.script);
    assert_string_equal(script, expected);
    free(script);
}

static void few_places_have_tics_where_the_points_are(void **state)
{
    (void)state;
    struct figure_point few[] = {{2, 1, 1, 0}, {1, 2, 1, 0}};
    const struct figure_series series = {.name = "fcfs", .points = few, .count = 2};
    struct figure_panel panel = {.kind = FIGURE_CURVES, .series = &series, .count = 1};
    assert_places(&panel, "set mxtics 1\nset xtics (1, 2)\n");
    few[1].x = 1.23456; /* is no label */
    assert_places(&panel, "");
    /* 4 pixels apart: the labels would cover each other */
    few[1].x = 1.99;
    panel.x = (struct figure_axis){.from = 1, .to = 2.1};
    assert_places(&panel, "");
}

/* Grey and teal, red and brown, ink and navy are about equally light. */
static void areas_of_the_same_lightness_have_different_patterns(void **state)
{
    (void)state;
    static const char *const alike[] = {
        "fair-share", "periodic-greedy-yield",  "best-next-event", "floor",
        "fcfs",       "look-ahead-greedy-yield"};
    enum { ALIKE = sizeof alike / sizeof *alike };
    struct figure_series series[ALIKE];
    for (int i = 0; i < ALIKE; i++) {
        series[i] = bars[0];
        series[i].name = alike[i];
    }
    const struct figure_panel panel = {.kind = FIGURE_BARS, .series = series, .count = ALIKE};
    struct sheet sheet = {.figure = &(struct figure){.panels = &panel, .count = 1}};
    assert_int_equal(legend_init(&sheet, NULL), 0);
    for (size_t i = 0; i < sheet.count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct sheet_entry *a = &sheet.entries[i], *b = &sheet.entries[k];
            double apart = fabs(style_lightness(&a->style) - style_lightness(&b->style));
            assert_true(a->pattern != b->pattern || apart >= 12);
        }
    free(sheet.entries);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(argv[1]);
    if (figure_check(NULL) < 0)
        return 77; /* skipped: there is no gnuplot */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_well_formed_and_names_its_series),
        cmocka_unit_test(panels_share_one_legend),
        cmocka_unit_test(the_same_figure_gives_the_same_bytes),
        cmocka_unit_test(hostile_texts_are_printed_and_nothing_else),
        cmocka_unit_test(what_is_not_finite_is_not_drawn),
        cmocka_unit_test(a_mean_comes_with_its_interval),
        cmocka_unit_test(a_missing_or_failing_gnuplot_is_an_error_and_no_file_is_left),
        cmocka_unit_test(a_text_is_given_the_room_of_a_wide_font),
        cmocka_unit_test(few_places_have_tics_where_the_points_are),
        cmocka_unit_test(long_labels_of_tics_have_room_beside_that_of_the_axis),
        cmocka_unit_test(areas_of_the_same_lightness_have_different_patterns),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_samples, NULL);
}
