/* Weir's client library: an application that says itself when its I/O begins and ends.
 *
 *     struct weir_client *client = weir_client_join(NULL);
 *     for (;;) {
 *         compute();
 *         weir_io_begin(client, bytes);
 *         for (size_t done = 0; done < bytes;) {
 *             size_t piece = weir_io_pace(client, bytes - done);
 *             done += write_some(data + done, piece);
 *         }
 *         weir_io_end(client);
 *     }
 *     weir_client_leave(client);
 *
 * It needs nothing but libc, and it fails open: without a controller, or when the controller ends,
 * hangs or refuses, nothing waits and nothing is limited, and every function may be called with
 * NULL. A controller that comes back takes its applications back.
 *
 * All functions may be called by several threads at once. After a fork the child is a further
 * process of the same application.
 *
 * A program that also runs under `weir exec` should be linked with the shared library: then both
 * are one, and what weir_io_pace has waited for is not waited for again when it is written. The
 * static library knows nothing of the other, and such a program would pay for every byte twice. */
#ifndef WEIR_CLIENT_H
#define WEIR_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever one of these functions or structures does. */
#define WEIR_CLIENT_ABI 1

struct weir_client;

/* Who joins. A member that is 0 or NULL comes from the environment that `weir exec` gives, else
 * from the default in brackets. */
struct weir_join {
    const char *socket; /* path of the controller [$XDG_RUNTIME_DIR/weir.sock, else
                           /run/weir.sock] */
    const char *name;   /* of the application [the program's name] */
    uint64_t token[2];  /* processes of one user with the same token are one application [random] */
    double nodes;       /* [1] */
    double weight;      /* [1] */
    double volume_hint; /* bytes of each I/O, if they are all alike [unknown] */
    double period;      /* seconds between two of them, if known [unknown] */
};

/* `join` may be NULL. Does not wait for a controller: the process attaches with its first I/O. A
 * process belongs to one application: of several calls the first one counts. */
struct weir_client *weir_client_join(const struct weir_join *join);

/* Ends what was begun, and leaves. An I/O that begins later joins again. */
void weir_client_leave(struct weir_client *client);

/* An I/O of `volume` bytes begins (by this process; 0 = unknown). Does not wait. */
void weir_io_begin(struct weir_client *client, double volume);

/* Waits until some of `bytes` may be moved, and returns how many: 1 to `bytes`, and as they are
 * charged, they should be moved now. 0 for 0. */
size_t weir_io_pace(struct weir_client *client, size_t bytes);

/* Waits until one operation may be done, such as opening a file. */
void weir_io_operation(struct weir_client *client);

/* The I/O is over: waits for what was moved in advance, then the bandwidth goes to the others at
 * once. */
void weir_io_end(struct weir_client *client);

/* Whether a controller is in charge at the moment. */
bool weir_client_controlled(const struct weir_client *client);

#ifdef __cplusplus
}
#endif
#endif
