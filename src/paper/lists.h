/* List scheduling against packs (Vidal 2022, chapter IV): what its experiment measures. */
#ifndef WEIR_PAPER_LISTS_H
#define WEIR_PAPER_LISTS_H

/* Series. */
enum { LIST, LONGEST, CHARACTERISTIC, RANDOM, LISTS_WAYS };

/* Columns. */
enum { BUSY, LARGEST_STRETCH, MEAN_STRETCH, UNUSED, TAKEN, MOVED, RUNNING };

/* Groups. Whole runs over the load, then runs over their time for each load: `group` + 4 (1 +
 * load). */
enum { MN, MB, NU, BU, LISTS_FAMILIES, LISTS_LOADS = 4, FIFTHS = 5 };
#define OVER_TIME(family, load) (LISTS_FAMILIES * (1 + (load)) + (family))

#endif
