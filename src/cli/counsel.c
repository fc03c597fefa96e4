/* The answer for a scenario or a family, as sentences and as JSON. */
#include "cli/counsel.h"
#include "base/json.h"

/* Below this I/O pressure strategies hardly matter. */
#define IDLE 0.2

/* The measure that the choice is justified by. */
static int counsel_main(const struct counsel *counsel)
{
    if (counsel->goal != CHOICE_BOTH)
        return (int)counsel->goal;
    return counsel->gains[CHOICE_FAIRNESS].effect == CHOICE_BETTER || counsel->best == 0
               ? CHOICE_FAIRNESS
               : CHOICE_EFFICIENCY;
}

/* "-3.2 % (+- 0.1)"; of 0, "+0.8000 (+- 0.0100)". */
static void counsel_print_change(double change, double margin, double now)
{
    bool part = fabs(now) > 0;
    printf(part ? "%+.1f %%" : "%+.4f", part ? 100 * change / fabs(now) : change);
    if (!isnan(margin))
        printf(part ? " (+- %.1f)" : " (+- %.4f)", part ? 100 * margin / fabs(now) : margin);
}

static void counsel_print_changes(const struct counsel *counsel, const struct choice_gain *gains)
{
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        printf("%s%s by ", i ? " and " : "", counsel->measures[i]->name);
        counsel_print_change(gains[i].difference, gains[i].margin, gains[i].now);
    }
}

void counsel_print_gain(const struct measure *measure, const struct choice_gain *gain)
{
    printf("  %s goes from %.4f to %.4f, ", measure->name, gain->now, gain->mean);
    counsel_print_change(gain->difference, gain->margin, gain->now);
    if (gain->runs > 1)
        printf(", better in %.0f %% of %zu runs.\n", 100 * gain->wins, gain->runs);
    else
        puts("; one run does not tell how sure that is.");
}

/* One run is looked at more closely: which. */
static const char *counsel_which(const struct counsel *counsel)
{
    return counsel->ensemble ? "" : " with seed 1";
}

static void counsel_print_costs(const struct counsel *counsel)
{
    if (counsel->worst[0])
        printf("- It costs %s most: its %s rises from %.3f to %.3f%s.\n", counsel->worst,
               counsel->windowed ? "1 / yield" : "stretch", counsel->worst_before,
               counsel->worst_after, counsel_which(counsel));
    else
        printf("- It costs no application %s%s.\n",
               counsel->costless ? "anything" : "as much as 0.1 %", counsel_which(counsel));
}

static void counsel_print_knowledge(const struct counsel *counsel)
{
    if (!counsel->roughly[0].runs) {
        puts("- It need not know the volumes of I/Os.");
        return;
    }
    puts(
        "- It needs to know the volume of an I/O when it begins. If volumes are known only as the\n"
        "  mean of earlier ones, as live without announcements, it changes");
    printf("  ");
    counsel_print_changes(counsel, counsel->roughly);
    if (counsel->roughly_best == counsel->best) {
        puts(".");
    } else if (counsel->roughly_best == 0) {
        printf(":\n  then keep %s.\n", counsel->policies.list[0]->name);
    } else {
        printf(".\n  Then %s is better, which changes\n  ",
               counsel->policies.list[counsel->roughly_best]->name);
        counsel_print_changes(counsel, counsel->roughly_best_gains);
        puts(".");
    }
}

static void counsel_print_bound(const struct counsel *counsel)
{
    int which = counsel_main(counsel);
    const struct measure *measure = counsel->measures[which];
    double bound = counsel->bound[which], reached = counsel->reached[which];
    if (!isnan(bound))
        printf("- No schedule has a better %s than %.4f; %s reaches %.4f%s (%.1f %% away).\n",
               measure->name, bound, counsel->policies.list[counsel->best]->name, reached,
               counsel_which(counsel), fmax(0, -100 * counsel_gain(measure, reached, bound)));
}

static void counsel_print_plan(const struct counsel *counsel)
{
    int which = counsel_main(counsel);
    const struct measure *measure = counsel->measures[which];
    double plan = counsel->plan[which], gain;
    if (isnan(plan) && counsel->varies) {
        puts("- A plan in advance was not tried, as the phases of an application vary.");
        return;
    }
    if (isnan(plan)) {
        printf("- A plan in advance is not possible: %s.\n", counsel->no_plan);
        return;
    }
    gain = counsel_gain(measure, plan, counsel->reached[which]);
    printf("- A plan in advance brings %s to %.4f: %s.\n", measure->name, plan,
           gain > CHOICE_WORTH    ? "better, if the applications keep to it"
           : gain < -CHOICE_WORTH ? "worse"
                                  : "no difference worth the effort");
}

static void counsel_print_faster(const struct counsel *counsel)
{
    const struct choice_gain *work = &counsel->work_gain;
    const char *now = counsel->policies.list[0]->name;
    printf("- A file system twice as fast under %s brings the node time spent on work (%s)\n"
           "  from %.4f to %.4f (",
           now, counsel->work->name, work->now, counsel->work_twice);
    counsel_print_change(counsel->work_twice - work->now, NAN, work->now);
    if (counsel->best > 0) {
        printf("), %s to %.4f (", counsel->policies.list[counsel->best]->name, work->mean);
        counsel_print_change(work->mean - work->now, NAN, work->now);
    }
    puts(").");
}

static void counsel_print_keep(const struct counsel *counsel)
{
    double pressure = counsel->study.workload->io_pressure;
    printf("Keep %s.\n", counsel->policies.list[0]->name);
    if (pressure < IDLE && counsel->idle)
        printf(
            "- All I/O needs %s%.0f %% of the bandwidth: strategies do not matter, none of these\n"
            "  changes a measure by more than %.0f %%.\n",
            pressure < 0.01 ? "less than " : "", 100 * fmax(pressure, 0.01), 100 * CHOICE_IDLE);
    if (counsel->goal == CHOICE_BOTH)
        printf("- No strategy brings a gain in %s or %s that is sure, above %.1f %%,\n"
               "  and not at the cost of the other.\n",
               counsel->measures[CHOICE_FAIRNESS]->name, counsel->measures[CHOICE_EFFICIENCY]->name,
               100 * CHOICE_WORTH);
    else
        printf("- No strategy brings a gain in %s that is sure and above %.1f %%.\n",
               counsel->measures[counsel->goal]->name, 100 * CHOICE_WORTH);
}

void counsel_print(const struct counsel *counsel)
{
    const struct workload *workload = counsel->study.workload;
    printf("%s, %zu applications, I/O pressure %.2f, compared with %s\n\n", counsel->source.name,
           (size_t)workload->count, workload->io_pressure, counsel->policies.list[0]->name);
    if (counsel->best == 0) {
        counsel_print_keep(counsel);
    } else {
        printf("Use %s.\n", counsel->policies.list[counsel->best]->name);
        counsel_print_gain(counsel->measures[CHOICE_FAIRNESS], &counsel->gains[CHOICE_FAIRNESS]);
        counsel_print_gain(counsel->measures[CHOICE_EFFICIENCY],
                           &counsel->gains[CHOICE_EFFICIENCY]);
        counsel_print_costs(counsel);
        counsel_print_knowledge(counsel);
        counsel_print_bound(counsel);
        counsel_print_plan(counsel);
    }
    counsel_print_faster(counsel);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static void counsel_json_measure(const struct counsel *counsel, int which, struct json *json)
{
    const struct choice_gain *gain = &counsel->gains[which], *roughly = &counsel->roughly[which];
    json_begin_object(json, counsel_goals[which]);
    json_string(json, "measure", counsel->measures[which]->name);
    json_number(json, "now", gain->now);
    json_number(json, "mean", gain->mean);
    json_number(json, "difference", gain->difference);
    json_number(json, "margin", gain->margin);
    json_number(json, "win_rate", gain->wins);
    json_number(json, "runs", (double)gain->runs);
    json_number(json, "reached", counsel->reached[which]);
    json_number(json, "bound", counsel->bound[which]);
    json_number(json, "plan", counsel->plan[which]);
    json_begin_object(json, "volumes_as_means");
    json_number(json, "now", roughly->runs ? roughly->now : NAN);
    json_number(json, "mean", roughly->runs ? roughly->mean : NAN);
    json_number(json, "difference", roughly->runs ? roughly->difference : NAN);
    json_number(json, "margin", roughly->runs ? roughly->margin : NAN);
    json_end_object(json);
    json_end_object(json);
}

void counsel_print_json(const struct counsel *counsel)
{
    struct json json = {.out = stdout, .pretty = true};
    const struct provenance made = study_provenance(&counsel->study);
    bool costs = counsel->worst[0] && counsel->best > 0;
    json_begin_object(&json, NULL);
    provenance_json(&made, &json);
    json_string(&json, "objective", counsel_goals[counsel->goal]);
    json_string(&json, "now", counsel->policies.list[0]->name);
    json_string(&json, "use",
                counsel->best > 0 ? counsel->policies.list[counsel->best]->name : NULL);
    json_string(&json, "use_volumes_as_means",
                counsel->roughly[0].runs && counsel->roughly_best > 0
                    ? counsel->policies.list[counsel->roughly_best]->name
                    : NULL);
    json_number(&json, "io_pressure", counsel->study.workload->io_pressure);
    counsel_json_measure(counsel, CHOICE_FAIRNESS, &json);
    counsel_json_measure(counsel, CHOICE_EFFICIENCY, &json);
    json_begin_object(&json, "work");
    json_string(&json, "measure", counsel->work->name);
    json_number(&json, "now", counsel->work_gain.now);
    json_number(&json, "mean", counsel->work_gain.mean);
    json_number(&json, "twice_as_fast", counsel->work_twice);
    json_end_object(&json);
    json_begin_object(&json, "costs");
    json_string(&json, "name", costs ? counsel->worst : NULL);
    json_number(&json, "stretch_now", costs ? counsel->worst_before : NAN);
    json_number(&json, "stretch", costs ? counsel->worst_after : NAN);
    json_end_object(&json);
    json_end_object(&json);
}
