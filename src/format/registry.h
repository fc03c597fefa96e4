/* The formats there are, each defined in the file of its name; format.c lists them. */
#ifndef WEIR_FORMAT_REGISTRY_H
#define WEIR_FORMAT_REGISTRY_H

#include "format/format.h"

extern const struct format format_scenario, format_instance, format_set;

#endif
