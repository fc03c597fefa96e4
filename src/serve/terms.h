/* What a controller tells an agent when it takes it: all that the node's programs are served with,
 * so that an agent needs no configuration of its own. Bytes <-> configuration; they come from
 * another machine, so every member is checked. */
#ifndef WEIR_SERVE_TERMS_H
#define WEIR_SERVE_TERMS_H

#include "base/err.h"
#include "model/service.h"
#include <stddef.h>

enum { TERMS_MOST = 16384, TERMS_STORES = 256 };

/* Writes at most TERMS_MOST bytes. How many, or 0 with err: there are too many stores, or their
 * paths are too long. */
size_t terms_write(const struct service *service, unsigned char *bytes, struct err *err);

/* Reads them over `service`, whose arena then holds what it refers to. 0, or -1 with err. */
int terms_read(const void *bytes, size_t size, struct service *service, struct err *err);

#endif
