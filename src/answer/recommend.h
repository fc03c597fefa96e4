/* Which strategy to use instead of the present one: for a scenario or a family, by simulation, or
 * for every case of a campaign's database. */
#ifndef WEIR_ANSWER_RECOMMEND_H
#define WEIR_ANSWER_RECOMMEND_H

#include "answer/question.h"
#include "answer/stored.h"
#include "answer/study.h"
#include "compare/choice.h"
#include "compare/compare.h"

struct recommend_question {
    struct asking asking; /* about a scenario, a family, or a database */
    struct words policies;
    const char *objective, *now, *window;
    struct whole seeds;
};

/* What changes in fairness, or in efficiency. */
struct recommend_measure {
    const char *measure;
    struct choice_gain gain;
    /* Of the scenario as it is, or its seed 1; NAN = there is none. */
    double reached, bound, plan;
    /* The gain if volumes are known only as the mean of earlier ones; 0 runs = not asked. */
    struct choice_gain volumes_as_means;
    struct choice_gain roughly_best; /* that of the best strategy then */
};

/* Node time spent on work: with the best strategy, and with a file system twice as fast. */
struct recommend_work {
    const char *measure;
    double now, mean, twice_as_fast;
};

/* The application that pays most, if that can be seen: stretch, or 1 / yield. */
struct recommend_costs {
    const char *name; /* NULL = none pays enough to be shown, */
    bool costless;    /* or anything at all */
    double stretch_now, stretch;
    char label[APP_LABEL];
};

/* A scenario or a family: which strategy, and what that means. */
struct recommend_answer {
    struct provenance made;
    const char *objective, *now;
    const char *use;                  /* NULL = none is worth a change */
    const char *use_volumes_as_means; /* NULL = none is, or what is used needs no volumes */
    double io_pressure;
    struct recommend_measure parts[CHOICE_MEASURES];
    struct recommend_work work;
    struct recommend_costs costs;
    enum choice_goal goal;
    struct policies policies;  /* what they have now, then the candidates */
    size_t best, roughly_best; /* of these; 0 = none is worth a change */
    const struct measure *measures[CHOICE_MEASURES];
    bool windowed, ensemble; /* measured in a window; not random */
    bool idle;               /* none differs from the present one, better or worse */
    bool varies;             /* phases do: they are not planned */
    char no_plan[512];       /* why there is none otherwise */
    struct experiment_source source;
    struct window window; /* that is asked for */
    struct study study;   /* of the scenario as it is, or its seed 1 */
};

/* What is recommended in a case of a database. */
struct recommend_case {
    const char *name, *parameters, *platform;
    const char *apart; /* from others of these names; NULL = these are enough */
    const char *use;   /* NULL = the present one */
    struct recommend_measure parts[CHOICE_MEASURES];
    size_t runs; /* of the present strategy; 0 = it has none */
    size_t best; /* of the strategies that are compared */
};

struct recommend_stored_answer {
    const char *weir, *database, *objective, *now;
    struct recommend_case *cases;
    size_t cases_count;
    enum choice_goal goal;
    const char **strategies; /* that are compared, the present one first */
    size_t strategies_count;
    struct stored stored;
    size_t *compared; /* the strategies among those that are stored */
    unsigned *needs;  /* of these */
};

int recommend_answer(const struct recommend_question *question, struct recommend_answer *answer,
                     struct err *err);
void recommend_answer_fini(struct recommend_answer *answer);
int recommend_stored_answer(const struct recommend_question *question,
                            struct recommend_stored_answer *answer, struct err *err);
void recommend_stored_answer_fini(struct recommend_stored_answer *answer);

/* Whether the question is about a SQLite database, by how that begins. */
bool recommend_is_stored(const struct recommend_question *question);

/* Whether one value of a measure is better than another, by which part. */
double recommend_gain(const struct measure *measure, double value, double than);

/* The index of the objective that is asked for: an enum choice_goal; -1 with err. */
int recommend_goal(const struct recommend_question *question, struct err *err);
extern const char *const recommend_goals[CHOICE_BOTH + 1];

extern const struct answer_field choice_gain_fields[];
#define RECOMMEND_PART(type, which, name, table)                                                   \
    .key = name, .kind = FIELD_OBJECT, .offset = offsetof(type, parts[which]), .members = table,   \
    .help = which == CHOICE_FAIRNESS ? "how even delays are" : "how much the nodes achieve"
extern const struct question recommend_asking, recommend_stored_asking;

#endif
