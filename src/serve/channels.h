/* The bandwidths that one controller process manages, called channels. Each has a controller of its
 * own: a store with a bandwidth has one, a store with separate bandwidths for reads and writes has
 * two, and all other stores share the platform's, which is the first. */
#ifndef WEIR_SERVE_CHANNELS_H
#define WEIR_SERVE_CHANNELS_H

#include "serve/channel.h"
#include "serve/state.h"

struct channels {
    struct channel list[WIRE_CHANNELS];
    uint32_t count;
    bool platform;              /* the first one is the platform's */
    char stores[WIRE_STORES];   /* as in WELCOME */
    struct state_saving saving; /* of the settings, */
    bool unsaved;               /* which have changed since */
    /* What the caller may set before channels_open. */
    struct users *users;                          /* counts their applications on this node */
    void (*say)(void *context, const char *text); /* receives notes for people */
    void *context;
};

/* Finds the channels that a configuration needs, and starts none. 0, or -1: too many channels, or
 * paths are too long. */
int channels_plan(struct channels *channels, const struct service *service, struct err *err);

/* Starts the channels; the journal is borrowed. 0 or -1; channels_close in both cases. */
int channels_open(struct channels *channels, struct journal *journal, uint64_t now,
                  struct err *err);
/* The same without controllers: all nodes are joined to an uplink by channels_bind. */
int channels_open_nodes(struct channels *channels, uint64_t now, struct err *err);
void channels_bind(struct channels *channels, struct uplink *uplink);
void channels_close(struct channels *channels);

/* Passes a note to people. */
void channels_say(const struct channels *channels, const char *text);

/* As channel_settle and channel_next, for all. */
void channels_settle(struct channels *channels, uint64_t now);
uint64_t channels_next(const struct channels *channels);

/* The configuration in force. */
const struct service *channels_service(const struct channels *channels);

/* The channels that a setting is for, one bit each; 0 with err if it is for none. */
uint32_t channels_of(const struct channels *channels, const struct wire_set *set, struct err *err);

/* Forgets a plan that was sent with a strategy, unless a channel follows it. */
void channels_drop_plan(const struct channels *channels, const char *strategy);

/* Whether a setting is right in itself: its value, the strategy, the store. 0, or -1 with err. */
int channels_check(const struct channels *channels, const struct wire_set *set, struct err *err);

/* Changes a setting, records that `by` asked for it, and saves it in the state file, if there is
 * one. Returns the first channel it is for, or -1 with err. */
int channels_set(struct channels *channels, uint64_t now, const struct seat *by,
                 const struct wire_set *set, struct err *err);

/* Replaces what was set by what the state file has, from before a restart, or from the controller
 * that led before; without one nothing changes. 0 or -1. */
int channels_restore(struct channels *channels, uint64_t now, struct err *err);

/* Continues with another configuration of the same stores, which must stay valid from then on. 0,
 * or -1 and it is not used. */
int channels_reload(struct channels *channels, uint64_t now, const struct service *service,
                    struct err *err);

/* The number of applications on this node. */
uint32_t channels_applications(const struct channels *channels);

#endif
