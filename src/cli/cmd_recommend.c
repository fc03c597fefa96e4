#include "answer/recommend.h"
#include "base/text.h"
#include "cli/commands.h"
#include <math.h>
#include <string.h>

/* Below this I/O pressure strategies hardly matter. */
#define IDLE 0.2

/* The measure that the choice is justified by. */
static int recommend_main(const struct recommend_answer *answer)
{
    if (answer->goal != CHOICE_BOTH)
        return (int)answer->goal;
    return answer->parts[CHOICE_FAIRNESS].gain.effect == CHOICE_BETTER || answer->best == 0
               ? CHOICE_FAIRNESS
               : CHOICE_EFFICIENCY;
}

/* "-3.2 % (+- 0.1)"; of 0, "+0.8000 (+- 0.0100)". */
static void recommend_print_change(double change, double margin, double now)
{
    bool part = fabs(now) > 0;
    printf(part ? "%+.1f %%" : "%+.4f", part ? 100 * change / fabs(now) : change);
    if (!isnan(margin))
        printf(part ? " (+- %.1f)" : " (+- %.4f)", part ? 100 * margin / fabs(now) : margin);
}

/* What changes if volumes are not known, by the recommended strategy, or by the best one then. */
static void recommend_print_changes(const struct recommend_answer *answer, bool best)
{
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        const struct recommend_measure *part = &answer->parts[i];
        const struct choice_gain *gain = best ? &part->roughly_best : &part->volumes_as_means;
        printf("%s%s by ", i ? " and " : "", part->measure);
        recommend_print_change(gain->difference, gain->margin, gain->now);
    }
}

/* "  min_yield goes from 0.8 to 0.9, ...", as a line of either answer. */
static void recommend_print_gain(const struct recommend_measure *part)
{
    const struct choice_gain *gain = &part->gain;
    printf("  %s goes from %.4f to %.4f, ", part->measure, gain->now, gain->mean);
    recommend_print_change(gain->difference, gain->margin, gain->now);
    if (gain->runs > 1)
        printf(", better in %.0f %% of %zu runs.\n", 100 * gain->wins, gain->runs);
    else
        puts("; one run does not tell how sure that is.");
}

/* One run is looked at more closely: which. */
static const char *recommend_which(const struct recommend_answer *answer)
{
    return answer->ensemble ? "" : " with seed 1";
}

static void recommend_print_costs(const struct recommend_answer *answer)
{
    const struct recommend_costs *costs = &answer->costs;
    if (costs->name)
        printf("- It costs %s most: its %s rises from %.3f to %.3f%s.\n", costs->name,
               answer->windowed ? "1 / yield" : "stretch", costs->stretch_now, costs->stretch,
               recommend_which(answer));
    else
        printf("- It costs no application %s%s.\n",
               costs->costless ? "anything" : "as much as 0.1 %", recommend_which(answer));
}

static void recommend_print_knowledge(const struct recommend_answer *answer)
{
    if (!answer->parts[0].volumes_as_means.runs) {
        puts("- It need not know the volumes of I/Os.");
        return;
    }
    puts(
        "- It needs to know the volume of an I/O when it begins. If volumes are known only as the\n"
        "  mean of earlier ones, as live without announcements, it changes");
    printf("  ");
    recommend_print_changes(answer, false);
    if (answer->roughly_best == answer->best) {
        puts(".");
    } else if (answer->roughly_best == 0) {
        printf(":\n  then keep %s.\n", answer->now);
    } else {
        printf(".\n  Then %s is better, which changes\n  ",
               answer->policies.list[answer->roughly_best]->name);
        recommend_print_changes(answer, true);
        puts(".");
    }
}

static void recommend_print_bound(const struct recommend_answer *answer)
{
    int which = recommend_main(answer);
    const struct measure *measure = answer->measures[which];
    double bound = answer->parts[which].bound, reached = answer->parts[which].reached;
    if (!isnan(bound))
        printf("- No schedule has a better %s than %.4f; %s reaches %.4f%s (%.1f %% away).\n",
               measure->name, bound, answer->policies.list[answer->best]->name, reached,
               recommend_which(answer), fmax(0, -100 * recommend_gain(measure, reached, bound)));
}

static void recommend_print_plan(const struct recommend_answer *answer)
{
    int which = recommend_main(answer);
    const struct measure *measure = answer->measures[which];
    double plan = answer->parts[which].plan, gain;
    if (isnan(plan) && answer->varies) {
        puts("- A plan in advance was not tried, as the phases of an application vary.");
        return;
    }
    if (isnan(plan)) {
        printf("- A plan in advance is not possible: %s.\n", answer->no_plan);
        return;
    }
    gain = recommend_gain(measure, plan, answer->parts[which].reached);
    printf("- A plan in advance brings %s to %.4f: %s.\n", measure->name, plan,
           gain > CHOICE_WORTH    ? "better, if the applications keep to it"
           : gain < -CHOICE_WORTH ? "worse"
                                  : "no difference worth the effort");
}

static void recommend_print_faster(const struct recommend_answer *answer)
{
    const struct recommend_work *work = &answer->work;
    printf("- A file system twice as fast under %s brings the node time spent on work (%s)\n"
           "  from %.4f to %.4f (",
           answer->now, work->measure, work->now, work->twice_as_fast);
    recommend_print_change(work->twice_as_fast - work->now, NAN, work->now);
    if (answer->use) {
        printf("), %s to %.4f (", answer->use, work->mean);
        recommend_print_change(work->mean - work->now, NAN, work->now);
    }
    puts(").");
}

static void recommend_print_keep(const struct recommend_answer *answer)
{
    double pressure = answer->io_pressure;
    printf("Keep %s.\n", answer->now);
    if (pressure < IDLE && answer->idle)
        printf(
            "- All I/O needs %s%.0f %% of the bandwidth: strategies do not matter, none of these\n"
            "  changes a measure by more than %.0f %%.\n",
            pressure < 0.01 ? "less than " : "", 100 * fmax(pressure, 0.01), 100 * CHOICE_IDLE);
    if (answer->goal == CHOICE_BOTH)
        printf("- No strategy brings a gain in %s or %s that is sure, above %.1f %%,\n"
               "  and not at the cost of the other.\n",
               answer->measures[CHOICE_FAIRNESS]->name, answer->measures[CHOICE_EFFICIENCY]->name,
               100 * CHOICE_WORTH);
    else
        printf("- No strategy brings a gain in %s that is sure and above %.1f %%.\n",
               answer->measures[answer->goal]->name, 100 * CHOICE_WORTH);
}

static void recommend_print_scenario(const struct recommend_answer *answer)
{
    printf("%s, %zu applications, I/O pressure %.2f, compared with %s\n\n", answer->source.name,
           (size_t)answer->study.workload->count, answer->io_pressure, answer->now);
    if (!answer->use) {
        recommend_print_keep(answer);
    } else {
        printf("Use %s.\n", answer->use);
        for (int i = 0; i < CHOICE_MEASURES; i++)
            recommend_print_gain(&answer->parts[i]);
        recommend_print_costs(answer);
        recommend_print_knowledge(answer);
        recommend_print_bound(answer);
        recommend_print_plan(answer);
    }
    recommend_print_faster(answer);
}

/* --- a database ---------------------------------------------------------------------------- */

enum { RECOMMEND_TITLE = 512 };

/* "general, noise=0.2, on intrepid": a JSON object of parameters without its punctuation. */
static char *recommend_title(const struct recommend_case *of, char title[RECOMMEND_TITLE])
{
    char piece[3] = "";
    snprintf(title, RECOMMEND_TITLE, "%s%s", of->name,
             strcmp(of->parameters, "{}") == 0 ? "" : ", ");
    for (const char *at = of->parameters; *at; at++) {
        if (strchr("{}\" ", *at))
            continue;
        piece[0] = *at == ':' ? '=' : *at;
        piece[1] = *at == ',' ? ' ' : 0;
        text_append(title, RECOMMEND_TITLE, piece);
    }
    text_append(title, RECOMMEND_TITLE, of->platform ? ", on " : "");
    text_append(title, RECOMMEND_TITLE, of->platform ? of->platform : "");
    text_append(title, RECOMMEND_TITLE, of->apart ? ", " : "");
    text_append(title, RECOMMEND_TITLE, of->apart ? of->apart : "");
    return title;
}

static void recommend_print_case(const struct recommend_stored_answer *answer,
                                 const struct recommend_case *of)
{
    char title[RECOMMEND_TITLE];
    printf("%s: ", recommend_title(of, title));
    if (of->runs == 0) {
        printf("no run of %s to compare with.\n", answer->now);
    } else if (!of->use) {
        printf("keep %s; no gain is sure and above %.1f %%%s.\n", answer->now, 100 * CHOICE_WORTH,
               answer->goal == CHOICE_BOTH ? " without a loss" : "");
    } else {
        printf("use %s.\n", of->use);
        for (int i = 0; i < CHOICE_MEASURES; i++)
            recommend_print_gain(&of->parts[i]);
    }
}

/* How often each strategy is the best. */
static void recommend_print_sums(const struct recommend_stored_answer *answer)
{
    bool first = true;
    for (size_t s = 0; s < answer->strategies_count; s++) {
        size_t best = 0;
        for (size_t i = 0; i < answer->cases_count; i++)
            best += answer->cases[i].runs > 0 && answer->cases[i].best == s;
        if (best > 0)
            printf("%s%s in %zu", first ? "\nIn all: " : ", ", answer->strategies[s], best);
        first &= best == 0;
    }
    if (!first)
        printf(" of %zu cases.\n", answer->cases_count);
}

static void recommend_print_stored(const struct recommend_stored_answer *answer)
{
    printf("%s, %zu case%s, %zu strategies, compared with %s\n\n", answer->database,
           answer->cases_count, answer->cases_count == 1 ? "" : "s", answer->strategies_count,
           answer->now);
    for (size_t i = 0; i < answer->cases_count; i++)
        recommend_print_case(answer, &answer->cases[i]);
    if (answer->cases_count > 1)
        recommend_print_sums(answer);
}

/* --- the command --------------------------------------------------------------------------- */

static int recommend_print(const void *question, const void *answer, struct err *err)
{
    (void)err;
    if (recommend_is_stored(question))
        recommend_print_stored(answer);
    else
        recommend_print_scenario(answer);
    return 0;
}

const struct command command_recommend = {
    .name = "recommend",
    .summary = "recommend a strategy, and show what it gains and costs",
    .question = &recommend_asking,
    .details =
        "Compares the strategies over seeds, or over an ensemble where nothing is random; "
        "then looks at the scenario as it is, or with seed 1: what each application pays, "
        "how far the best possible is, whether a plan would be better, and what a file "
        "system twice as fast would bring instead. From a campaign's database, it compares the "
        "strategies that are stored there.",
    .example = "weir recommend examples/quickstart.yaml --objective fairness",
    .print = recommend_print,
};
