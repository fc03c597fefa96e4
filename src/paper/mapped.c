#include "paper/mapped.h"
#include "policy/policy.h"
#include "sim/mapped.h"

int mapped_measure(const struct workload *workload, const struct mapped_way *way,
                   struct mapped_result *result, struct err *err)
{
    struct map_jobs jobs;
    struct policy *policy = policy_open(way->strategy, err);
    *result = (struct mapped_result){0};
    if (map_jobs_init(&jobs, workload, false, err) == 0 && policy) {
        map_jobs_order(&jobs, way->order, way->random);
        result->mapping = sim_map(&jobs, &way->rules, policy, NULL, err);
    }
    map_jobs_fini(&jobs);
    policy_free(policy);
    if (!result->mapping)
        return -1;
    if (map_metrics_compute(workload, result->mapping, &result->metrics) < 0) {
        mapping_free(result->mapping);
        return err_memory(err);
    }
    return 0;
}
