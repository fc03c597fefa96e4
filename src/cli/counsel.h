/* What `weir recommend` finds out, and how it says so. */
#ifndef WEIR_CLI_COUNSEL_H
#define WEIR_CLI_COUNSEL_H

#include "answer/study.h"
#include "compare/choice.h"
#include "compare/compare.h"

struct counsel_options {
    struct words operands; /* a scenario, a family, or a database */
    struct words policies;
    const char *objective, *now, *window;
    struct whole seeds;
    bool json;
};

/* The names of enum choice_goal. */
extern const char *const counsel_goals[CHOICE_BOTH + 1];

/* A scenario or a family: which strategy, and what that means. */
struct counsel {
    const struct counsel_options *options;
    enum choice_goal goal;
    struct compare_source source;
    bool opened;
    struct window window;
    struct policies policies; /* what they have now, then the candidates */
    bool windowed, ensemble;  /* measured in a window; not random */
    size_t best;              /* of the strategies; 0 = none is worth a change */
    bool idle;                /* none differs from the present one, better or worse */
    const struct measure *measures[CHOICE_MEASURES];
    struct choice_gain gains[CHOICE_MEASURES];
    /* The same if volumes are known only as the mean of earlier ones; 0 runs = not asked. */
    struct choice_gain roughly[CHOICE_MEASURES];
    size_t roughly_best; /* the best strategy then */
    struct choice_gain roughly_best_gains[CHOICE_MEASURES];
    /* Node time spent on work: with the best strategy, and with a file system twice as fast. */
    const struct measure *work;
    struct choice_gain work_gain;
    double work_twice;
    /* Of the scenario as it is, or its seed 1. */
    struct study study;
    double reached[CHOICE_MEASURES], bound[CHOICE_MEASURES];
    double plan[CHOICE_MEASURES];     /* NAN = there is none */
    bool varies;                      /* phases do: they are not planned */
    char no_plan[512];                /* why there is none otherwise */
    double worst_before, worst_after; /* stretch, or 1 / yield, of the application that pays most */
    char worst[APP_LABEL];            /* "" = none pays enough to be shown, */
    bool costless;                    /* or anything at all */
};

/* Whether one value of a measure is better than another, by which part. */
double counsel_gain(const struct measure *measure, double value, double than);

void counsel_print(const struct counsel *counsel);
void counsel_print_json(const struct counsel *counsel);

/* "  min_yield goes from 0.8 to 0.9, ...", as a line of either answer. */
void counsel_print_gain(const struct measure *measure, const struct choice_gain *gain);

/* Whether a file is a SQLite database, by how it begins. */
bool counsel_is_stored(const char *path);

/* Recommends a strategy for every case of a campaign's database. Returns an enum status. */
int counsel_read_stored(const struct counsel_options *options, enum choice_goal goal,
                        struct err *err);

#endif
