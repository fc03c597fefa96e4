/* What the tests of the session share: a controller that does as it is told, and calls. There is
 * one session in a process, so all its tests use one path, and every test leaves. */
#ifndef WEIR_TESTS_CLIENT_COMMON_H
#define WEIR_TESTS_CLIENT_COMMON_H

#include "client/session.h"
#include "support/fake.h"

#define MS UINT64_C(1000000)

extern struct fake fake;
extern char fake_path[64]; /* of its socket */

void nap(int ms);

/* One call of so many bytes, which must not be cut; returns the nanoseconds it took. */
uint64_t call(size_t bytes);

/* Calls until the session is attached, or fails the test. */
void call_until_controlled(void);

/* Calls under way, as the controller sees them. */
uint32_t busy(void);

/* Chooses the path; joins as "tester", of 3 nodes. */
void join_as_tester(void);
void remove_path(void);

/* Around a test: starts a controller and attaches; leaves and stops it. */
int start(void **state);
int leave(void **state);

#define WITH_CONTROLLER(test) cmocka_unit_test_setup_teardown(test, start, leave)

#endif
