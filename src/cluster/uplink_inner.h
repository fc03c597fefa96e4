/* The agent's side of the controller, between its files. */
#ifndef WEIR_CLUSTER_UPLINK_INNER_H
#define WEIR_CLUSTER_UPLINK_INNER_H

#include "cluster/frame.h"
#include "cluster/uplink.h"

/* An application of a node, as far as it was told of. */
struct told {
    uint64_t joined;  /* number of the frame with its JOIN, */
    uint64_t changed; /* and with its latest event that took its grant away */
    bool progress;    /* its PROGRESS waits for the next frame */
};

/* A channel. */
struct uplink_line {
    struct uplink *uplink;
    struct node *node;
    struct told *told; /* by the number of the application */
    uint32_t capacity;
};

/* An application that left, until the controller has taken that. */
struct uplink_departed {
    uint32_t channel;
    uint64_t sequence; /* of the frame that told it, 0 = none of this connection */
    struct node_gone gone;
};
enum {
    UPLINK_DEPARTED = 256,  /* the latest are kept */
    UPLINK_TELLS_ITSELF = 2 /* the version of the messages from which controllers know ALONE */
};

struct uplink {
    struct uplink_terms terms;
    struct uplink_departed departed[UPLINK_DEPARTED];
    uint32_t departed_count;
    uplink_send *send;
    void *context;
    struct uplink_line lines[WIRE_CHANNELS];
    uint64_t epoch;  /* the highest heard of */
    bool free;       /* programs run without a controller */
    bool needed;     /* an I/O is open: the controller is needed, */
    uint64_t grace;  /* and until then it is waited for if nothing is held */
    uint64_t lease;  /* when that ends; what is held then is not valid any more */
    uint64_t served; /* the latest stamp that a controller in office has echoed */
    bool demands;    /* only one that is elected is obeyed, */
    bool alone;      /* but this one is not */
    uint64_t turn;   /* time of the latest turn */

    bool connected;                         /* the rest is of the connection */
    bool blocked;                           /* the controller does not read */
    bool report;                            /* a report is to be sent, */
    bool reporting;                         /* is being written, */
    bool begins;                            /* its first frame, even, */
    bool awaiting;                          /* or was sent and is not answered */
    uint64_t report_sequence, report_stamp; /* of its last frame */
    uint32_t version;
    uint64_t received, sent; /* numbers of the latest frames taken and sent, */
    uint64_t acknowledged;   /* and of the latest that the controller has taken */
    uint64_t echoed, asked;  /* the latest stamp that came back, and when an answer was asked for */
    uint64_t ignored;        /* when it will have been ignored for too long */
    bool reply;              /* a frame is due at once */
    bool counting;           /* PROGRESS is asked for */
    uint64_t progress;       /* when PROGRESS is due, UINT64_MAX = there is none */
    struct frame frame;      /* events of this turn */
};

/* Lets all programs run unthrottled, and reports that. */
void uplink_lapse(struct uplink *uplink, uint64_t now);
/* Lets one run unthrottled, or at the configured floor. */
void uplink_release(struct uplink *uplink, uint64_t now, uint32_t channel, struct node_app *app);

/* When the lease ends, or the patience of programs that wait; UINT64_MAX = it does not matter. */
uint64_t uplink_lapses(const struct uplink *uplink);

/* Sends the frame with these flags besides ANSWER; it is empty then. False: it was not taken, and a
 * report is due. */
bool uplink_flush(struct uplink *uplink, uint64_t now, uint64_t flags);

/* Tells that an application runs unthrottled. */
void uplink_tell_freed(struct uplink *uplink, uint64_t now, uint32_t channel,
                       const struct node_app *app);

/* The controller has taken all frames up to this one. */
void uplink_forget_departed(struct uplink *uplink, uint64_t acknowledged);

/* Sends the full state. */
void uplink_send_report(struct uplink *uplink, uint64_t now);

#endif
