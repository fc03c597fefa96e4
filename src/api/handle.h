/* What is inside the handles of weir/simulate.h. */
#ifndef WEIR_API_HANDLE_H
#define WEIR_API_HANDLE_H

#include "base/err.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include <weir/simulate.h>

struct api_content;
struct weir_scenario {
    struct scenario inner;       /* the seed and the window are its own, */
    struct api_content *content; /* all that it points at is shared with its copies */
    struct knowledge knowledge;
};

/* Passes on what is wrong; `error` may be NULL. */
void api_tell(struct weir_error *error, const struct err *err);

/* A handle that takes over the scenario, which may be NULL (then err is set). NULL with error. */
struct weir_scenario *api_wrap(struct scenario *inner, struct err *err, struct weir_error *error);

#endif
