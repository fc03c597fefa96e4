#include "report/runs.h"
#include <string.h>

static const char *const whole_run[] = {
    "makespan", "max_stretch", "mean_stretch", "dilation", "sys_efficiency", "io_slowdown", NULL};
static const char *const in_window[] = {"min_yield",   "mean_yield",  "efficiency",
                                        "utilization", "io_slowdown", NULL};

struct selection selection_default(const struct window *window)
{
    struct selection selection = {0};
    const char *const *names = window->kind == WINDOW_NONE ? whole_run : in_window;
    for (; *names; names++)
        selection.measures[selection.count++] = measure_find(*names, NULL);
    return selection;
}

static int select_one(struct selection *selection, const char *name, struct err *err)
{
    const struct measure *measure = measure_find(name, err);
    if (!measure)
        return -1;
    for (size_t i = 0; i < selection->count; i++)
        if (selection->measures[i] == measure)
            return err_set(err, "measure '%s' is given twice", name);
    selection->measures[selection->count++] = measure;
    selection->chosen = true;
    return 0;
}

int selection_parse(struct selection *selection, const char *text, struct err *err)
{
    char name[64];
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof name)
            return err_set(err, "unknown measure '%.*s...'", (int)sizeof name - 1, text);
        memcpy(name, text, length);
        name[length] = 0;
        if (select_one(selection, name, err) < 0)
            return -1;
        if (!text[length])
            return 0;
        text += length + 1;
    }
}
