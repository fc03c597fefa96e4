#include "answer/study.h"
#include "base/output.h"
#include "cli/commands.h"
#include "cli/demo_live.h"
#include "figure/picture.h"
#include "gen/gen.h"
#include "report/gantt.h"
#include "report/table.h"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

enum { SETS = 10, MOST_POLICIES = 64, PICTURED_SET = 1, SCREEN = 80 };
static const char *const pictured[] = {"fair-share", "fcfs"};

struct demo_options {
    struct words operands;
    const char *gantt;
    bool skip_live;
};

/* A published measure of every strategy on every set, as percent. */
struct matrix {
    const char *title;
    const struct measure *measure;
    double zero; /* the value that is shown as 0 % */
    double values[MOST_POLICIES * SETS];
};

static void demo_fill(struct matrix *matrix, const struct study *studies, size_t policies)
{
    for (size_t row = 0; row < policies; row++)
        for (size_t set = 0; set < SETS; set++)
            matrix->values[row * SETS + set] =
                100 *
                (measure_of(matrix->measure, &studies[set].rows.list[row].metrics) - matrix->zero);
}

static void print_matrix(const struct matrix *matrix, const char *const *names, size_t rows)
{
    static const char *const headings[SETS] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    struct table_column columns[SETS];
    for (size_t i = 0; i < SETS; i++)
        columns[i] = (struct table_column){
            .heading = headings[i], .sense = matrix->measure->sense, .digits = 3, .compact = true};
    puts(matrix->title);
    table_print(&(struct table){.corner = "set",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = SETS,
                                .values = matrix->values,
                                .width = SCREEN,
                                .colour = terminal_colour(stdout)},
                stdout);
    putchar('\n');
}

/* What there is to see, from the numbers themselves. */
static void demo_explain(const struct study *studies, const char *const *names, size_t rows)
{
    const struct study *study = &studies[PICTURED_SET - 1];
    size_t best = 0, worst = 0;
    for (size_t i = 1; i < rows; i++) {
        double dilation = study->rows.list[i].metrics.dilation;
        best = dilation < study->rows.list[best].metrics.dilation ? i : best;
        worst = dilation > study->rows.list[worst].metrics.dilation ? i : worst;
    }
    char text[512];
    snprintf(text, sizeof text,
             "The sets range from crowded (1) to quiet (10). In set %d, the applications want %.2f "
             "times as much as the file system can move, and the strategy decides what that costs: "
             "Dilation is %.3f at best, and %.3f with %s. list and periodic serve one application "
             "at a time, which leaves most of the bandwidth unused here.",
             PICTURED_SET, study->workload->io_pressure, study->rows.list[best].metrics.dilation,
             study->rows.list[worst].metrics.dilation, names[worst]);
    help_wrap(stdout, text, 0, 0);
}

/* --- the picture ---------------------------------------------------------------------------- */

static int demo_draw(FILE *out, struct err *err)
{
    enum { PANELS = sizeof pictured / sizeof *pictured };
    struct study study;
    struct policies policies = {0};
    struct timeline timelines[PANELS] = {{0}};
    struct gantt_panel panels[PANELS];
    int status = study_init(&study, gen_jupiter(PICTURED_SET, err), NULL, err);
    for (size_t i = 0; i < PANELS && status == 0; i++) {
        const struct sim_options options = {.check = true, .timeline = &timelines[i]};
        status = policies_add(&policies, pictured[i], err);
        if (status == 0)
            status = study_run(&study, policies.list[i], options, err);
    }
    for (size_t i = 0; i < PANELS && status == 0; i++)
        panels[i] = (struct gantt_panel){&study.rows.list[i], &timelines[i]};
    if (status == 0)
        status = gantt_write(out, study.workload, panels, PANELS, err);
    for (size_t i = 0; i < PANELS; i++)
        timeline_fini(&timelines[i]);
    policies_fini(&policies);
    study_fini(&study);
    return status;
}

/* Shows the picture on a desktop; a failure is not an error. */
static void open_picture(const char *path)
{
    if (!isatty(STDOUT_FILENO) || !(getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child != 0)
        return;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    execlp("xdg-open", "xdg-open", path, (char *)NULL);
    _exit(1);
}

/* --- all of it ------------------------------------------------------------------------------ */

static int demo_simulate(struct study *studies, const struct policies *policies, struct err *err)
{
    for (int set = 1; set <= SETS; set++) {
        struct study *study = &studies[set - 1];
        if (study_init(study, gen_jupiter(set, err), NULL, err) < 0)
            return -1;
        for (size_t i = 0; i < policies->count; i++)
            if (study_run(study, policies->list[i], (struct sim_options){0}, err) < 0)
                return -1;
    }
    return 0;
}

static void demo_print(const struct study *studies, const struct policies *policies)
{
    struct matrix matrices[] = {
        {.title = "Dilation, percent above 1 (0 = every application computes as if it were alone)",
         .measure = &measures[MEASURE_dilation],
         .zero = 1},
        {.title = "SysEfficiency, percent of the nodes' time spent computing",
         .measure = &measures[MEASURE_sys_efficiency]},
    };
    const char *names[MOST_POLICIES];
    assert(policies->count <= MOST_POLICIES);
    for (size_t i = 0; i < policies->count; i++)
        names[i] = policies->list[i]->name;
    puts("Ten sets of applications on Jupiter, 640 nodes and 3 GB/s (Aupy et al. 2017)\n");
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        demo_fill(&matrices[i], studies, policies->count);
        print_matrix(&matrices[i], names, policies->count);
    }
    puts("* best of its column\n");
    demo_explain(studies, names, policies->count);
}

static int demo_run(const void *values, struct err *err)
{
    const struct demo_options *options = values;
    const char *path = options->gantt ? options->gantt : "weir-demo.svg";
    struct study studies[SETS] = {{0}};
    struct policies policies = {0};
    struct picture picture;
    if (picture_open(&picture, path, err) < 0)
        return STATUS_MISUSE;
    int status = policies_add(&policies, "all", err);
    if (status == 0)
        status = demo_simulate(studies, &policies, err);
    if (status == 0)
        status = demo_draw(picture.file, err);
    if (status == 0)
        status = picture_commit(&picture, err);
    if (status == 0) {
        demo_print(studies, &policies);
        printf("\nThe picture of set %d under %s and %s: %s\n", PICTURED_SET, pictured[0],
               pictured[1], path);
        open_picture(path);
        if (!options->skip_live)
            demo_live();
    }
    picture_discard(&picture);
    for (size_t i = 0; i < SETS; i++)
        study_fini(&studies[i]);
    policies_fini(&policies);
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static const struct option options[] = {
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, offsetof(struct demo_options, gantt),
     "draw two of them" PICTURE_KINDS "; default weir-demo.svg"},
    {"skip-live", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct demo_options, skip_live),
     "skip the live part, in which real programs compete"},
    {.name = NULL},
};

const struct command command_demo = {
    .name = "demo",
    .summary = "run ten published sets of applications, and three live programs",
    .options = options,
    .example = "weir demo --gantt demo.svg",
    .size = sizeof(struct demo_options),
    .run = demo_run,
};
