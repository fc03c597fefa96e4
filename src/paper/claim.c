#include "paper/claim.h"
#include "stat/summary.h"
#include <math.h>

const char *const verdict_names[] = {"agrees", "differs", "not comparable", "open"};
const char *const relation_names[] = {"is", "at most", "at least", "below", "above", NULL};

/* The samples that count: all, or those of one interval of x. */
struct claim_span {
    const struct experiment *experiment;
    const struct samples *samples;
    double from, to;
    double interval; /* NAN = all */
};

static bool claim_between(double x, double from, double to)
{
    return to == 0 || (x >= from && x <= to);
}

static bool claim_has(const struct claim_span *span, const struct sample *sample)
{
    if (!claim_between(sample->x, span->from, span->to))
        return false;
    return isnan(span->interval) ||
           experiment_interval(span->experiment, sample->x) == span->interval;
}

/* NAN if there is no sample. */
static double claim_statistic(const struct claim_span *span, const struct pick *pick,
                              uint16_t series)
{
    struct summary summary = {0};
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < span->samples->count; i++) {
        const struct sample *sample = &span->samples->list[i];
        if (sample->group != pick->group || sample->series != series ||
            !claim_between(sample->x, pick->from, pick->to) || !claim_has(span, sample))
            continue;
        double value = sample->values[pick->column];
        summary_add(&summary, pick->statistic == CLAIM_GEOMETRIC ? log(value) : value);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (summary.count == 0)
        return NAN;
    switch (pick->statistic) {
    case CLAIM_LEAST:
        return least;
    case CLAIM_MOST:
        return most;
    case CLAIM_GEOMETRIC:
        return exp(summary_mean(&summary));
    case CLAIM_MEAN:
        break;
    }
    return summary_mean(&summary);
}

/* fmin and fmax prefer a number to NAN. */
static double claim_extreme(enum claim_extreme extreme, double a, double b)
{
    return extreme == CLAIM_LARGEST ? fmax(a, b) : fmin(a, b);
}

static double claim_pick(const struct claim_span *span, const struct pick *pick)
{
    double value = NAN;
    for (uint16_t series = 0; span->experiment->series[series]; series++)
        if (pick->series == 0 || pick->series & SERIES(series))
            value = claim_extreme(pick->extreme, value, claim_statistic(span, pick, series));
    return value;
}

static double claim_operate(const struct claim *claim, const struct claim_span *span)
{
    double ours = claim_pick(span, &claim->ours);
    switch (claim->operation) {
    case CLAIM_RATIO:
        return ours / claim_pick(span, &claim->against);
    case CLAIM_DIFFERENCE:
        return ours - claim_pick(span, &claim->against);
    case CLAIM_VALUE:
        break;
    }
    return ours;
}

/* Samples of the claim's group in an interval, per series at least. */
static size_t claim_count(const struct claim_span *span, uint16_t group)
{
    size_t count = 0, series = 0;
    for (size_t i = 0; i < span->samples->count; i++)
        count += span->samples->list[i].group == group && claim_has(span, &span->samples->list[i]);
    while (span->experiment->series[series])
        series++;
    return count / series;
}

/* Interval by interval: each of them once, where its first sample is. */
static double claim_scan(const struct claim *claim, struct claim_span span)
{
    enum { MOST = 512 };
    enum claim_extreme extreme = claim->over == CLAIM_OVER_LARGEST ? CLAIM_LARGEST : CLAIM_SMALLEST;
    double seen[MOST], value = NAN;
    size_t count = 0;
    for (size_t i = 0; i < span.samples->count && count < MOST; i++) {
        const struct sample *sample = &span.samples->list[i];
        size_t k = 0;
        span.interval = NAN;
        if (sample->group != claim->ours.group || !claim_has(&span, sample))
            continue;
        span.interval = experiment_interval(span.experiment, sample->x);
        while (k < count && seen[k] != span.interval)
            k++;
        if (k < count)
            continue;
        seen[count++] = span.interval;
        if (claim_count(&span, claim->ours.group) >= span.experiment->enough)
            value = claim_extreme(extreme, value, claim_operate(claim, &span));
    }
    return value;
}

static bool claim_holds(enum claim_relation relation, double difference, double tolerance)
{
    double tie = tolerance > 0 ? tolerance : CLAIM_TIE;
    switch (relation) {
    case CLAIM_AT_MOST:
        return difference <= tolerance;
    case CLAIM_AT_LEAST:
        return difference >= -tolerance;
    case CLAIM_BELOW:
        return difference < -tie;
    case CLAIM_ABOVE:
        return difference > tie;
    case CLAIM_IS:
        break;
    }
    return fabs(difference) <= tolerance;
}

static const char claim_no_samples[] = "no samples.";
static const char claim_few_samples[] = "decided by the full run: a quick one has too few samples.";
static const char claim_near[] = "processor times are too near to each other to tell.";

/* Decides: it agrees or not, and that is as recorded or not. What is not comparable but agrees is a
 * reason to look again, so it is not as recorded. */
static void claim_decide(struct judgement *judgement, bool holds, const struct claim_record *record)
{
    const char *reason = record->incomparable ? record->incomparable : record->differs;
    judgement->verdict = holds                  ? VERDICT_AGREES
                         : record->incomparable ? VERDICT_INCOMPARABLE
                                                : VERDICT_DIFFERS;
    judgement->expected = holds == !reason;
    judgement->reason = holds ? NULL : reason;
}

/* Why it stays open; NULL = it does not. */
static const char *claim_open(const struct claim *claim, const struct judgement *judgement,
                              bool quick)
{
    if (quick && claim->full)
        return claim_few_samples;
    if (isnan(judgement->ours))
        return claim_no_samples;
    return fabs(judgement->difference) < claim->noise ? claim_near : NULL;
}

struct judgement claim_judge(const struct claim *claim, const struct experiment *experiment,
                             const struct samples *samples, bool quick)
{
    struct claim_span span = {experiment, samples, claim->from, claim->to, NAN};
    struct judgement judgement = {.verdict = VERDICT_OPEN, .expected = true};
    judgement.ours =
        claim->over == CLAIM_TOGETHER ? claim_operate(claim, &span) : claim_scan(claim, span);
    judgement.difference = judgement.ours - claim->bound;
    judgement.reason = claim_open(claim, &judgement, quick);
    if (!judgement.reason)
        claim_decide(&judgement,
                     claim_holds(claim->relation, judgement.difference, claim->tolerance),
                     &claim->record);
    return judgement;
}

/* --- published numbers ---------------------------------------------------------------------- */

struct printed_match printed_match(const struct printed *printed, size_t index,
                                   const struct experiment *experiment,
                                   const struct samples *samples)
{
    const struct printed_number *number = &printed->list[index];
    struct printed_match match = {.margin = printed->tolerance};
    struct summary summary = {0};
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->list[i];
        if (sample->group == number->group && sample->series == number->series &&
            experiment_interval(experiment, sample->x) ==
                experiment_interval(experiment, number->x))
            summary_add(&summary, sample->values[printed->column]);
    }
    match.ours = summary_mean(&summary);
    if (printed->digits > 0)
        match.margin += 0.55 * pow(10, floor(log10(fabs(number->value))) + 1 - printed->digits);
    /* Theirs are assumed to scatter as ours do. Dozens of means are compared, so 3.5. */
    if (printed->runs > 0 && summary.count > 1)
        match.margin += 3.5 * sqrt(summary_variance(&summary) *
                                   (1 / (double)summary.count + 1 / printed->runs));
    match.agrees = claim_holds(printed->relation, match.ours - number->value, match.margin);
    return match;
}

struct judgement printed_judge(const struct printed *printed, const struct experiment *experiment,
                               const struct samples *samples, bool quick)
{
    struct judgement judgement = {.verdict = VERDICT_OPEN, .expected = true};
    for (size_t i = 0; i < printed->count; i++)
        judgement.ours += printed_match(printed, i, experiment, samples).agrees;
    judgement.difference = judgement.ours - (double)printed->count;
    if (quick && printed->full)
        judgement.reason = claim_few_samples;
    else
        claim_decide(&judgement, judgement.difference == 0, &printed->record);
    return judgement;
}
