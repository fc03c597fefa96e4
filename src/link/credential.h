/* Credentials of MUNGE, which state the user that made them on any machine of the cluster. Making
 * and reading one asks munged, which blocks, so that a thread does it: one of the loop's for
 * reading; one of its own for making, which nobody has to wait for if munged hangs. */
#ifndef WEIR_LINK_CREDENTIAL_H
#define WEIR_LINK_CREDENTIAL_H

#include "link/hello.h"
#include <uv.h>

enum {
    CREDENTIAL_TTL = 10, /* seconds for which one is valid */
    CREDENTIAL_PATH = 108
};

struct credential;
typedef void credential_done(struct credential *credential);

struct credential_errand;

/* One to make or to read; starts with zeros. It must stay in place until `done` is called. */
struct credential {
    uv_work_t work;
    struct credential_errand *errand; /* the thread that makes it, NULL = none */
    char socket[CREDENTIAL_PATH];     /* of munged, empty = its usual one */
    char text[HELLO_CREDENTIAL];
    unsigned char bytes[HELLO_MOST]; /* what it holds */
    size_t size;
    uint32_t reader;   /* when making: the only user that may read it; */
    uint32_t uid, gid; /* when reading: the user that made it */
    bool making;
    char fault[200]; /* why it failed, empty = it did not */
    credential_done *done;
    void *owner; /* the caller's */
};

/* Starts to make it from `bytes`, or to read `text`. 0, or -1 if no thread can be had. */
int credential_make(struct credential *credential, uv_loop_t *loop);
int credential_read(struct credential *credential, uv_loop_t *loop);

/* Whether it is being made; gives that up, so that `done` is not called: whether it was. */
bool credential_is_pending(const struct credential *credential);
bool credential_abandon(struct credential *credential);

#endif
