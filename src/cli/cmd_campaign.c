#include "base/output.h"
#include "cli/commands.h"
#include "report/campaign_text.h"
#include "terminal/interruption.h"

static int campaign_print_script(const struct campaign_question *question,
                                 const struct campaign_answer *answer, struct err *err)
{
    struct output output = {0};
    if (output_open(&output, question->output ? question->output : "-", err) < 0)
        return -1;
    fputs(answer->script, output.file);
    int status = output_commit(&output, err);
    output_discard(&output);
    return status;
}

static int cli_campaign_print(const void *values, const void *found, struct err *err)
{
    const struct campaign_question *question = values;
    const struct campaign_answer *answer = found;
    if (answer->scripted)
        return campaign_print_script(question, answer, err);
    if (answer->done) {
        const struct filled *filled = &answer->filled;
        campaign_print_end(answer->name, answer->database, filled, stdout);
        fflush(stdout);
        return filling_judge(filled, answer->database, err);
    }
    campaign_print_plan(answer, stdout);
    return 0;
}

/* What was stored before a signal stays. */
static int cli_campaign_check(const void *values, struct err *err)
{
    (void)values;
    (void)err;
    interruption_catch();
    return 0;
}

const struct command command_campaign = {
    .name = "campaign",
    .summary = "run many scenarios under many strategies into a database",
    .details =
        "The file lists scenarios or families, platforms, values to sweep, seeds and strategies; "
        "every combination is run. A run that fails is stored with its error. However a "
        "campaign ends, the same command continues it, and the database is the same in the end, "
        "whatever the number of jobs. docs/reference/campaign.md describes the file and the tables.",
    .example = "weir campaign examples/campaign/bandwidth.yaml --db results.sqlite",
    .question = &campaign_asking,
    .check = cli_campaign_check,
    .print = cli_campaign_print,
};
