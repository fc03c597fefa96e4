#include "paper/result.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "paper/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int results_read(struct results *results, const struct paper_file *file, struct err *err)
{
    char where[128];
    snprintf(where, sizeof where, "data/papers/%s.yaml", file->name);
    return result_read((const char *)file->text, file->length, where,
                       &results->list[results->count++], err);
}

int results_load(struct results *results, struct err *err)
{
    size_t count = 0;
    while (paper_files[count].name)
        count++;
    *results = (struct results){.list = mem_alloc(count, sizeof *results->list)};
    if (!results->list)
        return err_memory(err);
    for (size_t i = 0; i < count; i++)
        if (results_read(results, &paper_files[i], err) < 0)
            return -1;
    return 0;
}

void result_release(struct result *result)
{
    arena_fini(&result->arena);
}

void results_fini(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        result_release(&results->list[i]);
    free(results->list);
    *results = (struct results){0};
}

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

const struct result *result_find(const struct results *results, const char *name, struct err *err)
{
    enum { MOST = 256 };
    const char *names[MOST + 1] = {NULL};
    for (size_t i = 0; i < results->count; i++) {
        if (strcmp(results->list[i].name, name) == 0)
            return &results->list[i];
        if (i < MOST)
            names[i] = results->list[i].name;
    }
    err_set(err, "unknown result '%s'%s", name, suggest(name, names, "weir reproduce --list").text);
    return NULL;
}
