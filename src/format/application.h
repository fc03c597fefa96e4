/* One application of a scenario file. */
#ifndef WEIR_FORMAT_APPLICATION_H
#define WEIR_FORMAT_APPLICATION_H

#include "format/reader.h"

/* Reads the application the reader stands on and adds it to the draft, for list_read; 0 or -1. */
int application_read(struct reader *reader, void *unused);

/* The mappings of which an application consists, itself first; ends with NULL. */
extern const struct key_table *const application_tables[];

#endif
