#include "link/address.h"
#include "link/packet.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

/* An IPv6 address, perhaps with a zone: fe80::1%eth0. */
static bool address_is_ipv6(const char *host)
{
    struct sockaddr_in6 address;
    return strchr(host, ':') && uv_ip6_addr(host, 0, &address) == 0;
}

/* Letters, digits and dots, and what else there is in names; any letters of other scripts. */
static bool address_is_name(const char *host)
{
    for (const char *at = host; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-._", *at) && !((unsigned char)*at & 0x80))
            return false;
    return *host;
}

/* Takes a host of `length` bytes, which must be an IPv6 address or must not, and a port. */
static int address_set(struct link_address *address, struct packet host, bool ipv6,
                       const char *port)
{
    char *end = NULL;
    unsigned long number = strtoul(port, &end, 10);
    if (host.size >= LINK_HOST || *port < '0' || *port > '9' || *end || number > 65535)
        return -1;
    snprintf(address->host, LINK_HOST, "%.*s", (int)host.size, (const char *)host.bytes);
    snprintf(address->port, LINK_SERVICE, "%lu", number);
    return (ipv6 ? address_is_ipv6(address->host) : address_is_name(address->host)) ? 0 : -1;
}

static int address_split(const char *text, const char *port, struct link_address *address)
{
    const char *colon = strchr(text, ':'), *bracket = strchr(text, ']');
    const unsigned char *bytes = (const unsigned char *)text;
    bool several = colon && strchr(colon + 1, ':'); /* those of an IPv6 address */
    if (text[0] != '[') {
        size_t length = colon && !several ? (size_t)(colon - text) : strlen(text);
        return address_set(address, (struct packet){bytes, length}, several,
                           colon && !several ? colon + 1 : port);
    }
    if (!bracket || (bracket[1] && bracket[1] != ':'))
        return -1;
    return address_set(address, (struct packet){bytes + 1, (size_t)(bracket - text - 1)}, true,
                       bracket[1] ? bracket + 2 : port);
}

int link_address_read(const char *text, const char *port, struct link_address *address,
                      struct err *err)
{
    if (address_split(text, port, address) == 0)
        return 0;
    return err_set(err, "invalid address '%s': expected HOST[:PORT] or [IPV6]:PORT", text);
}

int link_address_list(const char *text, const char *port,
                      struct link_address list[LINK_CONTROLLERS], struct err *err)
{
    int count = 0;
    for (const char *at = text; at; count++) {
        char one[LINK_PLACE];
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (count == LINK_CONTROLLERS)
            return err_set(err, "'%s': at most %d addresses", text, LINK_CONTROLLERS);
        if (length >= sizeof one)
            return err_set(err, "invalid address '%s': it is too long", at);
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        if (link_address_read(one, port, &list[count], err) != 0)
            return -1;
        if (strcmp(list[count].port, "0") == 0)
            return err_set(err, "invalid address '%s': expected a port from 1 to 65535", one);
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

char *link_address_print(const struct link_address *address, char buffer[LINK_PLACE])
{
    const char *format = strchr(address->host, ':') ? "[%s]:%s" : "%s:%s";
    snprintf(buffer, LINK_PLACE, format, address->host, address->port);
    return buffer;
}
