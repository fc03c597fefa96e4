/* The other end: keeps one connection to the first controller of a list that can be reached and
 * takes it. When it is lost, or none can be reached, it tries again for ever, at times that are
 * random within bounds, so that thousands do not come back at once. */
#ifndef WEIR_LINK_DIALER_H
#define WEIR_LINK_DIALER_H

#include "base/err.h"
#include "link/address.h"
#include "link/hello.h"
#include <uv.h>

struct link_dialer;

struct link_dialer_calls {
    /* A controller has taken it, on these terms. 0, or -1 with err to disconnect. */
    int (*connected)(void *context, uint32_t version, const void *terms, size_t size,
                     struct err *err);
    int (*frame)(void *context, const void *bytes, size_t size, struct err *err);
    void (*writable)(void *context);              /* after it was blocked */
    void (*gone)(void *context);                  /* after connected: the connection is lost */
    void (*say)(void *context, const char *text); /* one line for a log: news only */
    /* None of the controllers can be had; `late`: one did not answer in time. NULL is fine. */
    void (*failed)(void *context, bool late);
};

struct link_dialer_setup {
    const struct link_address *controllers;
    uint32_t controller_count;
    const char *munge;       /* munged's socket, NULL = its usual one */
    uint32_t controller_uid; /* the user that controllers run as: no other can read the hello */
    struct link_versions speaks;
    struct link_hello hello; /* role, epoch and name; the dialer adds the rest */
    const struct link_dialer_calls *calls;
    void *context;
};

/* Starts to connect when the loop runs. NULL with err. */
struct link_dialer *link_dialer_new(uv_loop_t *loop, const struct link_dialer_setup *setup,
                                    struct err *err);

/* Disconnects, without telling `gone`, and frees itself when the loop has run. NULL is fine. */
void link_dialer_free(struct link_dialer *dialer);

/* The newest epoch that was heard of, for the next hello. */
void link_dialer_heard(struct link_dialer *dialer, uint64_t epoch);

/* Sends a frame of at most LINK_MOST bytes. 0; 1 = not taken: it is blocked (`writable` tells when
 * it no longer is) or not connected. */
int link_dialer_send(struct link_dialer *dialer, const void *bytes, size_t size);

/* Gives up a connection, for this reason, as if it were lost, and continues with the next
 * controller. Without a connection nothing happens. */
void link_dialer_redial(struct link_dialer *dialer, const char *why);

/* The controller that it is connected to, or tries. */
const struct link_address *link_dialer_controller(const struct link_dialer *dialer);
uint32_t link_dialer_position(const struct link_dialer *dialer); /* of that in the list, from 0 */
bool link_dialer_is_connected(const struct link_dialer *dialer);

#endif
