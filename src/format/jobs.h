/* Jobs of a batch system's log -> applications, by a model of their I/O that the user names. */
#ifndef WEIR_FORMAT_JOBS_H
#define WEIR_FORMAT_JOBS_H

#include "format/importer.h"

struct job {
    const char *id; /* without a fault that word_fault knows */
    double release; /* a date */
    double run;     /* seconds; 0 or less = it never ran */
    double nodes;   /* 0 or less = unknown */
};

/* What a file says of the I/O of one job. */
struct job_volume {
    const char *id;
    double bytes;
};

struct jobs {
    struct import *import;
    struct job_volume *volumes; /* in order of id; NULL unless the user named a file */
    size_t count, capacity;
    uint64_t added, idle, matched, cut; /* jobs: in all, that never ran, that the file names, */
};                                      /* and whose I/O takes longer than they ran */

/* Reads the file of volumes if one was named. 0 or -1; jobs_fini in both cases. */
int jobs_init(struct jobs *jobs, struct import *import);

/* Adds a job that stands in the current line, unless it never ran. 0 or -1. */
int jobs_add(struct jobs *jobs, const struct job *job);

/* Notes how the jobs were understood. */
void jobs_note(const struct jobs *jobs);

void jobs_fini(struct jobs *jobs);

#endif
