/* The socket to the controller, and the pages that arrive through it. Every wait is bounded. */
#ifndef WEIR_CLIENT_LINK_H
#define WEIR_CLIENT_LINK_H

#include "wire/message.h"
#include "wire/page.h"
#include <stdbool.h>

/* A connected socket, or -errno: -ENAMETOOLONG, -ENOENT or -ECONNREFUSED (no process listens),
 * -EAGAIN (not within `limit` nanoseconds), ... */
int link_connect(const char *path, uint64_t limit);

/* Sends a message to the controller, without waiting; 0 or -errno. */
int link_send(int socket, const struct wire_message *message);

/* Sends, waiting up to `limit` nanoseconds for room; 0 or -errno. */
int link_send_within(int socket, const struct wire_message *message, uint64_t limit);

enum link_result {
    LINK_MESSAGE,
    LINK_LATER, /* none within the limit */
    LINK_GONE   /* and none will come: the other end is gone, or sends malformed messages */
};

/* Receives a message within `limit` nanoseconds. The descriptors of a WELCOME are stored in
 * `pages` (-1 = none), if it is not NULL, and are the caller's to close. */
enum link_result link_receive(int socket, struct wire_message *message, int pages[2],
                              uint64_t limit);

/* The same, for a caller with little stack. */
struct link_letter {
    struct wire_message message;
    char bytes[WIRE_MOST];
};
enum link_result link_receive_letter(int socket, struct link_letter *letter, int pages[2],
                                     uint64_t limit);

/* Sends a letter's message, as link_send. */
int link_send_letter(int socket, struct link_letter *letter);

/* Closes both; -1 is fine. */
void link_close_pages(const int pages[2]);
void link_close(int socket);

/* Ends the connection but keeps the descriptor; -1 is fine. */
void link_shut(int socket);

/* Maps the pages over what is mapped at these two addresses, at once for all threads. 0; -EINVAL if
 * the pages are invalid; another -errno if they cannot be mapped. On failure either nothing has
 * changed, or both places are empty, as before the first attachment. `left`, unless it is NULL: the
 * result of page_inherit for what was mapped there, or 0. */
int link_map(const int pages[2], struct grant_page *grant, struct usage_page *usage,
             uint64_t *left);

/* Moves the socket to a descriptor where programs do not expect files of their own, or to the
 * descriptor `old`, which it replaces (-1 = none). Returns its descriptor. */
int link_place(int socket, int old);

/* A number that identifies a socket; 0 = `fd` is not one. A program may have closed the socket, and
 * its descriptor may now be a file of the program. Asks the kernel directly: the preload would
 * count an fstat as an operation of the program. */
uint64_t link_inode(int fd);

/* Whether the other end still exists. */
bool link_is_alive(int socket);

#endif
