/* The applications that have left a controller, for people and for programs. */
#ifndef WEIR_CLI_FINISHED_H
#define WEIR_CLI_FINISHED_H

#include "base/json.h"
#include "cli/screen.h"

/* Lays them out, the latest last; returns the number of lines. */
int finished_draw(const struct screen *screen, const struct snapshot *snapshot);

/* Which application it is. */
struct finished_who {
    const char *name, *store, *job; /* store: "" = there is only one */
    const char *account, *partition;
    uint32_t uid, pid;
};

/* Writes the members that tell which application it is, of running ones too, into the object that
 * is open. */
void finished_write_who(struct json *json, const struct finished_who *who);

/* Writes one as an object. */
void finished_write(struct json *json, const struct wire_done *done);

#endif
