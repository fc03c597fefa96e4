#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const struct weir_app control_apps[3] = {
    {.nodes = 1, .bmax = 10, .weight = 1},
    {.nodes = 1, .bmax = 5, .weight = 1, .release = -10},
    {.nodes = 1, .bmax = 10, .weight = 1, .release = 2},
};
const struct weir_setup control_setup = {.bandwidth = 10, .horizon = INFINITY, .capacity = 3};

struct control *start_control(const struct policy *policy)
{
    struct err err;
    struct control *control = control_new(policy, &control_setup, &err);
    assert_non_null(control);
    return control;
}

struct policy *open_policy(const char *name)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    assert_non_null(policy);
    return policy;
}

void post_io(struct control *control, double now, uint32_t id, double volume)
{
    control_post(control, now, id, (struct control_io){volume, 0, now, false});
}
