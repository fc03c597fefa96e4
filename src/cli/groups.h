/* The applications of a controller, summed up by job, user or account. */
#ifndef WEIR_CLI_GROUPS_H
#define WEIR_CLI_GROUPS_H

#include "cli/screen.h"

/* What they can be grouped by. */
#define GROUPS_KEYS(X)                                                                             \
    X(JOB, "job")                                                                                  \
    X(USER, "user")                                                                                \
    X(ACCOUNT, "account")

#define GROUPS_ENUM(name, word) GROUPS_BY_##name,
enum groups_key { GROUPS_KEYS(GROUPS_ENUM) GROUPS_KEYS_COUNT };
#undef GROUPS_ENUM

/* The word of a key, which is the name of a column and of a member. And the key of a word; -1 with
 * err if there is none. */
const char *groups_word(enum groups_key key);
int groups_find(const char *word, struct err *err);

/* Those with the same key on one store; what runs, or what has left. */
struct group {
    char key[WIRE_NAME], store[WIRE_STORE];
    uint64_t applications, processes, phases;
    double nodes, granted, measured; /* of what runs */
    double moved, escaped;
    double elapsed, io_time, waited, ideal; /* sums, of what has left */
};

struct groups {
    enum groups_key by;
    bool finished;
    struct group *list; /* by key */
    size_t count;
};

/* Sums up what runs, or what has left. 0, or -1 with err; groups_fini in both cases. */
int groups_init(struct groups *groups, const struct snapshot *snapshot, enum groups_key by,
                bool finished, struct err *err);
void groups_fini(struct groups *groups);

/* Prints them, for people or as JSON. */
void groups_print(const struct groups *groups, bool json);

#endif
