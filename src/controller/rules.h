/* The settings in force: those of the configuration, overridden by those changed at run time. A
 * list is never edited: a change builds a new list, so it takes effect as a whole or not at all. */
#ifndef WEIR_CONTROLLER_RULES_H
#define WEIR_CONTROLLER_RULES_H

#include "base/err.h"
#include "model/service.h"
#include "wire/message.h"

struct rule {
    struct wire_set set; /* `unset` is 0 */
    enum wire_source source;
};

struct rules {
    struct rule *list;
    size_t count, capacity;
};

void rules_free(struct rules *rules);

/* Builds a copy of a list without what was changed; one with a change; one with another
 * configuration. 0, or -1 and `into` is empty: memory is out, there are too many rules, or the
 * setting to remove was not set. */
int rules_configured(const struct rules *rules, struct rules *into, struct err *err);
int rules_change(const struct rules *rules, const struct wire_set *set, struct rules *into,
                 struct err *err);
int rules_configure(const struct rules *rules, const struct service *service, struct rules *into,
                    struct err *err);

/* Appends a rule. 0 or -1. */
int rules_add(struct rules *rules, const struct wire_set *set, enum wire_source source,
              struct err *err);

/* Forgets the rules for the application of this id, which is gone. */
void rules_forget(struct rules *rules, uint32_t app);

/* The rule in force for exactly the target of `set` (its value aside), or NULL. */
const struct rule *rules_find(const struct rules *rules, const struct wire_set *set);

/* Whether some rules are for users. */
bool rules_by_user(const struct rules *rules);

/* Whether no changed rule overrides this one. */
bool rules_in_force(const struct rules *rules, const struct rule *rule);

#endif
