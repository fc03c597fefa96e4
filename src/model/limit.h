/* Limits and weights of applications and users, whatever the strategy: the same in a scenario and
 * in a controller's configuration. */
#ifndef WEIR_MODEL_LIMIT_H
#define WEIR_MODEL_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* A limit for each application of one name, or for all of one user together. */
struct limit {
    const char *name; /* "" = every application */
    const char *user; /* as it is written, if it is by user; else NULL */
    bool by_user;
    uint32_t uid;     /* of the user; only a controller knows it */
    double bandwidth; /* bytes/s, 0 = none */
    double ops;       /* operations/s, 0 = none */
    double weight;    /* importance, 0 = as it is */
};

struct limits {
    const struct limit *list;
    uint32_t count;
};

/* What the limits allow one application, or all of one user together; 0 = they say nothing. */
struct allowance {
    double bandwidth, weight;
};

/* Of an application: what is set for its name, else for every application, bandwidth and weight
 * each on its own. Of equal targets the last one counts. */
struct allowance limits_of_name(const struct limits *limits, const char *name);

/* Of a user; `user` may be NULL: unknown. */
struct allowance limits_of_user(const struct limits *limits, const char *user);

/* What an application reaches alone by the bandwidth of its nodes, its own limit and its user's. */
double limits_alone(double nodes, double own, double of_user);

#endif
