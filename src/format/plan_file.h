/* Plan files: a plan as JSON, with what is needed to follow it and what it is worth.
 *
 *   {"weir": "0.2.0", "scenario": "s", "seed": 1, "platform": {"nodes": 640, ...},
 *    "method": "persched", "objective": "sys-efficiency", "period": 8441.55,
 *    "sys_efficiency": 0.0973, "dilation": 1.896, "bounds": {"sys_efficiency": ..., ...},
 *    "applications": [{"name": "a", "instances": 1, "efficiency": ..., "dilation": ...,
 *                      "nodes": 64, "work": 76.8, "volume": 235800000000,
 *                      "schedule": [{"start": 0, "io": [[76.8, 155.4, 3000000000]]}]}],
 *    "seconds": 0.01}
 *
 * Dates are seconds from the start of a period, as in model/plan.h; "start" is that of the work of
 * an instance, and each of its transfers is [start, end, bytes/s]. */
#ifndef WEIR_FORMAT_PLAN_FILE_H
#define WEIR_FORMAT_PLAN_FILE_H

#include "base/err.h"
#include "model/plan.h"
#include "model/platform.h"
#include "model/provenance.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The methods that make plans; ends with NULL. */
extern const char *const plan_methods[];

struct plan_file {
    struct plan *plan;
    const char *method, *objective; /* of plan_methods and plan_objectives */
    struct {
        double sys_efficiency, sys_efficiency_bandwidth, dilation_bandwidth;
    } bounds;
    double seconds;         /* that planning took */
    struct provenance made; /* of what; not read from files */
};

/* One that holds this plan, of which nothing else is known yet; frees the plan when memory is out,
 * and returns NULL. plan_file_free frees. */
struct plan_file *plan_file_new(struct plan *plan);

/* Writes all of it, or, without the schedule, what a program wants to know of the result. */
void plan_file_write(FILE *out, const struct plan_file *file, const struct tasks *tasks,
                     bool schedule);

/* Reads a plan for these tasks; `text` has a 0 byte after its `length` bytes. A plan for other
 * tasks, one that plan_validate refuses, and one whose SysEfficiency or Dilation is not that of its
 * schedule are errors, and so is anything in the file that is not understood. Messages begin with
 * "where:line", or "where:" when no line is at fault. NULL with err; plan_file_free frees. */
struct plan_file *plan_file_parse(const char *text, size_t length, const char *where,
                                  const struct tasks *tasks, struct err *err);

/* Reads a plan on its own, for a live machine: its applications are those that the file has, on
 * this platform. What the file says of its worth is not compared, as that depends on all nodes of
 * the machine it was made for. NULL with err, as above; tasks_fini frees the tasks in any case. */
struct plan_own {
    struct platform platform;
    struct tasks tasks; /* zeroed before */
};
struct plan_file *plan_file_parse_own(const char *text, size_t length, const char *where,
                                      struct plan_own *own, struct err *err);
struct plan_file *plan_file_load_own(const char *path, struct plan_own *own, struct err *err);

/* The same as plan_file_parse for a file, "-" being standard input. */
struct plan_file *plan_file_load(const char *path, const struct tasks *tasks, struct err *err);

void plan_file_free(struct plan_file *file); /* NULL is fine */

#endif
