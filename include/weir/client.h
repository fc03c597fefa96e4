/* Weir's client library, for an application that announces when its I/O begins and ends.
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
 * hangs or refuses, nothing waits and nothing is limited, and every function accepts NULL. A
 * controller that comes back takes its applications back.
 *
 * Several threads may call all functions at once. After a fork the child is another process of the
 * same application.
 *
 * A program that also runs under `weir exec` should be linked with the shared library: then both
 * are one, and bytes that weir_io_pace has waited for are not waited for again when they are
 * written. The static library does not know about the preload, and such a program would pay for
 * every byte twice. */
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

/* The identity of the application. A member that is 0 or NULL comes from the environment that `weir
 * exec` sets, else from the default in brackets. */
struct weir_join {
    const char *socket; /* path of the controller [$XDG_RUNTIME_DIR/weir.sock, else
                           /run/weir.sock] */
    const char *name;   /* of the application [the program's name] */
    uint64_t token[2];  /* processes of a user with the same token are one application [random] */
    double nodes;       /* [1] */
    double weight;      /* [1] */
    double volume_hint; /* bytes of each I/O, if they are all alike [unknown] */
    double period;      /* seconds between two of them, if known [unknown] */
};

/* `join` may be NULL. Does not wait for a controller: the process attaches at its first I/O. A
 * process belongs to one application: only the first call counts. */
struct weir_client *weir_client_join(const struct weir_join *join);

/* Ends open I/Os, and leaves. A later I/O joins again. */
void weir_client_leave(struct weir_client *client);

/* An I/O of `volume` bytes begins (by this process; 0 = unknown). Does not wait. */
void weir_io_begin(struct weir_client *client, double volume);

/* Waits until some of `bytes` may be moved, and returns how many: 1 to `bytes`. They are charged,
 * so move them now. 0 for 0. */
size_t weir_io_pace(struct weir_client *client, size_t bytes);

/* Waits until one operation, such as opening a file, may be made. */
void weir_io_operation(struct weir_client *client);

/* Ends the I/O: waits for what was moved in advance; then others get the bandwidth at once, unless
 * another process of the application has begun, or is inside a call: then the I/O goes on. */
void weir_io_end(struct weir_client *client);

/* Whether a controller is in charge at the moment. */
bool weir_client_controlled(const struct weir_client *client);

#ifdef __cplusplus
}
#endif
#endif
