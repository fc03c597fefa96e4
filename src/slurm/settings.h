/* What the plug-in is told: by its line in plugstack.conf, and by the options of srun, sbatch and
 * salloc. */
#ifndef WEIR_SLURM_SETTINGS_H
#define WEIR_SLURM_SETTINGS_H

#include "base/err.h"
#include <stdbool.h>

/* Arguments in plugstack.conf: name, value, meaning. */
#define SETTINGS_ARGUMENTS(X)                                                                      \
    X("socket", "PATH", "of the agent or the controller on the node; /run/weir.sock unless given") \
    X("preload", "PATH", "of libweir-preload.so; where it is installed unless given")              \
    X("default", "on|off|supervise",                                                               \
      "whether, and how, jobs that say nothing are under control; on unless given")

/* Options of jobs: name, value, meaning. */
#define SETTINGS_OPTIONS(X)                                                                        \
    X(WEIR, "weir", "on|off|supervise", "whether, and how, the I/O of the job is under control")   \
    X(VOLUME, "weir-volume", "SIZE", "how much each I/O of the job moves")

#define SETTINGS_ENUM(name, word, value, text) SETTINGS_##name,
enum settings_option { SETTINGS_OPTIONS(SETTINGS_ENUM) SETTINGS_OPTIONS_COUNT };
#undef SETTINGS_ENUM

struct settings {
    const char *socket;  /* never NULL */
    const char *preload; /* NULL = to be found */
    bool on;
    bool supervise; /* by system calls, not by the library */
    double volume;  /* bytes of each I/O, 0 = unknown */
};

/* Reads the arguments, whose texts are borrowed. 0, or -1 with err: then it is off. */
int settings_read(struct settings *settings, int count, const char *const *arguments,
                  struct err *err);

/* Takes an option of a job. 0, or -1 with err and nothing is changed. */
int settings_choose(struct settings *settings, enum settings_option option, const char *value,
                    struct err *err);

#endif
