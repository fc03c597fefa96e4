/* Plans against online strategies on random sets of two machines (Aupy et al. 2017, Figure 7), and
 * our own search for plans beside the published one. */
#include "paper/planned_set.h"
#include "paper/result.h"
#include "paper/slides.h"
#include "policy/policy.h"
#include <math.h>

enum { PERSCHED, ONLINE, ALL_ONLINE, TURNS, OUR_SEARCH };
static const char *const sets_series[] = {[PERSCHED] = "PerSched",
                                          [ONLINE] = "best online",
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
        [ONLINE] = slides_strategies, [ALL_ONLINE] = policy_all, [TURNS] = turns};
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

#define GAINS(column, group)                                                                       \
    {                                                                                              \
        column, group, SERIES(ONLINE)                                                              \
    }
#define EVERY_EVENT                                                                                \
    .differs = "as long as nothing varies, deciding at every event uses the gaps that whole "      \
               "instances in a fixed period leave. Of our strategies only those that wait for "    \
               "the application whose turn it is lose as much as the paper's online ones."

/* What our search for plans, `weir plan` without options, adds. */
#define OUR_SEARCH_CLAIMS(group_, name)                                                            \
    {.text = "(ours) our search is never worse than the published one: " name,                     \
     .measured = "its gap - that of a published plan that can be followed, the largest",           \
     .ours = {WORSE, group_, SERIES(OUR_SEARCH), CLAIM_MOST},                                      \
     .relation = CLAIM_AT_MOST,                                                                    \
     .tolerance = 1e-9,                                                                            \
     .full = true},                                                                                \
        {.text = "(ours) and at most half as far from the bound: " name,                           \
         .measured = "its mean gap / that of the published search",                                \
         .ours = {GAP, group_, SERIES(OUR_SEARCH)},                                                \
         .against = {GAP, group_, SERIES(PERSCHED)},                                               \
         .operation = CLAIM_RATIO,                                                                 \
         .relation = CLAIM_AT_MOST,                                                                \
         .bound = 0.5,                                                                             \
         .full = true},                                                                            \
        {.text = "(ours) but as good as the best of the slides' strategies, no more: " name,       \
         .measured = "mean gain in SysEfficiency",                                                 \
         .ours = {OUR_GAIN, group_, SERIES(ONLINE)},                                               \
         .relation = CLAIM_IS,                                                                     \
         .tolerance = 0.02,                                                                        \
         .full = true},                                                                            \
    {                                                                                              \
        .text = "(ours) and as the best of all strategies: " name,                                 \
        .measured = "mean gain in SysEfficiency", .ours = {OUR_GAIN, group_, SERIES(ALL_ONLINE)},  \
        .relation = CLAIM_IS, .tolerance = 0.01, .full = true                                      \
    }

const struct result result_aupy_7 = {
    .name = "aupy-7",
    .source = "Aupy et al. 2017, Figure 7",
    .title = "plans against the best online strategy on random sets of Intrepid and Mira",
    .experiment = EXPERIMENT_sets,
    .note = "Online is the best of the slides' ten strategies in each measure, as in the paper.",
    .charts =
        (const struct chart[]){{"(a) Intrepid: SysEfficiency", "SysEfficiency / bound",
                                CHART_POINTS, NORMALISED, INTREPID,
                                .series = SERIES(PERSCHED) | SERIES(ONLINE)},
                               {"(b) Intrepid: Dilation", "Dilation", CHART_POINTS, DILATION,
                                INTREPID, .series = SERIES(PERSCHED) | SERIES(ONLINE)},
                               {"(c) Mira: SysEfficiency", "SysEfficiency / bound", CHART_POINTS,
                                NORMALISED, MIRA, .series = SERIES(PERSCHED) | SERIES(ONLINE)},
                               {"(d) Mira: Dilation", "Dilation", CHART_POINTS, DILATION, MIRA,
                                .series = SERIES(PERSCHED) | SERIES(ONLINE)},
                               {.title = NULL}},
    .claims =
        (const struct claim[]){
            {.text = "SysEfficiency increases in almost every case: Intrepid",
             .measured = "part of the sets on which PerSched has more than the best online",
             .ours = GAINS(WINS, INTREPID),
             AT_LEAST(0.9),
             EVERY_EVENT},
            {.text = "SysEfficiency increases in almost every case: Mira",
             .measured = "part of the sets on which PerSched has more than the best online",
             .ours = GAINS(WINS, MIRA),
             AT_LEAST(0.9),
             EVERY_EVENT},
            {.text = "on Intrepid SysEfficiency is improved by 16 % on average",
             .measured = "mean gain of PerSched over the best online",
             .ours = GAINS(GAIN_SYSEFF, INTREPID),
             IS_WITHIN(0.16, 0.03),
             EVERY_EVENT},
            {.text = "on Mira SysEfficiency is improved by 32 % on average",
             .measured = "mean gain of PerSched over the best online",
             .ours = GAINS(GAIN_SYSEFF, MIRA),
             IS_WITHIN(0.32, 0.03),
             EVERY_EVENT},
            {.text = "on Mira the gain in SysEfficiency has peaks up to 116 %",
             .measured = "the largest gain",
             .ours = {GAIN_SYSEFF, MIRA, SERIES(ONLINE), CLAIM_MOST},
             AT_LEAST(1.1),
             EVERY_EVENT},
            {.text = "on Intrepid Dilation is degraded by 0.6 % on average",
             .measured = "mean gain of PerSched over the best online",
             .ours = GAINS(GAIN_DILATION, INTREPID),
             IS_WITHIN(-0.006, 0.02),
             EVERY_EVENT},
            {.text = "with variation between 11 % improvement",
             .measured = "the largest gain",
             .ours = {GAIN_DILATION, INTREPID, SERIES(ONLINE), CLAIM_MOST},
             IS_WITHIN(0.11, 0.03),
             EVERY_EVENT},
            {.text = "and 42 % degradation",
             .measured = "the smallest gain",
             .ours = {GAIN_DILATION, INTREPID, SERIES(ONLINE), CLAIM_LEAST},
             IS_WITHIN(-0.42, 0.03)},
            {.text = "on Mira Dilation improves by 22 % on average",
             .measured = "mean gain of PerSched over the best online",
             .ours = GAINS(GAIN_DILATION, MIRA),
             IS_WITHIN(0.22, 0.03),
             EVERY_EVENT},
            {.text = "(ours) strategies that wait for turns lose as much: Intrepid",
             .measured = "mean gain of PerSched over periodic:order=fifo",
             .ours = {GAIN_SYSEFF, INTREPID, SERIES(TURNS)},
             AT_LEAST(0.2)},
            {.text = "(ours) strategies that wait for turns lose as much: Mira",
             .measured = "mean gain of PerSched over periodic:order=fifo",
             .ours = {GAIN_SYSEFF, MIRA, SERIES(TURNS)},
             AT_LEAST(0.2)},
            OUR_SEARCH_CLAIMS(INTREPID, "Intrepid"),
            OUR_SEARCH_CLAIMS(MIRA, "Mira"),
            {.text = NULL}},
};
