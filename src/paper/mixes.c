/* Mixes of large and small applications on three machines (Gainaru et al. 2015, slides). */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/gainaru.h"
#include "paper/run.h"
#include <math.h>

/* Three mixes on three machines. Vesta is a small Mira: its numbers are not in the slides. */
enum { MIX_LARGE, MIX_SMALL, MIX_SMALL_35, MIXES };
static const struct mix {
    uint32_t large, small;
    double ratio; /* of I/O to the time alone */
} mixes[MIXES] = {{10, 0, 0.20}, {5, 50, 0.20}, {5, 50, 0.35}};
static const struct mix_machine {
    struct platform platform;
    double least_work, most_work; /* Aupy et al. 2017, section 4.4 */
} mix_machines[] = {
    {{.nodes = 40960, .node_bandwidth = 0.0125e9, .bandwidth = 64e9}, 2, 7500},
    {{.nodes = 49152, .node_bandwidth = 0.03125e9, .bandwidth = 240e9}, 0.5, 1875},
    {{.nodes = 2048, .node_bandwidth = 0.03125e9, .bandwidth = 10e9}, 0.5, 1875},
};
enum { MIX_MACHINES = sizeof mix_machines / sizeof *mix_machines };
static const char *const mixes_groups[] = {"Intrepid, 10 large, 20 %",
                                           "Intrepid, 50 small and 5 large, 20 %",
                                           "Intrepid, 50 small and 5 large, 35 %",
                                           "Mira, 10 large, 20 %",
                                           "Mira, 50 small and 5 large, 20 %",
                                           "Mira, 50 small and 5 large, 35 %",
                                           "Vesta, 10 large, 20 %",
                                           "Vesta, 50 small and 5 large, 20 %",
                                           "Vesta, 50 small and 5 large, 35 %",
                                           "Intrepid, 10 large, 20 %, whole grants",
                                           "Intrepid, 50 small and 5 large, 20 %, whole grants",
                                           "Intrepid, 50 small and 5 large, 35 %, whole grants",
                                           "Mira, 10 large, 20 %, whole grants",
                                           "Mira, 50 small and 5 large, 20 %, whole grants",
                                           "Mira, 50 small and 5 large, 35 %, whole grants",
                                           "Vesta, 10 large, 20 %, whole grants",
                                           "Vesta, 50 small and 5 large, 20 %, whole grants",
                                           "Vesta, 50 small and 5 large, 35 %, whole grants",
                                           NULL};

static uint32_t mixes_seeds(bool quick)
{
    return quick ? 4 : 30;
}

static uint32_t mixes_units(bool quick)
{
    return MIXES * MIX_MACHINES * mixes_seeds(quick);
}

/* A large application has a tenth of the nodes, a small one a tenth of that. */
static struct scenario *mixes_scenario(const struct mix *mix, const struct mix_machine *machine,
                                       uint64_t seed, struct err *err)
{
    enum { MOST = 64 };
    double draws[MOST];
    struct scenario *scenario = scenario_new("mix", mix->large + mix->small);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = machine->platform;
    gen_shuffle(seed, draws, scenario->count);
    for (uint32_t i = 0; i < scenario->count; i++) {
        struct app_spec *app = &scenario->apps[i];
        double part = i < mix->large ? 0.1 : 0.01;
        if (family_name_app(scenario, i) < 0) {
            err_memory(err);
            scenario_free(scenario);
            return NULL;
        }
        app->nodes = floor(part * machine->platform.nodes);
        app->work.mean =
            machine->least_work + draws[i] * (machine->most_work - machine->least_work);
        app->io.mean = app->work.mean * mix->ratio / (1 - mix->ratio) *
                       app_spec_bmax(app, &scenario->platform);
    }
    family_repeat(scenario, 20);
    return scenario;
}

static int mixes_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t seeds = mixes_seeds(quick), group = unit / seeds;
    struct subject_workload subject = {0};
    struct scenario *scenario =
        mixes_scenario(&mixes[group % MIXES], &mix_machines[group / MIXES], unit % seeds + 1, err);
    int status = subject_take(&subject, scenario, err);
    for (unsigned whole = 0; whole < 2 && status == 0; whole++) {
        const struct sample sample = {.group = (uint16_t)(group + whole * MIXES * MIX_MACHINES)};
        status = gainaru_compare(subject.workload, sample, whole ? GAINARU_WHOLE : 0, samples, err);
    }
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_mixes = {
    .workloads = "a large application has a tenth of the machine's nodes and a small one a tenth "
                 "of that; work as in Aupy et al. (2017), and as much I/O as takes 20 or 35 % of "
                 "the time alone; 4 draws in the quick run, 30 in the full one",
    .series = gainaru_series,
    .columns = gainaru_columns,
    .groups = mixes_groups,
    .quick_time = 3.8,
    .full_time = 30,
    .units = mixes_units,
    .run = mixes_run,
};
