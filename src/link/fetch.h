/* One POST over HTTP, without encryption: connects, sends, waits for the response, disconnects. */
#ifndef WEIR_LINK_FETCH_H
#define WEIR_LINK_FETCH_H

#include "link/address.h"
#include "link/http.h"
#include <uv.h>

/* The response, with its HTTP status; or status 0 and, as a text, why there is none. */
struct link_response {
    int status;
    const char *body;
    size_t size;
};

struct link_fetch_setup {
    const struct link_address *address;
    uint32_t nth;            /* of the addresses that its name has, in a circle */
    const char *path, *body; /* texts that need not stay */
    uint64_t limit;          /* milliseconds */
    void (*done)(void *context, const struct link_response *response); /* once, from the loop */
    void *context;
};

struct link_fetch;

/* Starts it, and frees itself after `done`. NULL if memory is out or the request is too long. */
struct link_fetch *link_fetch_start(uv_loop_t *loop, const struct link_fetch_setup *setup);

/* Gives it up before `done`, which is not called. NULL is fine. */
void link_fetch_stop(struct link_fetch *fetch);

#endif
