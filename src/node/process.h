/* What the kernel knows of a process of this node. */
#ifndef WEIR_NODE_PROCESS_H
#define WEIR_NODE_PROCESS_H

#include <stdint.h>

/* The state of a process as /proc writes it: 'R' if it runs or wants to; '\0' if unknown. */
char process_state(int32_t pid);

/* Seconds of processor time that it has used; 0 if unknown. */
double process_time(int32_t pid);

#endif
