/* Strategies and their parameters in words, for lists, help and the manual. */
#ifndef WEIR_CLI_DESCRIBE_H
#define WEIR_CLI_DESCRIBE_H

#include <stddef.h>
#include <weir/policy.h>

/* One thing a strategy may need to know. */
struct need {
    uint32_t flag;
    const char *name, *text;
};
extern const struct need needs[]; /* ends with name = NULL */

/* "yields, volume at post", or "nothing". Returns `buffer`. */
char *describe_needs(const struct weir_policy_ops *ops, char *buffer, size_t size);

/* "level=0..1 | auto", "topup=on | off" or "order=fifo | johnson". Returns `buffer`. */
char *describe_param(const struct weir_param *param, char *buffer, size_t size);

/* The default as a user would write it. Returns `buffer`. */
char *describe_default(const struct weir_param *param, char *buffer, size_t size);

#endif
