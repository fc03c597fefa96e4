/* Plans that commands have sent, in files beside the state file, or beside the socket where there
 * is none: BASE.plan.HASH. So a strategy can name one, also after a restart. */
#ifndef WEIR_SERVE_PLAN_STORE_H
#define WEIR_SERVE_PLAN_STORE_H

#include "base/err.h"
#include "model/service.h"
#include "wire/message.h"
#include <stddef.h>

struct plan_text {
    const char *bytes;
    size_t size;
};

/* Adds the plan's file, which is made, to a strategy that is to follow it. 1; 0 = it was there
 * before; -1 with err. */
int plan_store_put(const struct service *service, const struct plan_text *plan,
                   char strategy[WIRE_TEXT], struct err *err);

/* The file that a strategy names, within its text; NULL if it names none. */
const char *plan_store_path(const char *strategy);

/* Removes the file that a strategy names, if it is one of these. */
void plan_store_drop(const struct service *service, const char *strategy);

#endif
