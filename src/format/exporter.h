/* The exporters there are, each defined in its own file; export.c lists them. */
#ifndef WEIR_FORMAT_EXPORTER_H
#define WEIR_FORMAT_EXPORTER_H

#include "format/export.h"

enum { EXPORT_LABEL_SIZE = 256 };

extern const struct exporter export_instance, export_set, export_csv, export_paje;

#endif
