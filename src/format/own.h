/* Gives applications of logs a bandwidth of their own. */
#ifndef WEIR_FORMAT_OWN_H
#define WEIR_FORMAT_OWN_H

#include "format/importer.h"

struct own_task {
    struct app_spec *apps; /* iterations included, these are changed */
    uint32_t count;
    const struct platform *platform;
    struct observed *observed;
};

/* Finds what each application can move alone by its I/O, into `own`, which has room for all, and
 * counts the rest of the time of an I/O that was alone as work before it, so that it ends
 * alone when it ended (format/observed.h). 0, -1 when memory is out. */
int own_apply(const struct own_task *task, struct own_bandwidth *own);

/* After all files were read and the platform is known: the same for an import if `measured`, with
 * notes. What an application can move alone anyway is not said again. 0 or -1. */
int own_settle(struct import *import, bool measured);

#endif
