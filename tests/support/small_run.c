#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct outcome *small_run_policy(struct small *small, const struct policy *policy,
                                 struct timeline *timeline)
{
    struct err err;
    struct sim_options options = {.check = true,
                                  .timeline = timeline,
                                  .release_latency = small->release_latency,
                                  .expected = small->expected,
                                  .blind = small->blind,
                                  .progress_age = small->progress_age,
                                  .order = small->order,
                                  .plan = small->plan,
                                  .watcher = small->watcher};
    if (workload_set_window(&small->workload, small->workload.window, &err))
        fail_msg("%s", err.text);
    struct outcome *outcome = sim_run(&small->workload, policy, &options, &err);
    if (!outcome)
        fail_msg("%s: %s", policy->name, err.text);
    return outcome;
}

struct outcome *small_run(struct small *small, const char *name, struct timeline *timeline)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    if (!policy)
        fail_msg("%s", err.text);
    struct outcome *outcome = small_run_policy(small, policy, timeline);
    policy_free(policy);
    return outcome;
}

/* What an application did, as a lane. */
static void print_lane(const struct timeline *timeline, uint32_t app, char *lane, size_t size)
{
    size_t used = 0;
    double end = NAN;
    lane[0] = '\0';
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        if (segment->app != app)
            continue;
        if (isnan(end))
            used += (size_t)snprintf(lane + used, size - used, "%.7g", segment->start);
        else
            assert_true(segment->start == end);
        if (segment->kind == SEGMENT_IO)
            used += (size_t)snprintf(lane + used, size - used, " io@%.7g", segment->rate);
        else
            used += (size_t)snprintf(lane + used, size - used, " %s",
                                     segment->kind == SEGMENT_WORK ? "work" : "wait");
        used += (size_t)snprintf(lane + used, size - used, " %.7g", segment->end);
        assert_true(used < size);
        end = segment->end;
    }
}

void small_expect(struct small *small, const char *policy, const char *const *lanes)
{
    small_expect_plan(small, policy, NULL, lanes);
}

void small_expect_plan(struct small *small, const char *policy, const struct plan *plan,
                       const char *const *lanes)
{
    struct timeline timeline = {0};
    small->plan = plan;
    outcome_free(small_run(small, policy, &timeline));
    small->plan = NULL;
    for (uint32_t id = 0; id < small->workload.count; id++) {
        char lane[1024];
        print_lane(&timeline, id, lane, sizeof(lane));
        if (strcmp(lane, lanes[id]) != 0)
            fail_msg("%s, application %u:\n  got      %s\n  expected %s", policy, id, lane,
                     lanes[id]);
    }
    timeline_fini(&timeline);
}
