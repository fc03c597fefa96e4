/* The rows of the league: workloads that strategies are compared on, and what is known there. */
#ifndef WEIR_PAPER_LEAGUE_ROWS_H
#define WEIR_PAPER_LEAGUE_ROWS_H

#include "gen/family.h"
#include "model/knowledge.h"
#include <stdint.h>

/* Kinds of rows. The last two groups are made of all of them. */
enum league_group {
    LEAGUE_WINDOWS,       /* steady state, volumes known, */
    LEAGUE_WINDOWS_MEANS, /* or as the means of earlier I/Os */
    LEAGUE_SETS,          /* applications that start together, to the end */
    LEAGUE_SETS_MEANS,
    LEAGUE_JOBS, /* applications that end early or come and go, to the end */
    LEAGUE_JOBS_MEANS,
    LEAGUE_LENGTHS, /* the same with known lengths */
    LEAGUE_KINDS,
    LEAGUE_EACH = LEAGUE_KINDS, /* each row again, at one place */
    LEAGUE_SUMMARY              /* mean, worst, and how many are bad */
};
extern const char *const league_groups[]; /* ends with NULL */

enum { LEAGUE_ROWS = 107 };

/* Names of the rows, then of LEAGUE_EACH's place, then of LEAGUE_SUMMARY's; ends with NULL. */
enum {
    LEAGUE_PLACE_EACH = LEAGUE_ROWS,
    LEAGUE_PLACE_MEAN,
    LEAGUE_PLACE_WORST,
    LEAGUE_PLACE_BAD,
    LEAGUE_PLACES
};
extern const char *const league_places[];

struct league_row {
    enum league_group group;
    const struct family *family;
    const char *params;          /* as subject_draw takes them, */
    uint32_t quick_seeds, seeds; /* and how many seeds; one of a schedule gives many windows */
    struct knowledge knowledge;
};

struct league_row league_row(uint32_t number);

#endif
