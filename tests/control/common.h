/* What the tests of the controller share. */
#ifndef WEIR_TESTS_CONTROL_COMMON_H
#define WEIR_TESTS_CONTROL_COMMON_H

#include "control/control.h"

/* Three applications on a file system of 10 bytes/s. */
extern const struct weir_app control_apps[3];
extern const struct weir_setup control_setup;

/* A controller of them, and a strategy by name; a failure fails the test. */
struct control *start_control(const struct policy *policy);
struct policy *open_policy(const char *name);

/* Posts an I/O without work before it. */
void post_io(struct control *control, double now, uint32_t id, double volume);

#endif
