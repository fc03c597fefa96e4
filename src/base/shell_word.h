/* Texts as words of the shell, for commands that people copy and scripts that it runs. */
#ifndef WEIR_BASE_SHELL_WORD_H
#define WEIR_BASE_SHELL_WORD_H

#include <stddef.h>
#include <stdio.h>

/* Writes one word, or a part of one; in single quotes unless all its characters are plain. */
void shell_word_write(const char *text, size_t length, FILE *out);

#endif
