#include "base/shell_word.h"
#include <string.h>

static const char shell_plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_./-+,:=@%";

void shell_word_write(const char *text, size_t length, FILE *out)
{
    size_t plain = 0;
    while (plain < length && text[plain] && strchr(shell_plain, text[plain]))
        plain++;
    if (length > 0 && plain == length) {
        fwrite(text, 1, length, out);
        return;
    }
    fputc('\'', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs("'\\'", out);
        fputc(text[i], out);
    }
    fputc('\'', out);
}
