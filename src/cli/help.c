#include "base/text.h"
#include "cli/cli.h"
#include <string.h>

/* Columns: help stands beside options at one place, beside commands, which are shorter, at another.
 */
enum { SCREEN = 80, OPTION_COLUMN = 28, COMMAND_COLUMN = 14, LABEL_SIZE = 64 };

char *option_label(const struct option *option, char *buffer, size_t size)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(buffer, size, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    return buffer;
}

void help_wrap(FILE *out, const char *text, int indent, int column)
{
    bool fresh = true; /* nothing on this line yet but the indentation */
    fprintf(out, "%*s", indent > column ? indent - column : 0, "");
    column = indent;
    while (*text) {
        size_t length = strcspn(text, " ");
        int width = text_width(text, length);
        if (!fresh && column + 1 + width >= SCREEN) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            fresh = true;
        }
        fprintf(out, "%s%.*s", fresh ? "" : " ", (int)length, text);
        column += width + !fresh;
        fresh = false;
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

/* "label      help", the help on its own line where the label is too long. */
static void print_entry(FILE *out, int start, const char *label, const char *help)
{
    int column = 2 + text_width(label, strlen(label));
    fprintf(out, "  %s", label);
    if (column > start - 2) {
        fputc('\n', out);
        column = 0;
    }
    help_wrap(out, help, start, column);
}

void help_overview(FILE *out)
{
    fputs("weir - I/O bandwidth scheduling for supercomputers\n\n"
          "usage: weir COMMAND [OPTION]... [ARGUMENT]...\n",
          out);
    for (const struct command_group *group = command_groups; group->title; group++) {
        fprintf(out, "\n%s:\n", group->title);
        for (const struct command *const *c = group->list; *c; c++)
            if (!(*c)->hidden)
                print_entry(out, COMMAND_COLUMN, (*c)->name, (*c)->summary);
    }
    fputs("\noptions:\n", out);
    print_entry(out, COMMAND_COLUMN, "-h, --help",
                "print this text; 'weir COMMAND --help' explains a command");
    print_entry(out, COMMAND_COLUMN, "--version", "print the version");
    fputs("\nexample:\n  weir simulate examples/quickstart.yaml --policy all\n", out);
}

void help_command(const struct command *command, FILE *out)
{
    const struct syntax syntax = command_syntax(command);
    const char *program = command->program ? command->program : "weir";
    fprintf(out, "%s %s - %s\n\n", program, command->name, command->summary);
    int width = fprintf(out, "usage: %s %s%s", program, command->name,
                        syntax.options ? " [OPTION]..." : "");
    if (syntax.operands) /* on the next line if they are long, below the program */
        fprintf(out, "%s%s", width + (int)strlen(syntax.operands) < SCREEN ? " " : "\n       ",
                syntax.operands);
    fputs("\n\noptions:\n", out);
    for (const struct option *o = syntax.options; o && o->name; o++) {
        char label[LABEL_SIZE];
        print_entry(out, OPTION_COLUMN, option_label(o, label, sizeof label), o->help);
    }
    print_entry(out, OPTION_COLUMN, "-h, --help", "print this text");
    if (command->details) {
        fputc('\n', out);
        help_wrap(out, command->details, 0, 0);
    }
    for (const struct entry *entry = command->entries; entry && entry->name; entry++)
        print_entry(out, OPTION_COLUMN, entry->name, entry->help);
    fprintf(out, "\nexample:\n  %s\n", command->example);
}
