#include "answer/advise.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include <math.h>

static int advise_print(const void *question, const void *found, struct err *err)
{
    const struct advise_answer *answer = found;
    const struct advise_line *best = &answer->list[answer->best];
    char moved[32], span[32];
    (void)question;
    printf("%s: %llu applications moved %s in %s\n\n", answer->made.scenario,
           (unsigned long long)answer->applications,
           units_print(answer->moved, UNIT_BYTES, moved, sizeof moved),
           units_print(answer->span, UNIT_SECONDS, span, sizeof span));
    const struct ask_table table = {.corner = "strategy",
                                    .fields = advise_line_fields,
                                    .list = answer->list,
                                    .count = answer->list_count,
                                    .size = sizeof *answer->list,
                                    .legend = true};
    if (ask_print_table(&table, err) < 0)
        return -1;
    if (best->saved >= 1)
        printf("\n%s would have saved %.0f %% of what was lost\n", best->name, best->saved);
    else if (answer->list[0].lost >= 0)
        printf("\nno strategy would have saved much\n");
    return 0;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "show what strategies would have brought while observing",
    .question = &advise_asking,
    .details = "JOURNAL is what 'weir serve --journal' wrote, with control or while it only "
               "observed. What happened is simulated under each strategy, with what a live "
               "controller knows. The line 'as it was' has what was measured; fair-share stands "
               "for no control: how far the two differ shows how well the simulation fits.",
    .example = "weir advise /var/lib/weir/journal --policy surplus --policy clearing",
    .print = advise_print,
};
