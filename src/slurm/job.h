/* Which application a step of a job belongs to: one for the whole job, known by its number. */
#ifndef WEIR_SLURM_JOB_H
#define WEIR_SLURM_JOB_H

#include "client/environment.h"
#include "slurm/settings.h"

/* What Slurm says of the step. */
struct job_step {
    uint32_t id;    /* of the job, or of the component of a heterogeneous one */
    uint32_t uid;   /* of its user */
    uint32_t nodes; /* of the step, */
    bool batch;     /* which is the batch shell; then Slurm does not say `nodes` */
};

/* Makes the identity of the job's application. Its name, account and partition, the number of a
 * heterogeneous job, and the nodes of a batch job, come from the variables that Slurm writes into
 * the environment of the step. */
void job_identify(const struct job_step *job, const struct environment *environment,
                  const struct settings *settings, struct identity *identity);

#endif
