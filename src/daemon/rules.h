/* The settings in force: those of the configuration, and over them those that were changed at run
 * time. A list is never edited: a change makes another one, so that it happens as a whole or not at
 * all. */
#ifndef WEIR_DAEMON_RULES_H
#define WEIR_DAEMON_RULES_H

#include "base/err.h"
#include "model/service.h"
#include "wire/message.h"

struct rule {
    struct wire_set set; /* never to unset */
    enum wire_source source;
};

struct rules {
    struct rule *list;
    size_t count, capacity;
};

void rules_free(struct rules *rules);

/* A copy of a list; one with a change; one with another configuration. 0, or -1 and `into` is
 * empty: memory is out, there are too many, or what is to be unset was not set. */
int rules_copy(const struct rules *rules, struct rules *into, struct err *err);
int rules_change(const struct rules *rules, const struct wire_set *set, struct rules *into,
                 struct err *err);
int rules_configure(const struct rules *rules, const struct service *service, struct rules *into,
                    struct err *err);

/* Adds one at the end. 0 or -1. */
int rules_add(struct rules *rules, const struct wire_set *set, enum wire_source source,
              struct err *err);

/* Forgets those for the application of this id, which is gone. */
void rules_forget(struct rules *rules, uint32_t app);

/* The one that is in force for exactly what `set` is for (its value aside), or NULL. */
const struct rule *rules_find(const struct rules *rules, const struct wire_set *set);

/* Whether some are for users. */
bool rules_by_user(const struct rules *rules);

/* Whether nothing that was changed stands over this one. */
bool rules_in_force(const struct rules *rules, const struct rule *rule);

#endif
