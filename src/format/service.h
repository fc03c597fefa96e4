/* The configuration of a live controller: a YAML file, read by tables of keys as a scenario is. */
#ifndef WEIR_FORMAT_SERVICE_H
#define WEIR_FORMAT_SERVICE_H

#include "base/err.h"
#include "model/service.h"

/* Reads a file, "-" being standard input, over what stands in `service` already; texts and lists
 * live in its arena, which is empty before. 0, or -1 and nothing has changed. */
int service_load(const char *path, struct service *service, struct err *err);

/* The same for a text; `where` is its name for messages. */
int service_parse(const char *text, size_t length, const char *where, struct service *service,
                  struct err *err);

/* As service_load, for a simulation: users are names, which this machine need not know. */
int service_load_site(const char *path, struct service *service, struct err *err);

/* The manual's section on it: calls `row` for every key in order. */
void service_document(void (*row)(void *context, const char *mapping, const char *key,
                                  const char *value, const char *help),
                      void *context);

#endif
