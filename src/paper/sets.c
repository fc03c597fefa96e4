/* Plans against online strategies on random sets of two machines (Aupy et al. 2017, Figure 7), and
 * our own search for plans beside the published one. */
#include "paper/experiment.h"
#include "paper/planned_set.h"
#include "paper/slides.h"
#include "policy/policy.h"
#include <math.h>

enum { PERSCHED, ONLINE, ONLINE_WHOLE, ALL_ONLINE, TURNS, OUR_SEARCH };
static const char *const sets_series[] = {[PERSCHED] = "PerSched",
                                          [ONLINE] = "best online",
                                          [ONLINE_WHOLE] = "best online, whole grants",
                                          [ALL_ONLINE] = "best of --policy all",
                                          [TURNS] = "periodic:order=fifo",
                                          [OUR_SEARCH] = "our search",
                                          NULL};
/* What the plan has more than this one, as a part of it; better is positive. */
enum { NORMALISED, DILATION, GAIN_SYSEFF, GAIN_DILATION, OUR_GAIN, GAP, WORSE, WINS };
static const char *const sets_columns[] = {"SysEfficiency / upper bound",
                                           "Dilation",
                                           "gain of PerSched in SysEfficiency",
                                           "gain of PerSched in Dilation",
                                           "gain of our search in SysEfficiency",
                                           "gap to the bound that respects the bandwidth",
                                           "gap beyond that of PerSched",
                                           "PerSched has more SysEfficiency",
                                           NULL};
enum { INTREPID, MIRA };
static const char *const sets_groups[] = {"Intrepid", "Mira", NULL};
enum { SETS = 100 };

static uint32_t sets_units(bool quick)
{
    (void)quick;
    return 2 * SETS;
}

/* A set, and what the plans of both searches reach. */
struct sets_unit {
    struct planned_set set;
    struct planned_online published, ours;
    bool valid; /* the published plan can be followed; the paper's program does not check */
    struct sample sample;
    struct samples *samples;
};

static double sets_gap(const struct sets_unit *unit, const struct planned_online *own)
{
    return 1 - own->sys_efficiency / unit->set.bounds.sys_efficiency_bandwidth;
}

static int sets_add(struct sets_unit *unit, uint16_t series, const struct planned_online *own,
                    struct err *err)
{
    double *values = unit->sample.values, gap = sets_gap(unit, own);
    unit->sample.series = series;
    values[NORMALISED] = own->sys_efficiency / unit->set.bounds.sys_efficiency;
    values[DILATION] = own->dilation;
    values[GAIN_SYSEFF] = unit->published.sys_efficiency / own->sys_efficiency - 1;
    values[GAIN_DILATION] = 1 - unit->published.dilation / own->dilation;
    values[WINS] = values[GAIN_SYSEFF] > 0;
    values[OUR_GAIN] = unit->ours.sys_efficiency / own->sys_efficiency - 1;
    values[GAP] = gap;
    values[WORSE] = unit->valid ? gap - sets_gap(unit, &unit->published) : NAN;
    return samples_add(unit->samples, &unit->sample, err);
}

/* Searches for a plan and measures it; `valid` may be NULL. */
static int sets_plan(const struct planned_set *set, enum plan_search search,
                     struct planned_online *found, bool *valid, struct err *err)
{
    const struct planned_search wanted = {search, PLAN_SYS_EFFICIENCY, 0};
    struct plan *plan = planned_set_search(set, &wanted, err);
    if (!plan)
        return -1;
    *found = planned_set_measure(set, plan);
    if (valid)
        *valid = plan_validate(plan, &set->tasks, NULL) == 0;
    plan_free(plan);
    return 0;
}

/* Our search takes a hundred times as long as the rest: a quick run leaves it out. */
static int sets_compare_plans(struct sets_unit *unit, bool quick, struct err *err)
{
    unit->ours = (struct planned_online){NAN, NAN};
    if (sets_plan(&unit->set, PLAN_SEARCH_PAPER, &unit->published, &unit->valid, err) < 0)
        return -1;
    if (!quick && (sets_plan(&unit->set, PLAN_SEARCH_BEST, &unit->ours, NULL, err) < 0 ||
                   sets_add(unit, OUR_SEARCH, &unit->ours, err) < 0))
        return -1;
    return sets_add(unit, PERSCHED, &unit->published, err);
}

static int sets_compare(struct sets_unit *unit, bool quick, struct err *err)
{
    static const char *const turns[] = {"periodic:order=fifo", NULL};
    const char *const *const lists[] = {
        [ONLINE] = slides_strategies,
        [ONLINE_WHOLE] = slides_strategies_whole,
        [ALL_ONLINE] = policy_all,
        [TURNS] = turns,
    };
    if (sets_compare_plans(unit, quick, err) < 0)
        return -1;
    for (uint16_t i = ONLINE; i <= TURNS; i++) {
        struct planned_online best;
        if (planned_set_online(&unit->set, lists[i], &best, err) < 0 ||
            sets_add(unit, i, &best, err) < 0)
            return -1;
    }
    return 0;
}

static int sets_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    struct sets_unit unit = {.sample = {.group = (uint16_t)(number / SETS), .x = number % SETS + 1},
                             .samples = samples};
    const struct subject_source source = {number / SETS == MIRA ? &family_mira : &family_intrepid,
                                          NULL, number % SETS + 1};
    int status = planned_set_draw(&unit.set, &source, err);
    if (status == 0)
        status = sets_compare(&unit, quick, err);
    planned_set_fini(&unit.set);
    return status;
}

const struct experiment experiment_sets = {
    .workloads = "100 random sets each for Intrepid and Mira, drawn as section 4.4 describes "
                 "(families intrepid and mira); our search for plans only in the full run",
    .series = sets_series,
    .columns = sets_columns,
    .groups = sets_groups,
    .x = "set",
    .quick_time = 0.3,
    .full_time = 34,
    .units = sets_units,
    .run = sets_run,
};
