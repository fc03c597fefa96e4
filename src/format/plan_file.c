#include "format/plan_file.h"
#include "base/mem.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

const char *const plan_methods[] = {"persched", "hrr", NULL};

struct plan_file *plan_file_new(struct plan *plan)
{
    struct plan_file *file = mem_alloc(1, sizeof *file);
    if (file)
        file->plan = plan;
    else
        plan_free(plan);
    return file;
}

struct plan_file *plan_file_load(const char *path, const struct tasks *tasks, struct err *err)
{
    size_t length;
    char *text = text_load(path, &length, err);
    if (!text)
        return NULL;
    const char *where = strcmp(path, "-") == 0 ? "stdin" : path;
    struct plan_file *file = plan_file_parse(text, length, where, tasks, err);
    free(text);
    return file;
}

struct plan_file *plan_file_load_own(const char *path, struct plan_own *own, struct err *err)
{
    size_t length;
    char *text = text_load(path, &length, err);
    if (!text)
        return NULL;
    struct plan_file *file = plan_file_parse_own(text, length, path, own, err);
    free(text);
    return file;
}

void plan_file_free(struct plan_file *file)
{
    if (!file)
        return;
    plan_free(file->plan);
    free(file);
}
