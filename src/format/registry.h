/* The formats there are, each format_<name> in the file of its name, in the order of the registry.
 */
#ifndef WEIR_FORMAT_REGISTRY_H
#define WEIR_FORMAT_REGISTRY_H

#include "format/format.h"

#define FORMATS(X) X(scenario) X(instance) X(set)

#define X(name) extern const struct format format_##name;
FORMATS(X)
#undef X

#endif
