/* The exporters there are, each export_<name> in the file of that name, in the order of the
 * registry. */
#ifndef WEIR_FORMAT_EXPORTER_H
#define WEIR_FORMAT_EXPORTER_H

#include "format/export.h"

enum { EXPORT_LABEL_SIZE = 256 };

#define EXPORTERS(X) X(instance) X(set) X(csv) X(paje)

#define X(name) extern const struct exporter export_##name;
EXPORTERS(X)
#undef X

#endif
