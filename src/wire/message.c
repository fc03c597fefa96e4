#include "wire/message.h"
#include "wire/page.h"
#include <math.h>
#include <string.h>

#define WIRE_MAGIC 0x72696577u /* "weir" */

struct head {
    uint32_t magic;
    uint16_t version, type;
};

enum { BODY = offsetof(struct wire_message, attach) };
_Static_assert(sizeof(struct wire_message) - BODY + sizeof(struct head) <= WIRE_MOST, "too long");

static const struct {
    const char *name;
    size_t size; /* of the body */
} types[] = {
#define TYPE(NAME, member, text) {#NAME, sizeof((struct wire_message *)0)->member},
    WIRE_MESSAGES(TYPE)
#undef TYPE
};

static const char *const settings[] = {
#define SETTING(NAME, word, text) word,
    WIRE_SETTINGS(SETTING)
#undef SETTING
};

static const struct {
    const char *word, *text;
} escapes[] = {
#define ESCAPE(NAME, word, text) {word, text},
    WIRE_ESCAPES(ESCAPE)
#undef ESCAPE
};

/* --- the members of each message, and what may stand there ------------------------------------ */

enum kind {
    NAME,     /* text, not empty, without '/' */
    TEXT,     /* printable */
    PATHS,    /* none, or absolute ones with their terms, separated by colons */
    BELOW,    /* uint32_t below `limit` */
    POSITIVE, /* double, finite and > 0 */
    AMOUNT,   /* double, finite and >= 0 */
    SHOWN     /* double, not NaN */
};

struct field {
    enum wire_type type;
    enum kind kind;
    size_t at;      /* in struct wire_message */
    uint32_t limit; /* of BELOW; of texts: their space */
};

#define FIELD(TYPE, member, field, kind, limit)                                                    \
    {                                                                                              \
        WIRE_##TYPE, kind, offsetof(struct wire_message, member.field), limit                      \
    }

/* Of a STATUS, and of a CHANNEL. */
#define STATUS_FIELDS(TYPE, member)                                                                \
    FIELD(TYPE, member, now, SHOWN, 0), FIELD(TYPE, member, bandwidth, SHOWN, 0),                  \
        FIELD(TYPE, member, node_bandwidth, SHOWN, 0), FIELD(TYPE, member, granted, SHOWN, 0),     \
        FIELD(TYPE, member, measured, SHOWN, 0), FIELD(TYPE, member, policy, TEXT, WIRE_TEXT),     \
        FIELD(TYPE, member, sees_all, BELOW, 2), FIELD(TYPE, member, off, BELOW, 2),               \
        FIELD(TYPE, member, store, TEXT, WIRE_STORE)

static const struct field fields[] = {
    FIELD(ATTACH, attach, nodes, POSITIVE, 0),
    FIELD(ATTACH, attach, weight, POSITIVE, 0),
    FIELD(ATTACH, attach, volume_hint, AMOUNT, 0),
    FIELD(ATTACH, attach, period, AMOUNT, 0),
    FIELD(ATTACH, attach, leader, BELOW, WIRE_LEADERS),
    FIELD(ATTACH, attach, name, NAME, WIRE_NAME),
    FIELD(ATTACH, attach, job, TEXT, WIRE_NAME),
    FIELD(ATTACH, attach, channel, BELOW, WIRE_CHANNELS),
    FIELD(ATTACH, attach, account, TEXT, WIRE_NAME),
    FIELD(ATTACH, attach, partition, TEXT, WIRE_NAME),
    FIELD(POST, post, volume, AMOUNT, 0),
    FIELD(POST, post, begun, BELOW, 2),
    FIELD(POST, post, reserved, BELOW, 1),
    FIELD(END, end, moved, AMOUNT, 0),
    FIELD(QUERY, query, applications, BELOW, 2),
    FIELD(SET, set, setting, BELOW, WIRE_SETTINGS_COUNT),
    FIELD(SET, set, value, AMOUNT, 0),
    FIELD(SET, set, text, TEXT, WIRE_TEXT),
    FIELD(SET, set, scope, BELOW, WIRE_SCOPES),
    FIELD(SET, set, unset, BELOW, 2),
    FIELD(SET, set, reserved, BELOW, 1),
    FIELD(SET, set, store, TEXT, WIRE_STORE),
    FIELD(WELCOME, welcome, slot, BELOW, PAGE_SLOTS),
    FIELD(WELCOME, welcome, stores, PATHS, WIRE_STORES),
    FIELD(REFUSED, refused, reason, TEXT, WIRE_TEXT),
    FIELD(APP, app, state, BELOW, WIRE_UNCONTROLLED + 1),
    FIELD(APP, app, volume_source, BELOW, WIRE_VOLUME_GUESS + 1),
    FIELD(APP, app, nodes, SHOWN, 0),
    FIELD(APP, app, bmax, SHOWN, 0),
    FIELD(APP, app, weight, SHOWN, 0),
    FIELD(APP, app, age, SHOWN, 0),
    FIELD(APP, app, rate, SHOWN, 0),
    FIELD(APP, app, measured, SHOWN, 0),
    FIELD(APP, app, moved, SHOWN, 0),
    FIELD(APP, app, volume, SHOWN, 0),
    FIELD(APP, app, remaining, SHOWN, 0),
    FIELD(APP, app, yield, SHOWN, 0),
    FIELD(APP, app, stretch, SHOWN, 0),
    FIELD(APP, app, limit, SHOWN, 0),
    FIELD(APP, app, ops_limit, SHOWN, 0),
    FIELD(APP, app, escaped, SHOWN, 0),
    FIELD(APP, app, name, NAME, WIRE_NAME),
    FIELD(APP, app, job, TEXT, WIRE_NAME),
    FIELD(APP, app, channel, BELOW, WIRE_CHANNELS),
    FIELD(APP, app, store, TEXT, WIRE_STORE),
    FIELD(APP, app, escaped_why, BELOW, WIRE_ESCAPES_COUNT),
    STATUS_FIELDS(STATUS, status),
    STATUS_FIELDS(CHANNEL, channel),
    FIELD(SHOW, show, reserved, BELOW, 1),
    FIELD(RULE, rule.set, setting, BELOW, WIRE_SETTINGS_COUNT),
    FIELD(RULE, rule.set, value, AMOUNT, 0),
    FIELD(RULE, rule.set, text, TEXT, WIRE_TEXT),
    FIELD(RULE, rule.set, scope, BELOW, WIRE_SCOPES),
    FIELD(RULE, rule.set, store, TEXT, WIRE_STORE),
    FIELD(RULE, rule, source, BELOW, WIRE_SOURCES),
    FIELD(DONE, done, started, SHOWN, 0),
    FIELD(DONE, done, ended, SHOWN, 0),
    FIELD(DONE, done, moved, SHOWN, 0),
    FIELD(DONE, done, escaped, SHOWN, 0),
    FIELD(DONE, done, io_time, SHOWN, 0),
    FIELD(DONE, done, waited, SHOWN, 0),
    FIELD(DONE, done, ideal, SHOWN, 0),
    FIELD(DONE, done, stretch, SHOWN, 0),
    FIELD(DONE, done, name, NAME, WIRE_NAME),
    FIELD(DONE, done, job, TEXT, WIRE_NAME),
    FIELD(DONE, done, store, TEXT, WIRE_STORE),
    FIELD(APP, app, failure, BELOW, WIRE_FAILURES_COUNT + 1),
    FIELD(APP, app, account, TEXT, WIRE_NAME),
    FIELD(APP, app, partition, TEXT, WIRE_NAME),
    FIELD(DONE, done, account, TEXT, WIRE_NAME),
    FIELD(DONE, done, partition, TEXT, WIRE_NAME),
    FIELD(FAILED, failed, why, BELOW, WIRE_FAILURES_COUNT),
    FIELD(FAILED, failed, reserved, BELOW, 1),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* --- texts ------------------------------------------------------------------------------------ */

/* Bytes of the printable character at `at` in a text that ends with a 0 byte; 0 if there is none:
 * not UTF-8, a control character, a line separator, a byte order mark or no character. */
static size_t measure_character(const unsigned char *at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = at[0] < 0x80 ? 1 : at[0] < 0xC0 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (size == 0 || at[0] >= 0xF8)
        return 0;
    uint32_t code = size == 1 ? at[0] : at[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3F);
    }
    bool character = code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    bool printable = code >= ' ' && (code < 0x7F || code >= 0xA0) && code != 0x2028 &&
                     code != 0x2029 && code != 0xFEFF && (code & 0xFFFE) != 0xFFFE;
    return character && printable ? size : 0;
}

static bool is_printable(const char *text)
{
    for (size_t size; *text; text += size)
        if ((size = measure_character((const unsigned char *)text)) == 0)
            return false;
    return true;
}

/* A number below `most`. */
static bool read_term(const char **at, uint64_t most, uint64_t *number)
{
    const char *first = *at;
    *number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        *number = 10 * *number + (uint64_t)(**at - '0');
        if (*number >= most)
            return false;
    }
    return *at > first;
}

const char *wire_read_terms(const char *store, struct wire_terms *terms)
{
    uint64_t reads = 0, writes, pieces = 0;
    bool right = *store == '/' || read_term(&store, WIRE_CHANNELS, &reads);
    writes = reads;
    if (right && *store == ',' && store++)
        right = read_term(&store, WIRE_CHANNELS, &writes);
    if (right && *store == ',' && store++)
        right = read_term(&store, UINT64_C(1) << 48, &pieces);
    *terms = (struct wire_terms){(uint32_t)reads, (uint32_t)writes, pieces};
    return right && *store == '/' ? store : NULL;
}

static bool are_paths(const char *text)
{
    struct wire_terms terms;
    for (; *text; text += *text == ':') {
        text = wire_read_terms(text, &terms);
        if (!text)
            return false;
        text += strcspn(text, ":");
    }
    return true;
}

static const char *check_text(const char *text, const struct field *field)
{
    if (!memchr(text, 0, field->limit))
        return "a text does not end";
    if (!is_printable(text))
        return "a text is not printable";
    if (field->kind == NAME && (!*text || strchr(text, '/')))
        return "a name is empty or contains '/'";
    if (field->kind == PATHS && !are_paths(text))
        return "a path is not absolute";
    return NULL;
}

static bool is_text(const struct field *field)
{
    return field->kind == NAME || field->kind == TEXT || field->kind == PATHS;
}

void wire_name(char name[WIRE_NAME], const char *text)
{
    size_t length = 0;
    while (*text) {
        size_t size = measure_character((const unsigned char *)text);
        bool fits = size > 0 && *text != '/';
        size_t more = fits ? size : 1;
        if (length + more >= WIRE_NAME)
            break;
        memcpy(name + length, fits ? text : "_", more);
        length += more;
        text += more;
    }
    name[length] = 0;
    if (length == 0)
        memcpy(name, "unnamed", sizeof "unnamed");
}

/* --- numbers ---------------------------------------------------------------------------------- */

static const char *check_number(const char *at, const struct field *field)
{
    if (field->kind == BELOW) {
        uint32_t number;
        memcpy(&number, at, sizeof number);
        return number < field->limit ? NULL : "a number is out of range";
    }
    double number;
    memcpy(&number, at, sizeof number);
    bool right = field->kind == SHOWN      ? !isnan(number)
                 : field->kind == POSITIVE ? number > 0 && isfinite(number)
                                           : number >= 0 && isfinite(number);
    return right ? NULL : "a quantity is out of range";
}

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most;
}

/* What depends on several members at once. */
static const char *message_check_value(const struct wire_set *set)
{
    switch (set->setting) {
    case WIRE_SET_POLICY:
        return set->text[0] ? NULL : "the strategy has no name";
    case WIRE_SET_WEIGHT:
        return is_within(set->value, WIRE_LEAST_WEIGHT, WIRE_MOST_WEIGHT)
                   ? NULL
                   : "a weight is from 1e-6 to 1e6";
    case WIRE_SET_OPS:
        return set->value == 0 || is_within(set->value, WIRE_LEAST_OPS, WIRE_MOST_OPS)
                   ? NULL
                   : "operations per second are from 0.001 to 1e9";
    case WIRE_SET_CONTROL:
        return set->value == 0 || set->value == 1 ? NULL : "control is on or off";
    default:
        return set->value == 0 || is_within(set->value, WIRE_LEAST_RATE, WIRE_MOST_RATE)
                   ? NULL
                   : "a bandwidth is from 1 kB/s to 1 PB/s";
    }
}

static const char *check_setting(const struct wire_set *set)
{
    bool all = set->app == WIRE_ALL && set->scope == WIRE_OF_NAME &&
               (set->setting == WIRE_SET_POLICY || !set->text[0]);
    if (!wire_setting_is_of_applications((enum wire_setting)set->setting) && !all)
        return "this setting is not for applications";
    if (*set->store && !wire_setting_is_of_stores((enum wire_setting)set->setting))
        return "this setting is not for one store";
    if (set->scope == WIRE_OF_USER && (set->app != WIRE_ALL || set->text[0]))
        return "a setting is for a name or for a user";
    return set->unset ? NULL : message_check_value(set);
}

/* --- messages --------------------------------------------------------------------------------- */

size_t wire_size(enum wire_type type)
{
    return sizeof(struct head) + types[type].size;
}

size_t wire_encode(const struct wire_message *message, void *bytes)
{
    struct head head = {WIRE_MAGIC, WIRE_VERSION, (uint16_t)message->type};
    char *body = (char *)bytes + sizeof head;
    memcpy(bytes, &head, sizeof head);
    memcpy(body, (const char *)message + BODY, types[message->type].size);
    /* What lies behind the end of a text is nobody's business. */
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].type == message->type && is_text(&fields[i])) {
            char *text = body + (fields[i].at - BODY);
            size_t length = strnlen(text, fields[i].limit);
            memset(text + length, 0, fields[i].limit - length);
        }
    return wire_size(message->type);
}

const char *wire_decode(const void *bytes, size_t size, struct wire_message *message)
{
    struct head head;
    if (size < sizeof head)
        return "the message is too short";
    memcpy(&head, bytes, sizeof head);
    if (head.magic != WIRE_MAGIC)
        return "this is no message of weir";
    if (head.version != WIRE_VERSION)
        return "the message is of another version";
    if (head.type >= WIRE_TYPES)
        return "the message is of no known type";
    if (size != wire_size((enum wire_type)head.type))
        return "the message has the wrong size";
    message->type = (enum wire_type)head.type;
    memcpy((char *)message + BODY, (const char *)bytes + sizeof head, types[head.type].size);
    for (size_t i = 0; i < FIELDS; i++) {
        if (fields[i].type != message->type)
            continue;
        const char *at = (const char *)message + fields[i].at;
        const char *fault =
            is_text(&fields[i]) ? check_text(at, &fields[i]) : check_number(at, &fields[i]);
        if (fault)
            return fault;
    }
    return message->type == WIRE_SET ? check_setting(&message->set) : NULL;
}

const char *wire_type_name(enum wire_type type)
{
    return types[type].name;
}

const char *wire_escape_word(enum wire_escape why)
{
    return escapes[why].word;
}

const char *wire_escape_text(enum wire_escape why)
{
    return escapes[why].text;
}

const char *wire_failure_text(enum wire_failure why)
{
    static const char *const texts[] = {
#define FAILURE(NAME, text) text,
        WIRE_FAILURES(FAILURE)
#undef FAILURE
    };
    return texts[why];
}

int wire_setting_find(const char *word)
{
    for (int i = 0; i < WIRE_SETTINGS_COUNT; i++)
        if (strcmp(settings[i], word) == 0)
            return i;
    return -1;
}

const char *wire_setting_name(enum wire_setting setting)
{
    return settings[setting];
}

bool wire_setting_is_of_applications(enum wire_setting setting)
{
    return setting == WIRE_SET_WEIGHT || setting == WIRE_SET_LIMIT || setting == WIRE_SET_OPS;
}

bool wire_setting_is_of_stores(enum wire_setting setting)
{
    return setting == WIRE_SET_POLICY || setting == WIRE_SET_BANDWIDTH;
}
