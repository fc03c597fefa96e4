/* Symbols of the loaded objects, found without the dynamic linker's functions: those allocate, and
 * take locks that another thread may hold while it waits for an allocator's. */
#ifndef WEIR_PRELOAD_LOOKUP_H
#define WEIR_PRELOAD_LOOKUP_H

#include <stdbool.h>

/* The default version of a symbol in the first object that has it; NULL = none has. With `behind`,
 * only objects after this library count, as with RTLD_NEXT, but also those that a program has
 * loaded itself, such as a plug-in and its libraries: their calls arrive here too, since this
 * library stands in front of them. Stores the object's name in *object unless that is NULL. Calls
 * nothing of libc's but getauxval: a sanitizer that looks for functions may not have found its own
 * yet. */
void *lookup_symbol(const char *name, bool behind, const char **object);

#endif
