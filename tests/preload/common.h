/* Test programs that run themselves under `weir exec`, with a controller of their own. */
#ifndef WEIR_TESTS_PRELOAD_COMMON_H
#define WEIR_TESTS_PRELOAD_COMMON_H

#include "wire/message.h"
#include <stdbool.h>
#include <stddef.h>

/* Runs `tests` under control, once with each of the stores (the keys of one in a configuration:
 * "bandwidth: 100 MB/s"; NULL ends them), until one fails. Returns an exit code; 77 when the program
 * under test is not known. */
int run_controlled(char **argv, const char *const *stores, int (*tests)(void));

/* Whether this run's store is configured for writes in pieces. */
bool in_pieces(void);

/* A path on the store, which is empty at first; the text lives until the fourth next call. */
const char *on_store(const char *name);

/* A path beside it, which is not controlled. */
const char *off_store(const char *name);

/* Opens an empty file for reading and writing. */
int open_new(const char *path);

/* What the controller says of this application, or of itself. */
struct wire_app ask_application(void);

/* Asserts that so many bytes, or more, were counted since `before`; the controller looks at the
 * pages every now and then, so this waits a moment. */
void assert_counted(double before, double bytes);

/* Asserts that the controller soon sees that no call is under way any more. */
void assert_comes_to_rest(void);

/* Seconds since some date. */
double seconds(void);

/* Sleeps for so long, whatever signals come. */
void rest(double seconds);

/* The child's exit code, or 128 + signal. */
int reap(int pid);

#endif
