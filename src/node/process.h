/* What the kernel knows of a process of this node. */
#ifndef WEIR_NODE_PROCESS_H
#define WEIR_NODE_PROCESS_H

#include <stdint.h>

/* The state of a process as /proc writes it: 'R' if it runs or wants to; '\0' if unknown. */
char process_state(int32_t pid);

/* Seconds of processor time that it has used; 0 if unknown. */
double process_time(int32_t pid);

/* Its filters of system calls (seccomp), as its first thread has them: 0 = none, -1 = unknown. An
 * older kernel does not count them: there it is 1 for any number. */
int32_t process_filters(int32_t pid);

#endif
