/* The answer for a campaign's database: the strategies that are stored there, paired over seeds. */
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/counsel.h"
#include "cli/stored.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is recommended in a case. */
struct stored_verdict {
    const struct stored_case *of;
    size_t best; /* of the strategies that are compared */
    size_t runs; /* of the present strategy; 0 = it has none */
    struct choice_gain gains[CHOICE_MEASURES];
};

struct stored_counsel {
    const struct counsel_options *options;
    enum choice_goal goal;
    const char *now;
    struct stored stored;
    struct stored_verdict *cases; /* one for each stored one */
    size_t *compared; /* of all strategies: the present one, and the others that are considered */
    unsigned *needs;  /* of these */
    size_t compared_count;
};

bool counsel_is_stored(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              memcmp(head, magic, sizeof head) == 0;
    if (file)
        fclose(file);
    return is;
}

/* --- choosing ------------------------------------------------------------------------------ */

static int stored_counsel_miss(const struct stored_counsel *advice, const char *option,
                               const char *name, struct err *err)
{
    char list[STORED_TITLE] = "";
    for (size_t i = 0; i < advice->stored.strategy_count; i++) {
        text_append(list, sizeof list, i ? ", " : "");
        text_append(list, sizeof list, advice->stored.strategies[i].name);
    }
    return err_option(err, "--%s: the database has no run of '%s', only of %s", option, name, list);
}

/* A plug-in that is not at hand is taken to need nothing. */
static unsigned stored_counsel_needs(const char *name)
{
    struct err ignored;
    struct policy *policy = strchr(name, '/') ? NULL : policy_open(name, &ignored);
    unsigned needs = policy ? policy->ops->flags : 0;
    policy_free(policy);
    return needs;
}

static void stored_counsel_compare_with(struct stored_counsel *advice, size_t strategy)
{
    for (size_t i = 0; i < advice->compared_count; i++)
        if (advice->compared[i] == strategy)
            return;
    advice->needs[advice->compared_count] =
        stored_counsel_needs(advice->stored.strategies[strategy].strategy);
    advice->compared[advice->compared_count++] = strategy;
}

static int stored_counsel_select(struct stored_counsel *advice, struct err *err)
{
    const struct words *asked = &advice->options->policies;
    const char *path = advice->options->operands.list[0];
    size_t now = stored_find(&advice->stored, advice->now);
    advice->compared = mem_alloc(advice->stored.strategy_count, sizeof *advice->compared);
    advice->needs = mem_alloc(advice->stored.strategy_count, sizeof *advice->needs);
    if (!advice->compared || !advice->needs)
        return err_memory(err);
    if (now == SIZE_MAX)
        return stored_counsel_miss(advice, "now", advice->now, err);
    stored_counsel_compare_with(advice, now);
    for (size_t i = 0; i < asked->count; i++) {
        size_t found = stored_find(&advice->stored, asked->list[i]);
        if (found == SIZE_MAX)
            return stored_counsel_miss(advice, "policy", asked->list[i], err);
        stored_counsel_compare_with(advice, found);
    }
    for (size_t i = 0; asked->count == 0 && i < advice->stored.strategy_count; i++)
        stored_counsel_compare_with(advice, i);
    if (advice->compared_count < 2)
        return err_set(err, "%s: '%s' is the only strategy: there is none to compare it with", path,
                       advice->now);
    return 0;
}

/* The column of a strategy in a table, SIZE_MAX = it is not compared. */
static size_t stored_counsel_column(const struct stored_counsel *advice, size_t strategy)
{
    for (size_t i = 0; i < advice->compared_count; i++)
        if (advice->compared[i] == strategy)
            return i;
    return SIZE_MAX;
}

static void stored_counsel_fill(const struct stored_counsel *advice, const struct stored_case *of,
                                double *values[CHOICE_MEASURES])
{
    size_t run = 0;
    for (size_t i = 0; i < of->seeds * advice->compared_count; i++)
        values[0][i] = values[1][i] = NAN;
    for (size_t i = of->first; i < of->first + of->count; i++) {
        const struct stored_result *result = &advice->stored.results[i];
        size_t column = stored_counsel_column(advice, result->strategy);
        run += i > of->first && result->seed != result[-1].seed;
        for (int k = 0; column != SIZE_MAX && k < CHOICE_MEASURES; k++)
            values[k][run * advice->compared_count + column] = result->values[k];
    }
}

static int stored_counsel_choose(const struct stored_counsel *advice, struct stored_verdict *answer)
{
    const struct stored_case *of = answer->of;
    struct choice_table table = {
        .needs = advice->needs, .runs = of->seeds, .strategies = advice->compared_count};
    double *values[CHOICE_MEASURES];
    int status = 0;
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        values[i] = mem_alloc(of->seeds * advice->compared_count, sizeof *values[i]);
        status = values[i] ? status : -1;
        table.measures[i] = choice_measure((enum choice_goal)i, of->windowed);
        table.values[i] = values[i];
    }
    if (status == 0) {
        stored_counsel_fill(advice, of, values);
        answer->best = choice_find(&table, advice->goal);
        answer->runs = choice_gain(&table, 0, CHOICE_FAIRNESS).runs;
        for (int i = 0; i < CHOICE_MEASURES; i++)
            answer->gains[i] = choice_gain(&table, answer->best, i);
    }
    for (int i = 0; i < CHOICE_MEASURES; i++)
        free(values[i]);
    return status;
}

static int stored_counsel_choose_all(struct stored_counsel *advice, struct err *err)
{
    advice->cases = mem_alloc(advice->stored.case_count, sizeof *advice->cases);
    if (!advice->cases)
        return err_memory(err);
    for (size_t i = 0; i < advice->stored.case_count; i++) {
        advice->cases[i].of = &advice->stored.cases[i];
        if (stored_counsel_choose(advice, &advice->cases[i]) < 0)
            return err_memory(err);
    }
    return 0;
}

/* --- printing ------------------------------------------------------------------------------ */

static const char *stored_counsel_best(const struct stored_counsel *advice,
                                       const struct stored_verdict *answer)
{
    return advice->stored.strategies[advice->compared[answer->best]].name;
}

/* "general, noise=0.2, on intrepid": a JSON object of parameters without its punctuation. */
static char *stored_counsel_title(const struct stored_counsel *advice, const struct stored_case *of,
                                  char title[STORED_TITLE])
{
    const char *platform = stored_text(&advice->stored, of, EXPERIMENT_PLATFORM);
    char piece[3] = "", apart[STORED_TITLE];
    snprintf(title, STORED_TITLE, "%s%s", stored_text(&advice->stored, of, EXPERIMENT_WORKLOAD),
             strcmp(of->parameters, "{}") == 0 ? "" : ", ");
    for (const char *at = of->parameters; *at; at++) {
        if (strchr("{}\" ", *at))
            continue;
        piece[0] = *at == ':' ? '=' : *at;
        piece[1] = *at == ',' ? ' ' : 0;
        text_append(title, STORED_TITLE, piece);
    }
    text_append(title, STORED_TITLE, platform ? ", on " : "");
    text_append(title, STORED_TITLE, platform ? platform : "");
    text_append(title, STORED_TITLE, *stored_apart(&advice->stored, of, apart) ? ", " : "");
    text_append(title, STORED_TITLE, apart);
    return title;
}

static void stored_counsel_print_case(const struct stored_counsel *advice,
                                      const struct stored_verdict *answer)
{
    char title[STORED_TITLE];
    printf("%s: ", stored_counsel_title(advice, answer->of, title));
    if (answer->runs == 0) {
        printf("no run of %s to compare with.\n", advice->now);
    } else if (answer->best == 0) {
        printf("keep %s; no gain is sure and above %.1f %%%s.\n", advice->now, 100 * CHOICE_WORTH,
               advice->goal == CHOICE_BOTH ? " without a loss" : "");
    } else {
        printf("use %s.\n", stored_counsel_best(advice, answer));
        for (int i = 0; i < CHOICE_MEASURES; i++)
            counsel_print_gain(choice_measure((enum choice_goal)i, answer->of->windowed),
                               &answer->gains[i]);
    }
}

/* How often each strategy is the best. */
static void stored_counsel_print_sums(const struct stored_counsel *advice)
{
    bool first = true;
    for (size_t s = 0; s < advice->compared_count; s++) {
        size_t best = 0;
        for (size_t i = 0; i < advice->stored.case_count; i++)
            best += advice->cases[i].runs > 0 && advice->cases[i].best == s;
        if (best > 0)
            printf("%s%s in %zu", first ? "\nIn all: " : ", ",
                   advice->stored.strategies[advice->compared[s]].name, best);
        first &= best == 0;
    }
    if (!first)
        printf(" of %zu cases.\n", advice->stored.case_count);
}

static void stored_counsel_print(const struct stored_counsel *advice)
{
    printf("%s, %zu case%s, %zu strategies, compared with %s\n\n",
           advice->options->operands.list[0], advice->stored.case_count,
           advice->stored.case_count == 1 ? "" : "s", advice->compared_count, advice->now);
    for (size_t i = 0; i < advice->stored.case_count; i++)
        stored_counsel_print_case(advice, &advice->cases[i]);
    if (advice->stored.case_count > 1)
        stored_counsel_print_sums(advice);
}

static void stored_counsel_json_measure(const struct stored_verdict *answer, int which,
                                        struct json *json)
{
    const struct choice_gain *gain = &answer->gains[which];
    json_begin_object(json, counsel_goals[which]);
    json_string(json, "measure",
                choice_measure((enum choice_goal)which, answer->of->windowed)->name);
    json_number(json, "now", gain->now);
    json_number(json, "mean", gain->mean);
    json_number(json, "difference", gain->difference);
    json_number(json, "margin", gain->margin);
    json_number(json, "win_rate", gain->wins);
    json_number(json, "runs", (double)gain->runs);
    json_end_object(json);
}

static void stored_counsel_print_json(const struct stored_counsel *advice)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", row_version);
    json_string(&json, "database", advice->options->operands.list[0]);
    json_string(&json, "objective", counsel_goals[advice->goal]);
    json_string(&json, "now", advice->now);
    json_begin_array(&json, "cases");
    for (size_t i = 0; i < advice->stored.case_count; i++) {
        const struct stored_verdict *answer = &advice->cases[i];
        const struct stored_case *of = answer->of;
        char apart[STORED_TITLE];
        json_begin_object(&json, NULL);
        json_string(&json, "name", stored_text(&advice->stored, of, EXPERIMENT_WORKLOAD));
        json_string(&json, "parameters", of->parameters);
        json_string(&json, "platform", stored_text(&advice->stored, of, EXPERIMENT_PLATFORM));
        json_string(&json, "apart", *stored_apart(&advice->stored, of, apart) ? apart : NULL);
        json_string(&json, "use", answer->best > 0 ? stored_counsel_best(advice, answer) : NULL);
        stored_counsel_json_measure(answer, CHOICE_FAIRNESS, &json);
        stored_counsel_json_measure(answer, CHOICE_EFFICIENCY, &json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

int counsel_read_stored(const struct counsel_options *options, enum choice_goal goal,
                        struct err *err)
{
    struct stored_counsel advice = {.options = options, .goal = goal};
    advice.now = options->now ? options->now : "fair-share";
    if (options->window || options->seeds.given) {
        err_option(err, "--%s: the runs of a database are what they are",
                   options->window ? "window" : "seeds");
        return STATUS_MISUSE;
    }
    int status = stored_load(&advice.stored, options->operands.list[0], err);
    if (status == 0)
        status = stored_counsel_select(&advice, err);
    if (status == 0)
        status = stored_counsel_choose_all(&advice, err);
    if (status == 0 && options->json)
        stored_counsel_print_json(&advice);
    else if (status == 0)
        stored_counsel_print(&advice);
    stored_fini(&advice.stored);
    free(advice.cases);
    free(advice.compared);
    free(advice.needs);
    return status == 0 ? STATUS_DONE : STATUS_MISUSE;
}
