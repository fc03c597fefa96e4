/* The applications that have left a controller, for people and for programs. */
#ifndef WEIR_CLI_FINISHED_H
#define WEIR_CLI_FINISHED_H

#include "base/json.h"
#include "cli/screen.h"

/* Lays them out, the latest last; returns the number of lines. */
int finished_draw(const struct screen *screen, const struct snapshot *snapshot);

/* Writes one as an object. */
void finished_write(struct json *json, const struct wire_done *done);

#endif
