/* A text of darshan-parser or darshan-dxt-parser, and what it says of the run. */
#ifndef WEIR_FORMAT_DARSHAN_TEXT_H
#define WEIR_FORMAT_DARSHAN_TEXT_H

#include "format/darshan_records.h"
#include "format/traced.h"

struct darshan_log {
    const char *where;
    uint64_t print;    /* of what both texts of a log say alike */
    bool is_trace;     /* of darshan-dxt-parser */
    bool incomplete;   /* as Darshan itself says */
    const char *fault; /* why it says too little of the I/O, or NULL */
    double run_time;
    struct app_spec app;   /* its name, nodes and release; of a trace, all of it */
    struct darshan_io io;  /* of counters */
    struct traced_way way; /* of a trace */

    /* For the importer: */
    size_t order;   /* among all texts */
    size_t copy;    /* texts before it that look the same, by the same program */
    bool dropped;   /* the other text of the log is used */
    /* Of a trace, what the counters of the same log say: bytes, seconds of I/O, and of these for
     * opening and closing files; 0 = not known. */
    double counted, spent, opening;
};

/* Reads a text from the current file, from its current line on if it is `another` one there, else
 * from the next. `traced` tells whether the log itself has accesses, which only darshan-dxt-parser
 * prints. Phases and names are the scenario's. 1 if the current line begins another text, 0 at the
 * end of the file, or -1. */
int darshan_text_read(struct import *import, bool another, struct darshan_log *log, bool *traced);

#endif
