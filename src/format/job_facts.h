/* What a batch system knows of jobs whose I/O is in other logs. */
#ifndef WEIR_FORMAT_JOB_FACTS_H
#define WEIR_FORMAT_JOB_FACTS_H

#include "format/importer.h"

struct job_fact {
    const char *id;
    const char *user, *account; /* "" = not known */
    double start, end;          /* dates */
    double nodes;
};

/* A zeroed struct is empty. */
struct job_facts {
    struct job_fact *list; /* in order of id */
    size_t count, capacity;
};

/* Reads what `sacct -P` printed; texts are the scenario's. 0 or -1; job_facts_fini in both cases.
 */
int job_facts_load(struct job_facts *facts, struct import *import, const char *path);

/* The job of this id that ran at a date, give or take a minute; NULL = there is none. */
const struct job_fact *job_facts_find(const struct job_facts *facts, const char *id, double date);

void job_facts_fini(struct job_facts *facts);

#endif
