/* The plain values of a scenario file, and what other files have in common with it. */
#ifndef WEIR_FORMAT_KINDS_H
#define WEIR_FORMAT_KINDS_H

#include "format/reader.h"

extern const struct kind kind_text;                      /* const char *, in the scenario's arena */
extern const struct kind kind_seed;                      /* uint64_t */
extern const struct kind kind_moment;                    /* double, may be negative, as no other */
extern const struct kind kind_seconds;                   /* double */
extern const struct kind kind_span;                      /* double, seconds from 0.001 on */
extern const struct kind kind_bytes;                     /* double */
extern const struct kind kind_rate;                      /* double, above 0 */
extern const struct kind kind_ratio;                     /* double, from 0 to 1 */
extern const struct kind kind_multiple;                  /* double, a ratio from 0 to 1000 */
extern const struct kind kind_factor;                    /* double, above 0 */
extern const struct kind kind_share;                     /* double, from 1e-9 to 1e9 */
extern const struct kind kind_nodes;                     /* double, from 1 on */
extern const struct kind kind_replicas, kind_iterations; /* uint32_t, from 1 on */
extern const struct kind kind_platform_bandwidth;        /* of a struct platform, may be estimated */
extern const struct kind kind_store_bandwidth;           /* the same of a struct site_store */
extern const struct kind kind_platform;                  /* struct platform, a mapping */

#endif
