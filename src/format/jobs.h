/* Jobs of a batch system's log -> applications, by a model of their I/O that the user names. */
#ifndef WEIR_FORMAT_JOBS_H
#define WEIR_FORMAT_JOBS_H

#include "format/importer.h"

struct job {
    const char *id;                       /* without a fault that word_fault knows */
    const char *user, *account, *program; /* NULL or "" = unknown */
    double release;                       /* a time */
    double run;                           /* seconds; 0 or less = it never ran */
    double nodes;                         /* 0 or less = unknown */
    double bytes;                         /* of I/O, as the log says; NAN = it does not */
    size_t line;                          /* in which it stands */
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
    /* Jobs: in all, that never ran, that ran on an unknown number of nodes, of which a file or the
     * log has the I/O, and whose I/O takes longer than they ran. */
    uint64_t added, idle, unsized, known, cut;
};

/* Reads the file of volumes if one was named. 0 or -1; jobs_fini in both cases. */
int jobs_init(struct jobs *jobs, struct import *import);

/* Adds a job, unless it never ran, or its number of nodes is unknown. 0 or -1. */
int jobs_add(struct jobs *jobs, const struct job *job);

/* Notes how the jobs were understood. 0, or -1 if nothing says what I/O they did. */
int jobs_note(const struct jobs *jobs);

/* Notes how many jobs of all files have the name and the release of another: outputs of a batch
 * system that overlap list a job twice. For `finish`, before names get numbers. 0, or -1 when
 * memory is out. */
int jobs_note_twins(struct import *import);

void jobs_fini(struct jobs *jobs);

#endif
