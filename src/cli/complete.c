#include "cli/complete.h"
#include "base/text.h"
#include "cli/commands.h"
#include "format/export.h"
#include "format/import.h"
#include "gen/family.h"
#include "map/mapper.h"
#include "metric/measure.h"
#include "paper/result.h"
#include "policy/policy.h"
#include <string.h>

enum { TOKEN = 64 };

/* The word that is being typed. */
struct typed {
    FILE *out;
    const char *prefix; /* what stands before it in the same word, such as "--policy=" */
    size_t prefix_length;
    const char *text; /* what there is of it */
};

static void complete_offer(const struct typed *typed, const char *word, const char *help)
{
    if (strncmp(word, typed->text, strlen(typed->text)) == 0)
        fprintf(typed->out, "%.*s%s\t%s\n", (int)typed->prefix_length, typed->prefix, word,
                help ? help : "");
}

/* --- lists of words -------------------------------------------------------------------------- */

static void complete_strategies(const struct typed *typed)
{
    for (size_t i = 0; policy_registry[i]; i++)
        complete_offer(typed, policy_registry[i]->name, policy_registry[i]->summary);
    complete_offer(typed, "all", "every strategy");
    if (strchr(typed->text, '/'))
        fputs(":files\n", typed->out);
}

/* After the last comma. */
static void complete_measures(const struct typed *typed)
{
    struct typed last = *typed;
    const char *comma = strrchr(typed->text, ',');
    if (comma && typed->prefix_length == 0) {
        last.prefix = typed->text;
        last.prefix_length = (size_t)(comma + 1 - typed->text);
        last.text = comma + 1;
    }
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        complete_offer(&last, measures[i].name, measures[i].help);
}

static void complete_methods(const struct typed *typed)
{
    for (int i = 0; i < MAP_METHODS_COUNT; i++)
        complete_offer(typed, map_method_names[i], NULL);
}

static void complete_orders(const struct typed *typed)
{
    for (int i = 0; i < MAP_ORDERS_COUNT; i++)
        complete_offer(typed, map_order_names[i], NULL);
}

static void complete_families(const struct typed *typed)
{
    for (size_t i = 0; families[i]; i++)
        complete_offer(typed, families[i]->name, families[i]->summary);
}

static void complete_importers(const struct typed *typed)
{
    for (size_t i = 0; import_registry[i]; i++)
        complete_offer(typed, import_registry[i]->name, import_registry[i]->help);
}

static void complete_exporters(const struct typed *typed)
{
    for (size_t i = 0; export_registry[i]; i++)
        complete_offer(typed, export_registry[i]->name, export_registry[i]->help);
}

static void complete_results(const struct typed *typed)
{
    complete_offer(typed, "all", "every result");
    complete_offer(typed, "findings", "every result of our own");
    struct results results;
    struct err err;
    if (results_load(&results, &err) == 0)
        for (size_t i = 0; i < results.count; i++)
            complete_offer(typed, results.list[i].name, results.list[i].title);
    results_fini(&results);
}

static void complete_commands(const struct typed *typed)
{
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            complete_offer(typed, (*c)->name, (*c)->summary);
}

/* What placeholders in help stand for, in all commands or in one. */
static const struct {
    const char *name, *command;
    void (*offer)(
        const struct typed *typed); /* NULL = the shell knows, or the table of the command */
    const char *shell;
} placeholders[] = {
    {"STRATEGY", NULL, complete_strategies, NULL},
    {"STRATEGY...", NULL, complete_strategies, NULL},
    {"MEASURE,...", NULL, complete_measures, NULL},
    {"METHOD", NULL, complete_methods, NULL},
    {"ORDER", NULL, complete_orders, NULL},
    {"FAMILY", NULL, complete_families, NULL},
    {"FAMILY...", NULL, complete_families, NULL},
    {"FORMAT", "import", complete_importers, NULL},
    {"FORMAT", "export", complete_exporters, NULL},
    {"NAME...", "reproduce", complete_results, NULL},
    {"COMMAND", NULL, complete_commands, NULL},
    {"COMMAND...", NULL, NULL, ":commands\n:files"},
    {"DIR", NULL, NULL, ":directories"},
    {"FILE", NULL, NULL, ":files"},
    {"FILE...", NULL, NULL, ":files"},
    {"FILE.json", NULL, NULL, ":files"},
    {"FILE.svg", NULL, NULL, ":files"},
    {"PATH", NULL, NULL, ":files"},
    {"SCENARIO", NULL, NULL, ":files"},
    {"WORKLOAD", NULL, NULL, ":files"},
    {"DB", NULL, NULL, ":files"},
    {"DATABASE", NULL, NULL, ":files"},
    {"SHARD...", NULL, NULL, ":files"},
    {"KEY", NULL, NULL, NULL},
};

/* Offers what one placeholder stands for; one that begins with a small letter is a word itself. */
static void complete_placeholder(const struct typed *typed, const struct command *command,
                                 const char *name)
{
    if (*name >= 'a' && *name <= 'z')
        complete_offer(typed, name, NULL);
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++) {
        if (strcmp(placeholders[i].name, name) != 0 ||
            (placeholders[i].command && strcmp(placeholders[i].command, command->name) != 0))
            continue;
        if (placeholders[i].offer)
            placeholders[i].offer(typed);
        else if (placeholders[i].shell)
            fprintf(typed->out, "%s\n", placeholders[i].shell);
        else
            for (const struct entry *e = command->entries; e && e->name; e++)
                complete_offer(typed, e->name, e->help);
    }
}

/* --- options --------------------------------------------------------------------------------- */

/* Copies the text up to one of the ends; returns what follows that, or NULL after the last. */
static const char *complete_cut(const char *text, const char *ends, char token[TOKEN])
{
    size_t length = strcspn(text, ends);
    snprintf(token, TOKEN, "%.*s", (int)length, text);
    return text[length] ? text + length + 1 : NULL;
}

static void complete_value(const struct typed *typed, const struct command *command,
                           const struct option *option)
{
    char token[TOKEN];
    for (const char *at = option->value; at;) {
        at = complete_cut(at, "|", token);
        complete_placeholder(typed, command, token);
    }
}

/* The option of this spelling that takes a value, which may follow after '='. */
static const struct option *complete_find(const struct command *command, const char *word)
{
    for (const struct option *o = command_syntax(command).options; o && o->name; o++) {
        size_t length = strcspn(word, "=");
        bool long_form = strncmp(word, "--", 2) == 0 && strlen(o->name) == length - 2 &&
                         memcmp(word + 2, o->name, length - 2) == 0;
        bool letter = word[0] == '-' && o->letter && word[1] == o->letter && !word[2];
        if (o->kind != OPTION_FLAG && (long_form || letter))
            return o;
    }
    return NULL;
}

static bool complete_is_given(const struct words *words, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 1; i + 1 < words->count; i++)
        if (strncmp(words->list[i], "--", 2) == 0 &&
            strncmp(words->list[i] + 2, name, length) == 0 &&
            (!words->list[i][2 + length] || words->list[i][2 + length] == '='))
            return true;
    return false;
}

/* Those that may still be given. */
static void complete_options(const struct typed *typed, const struct command *command,
                             const struct words *words)
{
    char label[TOKEN];
    for (const struct option *o = command_syntax(command).options; o && o->name; o++) {
        snprintf(label, sizeof label, "--%s", o->name);
        if (o->kind == OPTION_WORDS || !complete_is_given(words, o->name))
            complete_offer(typed, label, o->help);
    }
    complete_offer(typed, "--help", "explain the command");
}

/* --- operands -------------------------------------------------------------------------------- */

/* "[NAME...|all]" begins and ends as one that may be left out: its words do not. */
static void complete_unbracket(char token[TOKEN])
{
    size_t length = strlen(token);
    if (length > 0 && token[length - 1] == ']')
        token[length - 1] = 0;
    if (*token == '[')
        memmove(token, token + 1, strlen(token));
}

/* The operand at this index, of "FORMAT FILE..." or of "show|set KEY VALUE|..."; the last one may
 * be repeated. */
static void complete_operand(const struct typed *typed, const struct command *command,
                             const struct words *operands)
{
    char alternative[TOKEN], token[TOKEN];
    for (const char *rest = command_syntax(command).operands; rest;) {
        rest = complete_cut(rest, "|", alternative);
        const char *at = complete_cut(alternative, " ", token);
        if (operands->count > 0 && *token >= 'a' && *token <= 'z' &&
            strcmp(token, operands->list[0]) != 0)
            continue;
        for (size_t i = strcmp(token, "--") == 0 ? (size_t)-1 : 0; i != operands->count && at; i++)
            at = complete_cut(at, " ", token);
        complete_unbracket(token);
        complete_placeholder(typed, command, token);
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

/* What stands before the word that is typed: an option that wants it as its value, or operands. */
struct before {
    const struct option *option; /* NULL = none */
    struct words operands;       /* a part of the words */
    bool only_operands;          /* "--" was there */
};

static void complete_read(const struct command *command, const struct words *words,
                          const char **operands, struct before *before)
{
    *before = (struct before){.operands.list = operands};
    for (size_t i = 1; i + 1 < words->count; i++) {
        const char *word = words->list[i];
        if (before->option && strcmp(word, "=") == 0)
            continue; /* bash makes three words of --policy=fcfs */
        if (before->option) {
            before->option = NULL;
        } else if (!before->only_operands && strcmp(word, "--") == 0) {
            before->only_operands = true;
        } else if (before->only_operands || word[0] != '-') {
            before->operands.list[before->operands.count++] = word;
        } else if (!strchr(word, '=')) {
            before->option = complete_find(command, word);
        }
    }
}

static void complete_command(struct typed *typed, const struct command *command,
                             const struct words *words)
{
    enum { MOST = 64 };
    const char *operands[MOST];
    struct before before;
    if (words->count > MOST)
        return;
    complete_read(command, words, operands, &before);
    const char *equals = strchr(typed->text, '=');
    const struct option *option = before.option;
    if (option && strcmp(typed->text, "=") == 0)
        typed->text = "";
    if (!option && typed->text[0] == '-' && equals && !before.only_operands) {
        option = complete_find(command, typed->text);
        typed->prefix = typed->text;
        typed->prefix_length = (size_t)(equals + 1 - typed->text);
        typed->text = equals + 1;
    }
    if (option)
        complete_value(typed, command, option);
    else if (typed->text[0] == '-' && !before.only_operands)
        complete_options(typed, command, words);
    else
        complete_operand(typed, command, &before.operands);
}

void complete_words(const struct words *words, FILE *out)
{
    struct typed typed = {.out = out, .prefix = "", .text = ""};
    if (words->count > 0)
        typed.text = words->list[words->count - 1];
    if (words->count < 2) {
        complete_commands(&typed);
        complete_offer(&typed, "--help", "list the commands");
        complete_offer(&typed, "--version", "print the version");
        return;
    }
    const struct command *command = command_find(words->list[0], NULL);
    if (command)
        complete_command(&typed, command, words);
}
