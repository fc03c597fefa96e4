/* The published families of workloads: one table says which there are, what can be chosen of each,
 * and where it is published. From it come the checks, the lists and the help. */
#ifndef WEIR_GEN_FAMILY_H
#define WEIR_GEN_FAMILY_H

#include "base/err.h"
#include "model/scenario.h"
#include "model/schedule.h"
#include <stdbool.h>
#include <stdint.h>

struct family_param {
    const char *name, *help;
    double low, high, initial; /* from, to, default */
    bool whole;
    const char *const *choices; /* ends with NULL: a value is an index into it; NULL = a number */
};

enum { FAMILY_MOST_PARAMS = 6 };

struct family {
    const char *name, *summary;
    const char *paper;                 /* authors, year and section */
    const struct family_param *params; /* ends with name = NULL */
    bool random;                       /* depends on the seed */
    bool batch;    /* jobs to be mapped: too many to run on the platform at the same time */
    uint32_t sets; /* scenarios per seed, by the parameter `set`; 0 = only one */
    /* Values are within their ranges, in the order of params. */
    struct scenario *(*make)(const double *values, uint64_t seed, struct err *err);
    /* Or, where scenarios are cut out of the schedule of a machine: creates that, and cuts. */
    struct schedule *(*schedule)(const double *values, uint64_t seed, struct err *err);
    struct scenario *(*cut)(const struct schedule *schedule, const double *values, uint64_t seed,
                            struct err *err);
};

/* In the order of listings; every family has its own file or shares one with its twins. */
#define FAMILIES(X)                                                                                \
    X(jupiter)                                                                                     \
    X(intrepid)                                                                                    \
    X(mira)                                                                                        \
    X(apio)                                                                                        \
    X(tucan)                                                                                       \
    X(general)                                                                                     \
    X(uniform)                                                                                     \
    X(packs)                                                                                       \
    X(uniform_normal)                                                                              \
    X(uniform_binormal)                                                                            \
    X(mira_normal)                                                                                 \
    X(mira_binormal)                                                                               \
    X(io_sets)                                                                                     \
    X(synthetic)                                                                                   \
    X(apex_trilab)                                                                                 \
    X(apex_nersc)                                                                                  \
    X(churn)

#define X(name) extern const struct family family_##name;
FAMILIES(X)
#undef X
extern const struct family *const families[]; /* ends with NULL */

/* NULL with err, which suggests the nearest one. */
const struct family *family_find(const char *name, struct err *err);

/* Sets all values to their defaults. */
void family_defaults(const struct family *family, double values[FAMILY_MOST_PARAMS]);

/* Sets the value that "KEY=VALUE" names; 0, or -1 with err, which quotes what is wrong. */
int family_set(const struct family *family, const char *text, double values[FAMILY_MOST_PARAMS],
               struct err *err);

/* Checks the values and makes the scenario: the same values and seed give the same one. NULL with
 * err; scenario_free frees. */
struct scenario *family_make(const struct family *family, const double *values, uint64_t seed,
                             struct err *err);

/* The same in two steps for a family with schedules, so that several scenarios can be cut out of
 * one. NULL with err; schedule_free and scenario_free free. */
struct schedule *family_schedule(const struct family *family, const double *values, uint64_t seed,
                                 struct err *err);
struct scenario *family_cut(const struct family *family, const struct schedule *schedule,
                            const double *values, uint64_t seed, struct err *err);

/* Names application `i` app1, app2, and so on. 0, or -1 when memory is out. */
int family_name_app(struct scenario *scenario, uint32_t i);

/* For families published without a length: the application with the longest mean iteration T
 * (alone, mean work + volume / bmax) runs `times` iterations, and each other as many as take
 * equally long: round(times Tmax / T). */
void family_repeat(struct scenario *scenario, double times);

#endif
