/* Scenarios of examples/ and strategies, opened or the test fails. */
#ifndef WEIR_TESTS_TRIAL_COMMON_H
#define WEIR_TESTS_TRIAL_COMMON_H

#include "trial/trial.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct scenario *open_example(const char *name); /* scenario_free frees */
struct scenario *open_twins(void);               /* two alike, of which a plan is soon found */
struct policy *open_policy(const char *name);    /* policy_free frees */

/* Fails unless the rows are the same to the last bit. */
void expect_same(const struct row *row, const struct row *expected);

#endif
