#include "base/stage.h"
#include <stdarg.h>
#include <stdio.h>

enum { STAGE_TEXT = 1024 };

static const struct stage_host stage_silent;
static _Thread_local const struct stage_host *stage_current = &stage_silent;

const struct stage_host *stage_enter(const struct stage_host *host)
{
    const struct stage_host *before = stage_current;
    stage_current = host ? host : &stage_silent;
    return before;
}

const struct stage_host *stage_host(void)
{
    return stage_current;
}

void stage_begin(const char *subject, const char *stage)
{
    if (stage_current->begin)
        stage_current->begin(subject, stage);
}

void stage_show(double done)
{
    if (stage_current->show)
        stage_current->show(stage_current->context, done);
}

void stage_count(size_t done, size_t of)
{
    if (stage_current->count)
        stage_current->count(done, of);
}

void stage_end(void)
{
    if (stage_current->end)
        stage_current->end();
}

void stage_note(const char *lines)
{
    if (stage_current->note)
        stage_current->note(lines);
}

void stage_warn(const char *fmt, ...)
{
    char text[STAGE_TEXT];
    va_list args;
    if (!stage_current->warn)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    stage_current->warn(text);
}
