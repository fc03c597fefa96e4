#include "slurm/job.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Components that a heterogeneous job has at most. Their numbers follow that of the first. */
enum { JOB_COMPONENTS = 128 };

/* The second half of a token, by which jobs are different from what draws its own. */
#define JOB_MARK UINT64_C(0x776569722d6a6f62)

static void job_text(const struct environment *environment, const char *variable,
                     char text[WIRE_NAME])
{
    char value[4 * WIRE_NAME];
    *text = '\0';
    if (environment->get(environment->context, variable, value, sizeof value) == 0 && *value)
        wire_name(text, value);
}

/* 0 if it is not set, or is none. */
static uint32_t job_number(const struct environment *environment, const char *variable)
{
    char value[32], *end;
    if (environment->get(environment->context, variable, value, sizeof value) != 0)
        return 0;
    unsigned long long number = strtoull(value, &end, 10);
    return *value >= '0' && *value <= '9' && !*end && number < UINT32_MAX ? (uint32_t)number : 0;
}

/* The number that all components have in common. */
static uint32_t job_first(const struct job_step *job, const struct environment *environment)
{
    uint32_t first = job_number(environment, "SLURM_JOB_ID");
    bool plausible = job_number(environment, "SLURM_HET_SIZE") > 0 && first > 0 &&
                     first <= job->id && job->id - first < JOB_COMPONENTS;
    return plausible ? first : job->id;
}

static double job_nodes(const struct job_step *job, const struct environment *environment)
{
    uint32_t size = job_number(environment, "SLURM_HET_SIZE"), sum = 0;
    for (uint32_t i = 0; i < size && i < JOB_COMPONENTS; i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "SLURM_JOB_NUM_NODES_HET_GROUP_%u", i);
        uint32_t nodes = job_number(environment, variable);
        sum += nodes < 1u << 20 ? nodes : 0;
    }
    uint32_t nodes =
        job->batch || size > 0 ? job_number(environment, "SLURM_JOB_NUM_NODES") : job->nodes;
    nodes = sum > nodes ? sum : nodes;
    return nodes > 0 ? nodes : 1;
}

/* Different for every job: the controller finds applications by this half. */
static uint64_t job_mix(uint32_t number)
{
    uint64_t mixed = (number + UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    return mixed ^ mixed >> 31;
}

void job_identify(const struct job_step *job, const struct environment *environment,
                  const struct settings *settings, struct identity *identity)
{
    char name[WIRE_NAME];
    uint32_t number = job_first(job, environment);
    job_text(environment, "SLURM_JOB_NAME", name);
    struct weir_join join = {.socket = settings->socket,
                             .name = *name ? name : "job",
                             .token = {job_mix(number), JOB_MARK},
                             .nodes = job_nodes(job, environment),
                             .weight = 1};
    identity_init(identity, &join);
    struct wire_attach *attach = &identity->attach;
    attach->volume_hint = settings->volume;
    attach->leader = WIRE_HOSTS;
    attach->user = job->uid + 1;
    snprintf(attach->job, sizeof attach->job, "%u", number);
    job_text(environment, "SLURM_JOB_ACCOUNT", attach->account);
    job_text(environment, "SLURM_JOB_PARTITION", attach->partition);
}
