/* Choosing a strategy: the registry, `name:key=value,flag`, and plug-ins. */
#ifndef WEIR_POLICY_POLICY_H
#define WEIR_POLICY_POLICY_H

#include "base/err.h"
#include <weir/policy.h>

/* Every strategy of the library, in the order in which people should see them; ends with NULL. */
extern const struct weir_policy_ops *const policy_registry[];

enum { POLICY_MAX_PARAMS = 8 };

/* A strategy with its parameters. */
struct policy {
    const struct weir_policy_ops *ops;
    struct weir_policy_ops variant; /* = *ops, if parameters take flags away */
    double params[POLICY_MAX_PARAMS];
    char *texts[POLICY_MAX_PARAMS]; /* of the parameters that are texts, NULL unless given */
    char *name;                     /* as the user wrote it */
    char *path;                     /* of the file of a plug-in, or NULL */
    void *handle;                   /* of a plug-in */
    bool foreign;                   /* not of the registry: whether it keeps the rules is checked
                                       after every decision (control/check.h) */
};

/* Opens "name", "name:key=value,flag", or a plug-in "./path.so[:...]" (anything with a slash).
 * NULL with err: unknown name or parameter (with the nearest one), a value out of range, a
 * plug-in that cannot be loaded or has another ABI. policy_free frees. */
struct policy *policy_open(const char *text, struct err *err);

/* The same; a relative path of a plug-in starts at a directory, "dir/" or "". */
struct policy *policy_open_at(const char *text, const char *directory, struct err *err);

/* The same for a strategy that the caller has at hand, with parameters "key=value,flag" or NULL.
 * `ops` must outlive it; it counts as foreign. */
struct policy *policy_wrap(const struct weir_policy_ops *ops, const char *params, struct err *err);

void policy_free(struct policy *policy); /* NULL is fine */

/* The file of the plug-in that this thread simulates, which a handler can name if it crashes; NULL
 * = none. */
extern __thread const char *policy_running; /* also for a reader in C++ */

/* The index of a parameter in params and texts, -1 if the strategy has none of this name. */
int policy_param(const struct policy *policy, const char *name);

/* The variants that "all" stands for: every strategy that can run without a plan, with its default
 * parameters, and every choice or flag that makes a strategy of its own. Ends with NULL. */
extern const char *const policy_all[];

/* The few that differ most, for those that name none. Ends with NULL. */
extern const char *const policy_usual[];

#endif
