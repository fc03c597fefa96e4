/* The socket to the controller, and the pages that come through it. Every wait has a bound. */
#ifndef WEIR_CLIENT_LINK_H
#define WEIR_CLIENT_LINK_H

#include "wire/message.h"
#include "wire/page.h"
#include <stdbool.h>

/* A connected socket, or -errno: -ENAMETOOLONG, -ENOENT or -ECONNREFUSED (nobody listens),
 * -EAGAIN (`limit` nanoseconds were not enough), ... */
int link_connect(const char *path, uint64_t limit);

/* Sends a message to the controller, without waiting; 0 or -errno. */
int link_send(int socket, const struct wire_message *message);

/* Sends, waiting up to `limit` nanoseconds for room; 0 or -errno. */
int link_send_within(int socket, const struct wire_message *message, uint64_t limit);

enum link_result {
    LINK_MESSAGE,
    LINK_LATER, /* none within the limit */
    LINK_GONE   /* nor will there be: the other end has gone, or sends what is no message */
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

/* Closes both; -1 are fine. */
void link_close_pages(const int pages[2]);
void link_close(int socket);

/* Ends the connection, but keeps the number; -1 is fine. */
void link_shut(int socket);

/* Maps the pages in place of what is mapped at these two addresses, at once for all threads. 0;
 * -EINVAL if they are not as they should be; or another -errno if they cannot be mapped. Then
 * nothing has changed, or both places are empty, as before the first tie. */
int link_map(const int pages[2], struct grant_page *grant, struct usage_page *usage);

/* Moves the socket to a number where programs do not expect their own files, or into the place of
 * `old` (-1 = none). Returns its number. */
int link_place(int socket, int old);

/* A number by which a socket is known again; 0 = `fd` is none. A program may have closed it, and
 * its number may now be a file of the program. Asks the kernel directly: to a preload, an fstat is
 * an operation of the program. */
uint64_t link_inode(int fd);

/* Whether the other end is still there. */
bool link_is_alive(int socket);

#endif
