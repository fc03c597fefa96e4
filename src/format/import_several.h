/* Several files at the same time. */
#ifndef WEIR_FORMAT_IMPORT_SEVERAL_H
#define WEIR_FORMAT_IMPORT_SEVERAL_H

#include "base/files.h"
#include "format/importer.h"

/* Reads the files in threads into one import, in their order: the number of threads changes
 * nothing. A file that cannot be read is left out where that is to be expected: of several logs, or
 * if it was found in a directory. 0 or -1. */
int import_several(struct import *import, const struct importer *importer,
                   const struct files *files);

/* Begins an import, whose first file is open. 0 or -1. */
int import_begin(struct import *import, const struct importer *importer);

#endif
