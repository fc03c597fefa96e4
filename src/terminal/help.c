#include "terminal/help.h"
#include "base/text.h"
#include <string.h>

enum { SCREEN = 80, OPTION_COLUMN = 28, LABEL_SIZE = 64 };

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

void help_entry(FILE *out, int start, const char *label, const char *help)
{
    int column = 2 + text_width(label, strlen(label));
    fprintf(out, "  %s", label);
    if (column > start - 2) {
        fputc('\n', out);
        column = 0;
    }
    help_wrap(out, help, start, column);
}

void help_print(const struct help_page *page, FILE *out)
{
    const struct syntax *syntax = &page->syntax;
    fprintf(out, "%s %s - %s\n\n", page->program, syntax->name, page->summary);
    int width = fprintf(out, "usage: %s %s%s", page->program, syntax->name,
                        syntax->options ? " [OPTION]..." : "");
    if (syntax->operands) /* on the next line if they are long, below the program */
        fprintf(out, "%s%s", width + (int)strlen(syntax->operands) < SCREEN ? " " : "\n       ",
                syntax->operands);
    fputs("\n\noptions:\n", out);
    for (const struct option *o = syntax->options; o && o->name; o++) {
        char label[LABEL_SIZE];
        help_entry(out, OPTION_COLUMN, option_label(o, label, sizeof label), o->help);
    }
    help_entry(out, OPTION_COLUMN, "-h, --help", "print this text");
    if (page->details) {
        fputc('\n', out);
        help_wrap(out, page->details, 0, 0);
    }
    for (const struct entry *entry = page->entries; entry && entry->name; entry++)
        help_entry(out, OPTION_COLUMN, entry->name, entry->help);
    fprintf(out, "\nexample:\n  %s\n", page->example);
}
