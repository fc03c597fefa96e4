/* The agent of a node, between the files of this room. */
#ifndef WEIR_SERVE_AGENT_H
#define WEIR_SERVE_AGENT_H

#include "serve/engine.h"
#include "serve/terms.h"

struct link_dialer;

struct agent {
    struct engine engine;
    const struct service *given;
    char name[WIRE_NAME]; /* of the node */
    struct link_dialer *dialer;
    uint32_t controllers; /* that it knows, */
    bool warned;          /* and that the one it uses is not elected */
    /* Made when a controller tells its terms. */
    struct uplink *uplink; /* NULL = none has, so far */
    struct service service;
    unsigned char terms[TERMS_MOST];
    size_t terms_size;
    bool freed; /* it was told that programs run unthrottled */
};

/* Replies about the connection and the programs of this node. Settings are the controller's. */
extern const struct peers_desk agent_desk;

#endif
