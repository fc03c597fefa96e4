#include "experiment/sweep.h"
#include "cli/cli.h"
#include "cli/describe.h"
#include "format/campaign_file.h"
#include "format/format.h"
#include "format/service.h"
#include "metric/measure.h"
#include "policy/policy.h"
#include "store/schema.h"
#include <string.h>

enum { TEXT_SIZE = 512 };

/* Text in roff: backslashes and leading dots would be taken for commands, and a plain '-' would
 * become a hyphen that cannot be pasted. */
static void write_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
    }
}

static void write_section(FILE *out, const char *title)
{
    fprintf(out, ".SH %s\n", title);
}

/* A tagged paragraph: "tag", then text below and indented. */
static void write_entry(FILE *out, const char *tag, const char *text)
{
    fputs(".TP\n\\fB", out);
    write_roff(out, tag);
    fputs("\\fR\n", out);
    write_roff(out, text);
    fputc('\n', out);
}

/* What a command takes, and an example. */
static void write_usage(FILE *out, const struct command *command)
{
    const struct syntax syntax = command_syntax(command);
    for (const struct option *o = syntax.options; o && o->name; o++) {
        char label[TEXT_SIZE];
        write_entry(out, option_label(o, label, sizeof label), o->help);
    }
    if (command->details) {
        fputs(".PP\n", out);
        write_roff(out, command->details);
        fputc('\n', out);
    }
    for (const struct entry *entry = command->entries; entry && entry->name; entry++)
        write_entry(out, entry->name, entry->help);
}

static void write_example(FILE *out, const struct command *command)
{
    fputs(".PP\n.EX\n.RS 4\n", out);
    write_roff(out, command->example);
    fputs("\n.RE\n.EE\n", out);
}

static void write_synopsis(FILE *out, const struct command *command)
{
    const struct syntax syntax = command_syntax(command);
    write_roff(out, command->name);
    fprintf(out, "%s %s\n", syntax.options ? " [OPTION]..." : "",
            syntax.operands ? syntax.operands : "");
}

static void write_command(FILE *out, const struct command *command)
{
    fputs(".SS weir ", out);
    write_synopsis(out, command);
    write_roff(out, command->summary);
    fputs(".\n", out);
    write_usage(out, command);
    fputs(".PP\nExample:\n", out);
    write_example(out, command);
}

static void manual_write_policy(FILE *out, const struct weir_policy_ops *ops)
{
    char needed[TEXT_SIZE];
    write_entry(out, ops->name, ops->summary ? ops->summary : "");
    fputs(".br\nNeeds to know: ", out);
    write_roff(out, describe_needs(ops, needed, sizeof needed));
    fputs(".\n", out);
    if (ops->paper) {
        fputs(".br\nPublished in: ", out);
        write_roff(out, ops->paper);
        fputc('\n', out);
    }
    for (const struct weir_param *param = ops->params; param && param->name; param++) {
        char syntax[TEXT_SIZE], initial[64];
        fputs(".br\nParameter \\fI", out);
        write_roff(out, describe_param(param, syntax, sizeof syntax));
        fputs("\\fR: ", out);
        write_roff(out, param->help ? param->help : "");
        fputs("; default ", out);
        write_roff(out, describe_default(param, initial, sizeof initial));
        fputs(".\n", out);
    }
}

/* The scenario file's keys, a subsection for every mapping. */
struct key_writer {
    FILE *out;
    const char *mapping;
    char heading[64]; /* of what has no mapping of its own */
};

static void write_key(void *context, const char *mapping, const char *key, const char *value,
                      const char *help)
{
    struct key_writer *writer = context;
    char tag[TEXT_SIZE];
    if (!writer->mapping || strcmp(writer->mapping, mapping) != 0) {
        fputs(".SS \"", writer->out);
        write_roff(writer->out, mapping);
        fputs("\"\n", writer->out);
    }
    writer->mapping = mapping;
    snprintf(tag, sizeof tag, "%s: %s", key, value ? value : "");
    write_entry(writer->out, tag, help);
}

static void write_formats(FILE *out)
{
    write_section(out, "FORMATS");
    for (size_t i = 0; format_registry[i]; i++)
        write_entry(out, format_registry[i]->name, format_registry[i]->help);
}

static void write_measures(FILE *out)
{
    write_section(out, "MEASURES");
    fputs("Those of a run are listed above, with the option \\fB\\-\\-metrics\\fR of \\fBweir "
          "simulate\\fR.\nIn JSON, measures without meaning in a run are null. Those of an "
          "application:\n",
          out);
    for (size_t i = 0; i < APP_MEASURE_COUNT; i++)
        write_entry(out, app_measures[i].name, app_measures[i].help);
    fputs(".PP\nThose of a user or an account, over its applications:\n", out);
    for (size_t i = 0; i < PARTY_MEASURE_COUNT; i++)
        write_entry(out, party_measures[i].name, party_measures[i].help);
}

/* Members of one kind of answer, below the heading of docs/reference/json.md. */
static void write_answer_member(void *context, const char *path, const char *value,
                                const char *help)
{
    struct key_writer *writer = context;
    for (const struct answer_field *common = provenance_fields; common->key; common++) {
        size_t length = strlen(common->key);
        if (strncmp(path, common->key, length) == 0 && (!path[length] || path[length] == '.'))
            return; /* every answer has it */
    }
    write_key(writer, writer->heading, path, value, help);
}

/* What --json prints, if the command answers a question. */
static void write_answer_table(FILE *out, const struct question *question)
{
    struct key_writer writer = {.out = out};
    snprintf(writer.heading, sizeof writer.heading, "weir %s", question->syntax.name);
    fields_document(question->fields, write_answer_member, &writer);
}

static void write_answer_tables(FILE *out)
{
    write_section(out, "JSON OUTPUT");
    fputs("What \\fB\\-\\-json\\fR prints besides the version, the scenario, the seed and the "
          "platform.\n",
          out);
    for (size_t i = 0; questions[i]; i++)
        write_answer_table(out, questions[i]);
}

static const char closing[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nDone.\n.TP\n1\nThe run failed.\n.TP\n2\nBad usage or bad input.\n"
    ".PP\nErrors are one line on standard error; standard output carries results only, and an\n"
    "output file appears only when it is complete.\n"
    ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf set and not empty, nothing is coloured.\n"
    ".TP\n\\fBTERM\\fR\nIf \\fIdumb\\fR or not set, nothing is coloured, and no progress is "
    "shown.\n"
    ".TP\n\\fBWEIR_SOCKET\\fR\nPath of the controller for \\fBexec\\fR, \\fBtop\\fR, "
    "\\fBstatus\\fR and "
    "\\fBctl\\fR.\n"
    ".TP\n\\fBXDG_RUNTIME_DIR\\fR\nDirectory of its default socket; \\fI/run\\fR if not set.\n";

void help_page(const struct command *command, FILE *out)
{
    fprintf(out, ".TH WEIR-%s 1 \"\" \"weir %s\" \"User Commands\"\n", command->name, WEIR_VERSION);
    write_section(out, "NAME");
    fprintf(out, "weir\\-%s \\- ", command->name);
    write_roff(out, command->summary);
    fputc('\n', out);
    write_section(out, "SYNOPSIS");
    fputs("\\fBweir\\fR ", out);
    write_synopsis(out, command);
    write_section(out, "OPTIONS");
    write_usage(out, command);
    write_section(out, "EXAMPLE");
    write_example(out, command);
    if (command->question) {
        write_section(out, "JSON OUTPUT");
        write_answer_table(out, command->question);
    }
    fputs(closing, out);
    write_section(out, "SEE ALSO");
    fputs("\\fBweir\\fR(1) has strategies, measures and the formats of files.\n", out);
}

void help_manual(FILE *out)
{
    fprintf(out, ".TH WEIR 1 \"\" \"weir %s\" \"User Commands\"\n", WEIR_VERSION);
    write_section(out, "NAME");
    fputs("weir \\- I/O bandwidth scheduling for supercomputers\n", out);
    write_section(out, "SYNOPSIS");
    fputs("\\fBweir\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n", out);
    write_section(out, "DESCRIPTION");
    fputs("Simulates applications that share the bandwidth of a parallel file system, under "
          "the\nstrategies of the literature and with its measures. Plans the I/O of "
          "periodic\napplications, and maps jobs to nodes. A controller shares a store among "
          "running programs by\nthe same strategies.\n",
          out);
    write_section(out, "COMMANDS");
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            write_command(out, *c);
    write_section(out, "STRATEGIES");
    fputs("Written \\fINAME\\fR or \\fINAME\\fR:\\fIKEY\\fR=\\fIVALUE\\fR,...; a name with a "
          "slash is a plug\\-in.\n",
          out);
    for (size_t i = 0; policy_registry[i]; i++)
        manual_write_policy(out, policy_registry[i]);
    write_measures(out);
    write_formats(out);
    write_section(out, "SCENARIO FILE");
    fputs("YAML. Plain numbers are seconds, bytes and bytes/s.\n", out);
    scenario_document(write_key, &(struct key_writer){.out = out});
    write_section(out, "CAMPAIGN FILE");
    fputs("YAML, for \\fBweir campaign\\fR.\n", out);
    campaign_file_document(write_key, &(struct key_writer){.out = out});
    sweep_document(write_key, &(struct key_writer){.out = out});
    write_section(out, "CAMPAIGN DATABASE");
    fputs("The tables of the SQLite database that \\fBweir campaign\\fR writes.\n", out);
    schema_document(write_key, &(struct key_writer){.out = out});
    write_section(out, "CONFIGURATION FILE");
    fputs("YAML, for \\fBweir serve\\fR.\n", out);
    service_document(write_key, &(struct key_writer){.out = out});
    write_answer_tables(out);
    fputs(closing, out);
}
