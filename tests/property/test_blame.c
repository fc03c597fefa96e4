/* What is charged adds up to what is lost, under every strategy. */
#include "blame/blame.h"
#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static void check(const char *policy, uint32_t seed)
{
    enum { PARTS = 7 };
    static uint32_t groups[SMALL_APPS];
    double charged = 0, lost = 0, suffered = 0;
    struct outcome *outcome = small_run(&small, policy, NULL);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        groups[id] = id % 3;
        lost += outcome->spans[id].lost;
    }
    const struct blame_task question = {.workload = &small.workload,
                                            .groups = seed % 2 ? groups : NULL,
                                            .group_count = 3,
                                            .start = outcome->start,
                                            .end = outcome->end,
                                            .parts = PARTS};
    struct blame *blame = blame_new(&question, NULL);
    const struct watcher watcher = blame_watcher(blame);
    small.watcher = &watcher;
    outcome_free(small_run(&small, policy, NULL));
    small.watcher = NULL;
    for (uint32_t part = 0; part < PARTS; part++)
        for (uint32_t i = 0; i < (seed % 2 ? 3 : small.workload.count); i++) {
            const struct blame_account *account = &blame_accounts(blame, part)[i];
            charged += account->caused + account->own + account->idle;
            suffered += account->suffered;
        }
    double most = 1e-9 * (fabs(lost) + outcome->end - outcome->start);
    if (!(fabs(charged - lost) <= most && fabs(suffered - lost) <= most))
        fail_msg("seed %u, %s: lost %.12g, charged %.12g, suffered %.12g", seed, policy, lost,
                 charged, suffered);
    outcome_free(outcome);
    blame_free(blame);
}

static void what_is_charged_adds_up_to_what_is_lost(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++)
        for (size_t i = 0; policy_all[i]; i++) {
            dice_roll(&small, seed, DICE_RELEASES | DICE_WINDOW | (seed % 5 == 0 ? DICE_GRID : 0));
            check(policy_all[i], seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_charged_adds_up_to_what_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
