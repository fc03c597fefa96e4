/* Addresses as people write them: HOST, HOST:PORT, [IPV6]:PORT, and lists of them. */
#ifndef WEIR_LINK_ADDRESS_H
#define WEIR_LINK_ADDRESS_H

#include "base/err.h"
#include <stddef.h>

#define LINK_PORT "9347" /* of controllers */

enum { LINK_HOST = 256, LINK_SERVICE = 8, LINK_CONTROLLERS = 8 };

struct link_address {
    char host[LINK_HOST]; /* a name or a number */
    char port[LINK_SERVICE];
};

/* Reads one address, with this port unless it names one; 0 is for listening at any. 0, or -1 with
 * err. */
int link_address_read(const char *text, const char *port, struct link_address *address,
                      struct err *err);

/* Reads addresses to connect to, separated by commas, at most LINK_CONTROLLERS. How many, or -1. */
int link_address_list(const char *text, const char *port,
                      struct link_address list[LINK_CONTROLLERS], struct err *err);

/* Writes it as it is read. Returns `buffer`. */
enum { LINK_PLACE = LINK_HOST + LINK_SERVICE + 4 };
char *link_address_print(const struct link_address *address, char buffer[LINK_PLACE]);

#endif
