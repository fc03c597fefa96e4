#include "wire/message.h"
#include "base/character.h"
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

/* --- the members of each message, and what they may hold ---------------------------------------
 */

enum kind { TOKEN, COUNT, NUMBER, BELOW, POSITIVE, AMOUNT, SHOWN, NAME, TEXT, BYTES, PATHS };

/* Members stand in the order of their list and leave no gaps: each begins where the one before it
 * ends. */
struct field {
    enum kind kind;
    uint32_t size;  /* bytes */
    uint32_t limit; /* of BELOW */
};

#define SIZE(kind, member, limit, text)  +sizeof(struct {WIRE_MEMBER_##kind(member, limit)})
#define FIELD(kind, member, limit, text) {kind, SIZE(kind, member, limit, text), limit},
#define FIELDS(body, MEMBERS)                                                                      \
    static const struct field body##_fields[] = {MEMBERS(FIELD)};                                  \
    _Static_assert(sizeof(struct wire_##body) == 0 MEMBERS(SIZE), #body " has gaps")

FIELDS(nothing, WIRE_NOTHING_MEMBERS);
FIELDS(attach, WIRE_ATTACH_MEMBERS);
FIELDS(post, WIRE_POST_MEMBERS);
FIELDS(query, WIRE_QUERY_MEMBERS);
FIELDS(set, WIRE_SET_MEMBERS);
FIELDS(welcome, WIRE_WELCOME_MEMBERS);
FIELDS(refused, WIRE_REFUSED_MEMBERS);
FIELDS(app, WIRE_APP_MEMBERS);
FIELDS(status, WIRE_STATUS_MEMBERS);
FIELDS(rule, WIRE_RULE_MEMBERS);
FIELDS(done, WIRE_DONE_MEMBERS);
FIELDS(failed, WIRE_FAILED_MEMBERS);
FIELDS(agent, WIRE_AGENT_MEMBERS);
FIELDS(piece, WIRE_PIECE_MEMBERS);

static const struct {
    const char *name;
    const struct field *fields;
    size_t count;
    size_t size; /* of the body */
} types[] = {
#define TYPE(NAME, member, body, text)                                                             \
    {#NAME, body##_fields, sizeof body##_fields / sizeof body##_fields[0],                         \
     sizeof(struct wire_##body)},
    WIRE_MESSAGES(TYPE)
#undef TYPE
};

/* --- texts ------------------------------------------------------------------------------------ */

/* Bytes of the printable character at `at`, which lies before `end`; 0 if there is none. */
static size_t measure_character(const char *at, const char *end)
{
    uint32_t code;
    int size = text_character(at, end, &code);
    return size > 0 && text_is_printable(code) ? (size_t)size : 0;
}

static bool message_is_printable(const char *text)
{
    const char *end = text + strlen(text);
    for (size_t size; text < end; text += size)
        if ((size = measure_character(text, end)) == 0)
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

const char *wire_check_text(const char *text, size_t size, bool name)
{
    if (!memchr(text, 0, size))
        return "a text has no end";
    if (!message_is_printable(text))
        return "a text is not printable";
    if (name && (!*text || strchr(text, '/')))
        return "a name is empty or contains '/'";
    return NULL;
}

static const char *check_text(const char *text, const struct field *field)
{
    const char *fault = wire_check_text(text, field->size, field->kind == NAME);
    return !fault && field->kind == PATHS && !are_paths(text) ? "a path is not absolute" : fault;
}

static bool is_text(const struct field *field)
{
    return field->kind == NAME || field->kind == TEXT || field->kind == PATHS;
}

size_t wire_take_piece(struct wire_message *message, const char *plan, size_t size)
{
    size_t part = size < WIRE_PIECE_MOST ? size : WIRE_PIECE_MOST;
    *message = (struct wire_message){.type = WIRE_PIECE, .piece.size = (uint32_t)part};
    memcpy(message->piece.bytes, plan, part);
    return part;
}

void wire_name(char name[WIRE_NAME], const char *text)
{
    const char *end = text + strlen(text);
    size_t length = 0;
    while (text < end) {
        size_t size = measure_character(text, end);
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

static const char *check_field(const char *at, const struct field *field)
{
    if (field->kind == TOKEN || field->kind == COUNT || field->kind == NUMBER ||
        field->kind == BYTES)
        return NULL;
    return is_text(field) ? check_text(at, field) : check_number(at, field);
}

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most;
}

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

/* Checks what depends on several members at once. */
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

/* --- versions --------------------------------------------------------------------------------- */

/* What a message lacks up to some version: bytes at the beginning and at the end of its body. */
static const struct message_past {
    enum wire_type type;
    uint32_t version;
    size_t before, after;
} pasts[] = {
    {WIRE_REFUSED, 3, offsetof(struct wire_refused, reason), 0},
    {WIRE_STATUS, 4, 0, sizeof(uint64_t)},
    {WIRE_CHANNEL, 4, 0, sizeof(uint64_t)},
    {WIRE_AGENT, 4, 0, sizeof(uint64_t)},
};

static struct message_past message_past_of(enum wire_type type, uint32_t version)
{
    for (size_t i = 0; i < sizeof pasts / sizeof *pasts; i++)
        if (pasts[i].type == type && version <= pasts[i].version)
            return pasts[i];
    return (struct message_past){0};
}

static size_t message_size(enum wire_type type, uint32_t version)
{
    struct message_past past = message_past_of(type, version);
    return sizeof(struct head) + types[type].size - past.before - past.after;
}

/* Reasons had no name for "none" then. */
static void message_renumber(struct wire_message *message, uint32_t version)
{
    if (message->type == WIRE_FAILED && version <= 3 && message->failed.why < WIRE_FAILURES_COUNT)
        message->failed.why++;
}

uint32_t wire_version(const void *bytes, size_t size)
{
    struct head head;
    if (size < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    return head.magic == WIRE_MAGIC ? head.version : 0;
}

/* --- messages --------------------------------------------------------------------------------- */

size_t wire_size(enum wire_type type)
{
    return sizeof(struct head) + types[type].size;
}

size_t wire_encode(const struct wire_message *message, void *bytes)
{
    return wire_encode_as(message, WIRE_VERSION, bytes);
}

size_t wire_encode_as(const struct wire_message *message, uint32_t version, void *bytes)
{
    uint32_t known = version < WIRE_VERSION ? version : WIRE_VERSION;
    struct head head = {WIRE_MAGIC, (uint16_t)known, (uint16_t)message->type};
    struct message_past past = message_past_of(message->type, known);
    char *body = (char *)bytes + sizeof head;
    memcpy(bytes, &head, sizeof head);
    memcpy(body, (const char *)message + BODY, types[message->type].size);
    /* Bytes after the end of a text stay here: they may be anything of this process. */
    const struct field *field = types[message->type].fields;
    for (size_t i = 0; i < types[message->type].count; i++, body += field->size, field++)
        if (is_text(field)) {
            size_t length = strnlen(body, field->size);
            memset(body + length, 0, field->size - length);
        }
    size_t size = message_size(message->type, known);
    if (past.before > 0)
        memmove((char *)bytes + sizeof head, (char *)bytes + sizeof head + past.before,
                size - sizeof head);
    return size;
}

const char *wire_decode(const void *bytes, size_t size, struct wire_message *message)
{
    struct head head;
    if (size < sizeof head)
        return "the message is too short";
    memcpy(&head, bytes, sizeof head);
    if (head.magic != WIRE_MAGIC)
        return "not a message of weir";
    if (head.version < WIRE_OLDEST)
        return "the program is too old: it was started with an earlier version of weir";
    if (head.version > WIRE_VERSION)
        return "the program is too new: its version of weir is later than the controller's";
    if (head.type >= WIRE_TYPES)
        return "the message is of an unknown type";
    if (size != message_size((enum wire_type)head.type, head.version))
        return "the message has the wrong size";
    struct message_past past = message_past_of((enum wire_type)head.type, head.version);
    message->type = (enum wire_type)head.type;
    memset((char *)message + BODY, 0, types[head.type].size);
    memcpy((char *)message + BODY + past.before, (const char *)bytes + sizeof head,
           size - sizeof head);
    message_renumber(message, head.version);
    const char *at = (const char *)message + BODY;
    const struct field *field = types[head.type].fields;
    for (size_t i = 0; i < types[head.type].count; i++, at += field->size, field++) {
        const char *fault = check_field(at, field);
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

const char *wire_volume_word(enum wire_volume source)
{
    static const char *const words[] = {
#define VOLUME(NAME, word) word,
        WIRE_VOLUMES(VOLUME)
#undef VOLUME
    };
    return words[source];
}

const char *wire_state_word(enum wire_state state)
{
    static const char *const words[] = {
#define STATE(NAME, word) word,
        WIRE_STATES(STATE)
#undef STATE
    };
    return words[state];
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
