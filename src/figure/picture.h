/* A picture file: SVG, or PNG or PDF if its name ends so, which rsvg-convert makes of the SVG. */
#ifndef WEIR_FIGURE_PICTURE_H
#define WEIR_FIGURE_PICTURE_H

#include "base/err.h"
#include "base/output.h"
#include <stdio.h>

/* What help prints for an option that draws. */
#define PICTURE_FILE  "FILE.svg"
#define PICTURE_KINDS ", as .svg, .png or .pdf"

/* A zeroed struct is closed. */
struct picture {
    FILE *file;         /* draw SVG here */
    const char *format; /* to convert to, as rsvg-convert calls it; NULL = none, it stays SVG */
    const char *print_width; /* of a PDF, such as "8.5cm"; NULL = that of a poster */
    struct output output;    /* where it goes */
};

/* Opens the file before anything is computed. 0, or -1 with err: it cannot be written, its ending
 * names another kind of file, or the program that converts is not installed. */
int picture_open(struct picture *picture, const char *path, struct err *err);

/* Both close, like output_commit and output_discard. */
int picture_commit(struct picture *picture, struct err *err);
void picture_discard(struct picture *picture);

#endif
