#include "link/hello.h"
#include "base/little.h"
#include "base/text.h"
#include <string.h>

/* Marks the protocol, and the layout of what is written here. */
enum { MARK = 8 };
static const unsigned char greeting_mark[MARK] = "weirlnk1", hello_mark[MARK] = "weirhlo1",
                           refusal_mark[MARK] = "weirrfs1";

/* A place in the bytes: what it writes, or reads, moves it. */
struct hello_cursor {
    unsigned char *write;
    const unsigned char *read;
};

static void hello_number(struct hello_cursor *cursor, uint64_t *number, size_t size)
{
    if (cursor->write) {
        little_put(cursor->write, *number, size);
        cursor->write += size;
    } else {
        *number = little_get(cursor->read, size);
        cursor->read += size;
    }
}

static void hello_short(struct hello_cursor *cursor, uint32_t *number)
{
    uint64_t wide = *number;
    hello_number(cursor, &wide, sizeof *number);
    *number = (uint32_t)wide;
}

static void hello_bytes(struct hello_cursor *cursor, void *bytes, size_t size)
{
    if (cursor->write) {
        memcpy(cursor->write, bytes, size);
        cursor->write += size;
    } else {
        memcpy(bytes, cursor->read, size);
        cursor->read += size;
    }
}

/* The members, in their order: one place for writing and reading. */
static void hello_pass_greeting(struct hello_cursor *cursor, struct link_greeting *greeting)
{
    hello_short(cursor, &greeting->speaks.oldest);
    hello_short(cursor, &greeting->speaks.newest);
    hello_bytes(cursor, greeting->nonce, HELLO_NONCE);
}

static void hello_pass(struct hello_cursor *cursor, struct link_hello *hello)
{
    uint32_t role = hello->role;
    hello_bytes(cursor, hello->nonce, HELLO_NONCE);
    hello_bytes(cursor, hello->key, SEAL_KEY);
    hello_short(cursor, &hello->version);
    hello_short(cursor, &role);
    hello_bytes(cursor, hello->boot, HELLO_BOOT);
    hello_number(cursor, &hello->incarnation, 8);
    hello_number(cursor, &hello->epoch, 8);
    hello_bytes(cursor, hello->name, WIRE_NAME);
    hello->role = role < LINK_ROLES_COUNT ? (enum link_role)role : LINK_ROLES_COUNT;
}

enum {
    GREETING_SIZE = MARK + 4 + 4 + HELLO_NONCE,
    HELLO_SIZE = MARK + HELLO_NONCE + SEAL_KEY + 4 + 4 + HELLO_BOOT + 8 + 8 + WIRE_NAME
};
_Static_assert((int)MARK + (int)HELLO_REASON <= (int)HELLO_MOST, "too long");
_Static_assert((int)GREETING_SIZE <= (int)HELLO_MOST && (int)HELLO_SIZE <= (int)HELLO_MOST,
               "too long");

size_t link_greeting_write(const struct link_greeting *greeting, unsigned char *bytes)
{
    struct link_greeting copy = *greeting;
    memcpy(bytes, greeting_mark, MARK);
    hello_pass_greeting(&(struct hello_cursor){.write = bytes + MARK}, &copy);
    return GREETING_SIZE;
}

size_t link_hello_write(const struct link_hello *hello, unsigned char *bytes)
{
    struct link_hello copy = *hello;
    size_t length = strnlen(copy.name, WIRE_NAME - 1);
    memset(copy.name + length, 0, WIRE_NAME - length); /* may be anything of this process */
    memcpy(bytes, hello_mark, MARK);
    hello_pass(&(struct hello_cursor){.write = bytes + MARK}, &copy);
    return HELLO_SIZE;
}

size_t link_refusal_write(const char *reason, unsigned char *bytes)
{
    size_t length = strnlen(reason, HELLO_REASON - 1);
    memcpy(bytes, refusal_mark, MARK);
    memcpy(bytes + MARK, reason, length);
    return MARK + length;
}

bool link_refusal_read(const struct packet *packet, char reason[HELLO_REASON])
{
    if (packet->size <= MARK || packet->size - MARK >= HELLO_REASON ||
        memcmp(packet->bytes, refusal_mark, MARK) != 0)
        return false;
    memcpy(reason, packet->bytes + MARK, packet->size - MARK);
    reason[packet->size - MARK] = '\0';
    text_clean(reason, strlen(reason));
    return true;
}

const char *link_greeting_read(const struct packet *packet, struct link_greeting *greeting)
{
    *greeting = (struct link_greeting){0};
    if (packet->size < MARK || memcmp(packet->bytes, greeting_mark, MARK) != 0)
        return "the other end is not a controller";
    if (packet->size != GREETING_SIZE)
        return "the greeting has the wrong size";
    hello_pass_greeting(&(struct hello_cursor){.read = packet->bytes + MARK}, greeting);
    return NULL;
}

const char *link_hello_read(const struct packet *packet, struct link_hello *hello)
{
    *hello = (struct link_hello){0};
    if (packet->size < MARK || memcmp(packet->bytes, hello_mark, MARK) != 0)
        return "the credential is not for a controller";
    if (packet->size != HELLO_SIZE)
        return "the hello has the wrong size";
    hello_pass(&(struct hello_cursor){.read = packet->bytes + MARK}, hello);
    if (hello->role >= LINK_ROLES_COUNT)
        return "the hello has an unknown role";
    return wire_check_text(hello->name, WIRE_NAME, true);
}

uint32_t link_version(const struct link_versions *a, const struct link_versions *b)
{
    uint32_t newest = a->newest < b->newest ? a->newest : b->newest;
    return newest >= a->oldest && newest >= b->oldest ? newest : 0;
}
