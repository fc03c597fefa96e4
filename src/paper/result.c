#include "paper/result.h"
#include "base/suggest.h"
#include <string.h>

const struct result *const results[] = {
#define X(name) &result_##name,
    RESULTS(X)
#undef X
        NULL,
};

static void result_count(struct result_score *score, const struct judgement *judgement)
{
    score->verdicts[judgement->verdict]++;
    score->unexpected += !judgement->expected;
}

struct result_score result_score(const struct result *result, const struct samples *samples,
                                 bool quick)
{
    const struct experiment *experiment = experiments[result->experiment];
    struct result_score score = {0};
    for (const struct printed *printed = result->printed; printed && printed->text; printed++) {
        struct judgement judgement = printed_judge(printed, experiment, samples, quick);
        result_count(&score, &judgement);
    }
    for (const struct claim *claim = result->claims; claim && claim->text; claim++) {
        struct judgement judgement = claim_judge(claim, experiment, samples, quick);
        result_count(&score, &judgement);
    }
    return score;
}

const struct result *result_find(const char *name, struct err *err)
{
    const char *names[sizeof results / sizeof *results];
    size_t count = 0;
    for (; results[count]; count++) {
        if (strcmp(results[count]->name, name) == 0)
            return results[count];
        names[count] = results[count]->name;
    }
    names[count] = NULL;
    err_set(err, "unknown result '%s'%s", name, suggest(name, names, "weir reproduce --list").text);
    return NULL;
}
