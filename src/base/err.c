#include "base/err.h"
#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int err_print(struct err *err, enum err_kind kind, const char *fmt, va_list args)
{
    if (!err)
        return -1;
    vsnprintf(err->text, sizeof err->text, fmt, args);
    text_clean(err->text, strlen(err->text));
    err->kind = kind;
    return -1;
}

int err_set(struct err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    err_print(err, ERR_INPUT, fmt, args);
    va_end(args);
    return -1;
}

int err_option(struct err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    err_print(err, ERR_OPTION, fmt, args);
    va_end(args);
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

int err_prepend_option(struct err *err, const char *name)
{
    if (err && err->kind != ERR_MEMORY)
        err->kind = ERR_OPTION;
    return err_prepend(err, "--%s", name);
}

int err_memory(struct err *err)
{
    err_set(err, "out of memory");
    if (err)
        err->kind = ERR_MEMORY;
    return -1;
}

int err_run(struct err *err)
{
    if (err && err->kind != ERR_MEMORY)
        err->kind = ERR_RUN;
    return -1;
}
