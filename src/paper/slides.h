/* The online strategies of Gainaru et al. (2015) with the key that the slides print; Aupy et al.
 * (2017) compare with the best of them. Each ends with NULL: with parts of what an application can
 * use granted, and with all of it or nothing. */
#ifndef WEIR_PAPER_SLIDES_H
#define WEIR_PAPER_SLIDES_H

extern const char *const slides_strategies[], *const slides_strategies_whole[];

#endif
