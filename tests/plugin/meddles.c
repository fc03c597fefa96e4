/* A plug-in that changes what it is shown, by a cast: its parameter chooses what. */
#include <weir/policy.h>

static const struct weir_param params[] = {{.name = "what",
                                            .kind = WEIR_PARAM_NUMBER,
                                            .initial = 0,
                                            .low = 0,
                                            .high = 5,
                                            .help = "to change"},
                                           {.name = NULL}};

static void init(void *state, const struct weir_setup *setup)
{
    *(double *)state = setup->params[0];
}

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct weir_run *run = (struct weir_run *)&view->runs[view->active[0]];
    switch ((int)*(double *)state) {
    case 1:
        ((struct weir_app *)run->app)->bmax *= 1.5;
        ((struct weir_view *)view)->bandwidth = 1e12;
        break;
    case 2:
        run->finished++;
        break;
    case 3:
        run->done_ideal *= 2;
        run->done_ideal += 100;
        break;
    case 4:
        run->done_work += 100;
        break;
    case 5:
        run->lost = -1000;
        break;
    default:
        break;
    }
    weir_grant(grants, view->active[0], run->app->bmax);
}

const struct weir_policy_ops weir_policy = {.abi = WEIR_POLICY_ABI,
                                            .name = "meddles",
                                            .params = params,
                                            .state_size = sizeof(double),
                                            .init = init,
                                            .decide = decide};
