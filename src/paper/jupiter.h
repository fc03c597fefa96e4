/* The ten sets of Jupiter (Aupy et al. 2017, Table 2). */
#ifndef WEIR_PAPER_JUPITER_H
#define WEIR_PAPER_JUPITER_H

enum { JUPITER_SETS = 10 };

/* The start period of the published program for each set. */
extern const double jupiter_starts[JUPITER_SETS];

#endif
