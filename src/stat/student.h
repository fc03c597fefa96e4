/* Student's t distribution, for a whole number of degrees of freedom. */
#ifndef WEIR_STAT_STUDENT_H
#define WEIR_STAT_STUDENT_H

#include <stddef.h>

/* The probability that a variable with `freedom` >= 1 degrees of freedom is within -t..t. */
double student_within(double t, size_t freedom);

/* The t for which student_within is `confidence`, 0 < confidence < 1: 2.776 for 0.95 and 4 degrees
 * of freedom. To about 1e-12 relative. */
double student_quantile(double confidence, size_t freedom);

#endif
