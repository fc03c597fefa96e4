/* What the hub knows of one agent; and the hub itself, between its files. */
#ifndef WEIR_CLUSTER_MEMBER_H
#define WEIR_CLUSTER_MEMBER_H

#include "cluster/chain.h"
#include "cluster/frame.h"
#include "cluster/hub.h"
#include "cluster/ledger.h"
#include "wire/page.h"

enum { MEMBER_NODE = 256 }; /* bytes of the name of a node, with the final zero */

/* An application on one node. */
struct member_claim {
    bool here;
    bool refused;   /* the controller has refused it, */
    bool free;      /* so, or because it is ordered, it is to run unthrottled */
    bool runs_free; /* it does, as its agent says */
    bool limited;   /* `limit` is known, */
    bool tell_limit, tell_count, tell_turn; /* and to be sent, as are a COUNT and a TURN */
    bool reported;                          /* in the report that has begun, */
    double rate;                            /* and it held this */
    uint32_t uid;
    uint64_t token[2];
    enum page_phase io;
    bool probing;
    uint32_t phase;        /* number of its I/O */
    uint32_t wanted_phase; /* the I/O that the controller wants to have */
    double wanted;         /* this many bytes/s */
    struct node_limit limit;
    struct holding holding;
};

/* An agent's part of one channel. */
struct share {
    struct member_claim *claims; /* by the node's number of the application */
    uint32_t capacity, count;
    struct chain waiting; /* among those that should get more */
};

struct member {
    uint32_t number;
    char node[MEMBER_NODE];
    uint64_t incarnation;
    struct member *same_hash;
    bool former;    /* its agent was started again: it only holds what it held */
    bool seen;      /* it has reported what it held of the controller before */
    bool connected; /* the rest is of the connection */
    bool blocked;   /* it does not read */
    bool reported;  /* its full state is known */
    bool reporting; /* a report has begun */
    bool lost;      /* a frame was lost: what follows does not count before a report */
    bool whole;     /* the next frame answers a report, */
    bool answer;    /* or asks for one, or was asked for */
    bool demands;   /* its agent obeys a controller that is elected only */
    uint32_t version;
    uint64_t stamp;          /* the latest of its clock */
    uint64_t received, sent; /* sequence numbers of the latest frames, */
    uint64_t acknowledged;   /* and of the latest that it has taken */
    uint64_t asked;          /* when it was asked for a sign of life, 0 = never */
    uint64_t heard;          /* time of its latest sign of life, */
    struct chain aging;      /* by which this is ordered */
    struct chain queued;     /* it needs a frame */
    struct share shares[WIRE_CHANNELS];
};

struct hub {
    struct hub_terms terms;
    const struct hub_ops *ops;
    void *context;
    bool active;
    uint64_t epoch, heard; /* its own, and the highest of all */
    uint64_t until;        /* when it must not order any more */
    uint64_t quiet_until; /* when the grants of the controller before have ended, 0 = all is seen */
    struct member **members; /* by number, NULL = free */
    size_t capacity;
    uint32_t count, connected;
    struct member **lists;    /* by hash of the node's name */
    uint32_t list_count;      /* a power of two */
    struct chain aging;       /* members, the one that has been silent for the longest first */
    struct chain soon, later; /* members that need a frame: those that wait for it, and others */
    struct chain waiting[WIRE_CHANNELS]; /* shares that should get more */
    struct channel_ledger ledgers[WIRE_CHANNELS];
    struct hub_counts counts;
    struct frame frame; /* that is being written */
};

/* Whether its state is known, so that it can be ordered. */
static inline bool member_is_known(const struct member *member)
{
    return member->connected && member->reported && !member->lost;
}

/* --- members (member.c) ----------------------------------------------------------------------- */

/* Finds the member of a node, or NULL; a new one, NULL when memory is out. */
struct member *member_find(const struct hub *hub, const char *node);
struct member *member_new(struct hub *hub, const struct hub_hello *hello);
/* Takes it out of the names: a new one of the same node can take its place. */
void member_unname(struct hub *hub, struct member *member);
/* Its applications are lost, but what they hold stays counted; then nothing is held any more. */
void member_lose(struct hub *hub, uint64_t now, struct member *member, bool restarted);
void member_forget(struct hub *hub, struct member *member);
void member_free(struct hub *hub, struct member *member);

/* The application of this number, or NULL; one for it, NULL when memory is out. */
struct member_claim *member_claim(struct member *member, uint32_t channel, uint32_t app);
struct member_claim *member_make_claim(struct member *member, uint32_t channel, uint32_t app);
void member_drop_claim(struct hub *hub, struct hub_place place, struct member_claim *claim);

/* Whether it holds bandwidth or does I/O, so that its agent must be heard from. */
bool member_is_at_stake(const struct member *member);

/* --- orders (hub_orders.c) -------------------------------------------------------------------- */

/* Compares what an application is to have with what it was ordered, and lowers that, or lists it
 * among those that should get more. */
void hub_consider(struct hub *hub, struct hub_place place, struct member_claim *claim);

/* Raises what there is room for. */
void hub_raise(struct hub *hub);

/* The member needs a frame; `soon`: it waits for one. hub_send_frames sends them. */
void hub_queue(struct hub *hub, struct member *member, bool soon);
void hub_send_frames(struct hub *hub);

/* Considers all applications of a member. */
void hub_consider_all(struct hub *hub, struct member *member);

/* Ends its activity when the time for which it was elected is over. */
void hub_check_term(struct hub *hub, uint64_t now);

/* Steps down, since there is a controller with a higher epoch. */
void hub_step_down(struct hub *hub, uint64_t now, uint64_t epoch);

#endif
