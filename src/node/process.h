/* What the kernel knows of a process of this node. */
#ifndef WEIR_NODE_PROCESS_H
#define WEIR_NODE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a process is in one of these states, as /proc writes them: "RD". */
bool process_is_in_state(int32_t pid, const char *states);

/* Seconds of processor time that it has used; 0 if unknown. */
double process_time(int32_t pid);

#endif
