/* Whether the machine let a measurement of time alone: a thread on each processor that wakes every
 * millisecond and notes how late it was. */
#ifndef WEIR_TESTS_SUPPORT_METRONOME_H
#define WEIR_TESTS_SUPPORT_METRONOME_H

void metronome_start(void);

/* Stops it; returns the seconds by which it was late at worst. */
double metronome_stop(void);

#endif
