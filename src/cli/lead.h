/* Runs a program and stands in its place: signals go to it, values included; when it stops, so does
 * this process, and its end becomes this process's. It starts with the caller's signal mask and
 * dispositions, as execvp would start it: a script without an interpreter is the shell's. */
#ifndef WEIR_CLI_LEAD_H
#define WEIR_CLI_LEAD_H

#include "base/err.h"
#include "client/identity.h"
#include <stdbool.h>
#include <stddef.h>

#define LEAD_PATIENCE 1.0 /* seconds to wait for the controller */

struct lead {
    const char *const *command; /* and its arguments */
    size_t count;
    struct identity identity;
    uint32_t app;    /* its id, if it is under control */
    bool supervised; /* it is to be, and it is said if it cannot; `strict`: it does not run then */
    bool strict;
    int fd; /* keeps the application alive while its processes come and go; -1 = without control */
    struct {
        bool now;       /* control is lost at the moment, */
        double since;   /* since then, by the clock; */
        double seconds; /* all such times before, */
        char why[WIRE_TEXT];
    } lost;
};

/* Ends this process as the program ended. Returns only if it could not be started: an exit code,
 * with err. */
int lead_run(struct lead *lead, struct err *err);

#endif
