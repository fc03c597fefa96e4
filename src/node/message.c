#include "node/message.h"
#include "base/little.h"
#include <string.h>

enum { HEAD = 4 }; /* bytes of type and size */

/* --- the members of each message, and what they may hold ---------------------------------------
 */

enum node_kind { TOKEN, NUMBER, BELOW, KIND, POSITIVE, AMOUNT, NAME, TEXT };

struct node_field {
    enum node_kind kind;
    uint32_t place; /* in the struct */
    uint32_t size;  /* bytes, the same in the struct and on the wire */
    double limit;
    uint32_t since;
};

/* The members of a body; the last entry has size 0. */
#define FIELD(kind, member, limit, since, text)                                                    \
    {kind, offsetof(node_body_type, member), sizeof((node_body_type *)0)->member, limit, since},
#define FIELDS(body, MEMBERS)                                                                      \
    static const struct node_field *body##_fields(void)                                            \
    {                                                                                              \
        typedef struct node_##body node_body_type;                                                 \
        static const struct node_field fields[] = {MEMBERS(FIELD){.size = 0}};                     \
        return fields;                                                                             \
    }

FIELDS(join, NODE_JOIN_MEMBERS)
FIELDS(post, NODE_POST_MEMBERS)
FIELDS(pause, NODE_PAUSE_MEMBERS)
FIELDS(resume, NODE_RESUME_MEMBERS)
FIELDS(progress, NODE_PROGRESS_MEMBERS)
FIELDS(end, NODE_END_MEMBERS)
FIELDS(leave, NODE_LEAVE_MEMBERS)
FIELDS(grant, NODE_GRANT_MEMBERS)
FIELDS(limit, NODE_LIMIT_MEMBERS)
FIELDS(open, NODE_OPEN_MEMBERS)
FIELDS(count, NODE_COUNT_MEMBERS)
FIELDS(calls, NODE_CALLS_MEMBERS)
FIELDS(turn, NODE_TURN_MEMBERS)
FIELDS(gone, NODE_GONE_MEMBERS)
FIELDS(need, NODE_NEED_MEMBERS)

static const struct node_sort {
    const char *name;
    enum node_direction direction;
    uint32_t since;
    const struct node_field *(*fields)(void);
} sorts[] = {
#define SORT(NAME, member, direction, since, text)                                                 \
    {#NAME, NODE_##direction, since, member##_fields},
    NODE_MESSAGES(SORT)
#undef SORT
};

/* Longest possible: every byte of the struct is sent. */
_Static_assert(sizeof(struct node_message) + HEAD <= NODE_MOST, "too long");

/* Numbers of a member: a token has two. */
static size_t node_width(const struct node_field *field)
{
    return field->kind == TOKEN ? sizeof(uint64_t) : field->size;
}

static bool node_is_text(const struct node_field *field)
{
    return field->kind == NAME || field->kind == TEXT;
}

/* --- members ------------------------------------------------------------------------------------
 */

/* What a program writes into its page can be any number. It must harm no other: a message that the
 * other side refuses would end the connection of the whole node. */
static double node_bound(const struct node_field *field, double amount)
{
    return !(amount > 0) ? 0 : amount < field->limit ? amount : field->limit;
}

static void node_put(const struct node_field *field, const char *member, unsigned char *at)
{
    if (node_is_text(field)) { /* what follows its end may be anything of this process */
        size_t length = strnlen(member, field->size);
        memcpy(at, member, length);
        memset(at + length, 0, field->size - length);
        return;
    }
    double amount;
    if (field->kind == AMOUNT) {
        memcpy(&amount, member, sizeof amount);
        amount = node_bound(field, amount);
        member = (const char *)&amount;
    }
    size_t width = node_width(field);
    for (size_t done = 0; done < field->size; done += width) {
        uint64_t number = 0;
        uint32_t small;
        memcpy(&small, member + done, sizeof small);
        if (width == sizeof number)
            memcpy(&number, member + done, sizeof number);
        little_put(at + done, width == sizeof number ? number : small, width);
    }
}

static void node_get(const struct node_field *field, const unsigned char *at, char *member)
{
    if (node_is_text(field)) {
        memcpy(member, at, field->size);
        return;
    }
    size_t width = node_width(field);
    for (size_t done = 0; done < field->size; done += width) {
        uint64_t number = little_get(at + done, width);
        if (field->kind == KIND && number >= field->limit)
            number = 0;
        uint32_t small = (uint32_t)number;
        memcpy(member + done, width == sizeof number ? (void *)&number : (void *)&small, width);
    }
}

/* NULL, or what is wrong. */
static const char *node_check(const struct node_field *field, const char *member)
{
    uint32_t number;
    double amount;
    switch (field->kind) {
    case BELOW:
        memcpy(&number, member, sizeof number);
        return number < field->limit ? NULL : "a number is out of range";
    case POSITIVE:
    case AMOUNT:
        memcpy(&amount, member, sizeof amount);
        return (amount > 0 || (field->kind == AMOUNT && amount == 0)) && amount <= field->limit
                   ? NULL
                   : "a quantity is out of range";
    case NAME:
    case TEXT:
        return wire_check_text(member, field->size, field->kind == NAME);
    default:
        return NULL;
    }
}

/* --- messages -----------------------------------------------------------------------------------
 */

uint32_t node_version(uint32_t oldest, uint32_t newest)
{
    uint32_t version = newest < NODE_NEWEST ? newest : NODE_NEWEST;
    return version >= oldest && version >= NODE_OLDEST ? version : 0;
}

static char *node_body(struct node_message *message)
{
    return (char *)message + offsetof(struct node_message, join);
}

size_t node_encode(const struct node_message *message, uint32_t version, void *bytes)
{
    const struct node_sort *sort = &sorts[message->type];
    const char *body = (const char *)message + offsetof(struct node_message, join);
    unsigned char *at = bytes;
    size_t size = HEAD;
    if (sort->since > version)
        return 0;
    for (const struct node_field *field = sort->fields(); field->size > 0; field++)
        if (field->since <= version) {
            node_put(field, body + field->place, at + size);
            size += field->size;
        }
    little_put(at, message->type, 2);
    little_put(at + 2, size, 2);
    return size;
}

/* Bytes of every message of this sort. */
static size_t node_size(const struct node_sort *sort, uint32_t version)
{
    size_t size = HEAD;
    for (const struct node_field *field = sort->fields(); field->size > 0; field++)
        size += field->since <= version ? field->size : 0;
    return size;
}

size_t node_decode(const void *bytes, size_t size, uint32_t version, struct node_message *message,
                   const char **fault)
{
    const unsigned char *at = bytes;
    *fault = "the message is too short";
    if (size < HEAD)
        return 0;
    uint64_t type = little_get(at, 2), said = little_get(at + 2, 2);
    *fault = "the message is of an unknown type";
    if (type >= NODE_TYPES || sorts[type].since > version)
        return 0;
    const struct node_sort *sort = &sorts[type];
    *fault = "the message has the wrong size";
    if (said != node_size(sort, version) || said > size)
        return 0;
    *message = (struct node_message){.type = (enum node_type)type};
    *fault = NULL;
    at += HEAD;
    for (const struct node_field *field = sort->fields(); field->size > 0 && !*fault; field++) {
        if (field->since > version)
            continue;
        node_get(field, at, node_body(message) + field->place);
        *fault = node_check(field, node_body(message) + field->place);
        at += field->size;
    }
    return *fault ? 0 : said;
}

const char *node_type_name(enum node_type type)
{
    return sorts[type].name;
}

enum node_direction node_direction_of(enum node_type type)
{
    return sorts[type].direction;
}
