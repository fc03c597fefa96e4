#include "compare/choice.h"
#include "stat/paired.h"
#include <math.h>

const struct measure *choice_measure(enum choice_goal goal, bool windowed)
{
    if (goal == CHOICE_FAIRNESS)
        return &measures[windowed ? MEASURE_min_yield : MEASURE_max_stretch];
    return &measures[windowed ? MEASURE_efficiency : MEASURE_sys_efficiency];
}

double choice_part(double change, double now, double else_of)
{
    double whole = fabs(now) > 0 ? fabs(now) : fabs(else_of);
    return whole > 0 ? change / whole : 0;
}

static double choice_value(const struct choice_table *table, int measure, size_t run,
                           size_t strategy)
{
    return table->values[measure][run * table->strategies + strategy];
}

static double choice_mean(const struct choice_table *table, int measure, size_t strategy)
{
    struct summary mean = {0};
    for (size_t run = 0; run < table->runs; run++)
        summary_add(&mean, choice_value(table, measure, run, strategy));
    return summary_mean(&mean);
}

/* What leads are parts of: the mean under the present strategy, or, if that is 0, the largest mean
 * of any. So a factor that all values have in common, such as idle nodes, changes nothing. */
static double choice_whole(const struct choice_table *table, int measure)
{
    double whole = fabs(choice_mean(table, measure, 0));
    for (size_t s = 1; s < table->strategies && !(whole > 0); s++)
        whole = fmax(whole, fabs(choice_mean(table, measure, s)));
    return whole;
}

/* Whether a mean is above 0 as far as can be known, and by `least` at least. */
static bool choice_is_above(const struct paired *paired, double mean, double least)
{
    enum paired_verdict verdict = paired_judge(paired);
    return mean >= least && verdict != PAIRED_INDISTINCT;
}

struct choice_gain choice_gain(const struct choice_table *table, size_t strategy, int measure)
{
    bool higher = table->measures[measure]->sense == METRIC_HIGHER;
    struct summary now = {0}, own = {0};
    struct paired paired = {0};
    for (size_t run = 0; run < table->runs; run++) {
        double before = choice_value(table, measure, run, 0);
        double value = choice_value(table, measure, run, strategy);
        paired_add(&paired, value, before);
        if (!isnan(before) && !isnan(value)) {
            summary_add(&now, before);
            summary_add(&own, value);
        }
    }
    struct choice_gain gain = {.now = summary_mean(&now),
                               .mean = summary_mean(&own),
                               .difference = summary_mean(&paired.difference),
                               .margin = summary_margin(&paired.difference),
                               .wins = paired_win_rate(&paired, higher),
                               .runs = now.count};
    gain.gain = (higher ? 1 : -1) * choice_part(gain.difference, gain.now, gain.mean);
    if (choice_is_above(&paired, gain.gain, CHOICE_WORTH))
        gain.effect = CHOICE_BETTER;
    else if (choice_is_above(&paired, -gain.gain, CHOICE_WORTH))
        gain.effect = CHOICE_WORSE;
    return gain;
}

/* The gain of a strategy over another in each run, in one measure or the sum of both. */
static struct paired choice_lead(const struct choice_table *table, enum choice_goal goal, size_t a,
                                 size_t b)
{
    struct paired lead = {0};
    double wholes[CHOICE_MEASURES];
    for (int i = 0; i < CHOICE_MEASURES; i++)
        wholes[i] = choice_whole(table, i);
    for (size_t run = 0; run < table->runs; run++) {
        double sum = 0;
        for (int i = 0; i < CHOICE_MEASURES; i++) {
            bool higher = table->measures[i]->sense == METRIC_HIGHER;
            double change = choice_value(table, i, run, a) - choice_value(table, i, run, b);
            if (goal == CHOICE_BOTH || goal == (enum choice_goal)i)
                sum += choice_part(higher ? change : -change, wholes[i], 0);
        }
        paired_add(&lead, sum, 0);
    }
    return lead;
}

/* How much better the first of two strategies is: above 0, below 0, or 0 = they are equal. */
static double choice_compare(const struct choice_table *table, enum choice_goal goal, size_t a,
                             size_t b)
{
    struct paired lead = choice_lead(table, goal, a, b);
    double mean = summary_mean(&lead.difference);
    return choice_is_above(&lead, fabs(mean), CHOICE_EQUAL) ? mean : 0;
}

static double choice_score(const struct choice_table *table, enum choice_goal goal, size_t strategy)
{
    struct paired lead = choice_lead(table, goal, strategy, 0);
    return summary_mean(&lead.difference);
}

static bool choice_qualifies(const struct choice_table *table, enum choice_goal goal,
                             size_t strategy)
{
    enum choice_effect fairness = choice_gain(table, strategy, CHOICE_FAIRNESS).effect;
    enum choice_effect efficiency = choice_gain(table, strategy, CHOICE_EFFICIENCY).effect;
    if (goal == CHOICE_BOTH)
        return (fairness == CHOICE_BETTER && efficiency != CHOICE_WORSE) ||
               (efficiency == CHOICE_BETTER && fairness != CHOICE_WORSE);
    return (goal == CHOICE_FAIRNESS ? fairness : efficiency) == CHOICE_BETTER;
}

/* The whole application in advance is hardest to know, then the volume of an I/O. */
static int choice_knowledge(unsigned flags)
{
    return (flags & (WEIR_NEEDS_PROFILE | WEIR_NEEDS_PLAN) ? 8 : 0) +
           (flags & WEIR_NEEDS_VOLUME ? 4 : 0) + (flags & WEIR_NEEDS_HISTORY ? 2 : 0) +
           (flags & WEIR_NEEDS_YIELD ? 1 : 0);
}

/* Whether to prefer a strategy to another that gains as much. */
static bool choice_prefers(const struct choice_table *table, enum choice_goal goal, size_t a,
                           size_t b)
{
    if (goal != CHOICE_BOTH) {
        enum choice_goal other = goal == CHOICE_FAIRNESS ? CHOICE_EFFICIENCY : CHOICE_FAIRNESS;
        double lead = choice_compare(table, other, a, b);
        if (lead != 0)
            return lead > 0;
    }
    return choice_knowledge(table->needs[a]) < choice_knowledge(table->needs[b]);
}

size_t choice_find(const struct choice_table *table, enum choice_goal goal)
{
    size_t best = 0, chosen;
    double most = -INFINITY;
    for (size_t s = 1; s < table->strategies; s++) {
        double score = choice_score(table, goal, s);
        if (score > most && choice_qualifies(table, goal, s)) {
            most = score;
            best = s;
        }
    }
    chosen = best;
    for (size_t s = 1; best > 0 && s < table->strategies; s++)
        if (s != best && choice_qualifies(table, goal, s) &&
            choice_compare(table, goal, s, best) == 0 && choice_prefers(table, goal, s, chosen))
            chosen = s;
    return chosen;
}

bool choice_is_idle(const struct choice_table *table)
{
    for (size_t s = 1; s < table->strategies; s++)
        for (int i = 0; i < CHOICE_MEASURES; i++)
            if (fabs(choice_gain(table, s, i).gain) > CHOICE_IDLE)
                return false;
    return true;
}
