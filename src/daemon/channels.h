/* The bandwidths that one process shares out, each by a controller of its own. A store with a
 * bandwidth has one; a store with separate bandwidths for reads and writes has two; all others
 * share that of the platform, which is the first. */
#ifndef WEIR_DAEMON_CHANNELS_H
#define WEIR_DAEMON_CHANNELS_H

#include "daemon/live.h"

struct channel {
    char store[WIRE_STORE]; /* what it is of, for people; "" = it is the only one */
    /* The configuration as this one sees it, with its bandwidth and strategy: the one in force, and
     * room for the next. What they point to is not theirs. */
    struct service service[2];
    int latest;
    struct live *live;
    struct journal *journal;
};

struct channels {
    struct channel list[WIRE_CHANNELS];
    uint32_t count;
    bool platform;            /* the first one is the platform's */
    char stores[WIRE_STORES]; /* as WELCOME says it */
};

/* Finds which ones a configuration asks for, and starts none. 0, or -1: there are too many, or
 * paths are too long. */
int channels_plan(struct channels *channels, const struct service *service, struct err *err);

/* Starts them; the journal is borrowed. 0 or -1; channels_close in both cases. */
int channels_open(struct channels *channels, struct journal *journal, uint64_t now,
                  struct err *err);
void channels_close(struct channels *channels);

/* As live_settle and live_next, for all. */
void channels_settle(struct channels *channels, uint64_t now);
uint64_t channels_next(const struct channels *channels);

/* The channels that a setting is for, a bit each; 0 with err if it is for none. */
uint32_t channels_of(const struct channels *channels, const struct wire_set *set, struct err *err);

/* Changes a setting, writes down that `by` asked for it, and keeps it in the file of the state, if
 * there is one. Returns the (first) channel that it is for, or -1 with why not. */
int channels_set(struct channels *channels, uint64_t now, const struct seat *by,
                 const struct wire_set *set, struct err *err);

/* Takes what was set before a restart from the file of the state. 0 or -1. */
int channels_restore(struct channels *channels, uint64_t now, struct err *err);

/* Goes on with another configuration, of the same stores, which must outlive it from then on. 0, or
 * -1 and it is not used. */
int channels_reload(struct channels *channels, uint64_t now, const struct service *service,
                    struct err *err);

/* Applications, of all users or of one. */
uint32_t channels_applications(const struct channels *channels);
uint32_t channels_applications_of(const struct channels *channels, uint32_t uid);

#endif
