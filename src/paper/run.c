#include "paper/run.h"
#include "gen/gen.h"
#include <stdio.h>
#include <string.h>

static int subject_set(const struct family *family, const char *params, double *values,
                       struct err *err)
{
    while (params && *params) {
        char text[64];
        size_t length = strcspn(params, " ");
        snprintf(text, sizeof text, "%.*s", (int)length, params);
        if (family_set(family, text, values, err) < 0)
            return -1;
        params += length;
        params += strspn(params, " ");
    }
    return 0;
}

int subject_draw(struct subject_workload *subject, const struct family *family, uint64_t seed,
                 const char *params, struct err *err)
{
    double values[FAMILY_MOST_PARAMS];
    *subject = (struct subject_workload){0};
    family_defaults(family, values);
    if (subject_set(family, params, values, err) < 0)
        return -1;
    return subject_take(subject, family_make(family, values, seed, err), err);
}

int subject_take(struct subject_workload *subject, struct scenario *scenario, struct err *err)
{
    subject->scenario = scenario;
    subject->workload = scenario ? workload_realise(scenario, err) : NULL;
    return subject->workload ? 0 : -1;
}

void subject_fini(struct subject_workload *subject)
{
    workload_free(subject->workload);
    scenario_free(subject->scenario);
}

int subject_each_draw(const struct subject_source *source, subject_each *each, void *context,
                      struct err *err)
{
    struct subject_workload subject;
    int status = subject_draw(&subject, source->family, source->seed, source->params, err);
    if (status == 0)
        status = each(subject.workload, context, err);
    subject_fini(&subject);
    return status;
}

int subject_each_window(const struct subject_source *source, subject_each *each, void *context,
                        struct err *err)
{
    double values[FAMILY_MOST_PARAMS];
    family_defaults(source->family, values);
    if (subject_set(source->family, source->params, values, err) < 0)
        return -1;
    struct schedule *schedule = family_schedule(source->family, values, source->seed, err);
    int status = schedule ? 0 : -1;
    for (int set = 1; set <= SCHEDULE_WINDOWS && status == 0; set++) {
        struct subject_workload subject = {0};
        values[0] = set;
        status = subject_take(&subject,
                              family_cut(source->family, schedule, values, source->seed, err), err);
        if (status == 0)
            status = each(subject.workload, context, err);
        subject_fini(&subject);
    }
    schedule_free(schedule);
    return status;
}

/* The trial but for its strategy, which is opened and closed here. */
static int paper_run(const struct trial *trial, const char *strategy, struct row *row,
                     struct err *err)
{
    struct trial whole = *trial;
    struct policy *policy = policy_open(strategy, err);
    *row = (struct row){0};
    if (!policy)
        return -1;
    whole.policy = policy;
    int status = trial_run(&whole, row, err);
    policy_free(policy);
    return status;
}

int paper_try(const struct workload *workload, const char *strategy, const struct plan *plan,
              struct row *row, struct err *err)
{
    const struct trial trial = {.workload = workload, .options = {.plan = plan}};
    return paper_run(&trial, strategy, row, err);
}

int paper_measure(const struct workload *workload, const char *strategy, const struct plan *plan,
                  struct weir_metrics *metrics, struct err *err)
{
    const struct trial trial = {.workload = workload, .options = {.plan = plan}};
    return paper_measure_trial(&trial, strategy, metrics, err);
}

int paper_measure_trial(const struct trial *trial, const char *strategy,
                        struct weir_metrics *metrics, struct err *err)
{
    struct row row;
    int status = paper_run(trial, strategy, &row, err);
    *metrics = row.metrics;
    row_fini(&row);
    return status;
}
