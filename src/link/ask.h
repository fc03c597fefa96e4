/* A question of a command to the first controller of a list that takes it, with the answer: blocks
 * until it is there. */
#ifndef WEIR_LINK_ASK_H
#define WEIR_LINK_ASK_H

#include "base/err.h"
#include "link/address.h"
#include "link/hello.h"

struct link_ask_setup {
    const struct link_address *controllers;
    uint32_t controller_count;
    const char *munge;       /* munged's socket, NULL = its usual one */
    uint32_t controller_uid; /* the user that controllers run as: no other can read the question */
    struct link_versions speaks;
    uint64_t limit; /* milliseconds for all of it */
};

/* Called for each frame of the answer; false = it is not one. `last` tells whether another one is
 * awaited. */
typedef bool link_ask_hear(void *context, const void *bytes, size_t size, bool *last);

/* 0, or -1 with err: each controller has been tried once and could not be had, or the connection
 * was lost, or the answer took too long. */
int link_ask(const struct link_ask_setup *setup, const struct packet *question, link_ask_hear *hear,
             void *context, struct err *err);

#endif
