/* Parties: the users, accounts, jobs and programs of a workload, names with numbers. */
#ifndef WEIR_MODEL_PARTIES_H
#define WEIR_MODEL_PARTIES_H

#include "base/arena.h"
#include <stddef.h>
#include <stdint.h>

/* One X-list gives the enum, the keys of files and the members of the JSON output. */
#define PARTIES(X)                                                                                 \
    X(USER, "user", "users")                                                                       \
    X(ACCOUNT, "account", "accounts")                                                              \
    X(JOB, "job", "jobs")                                                                          \
    X(PROGRAM, "program", "programs")

enum party_kind {
#define X(name, one, several) PARTY_##name,
    PARTIES(X)
#undef X
        PARTY_KINDS
};
/* Kinds below this one have measures and shares; those from it on only tell applications apart. */
enum { PARTY_MEASURED = PARTY_JOB };
extern const char *const party_kind_names[PARTY_KINDS];   /* of one */
extern const char *const party_kind_plurals[PARTY_KINDS]; /* of several */

/* All of one kind, in the order in which they come. */
struct parties {
    const char *const *names;
    uint32_t count;
};

/* The name of the party of this number, from 1 on; NULL for 0. */
static inline const char *party_name(const struct parties *parties, uint32_t number)
{
    return number > 0 ? parties->names[number - 1] : NULL;
}

/* Numbers the texts, of which some may be NULL: equal texts have equal numbers, by first
 * appearance; 0 for NULL. The texts are borrowed. 0, or -1 when memory is out. */
int parties_number(struct parties *parties, const char *const *texts, uint32_t *numbers,
                   uint32_t count, struct arena *arena);

/* Copies the list, not the names. 0, or -1 when memory is out. */
int parties_copy(struct parties *parties, const struct parties *from, struct arena *arena);

#endif
