/* Applications by program: how much of the machine each program uses, and how long it is in I/O.
 * The study of Darshan logs in the slides of Gainaru et al. (2015). */
#ifndef WEIR_ANSWER_PROGRAMS_H
#define WEIR_ANSWER_PROGRAMS_H

#include "answer/description.h"

struct program_use {
    char name[64];           /* longer ones are cut */
    uint64_t applications;   /* copies included */
    double node_hours;       /* of all of them, alone; an application of unknown size has a node */
    double node_hours_a_day; /* over the time described, or a day if that is longer */
    double usage;            /* part of the node hours of all programs, 0 to 1 */
    double io_share;         /* part of its time alone that is I/O, 0 to 1 */
};

/* The program that an application runs: its name without the numbers of job and step, "-12345-6",
 * that importers append. */
void program_name(const char *application, char *name, size_t size);

/* One for each program, the largest use first, equals by name. `list` has room for one per row of
 * the description. Returns how many there are. */
size_t programs_add_up(const struct description *description, struct program_use *list);

#endif
