/* Progress that is known late: an application's loss is looked at once in `age` seconds, and the
 * strategy sees that until the next look. */
#include "base/mem.h"
#include "control/state.h"
#include <stdlib.h>
#include <string.h>

struct blur_look {
    double lost; /* seconds, then */
    double next; /* when it is looked at again */
};

struct blur {
    double age;
    uint64_t looks;        /* in all: each is a correction */
    struct weir_run *runs; /* what the strategy sees, by application */
    struct blur_look last[];
};

int control_blur(struct control *c, double age, struct err *err)
{
    uint32_t count = c->view.count;
    if (!(age > 0))
        return 0;
    c->blur = mem_alloc(1, sizeof *c->blur + count * sizeof *c->blur->last);
    if (!c->blur || !(c->blur->runs = mem_alloc(count, sizeof *c->blur->runs)))
        return err_memory(err);
    c->blur->age = age;
    c->filtered = true;
    return 0;
}

void control_blur_free(struct control *c)
{
    if (c->blur)
        free(c->blur->runs);
    free(c->blur);
    c->blur = NULL;
}

void control_blur_view(struct control *c, struct weir_view *seen)
{
    struct blur *blur = c->blur;
    memcpy(blur->runs, c->runs, c->view.count * sizeof *blur->runs);
    for (uint32_t id = 0; id < c->view.count; id++) {
        const struct weir_run *run = &c->runs[id];
        struct blur_look *last = &blur->last[id];
        if (run->state == WEIR_ABSENT) {
            last->next = -INFINITY;
            continue;
        }
        double lost = weir_lost(&c->view, run);
        if (c->view.now >= last->next) {
            *last = (struct blur_look){lost, c->view.now + blur->age};
            blur->looks++;
        }
        blur->runs[id].lost += last->lost - lost;
    }
    seen->runs = blur->runs;
    seen->corrections += blur->looks;
}
