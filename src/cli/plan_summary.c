#include "cli/plan_summary.h"
#include "cli/cli.h"
#include "report/table.h"

static void plan_summary_print_apps(const struct plan *plan, const struct tasks *tasks)
{
    enum { COLUMNS = 3, MOST_ROWS = 40, SCREEN = 80 };
    static const struct table_column columns[COLUMNS] = {
        {.heading = "instances", .sense = METRIC_INFO, .digits = 5},
        {.heading = "efficiency", .sense = METRIC_INFO, .digits = 5},
        {.heading = "dilation", .sense = METRIC_INFO, .digits = 5}};
    uint32_t rows = plan->count < MOST_ROWS ? plan->count : MOST_ROWS;
    const char *names[MOST_ROWS];
    double values[MOST_ROWS * COLUMNS];
    for (uint32_t i = 0; i < rows; i++) {
        names[i] = tasks->list[i].name;
        values[i * COLUMNS] = (double)plan->apps[i].count;
        values[i * COLUMNS + 1] = plan_efficiency(plan, tasks, i);
        values[i * COLUMNS + 2] = plan_dilation(plan, tasks, i);
    }
    table_print(&(struct table){.corner = "application",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .width = SCREEN,
                                .colour = terminal_colour(stdout)},
                stdout);
    if (rows < plan->count)
        printf("and %u more, which --json lists\n", (unsigned)(plan->count - rows));
}

void plan_summary_print(const struct plan_file *file, const struct tasks *tasks,
                        const struct workload *workload, const char *source)
{
    double efficiency = plan_sys_efficiency(file->plan, tasks);
    double most = file->bounds.sys_efficiency_bandwidth;
    double dilation = plan_max_dilation(file->plan, tasks);
    double least = file->bounds.dilation_bandwidth;
    char rate[64], period[64];
    printf("%s: %u application%s, file system %s\n", workload->name, (unsigned)workload->count,
           workload->count == 1 ? "" : "s",
           units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate));
    printf("plan by %s for %s%s%s\n\n", file->method, file->objective, source ? ", valid: " : "",
           source ? source : "");
    printf("period         %s (%.9g s)\n\n",
           units_print(file->plan->period, UNIT_SECONDS, period, sizeof period),
           file->plan->period);
    printf("               plan       bound      gap\n");
    printf("SysEfficiency  %-9.6g  %-9.6g  %.3f %%\n", efficiency, most,
           100 * (1 - efficiency / most));
    printf("Dilation       %-9.6g  %-9.6g  %.3f %%\n", dilation, least,
           100 * (dilation / least - 1));
    printf("SysEfficiency without contention would be at most %.6g\n\n",
           file->bounds.sys_efficiency);
    plan_summary_print_apps(file->plan, tasks);
    printf("\nplanned in %.3f s\n", file->seconds);
}
