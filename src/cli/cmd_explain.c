#include "answer/explain.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include <math.h>

enum { EXPLAIN_TEXT = 64 };

static int explain_print(const void *question, const void *found, struct err *err)
{
    const struct explain_answer *answer = found;
    char at[EXPLAIN_TEXT], next[EXPLAIN_TEXT], granted[EXPLAIN_TEXT], whole[EXPLAIN_TEXT];
    (void)question;
    printf("%s under %s at %s: %s of %s granted to %zu I/O%s", answer->made.scenario,
           answer->policy, units_print(answer->at, UNIT_SECONDS, at, sizeof at),
           units_print(answer->granted, UNIT_RATE, granted, sizeof granted),
           units_print(answer->bandwidth, UNIT_RATE, whole, sizeof whole), answer->list_count,
           answer->list_count == 1 ? "" : "s");
    if (isnan(answer->next))
        printf(", the last decision\n\n");
    else
        printf(", until %s\n\n", units_print(answer->next, UNIT_SECONDS, next, sizeof next));
    const struct ask_table table = {.corner = "application",
                                    .fields = explain_line_fields,
                                    .list = answer->list,
                                    .count = answer->list_count,
                                    .size = sizeof *answer->list,
                                    .without = isnan(answer->list[0].key) ? "key" : NULL};
    return ask_print_table(&table, err);
}

const struct command command_explain = {
    .name = "explain",
    .summary = "show what a strategy saw at one moment, and what it granted",
    .question = &explain_asking,
    .details =
        "For one decision of a run: every application with an I/O, what its place in the "
        "order goes by where the strategy has a key, its yield, what it has lost, and what it "
        "is granted. A plug-in shows its key by the function 'key' of weir/policy.h.",
    .example = "weir explain examples/quickstart.yaml --policy greedy-com --at 35min",
    .print = explain_print,
};
