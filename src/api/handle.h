/* What is inside the handles of weir/simulate.h. */
#ifndef WEIR_API_HANDLE_H
#define WEIR_API_HANDLE_H

#include "base/err.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include <locale.h>
#include <stdio.h>
#include <weir/simulate.h>

struct api_content;
struct weir_scenario {
    struct scenario inner;       /* the seed and the window are its own, */
    struct api_content *content; /* all that it points at is shared with its copies */
    struct knowledge knowledge;
};

/* Numbers have a point in files and messages whatever the locale of the caller, who may have called
 * setlocale. So every function that reads or writes some begins with API_PLAIN_NUMBERS: until it
 * returns, its thread has C's locale. Strategies that it calls have it, too. */
locale_t api_enter(void);
void api_leave(const locale_t *callers);
#define API_PLAIN_NUMBERS __attribute__((cleanup(api_leave))) const locale_t callers = api_enter()

/* Passes on what is wrong; `error` may be NULL. */
void api_tell(struct weir_error *error, const struct err *err);

/* What `write` writes of `what`, as a text that weir_text_free frees. NULL with error. */
char *api_print(void (*write)(FILE *out, const void *what), const void *what,
                struct weir_error *error);

/* A handle that takes over the scenario, which may be NULL (then err is set). NULL with error. */
struct weir_scenario *api_wrap(struct scenario *inner, struct err *err, struct weir_error *error);

#endif
