/* What a controller knows of I/Os and of progress. In a simulation it may know everything; a live
 * controller has estimates. */
#ifndef WEIR_MODEL_KNOWLEDGE_H
#define WEIR_MODEL_KNOWLEDGE_H

#include "base/err.h"
#include <stddef.h>

/* Of the volume of an I/O when it is posted: */
enum knowledge_volumes {
    KNOWLEDGE_EXACT,
    KNOWLEDGE_WITHIN, /* up to a part of itself too much or too little, */
    KNOWLEDGE_MEAN    /* or the mean of the application's earlier I/Os */
};

/* Of the length of an application alone, in all: */
enum knowledge_lengths {
    KNOWLEDGE_DECLARED, /* what the scenario declares, */
    KNOWLEDGE_EACH,     /* that of each application, */
    KNOWLEDGE_ROUGHLY,  /* up to a part of itself too much or too little, */
    KNOWLEDGE_NONE      /* or nothing */
};

/* A zeroed struct knows everything but lengths. */
struct knowledge {
    enum knowledge_volumes volumes;
    enum knowledge_lengths lengths;
    double part;        /* of KNOWLEDGE_WITHIN, above 0 and below 1 */
    double length_part; /* of KNOWLEDGE_ROUGHLY, above 0 and below 1 */
    double age;         /* progress is known as of up to this many seconds ago */
};

/* Of the first I/O of an application nothing is known: it is taken for what the application moves
 * alone in this many seconds. */
#define KNOWLEDGE_FIRST 1.0

/* An I/O that exceeds its expected volume is assumed to have as much left as it has moved: its new
 * volume. */
static inline double knowledge_exceeded(double moved)
{
    return 2 * moved;
}

/* An estimate that has been exceeded this many times over says nothing about the rest. */
#define KNOWLEDGE_WORTH 4.0

/* Reads "exact", "mean" or a percentage such as "30%" into the volumes; after a slash, "exact",
 * "none" or a percentage into the lengths. 0 or -1. */
int knowledge_parse(struct knowledge *knowledge, const char *text, struct err *err);

/* Prints what knowledge_parse reads; what there is to know of it, as a line for people, or "" if
 * everything is known. Both return `buffer`. */
enum { KNOWLEDGE_TEXT = 128 };
char *knowledge_print(const struct knowledge *knowledge, char *buffer, size_t size);
char *knowledge_describe(const struct knowledge *knowledge, char *buffer, size_t size);

#endif
