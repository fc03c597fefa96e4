/* Symbols of the loaded objects, found without the dynamic linker's functions. */
#ifndef WEIR_PRELOAD_LOOKUP_H
#define WEIR_PRELOAD_LOOKUP_H

#include <stdbool.h>

/* The default version of a symbol in the first object that has it; NULL = none has. With `behind`,
 * only objects after this library count. Calls nothing of libc but dl_iterate_phdr: a sanitizer
 * that looks for functions may not have found its own yet. */
void *lookup_symbol(const char *name, bool behind);

/* The address of this library, as the dynamic linker knows it. */
const void *lookup_self(void);

#endif
