/* The files of data/papers as the program carries them: cmake/papers.cmake writes the table. */
#ifndef WEIR_PAPER_FILES_H
#define WEIR_PAPER_FILES_H

#include <stddef.h>

struct paper_file {
    const char *name; /* without .yaml, that of its result; NULL ends the table */
    const unsigned char *text;
    size_t length;
};
extern const struct paper_file paper_files[];

#endif
