#include "answer/describe.h"
#include "cli/commands.h"
#include "report/description.h"

static int cli_describe_print(const void *question, const void *found, struct err *err)
{
    const struct describe_answer *answer = found;
    (void)question;
    (void)err;
    description_print(&answer->description, stdout);
    programs_print(answer->uses, answer->programs_count, answer->applications_count, stdout);
    return 0;
}

const struct command command_describe = {
    .name = "describe",
    .summary = "show what is in scenarios, and how congested they will be",
    .question = &describe_asking,
    .details =
        "Shows each application with its nodes, iterations, the work and I/O of an iteration, its "
        "period and its time alone; the total volume, I/O pressure, its busiest hour, weight of "
        "I/O and I/O load; "
        "how many applications each set of Set-10 has; the period at which I/O of varying phases "
        "repeats, and how certain that is; how often the demand exceeds the bandwidth, from a "
        "simulation under fair-share; and the demand over time if every application were alone. "
        "Where "
        "several applications run one program (their names differ in the number of the job, as "
        "'weir import' writes them), also each program with the node hours it uses, in all and per "
        "day, and the share of its time that is I/O.",
    .example = "weir describe examples/quickstart.yaml",
    .print = cli_describe_print,
};
