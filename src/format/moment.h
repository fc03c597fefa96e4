/* Times of day in logs. */
#ifndef WEIR_FORMAT_MOMENT_H
#define WEIR_FORMAT_MOMENT_H

/* Reads "2024-02-29T13:00:00", perhaps with a fraction and a final Z, or seconds since 1970, which
 * is what it returns in *date. 0, or -1 if it is neither, or there is no such day. */
int moment_parse(const char *text, double *date);

#endif
