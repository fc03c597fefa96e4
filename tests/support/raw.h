/* A client of a controller as bare as can be, for tests that want to say what no client would. */
#ifndef WEIR_TESTS_SUPPORT_RAW_H
#define WEIR_TESTS_SUPPORT_RAW_H

#include "wire/message.h"
#include "wire/page.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new connection to the controller at this path, or -1. */
int raw_connect(const char *path);

/* Sends bytes or a message; false if there is no room, or nobody. */
bool raw_send_bytes(int fd, const void *bytes, size_t size);
bool raw_send(int fd, const struct wire_message *message);

/* Receives a message within a second; false if there is none. Pages that come along are mapped, if
 * anybody wants them. */
struct raw_pages {
    const struct grant_page *grant;
    struct usage_page *usage;
};
bool raw_receive(int fd, struct wire_message *message, struct raw_pages *pages);

/* An ATTACH of the application of this number. */
struct wire_message raw_who(uint64_t number);

/* Attaches, and must be welcome. */
struct wire_message raw_attach(int fd, uint64_t number, struct raw_pages *pages);

/* What the controller says of itself. */
struct wire_status raw_ask(const char *path);

#endif
