#include "base/err.h"
#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    text_clean(err->text, strlen(err->text));
    return -1;
}

int err_prepend(struct err *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    char where[sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(where, sizeof where - 2, fmt, args);
    va_end(args);
    strcat(where, ": ");
    /* Where is worth more than the end of a long text. */
    size_t length = strlen(where), kept = strnlen(err->text, sizeof err->text - 1 - length);
    memmove(err->text + length, err->text, kept);
    memcpy(err->text, where, length);
    text_clean(err->text, length + kept);
    return -1;
}

static const char err_memory_text[] = "out of memory";

int err_memory(struct err *err)
{
    return err_set(err, "%s", err_memory_text);
}

bool err_is_memory(const struct err *err)
{
    /* What is prepended stands in front of it. */
    size_t length = strlen(err->text), own = sizeof err_memory_text - 1;
    return length >= own && strcmp(err->text + length - own, err_memory_text) == 0;
}
