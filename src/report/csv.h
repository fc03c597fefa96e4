/* Fields of CSV. */
#ifndef WEIR_REPORT_CSV_H
#define WEIR_REPORT_CSV_H

#include <stdio.h>

/* Text as RFC 4180 wants it: quoted only where it must be. */
void csv_text(const char *text, FILE *out);

/* A comma and a number that reads back exactly; what is not finite is left empty. */
void csv_number(double value, FILE *out);

#endif
