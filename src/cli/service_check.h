/* Whether a live controller can start with a configuration. */
#ifndef WEIR_CLI_SERVICE_CHECK_H
#define WEIR_CLI_SERVICE_CHECK_H

#include "base/err.h"
#include "model/service.h"

/* 0, or -1 and what is wrong: with its numbers, names or strategies. Asks no store, so that a
 * running controller can do it. */
int service_check(const struct service *service, struct err *err);

/* 0, or -1 and what is wrong: with its stores, its journal, its state or its cgroup. A store that
 * does not answer is told, and is not wrong. */
int service_check_files(const struct service *service, struct err *err);

/* Also whether it could listen on this machine, if none did yet: at its socket, and for agents. May
 * wait for a name server. 0, or -1 with err. */
int service_check_places(const struct service *service, struct err *err);

#endif
