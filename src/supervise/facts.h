/* What was found out about files, by their names, for a second: so that most calls need not ask a
 * file system, which may hang. */
#ifndef WEIR_SUPERVISE_FACTS_H
#define WEIR_SUPERVISE_FACTS_H

#include "wire/message.h"
#include <stdbool.h>

struct file_fact {
    bool regular;
    uint64_t size;                  /* it may have grown since */
    const struct wire_terms *terms; /* of its store; NULL = it is on none */
};

/* False if nothing is known of the name. */
bool facts_get(const char *path, struct file_fact *fact);

void facts_put(const char *path, const struct file_fact *fact);

#endif
