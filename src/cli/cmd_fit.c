#include "answer/fit.h"
#include "base/units.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include <math.h>

enum { LABEL = 64 };

static void fit_print_error(const struct fit_error *error)
{
    char logged[LABEL], lost[LABEL];
    printf("  half of the time of I/O is simulated within %.3g %%, 90 %% of it within %.3g %%",
           100 * error->median, 100 * error->p90);
    if (!isnan(error->disturbed_median))
        printf(";\n  of the time of I/Os that others disturbed, half within %.3g %%, 90 %% within "
               "%.3g %%",
               100 * error->disturbed_median, 100 * error->disturbed_p90);
    putchar('\n');
    if (!isnan(error->correlation))
        printf("  delays in the logs and in the simulation have a correlation of %.2f\n",
               error->correlation);
    printf("  disturbed I/Os lost %s in the logs, all I/Os %s in the simulation\n",
           units_print(error->lost_logged, UNIT_SECONDS, logged, sizeof logged),
           units_print(error->lost, UNIT_SECONDS, lost, sizeof lost));
}

static void fit_print_platform(double bandwidth, double node_bandwidth)
{
    char all[LABEL], node[LABEL];
    printf("a file system of %s, and ", units_print(bandwidth, UNIT_RATE, all, sizeof all));
    if (isfinite(node_bandwidth))
        printf("%s per node", units_print(node_bandwidth, UNIT_RATE, node, sizeof node));
    else
        printf("what each program reached undisturbed");
}

static void fit_print_best(const struct fit_answer *answer)
{
    char least[LABEL], most[LABEL];
    units_print(answer->least_bandwidth, UNIT_RATE, least, sizeof least);
    units_print(answer->most_bandwidth, UNIT_RATE, most, sizeof most);
    bool same = answer->best_bandwidth == answer->bandwidth &&
                !(answer->best_node_bandwidth < answer->node_bandwidth) &&
                !(answer->best_node_bandwidth > answer->node_bandwidth);
    if (same) {
        printf("No other bandwidths fit clearly better");
    } else {
        printf("Best: ");
        fit_print_platform(answer->best_bandwidth, answer->best_node_bandwidth);
    }
    if (isnan(answer->most_bandwidth))
        printf("; a file system of %s or any faster one fits as well.\n", least);
    else if (answer->least_bandwidth < answer->most_bandwidth)
        printf("; a file system of %s to %s fits as well.\n", least, most);
    else
        printf(".\n");
    if (!same)
        fit_print_error(&answer->best);
}

static void fit_print_strangers(const struct fit_answer *answer)
{
    if (answer->strange_ios == 0) {
        printf("Unexplained: nothing took more than twice as long as in the simulation.\n");
        return;
    }
    printf("Unexplained: %llu I/O%s, with %.3g %% of the time of I/O, took more than twice as long "
           "as in\nthe simulation: the logs do not show why. The longest:\n",
           (unsigned long long)answer->strange_ios, answer->strange_ios == 1 ? "" : "s",
           100 * answer->strange);
    for (size_t i = 0; i < answer->strangers_count; i++) {
        const struct fit_stranger *stranger = &answer->strangers[i];
        char start[LABEL], logged[LABEL], simulated[LABEL];
        printf("  %s at %s: %s instead of %s\n", stranger->name,
               units_print(stranger->start, UNIT_SECONDS, start, sizeof start),
               units_print(stranger->logged, UNIT_SECONDS, logged, sizeof logged),
               units_print(stranger->simulated, UNIT_SECONDS, simulated, sizeof simulated));
    }
}

static int fit_print(const void *question, const void *found, struct err *err)
{
    const struct fit_answer *answer = found;
    (void)question;
    (void)err;
    printf("%s: %llu applications, %llu I/Os compared, %llu of them disturbed by others\n\n",
           answer->made.scenario, (unsigned long long)answer->applications,
           (unsigned long long)answer->ios, (unsigned long long)answer->disturbed);
    printf("With ");
    fit_print_platform(answer->bandwidth, answer->node_bandwidth);
    printf(", under %s:\n", answer->policy);
    fit_print_error(&answer->error);
    fit_print_best(answer);
    fit_print_strangers(answer);
    if (answer->unknown > 0)
        printf(
            "What %.3g %% of the applications can do alone is not in the logs: their delay is an "
            "upper limit.\n",
            100 * answer->unknown);
    return 0;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "show how well the model explains logs, and with which bandwidths",
    .question = &fit_asking,
    .details = "Simulates what the applications of the logs did on a file system without control "
               "(fair-share), and compares the length of every I/O with the one in the logs. Tries "
               "file systems of half to twice the bandwidth, and bandwidths per node.",
    .example = "weir fit /logs/2026/11/10/*.darshan --procs-per-node 64 --bandwidth 50GB/s",
    .print = fit_print,
};
