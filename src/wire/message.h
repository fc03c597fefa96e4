/* The messages between an application's processes and the live controller, and their bytes.
 *
 * One SOCK_SEQPACKET datagram is one message: a head and the body of its type, whose size the type
 * fixes, in the machine's byte order (both ends run on the same machine, or on two of one kind: the
 * magic number tells). A program keeps the library that it was started with, so a controller serves
 * programs of several versions, in theirs. A later version may have further types of message and
 * further members at the end of a message; message.c lists what older ones lack. The kernel, or
 * MUNGE between machines, tells who the sender is; no message is trusted for it. This file uses no
 * sockets, so that it can be fuzzed. */
#ifndef WEIR_WIRE_MESSAGE_H
#define WEIR_WIRE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_OLDEST = 3,       /* the oldest version of programs that is served, */
    WIRE_COMMANDS = 4,     /* and of commands, */
    WIRE_VERSION = 5,      /* and the newest of both */
    WIRE_NAME = 64,        /* bytes of a name, its final 0 included */
    WIRE_TEXT = 256,       /* ... of a strategy or a reason */
    WIRE_STORES = 1024,    /* ... of the paths of all stores, separated by colons */
    WIRE_STORE = 256,      /* ... of the name of one bandwidth: a path, or its reads or writes */
    WIRE_PIECE_MOST = 512, /* ... of a PIECE, */
    WIRE_PLAN_MOST = 512 << 10, /* and of a plan */
    WIRE_CHANNELS = 8 /* bandwidths of one controller: the platform's and those of stores */
};

/* Every type of message: name, member of the union, its body, meaning. ATTACH to SET, SHOW, FAILED
 * and PIECE go to the controller; the others come from it. */
#define WIRE_MESSAGES(X)                                                                           \
    X(ATTACH, attach, attach, "a process joins this application, which is created if need be")     \
    X(POST, post, post, "the application begins an I/O, or continues one")                         \
    X(END, end, nothing, "the application ends an I/O")                                            \
    X(QUERY, query, query, "asks what runs")                                                       \
    X(SET, set, set, "changes a setting")                                                          \
    X(WELCOME, welcome, welcome, "attached; the grant page and the usage page come with it")       \
    X(REFUSED, refused, refused, "the request is refused, and why")                                \
    X(APP, app, app, "one running application, in reply to QUERY")                                 \
    X(STATUS, status, status, "the controller itself; ends the reply to QUERY, SET and SHOW")      \
    X(SHOW, show, nothing, "asks which settings are in force")                                     \
    X(RULE, rule, rule, "one setting, in reply to SHOW")                                           \
    X(DONE, done, done, "one application that has left, in reply to QUERY")                        \
    X(CHANNEL, channel, status, "one of several bandwidths; STATUS has the first")                 \
    X(FAILED, failed, failed, "this process was welcomed but runs uncontrolled")                   \
    X(AGENT, agent, agent, "the agent of a node itself; ends its reply to QUERY")                  \
    X(PIECE, piece, piece, "part of a plan, for the next SET of this connection")

#define WIRE_ENUM(name, member, body, text) WIRE_##name,
enum wire_type { WIRE_MESSAGES(WIRE_ENUM) WIRE_TYPES };
#undef WIRE_ENUM

/* --- bodies -----------------------------------------------------------------------------------
 *
 * Each body is one list of its members: kind, name, limit, meaning. The list gives the struct, and
 * message.c takes the check of every member from it, so no member can be left unchecked. Members
 * leave no gaps between them (checked at compile time), so no stray byte is sent.
 *
 *   TOKEN            uint64_t[2], anything
 *   COUNT, NUMBER    uint64_t and uint32_t, anything
 *   BELOW            uint32_t below the limit
 *   POSITIVE, AMOUNT double, finite and > 0 or >= 0
 *   SHOWN            double, not NaN: only shown to people
 *   NAME, TEXT       char[limit], printable; a name is not empty and has no '/'
 *   BYTES            char[limit], anything
 *   PATHS            char[limit], absolute paths with their terms (see WELCOME), or empty */
#define WIRE_MEMBER_TOKEN(member, limit)    uint64_t member[2];
#define WIRE_MEMBER_COUNT(member, limit)    uint64_t member;
#define WIRE_MEMBER_NUMBER(member, limit)   uint32_t member;
#define WIRE_MEMBER_BELOW(member, limit)    uint32_t member;
#define WIRE_MEMBER_POSITIVE(member, limit) double member;
#define WIRE_MEMBER_AMOUNT(member, limit)   double member;
#define WIRE_MEMBER_SHOWN(member, limit)    double member;
#define WIRE_MEMBER_NAME(member, limit)     char member[limit];
#define WIRE_MEMBER_TEXT(member, limit)     char member[limit];
#define WIRE_MEMBER_BYTES(member, limit)    char member[limit];
#define WIRE_MEMBER_PATHS(member, limit)    char member[limit];

#define WIRE_MEMBER(kind, member, limit, text) WIRE_MEMBER_##kind(member, limit)

#define WIRE_NOTHING_MEMBERS(X) X(BELOW, reserved, 1, "0")
struct wire_nothing {
    WIRE_NOTHING_MEMBERS(WIRE_MEMBER)
};

/* A leader keeps the application alive but moves nothing itself. */
enum wire_leader {
    WIRE_FOLLOWS, /* not a leader */
    WIRE_LEADS,   /* starts the application and does nothing else (weir exec) */
    WIRE_HOSTS,   /* a batch system: its processes stay in their control group */
    WIRE_LEADERS
};

/* An application is known by the uid of its processes and its token, a random number drawn where it
 * is started. These facts are all a process needs to attach to a restarted controller. */
#define WIRE_ATTACH_MEMBERS(X)                                                                     \
    X(TOKEN, token, 0, "of the application")                                                       \
    X(POSITIVE, nodes, 0, "that it runs on")                                                       \
    X(POSITIVE, weight, 0, "its importance")                                                       \
    X(AMOUNT, volume_hint, 0, "bytes of each I/O, 0 = unknown")                                    \
    X(AMOUNT, period, 0, "known length of an iteration in seconds, 0 = unknown")                   \
    X(BELOW, leader, WIRE_LEADERS, "enum wire_leader")                                             \
    X(BELOW, channel, WIRE_CHANNELS, "the bandwidth that its I/O here is part of")                 \
    X(NUMBER, user, 0,                                                                             \
      "uid + 1 of its user, 0 = the sender's; others only from root or the "                       \
      "controller's user")                                                                         \
    X(BELOW, reserved, 1, "0")                                                                     \
    X(NAME, name, WIRE_NAME, "of the application")                                                 \
    X(TEXT, job, WIRE_NAME, "number of its batch job, empty = none")                               \
    X(TEXT, account, WIRE_NAME, "of the job, empty = none")                                        \
    X(TEXT, partition, WIRE_NAME, "of the job, empty = none")
struct wire_attach {
    WIRE_ATTACH_MEMBERS(WIRE_MEMBER)
};

#define WIRE_POST_MEMBERS(X)                                                                       \
    X(AMOUNT, volume, 0, "bytes, 0 = unknown")                                                     \
    X(BELOW, begun, 2, "1: io_begin, ended by END; 0: recognised from calls, ended by a pause")    \
    X(BELOW, reserved, 1, "0")
struct wire_post {
    WIRE_POST_MEMBERS(WIRE_MEMBER)
};

#define WIRE_QUERY_MEMBERS(X)                                                                      \
    X(BELOW, applications, 2, "1: send an APP for each application that runs")                     \
    X(NUMBER, finished, 0, "send at most this many DONE, for the last that left; then STATUS")
struct wire_query {
    WIRE_QUERY_MEMBERS(WIRE_MEMBER)
};

/* The settings that can change while the controller runs. A value of 0 lifts a limit; a BANDWIDTH
 * or CONTROL of 0 lets everything run uncontrolled. */
#define WIRE_SETTINGS(X)                                                                           \
    X(POLICY, "policy", "the strategy")                                                            \
    X(BANDWIDTH, "bandwidth", "B, the bandwidth of the store")                                     \
    X(WEIGHT, "weight", "the importance of an application")                                        \
    X(LIMIT, "limit", "the most bandwidth an application gets")                                    \
    X(OPS, "ops", "the most operations per second an application gets")                            \
    X(CONTROL, "control", "off: everything runs uncontrolled, until on")

#define WIRE_ENUM(name, word, text) WIRE_SET_##name,
enum wire_setting { WIRE_SETTINGS(WIRE_ENUM) WIRE_SETTINGS_COUNT };
#undef WIRE_ENUM

/* A setting applies to each application of a name, or to all applications of a user together. */
enum wire_scope { WIRE_OF_NAME, WIRE_OF_USER, WIRE_SCOPES };

#define WIRE_SET_MEMBERS(X)                                                                        \
    X(BELOW, setting, WIRE_SETTINGS_COUNT, "enum wire_setting")                                    \
    X(NUMBER, app, 0, "id of one application, WIRE_ALL = by name")                                 \
    X(AMOUNT, value, 0, "of all settings but POLICY")                                              \
    X(TEXT, text, WIRE_TEXT, "the strategy; or the applications' name, empty = all, also later")   \
    X(BELOW, scope, WIRE_SCOPES, "enum wire_scope")                                                \
    X(NUMBER, uid, 0, "of WIRE_OF_USER")                                                           \
    X(BELOW, unset, 2, "1: the setting is removed; `value` is ignored")                            \
    X(BELOW, reserved, 1, "0")                                                                     \
    X(TEXT, store, WIRE_STORE, "of POLICY and BANDWIDTH: which one, empty = the platform's")
struct wire_set {
    WIRE_SET_MEMBERS(WIRE_MEMBER)
};
#define WIRE_ALL UINT32_MAX

/* The range of a value other than 0. */
#define WIRE_LEAST_RATE   1e3 /* bytes/s, of BANDWIDTH and LIMIT */
#define WIRE_MOST_RATE    1e15
#define WIRE_LEAST_WEIGHT 1e-6
#define WIRE_MOST_WEIGHT  1e6
#define WIRE_LEAST_OPS    1e-3 /* operations/s */
#define WIRE_MOST_OPS     1e9

/* The path of a store may follow its terms: the channel of its reads, that of its writes and the
 * bytes of the pieces that large writes may be made in, separated by commas:
 * "/home:1/scratch:2,3,4194304/archive". Omitted terms are 0, but writes default to the channel of
 * the reads. */
#define WIRE_WELCOME_MEMBERS(X)                                                                    \
    X(NUMBER, app, 0, "id of the application")                                                     \
    X(BELOW, slot, PAGE_SLOTS, "of this process in the usage page")                                \
    X(PATHS, stores, WIRE_STORES, "empty = every regular file is controlled")
struct wire_welcome {
    WIRE_WELCOME_MEMBERS(WIRE_MEMBER)
};

#define WIRE_REFUSED_MEMBERS(X)                                                                    \
    X(BELOW, misuse, 2, "1: what is asked for is wrong in itself")                                 \
    X(BELOW, reserved, 1, "0")                                                                     \
    X(TEXT, reason, WIRE_TEXT, "for people")
struct wire_refused {
    WIRE_REFUSED_MEMBERS(WIRE_MEMBER)
};

/* Ways around control: name, word, explanation for people. */
#define WIRE_ESCAPES(X)                                                                            \
    X(NONE, "none", "nothing escaped")                                                             \
    X(MEMORY, "memory", "files are mapped, or handed to the kernel through memory")                \
    X(STATIC, "static", "a program is statically linked")                                          \
    X(LIBRARY, "library", "a program has another C library")                                       \
    X(SIZE, "size", "a program is of another word size")                                           \
    X(RIGHTS, "rights", "a program runs with more rights than its user")                           \
    X(ENVIRONMENT, "environment", "a program was started without its environment")                 \
    X(RING, "io_uring", "a program uses io_uring")                                                 \
    X(CALLS, "calls", "a program makes system calls of its own")                                   \
    X(CLOCK, "clock", "a program's clock is not the controller's")                                 \
    X(DESCRIPTORS, "descriptors", "a program has as many files open as it may")

#define WIRE_ENUM(name, word, text) WIRE_ESCAPE_##name,
enum wire_escape { WIRE_ESCAPES(WIRE_ENUM) WIRE_ESCAPES_COUNT };
#undef WIRE_ENUM

/* Why a process that was welcomed runs uncontrolled. NONE stays the first, and new ones come last:
 * nodes of another version send their numbers (node/message.h). The same holds for escapes. */
#define WIRE_FAILURES(X)                                                                           \
    X(NONE, "")                                                                                    \
    X(PAGES, "the pages that it was given are missing, or of another version")                     \
    X(MAPPING, "it may not map the pages that it was given")                                       \
    X(SEALED, "it has forbidden itself system calls that control may need")                        \
    X(CLOCK, "its clock is not the controller's")

#define WIRE_ENUM(name, text) WIRE_FAILED_##name,
enum wire_failure { WIRE_FAILURES(WIRE_ENUM) WIRE_FAILURES_COUNT };
#undef WIRE_ENUM

/* Where the predicted volume of an I/O comes from, and what an application does: name, word. */
#define WIRE_VOLUMES(X) X(HINT, "hint") X(MEAN, "mean") X(GUESS, "guess")
#define WIRE_STATES(X)                                                                             \
    X(WORKING, "working")                                                                          \
    X(WAITING, "waiting")                                                                          \
    X(HELD, "held")                                                                                \
    X(MOVING, "moving")                                                                            \
    X(PAUSED, "paused")                                                                            \
    X(UNCONTROLLED, "uncontrolled")

#define WIRE_ENUM(name, word) WIRE_VOLUME_##name,
enum wire_volume { WIRE_VOLUMES(WIRE_ENUM) WIRE_VOLUMES_COUNT };
#undef WIRE_ENUM
#define WIRE_ENUM(name, word) WIRE_##name,
enum wire_state { WIRE_STATES(WIRE_ENUM) WIRE_STATES_COUNT };
#undef WIRE_ENUM

#define WIRE_APP_MEMBERS(X)                                                                        \
    X(NUMBER, id, 0, "unique within its channel")                                                  \
    X(NUMBER, uid, 0, "of its processes")                                                          \
    X(NUMBER, processes, 0, "that are attached")                                                   \
    X(BELOW, state, WIRE_STATES_COUNT, "enum wire_state")                                          \
    X(BELOW, volume_source, WIRE_VOLUMES_COUNT, "enum wire_volume: what `volume` rests on")        \
    X(NUMBER, phases, 0, "I/O phases finished")                                                    \
    X(SHOWN, nodes, 0, "that it runs on")                                                          \
    X(SHOWN, bmax, 0, "bytes/s that it reaches alone")                                             \
    X(SHOWN, weight, 0, "its importance")                                                          \
    X(SHOWN, age, 0, "seconds since it attached")                                                  \
    X(SHOWN, rate, 0, "granted, bytes/s")                                                          \
    X(SHOWN, measured, 0, "moved in the last second, bytes/s")                                     \
    X(SHOWN, moved, 0, "bytes in all")                                                             \
    X(SHOWN, volume, 0, "bytes of the current I/O")                                                \
    X(SHOWN, remaining, 0, "bytes left of it")                                                     \
    X(SHOWN, yield, 0, "so far")                                                                   \
    X(SHOWN, stretch, 0, "so far")                                                                 \
    X(SHOWN, limit, 0, "bytes/s, 0 = none")                                                        \
    X(SHOWN, ops_limit, 0, "operations/s, 0 = none")                                               \
    X(SHOWN, escaped, 0, "bytes seen to bypass control")                                           \
    X(NAME, name, WIRE_NAME, "of the application")                                                 \
    X(TEXT, job, WIRE_NAME, "number of its batch job, empty = none")                               \
    X(NUMBER, pid, 0, "of its leader, else of one of its processes; 0 = unknown")                  \
    X(BELOW, escaped_why, WIRE_ESCAPES_COUNT, "enum wire_escape: of most of what escaped")         \
    X(NUMBER, uncontrolled, 0, "processes that run uncontrolled at the moment")                    \
    X(BELOW, failure, WIRE_FAILURES_COUNT, "enum wire_failure of the latest")                      \
    X(BELOW, channel, WIRE_CHANNELS, "the bandwidth that it has a part of")                        \
    X(BELOW, held, 2, "1: its user or account has had more than its share, and others go first")   \
    X(SHOWN, ahead, 0, "seconds of the whole bandwidth that it has had more; below 0: less")       \
    X(TEXT, store, WIRE_STORE, "the channel's, empty = there is one channel")                      \
    X(TEXT, account, WIRE_NAME, "of the job, empty = none")                                        \
    X(TEXT, partition, WIRE_NAME, "of the job, empty = none")
struct wire_app {
    WIRE_APP_MEMBERS(WIRE_MEMBER)
};

#define WIRE_STATUS_MEMBERS(X)                                                                     \
    X(SHOWN, now, 0, "seconds since the controller started")                                       \
    X(SHOWN, bandwidth, 0, "B, bytes/s")                                                           \
    X(SHOWN, node_bandwidth, 0, "bytes/s of one node")                                             \
    X(SHOWN, granted, 0, "sum of all rates")                                                       \
    X(SHOWN, measured, 0, "moved in the last second, bytes/s")                                     \
    X(COUNT, decisions, 0, "of the strategy")                                                      \
    X(NUMBER, applications, 0, "that run")                                                         \
    X(NUMBER, processes, 0, "that are attached")                                                   \
    X(TEXT, policy, WIRE_TEXT, "the strategy")                                                     \
    X(BELOW, off, 2, "1: everything runs uncontrolled")                                            \
    X(BELOW, sees_all, 2, "1: it compares all processes with the kernel's counts; 0: its user's")  \
    X(TEXT, store, WIRE_STORE, "that the bandwidth is of, empty = there is one channel")           \
    X(COUNT, refused, 0, "ATTACH that were refused so far; from version 5")
struct wire_status {
    WIRE_STATUS_MEMBERS(WIRE_MEMBER)
};

/* Origin of a setting: the command line or the configuration; or a SET, now or before a restart. */
enum wire_source { WIRE_CONFIGURED, WIRE_CHANGED, WIRE_SOURCES };

#define WIRE_RULE_OWN_MEMBERS(X)                                                                   \
    X(BELOW, source, WIRE_SOURCES, "enum wire_source")                                             \
    X(BELOW, reserved, 1, "0")
#define WIRE_RULE_MEMBERS(X) WIRE_SET_MEMBERS(X) WIRE_RULE_OWN_MEMBERS(X)
struct wire_rule {
    struct wire_set set;
    WIRE_RULE_OWN_MEMBERS(WIRE_MEMBER)
};

/* What an application did, from its first process to its last. */
#define WIRE_DONE_MEMBERS(X)                                                                       \
    X(NUMBER, uid, 0, "of its processes")                                                          \
    X(NUMBER, pid, 0, "as in APP")                                                                 \
    X(NUMBER, phases, 0, "I/O phases")                                                             \
    X(BELOW, reserved, 1, "0")                                                                     \
    X(SHOWN, started, 0, "seconds since the controller started")                                   \
    X(SHOWN, ended, 0, "seconds since the controller started")                                     \
    X(SHOWN, moved, 0, "bytes")                                                                    \
    X(SHOWN, escaped, 0, "bytes")                                                                  \
    X(SHOWN, io_time, 0, "seconds in I/O phases, pauses left out")                                 \
    X(SHOWN, waited, 0, "seconds of these that it would not have taken alone")                     \
    X(SHOWN, ideal, 0, "seconds it would have taken alone: all but `waited`")                      \
    X(SHOWN, stretch, 0, "its time / ideal")                                                       \
    X(NAME, name, WIRE_NAME, "as in APP")                                                          \
    X(TEXT, job, WIRE_NAME, "as in APP")                                                           \
    X(TEXT, store, WIRE_STORE, "as in APP")                                                        \
    X(TEXT, account, WIRE_NAME, "as in APP")                                                       \
    X(TEXT, partition, WIRE_NAME, "as in APP")
struct wire_done {
    WIRE_DONE_MEMBERS(WIRE_MEMBER)
};

#define WIRE_FAILED_MEMBERS(X) X(BELOW, why, WIRE_FAILURES_COUNT, "enum wire_failure")
struct wire_failed {
    WIRE_FAILED_MEMBERS(WIRE_MEMBER)
};

#define WIRE_AGENT_MEMBERS(X)                                                                      \
    X(NAME, node, WIRE_NAME, "of the node")                                                        \
    X(TEXT, controller, WIRE_STORE, "HOST:PORT that it is connected to, or tries")                 \
    X(BELOW, connected, 2, "1: to the controller")                                                 \
    X(BELOW, reached, 2, "1: a controller was reached since the agent started")                    \
    X(NUMBER, applications, 0, "that run on the node")                                             \
    X(NUMBER, processes, 0, "of them")                                                             \
    X(COUNT, epoch, 0, "the latest that it has heard of, 0 = none")                                \
    X(SHOWN, lease, 0, "seconds for which grants are still valid, 0 = programs run unthrottled")   \
    X(COUNT, refused, 0, "as in STATUS; from version 5")
struct wire_agent {
    WIRE_AGENT_MEMBERS(WIRE_MEMBER)
};

#define WIRE_PIECE_MEMBERS(X)                                                                      \
    X(BELOW, size, WIRE_PIECE_MOST + 1, "bytes of it")                                             \
    X(BYTES, bytes, WIRE_PIECE_MOST, "as in the file of the plan")
struct wire_piece {
    WIRE_PIECE_MEMBERS(WIRE_MEMBER)
};

/* --- messages --------------------------------------------------------------------------------- */

#define WIRE_UNION(name, member, body, text) struct wire_##body member;
struct wire_message {
    enum wire_type type;
    union {
        WIRE_MESSAGES(WIRE_UNION)
    };
};
#undef WIRE_UNION

enum { WIRE_MOST = 2048 }; /* bytes of the longest message, with room to spare */

/* Bytes of every message of this type, in the newest version. */
size_t wire_size(enum wire_type type);

/* Writes the message's bytes (at most WIRE_MOST) and returns how many. The body must be valid. The
 * second one writes it for a peer of another version. A REFUSED can be read by any, even by one
 * that is not served. */
size_t wire_encode(const struct wire_message *message, void *bytes);
size_t wire_encode_as(const struct wire_message *message, uint32_t version, void *bytes);

/* Reads a message of any version that is served; what an older one lacks is 0. Returns NULL, or
 * what is wrong with it: a constant text. Checks the magic, version, type and exact size, and every
 * member as its list says; texts must end within their space and be printable UTF-8. The members of
 * a SET must also fit each other. */
const char *wire_decode(const void *bytes, size_t size, struct wire_message *message);

/* The version of a message, whether it is served or not; 0 = it is none. */
uint32_t wire_version(const void *bytes, size_t size);

/* Makes a PIECE of the beginning of a plan. Returns how many bytes it has. */
size_t wire_take_piece(struct wire_message *message, const char *plan, size_t size);

/* Makes a name from any text: characters that a name may not have become '_', a long text is cut,
 * and an empty one becomes "unnamed". */
void wire_name(char name[WIRE_NAME], const char *text);

/* What is wrong with a text of at most `size` bytes from outside, a constant text; or NULL: it ends
 * within them and is printable, and a name is not empty and has no '/'. */
const char *wire_check_text(const char *text, size_t size, bool name);

const char *wire_type_name(enum wire_type type);

/* The word, and the explanation for people, of a way around control. */
const char *wire_escape_word(enum wire_escape why);
const char *wire_escape_text(enum wire_escape why);

const char *wire_volume_word(enum wire_volume source);
const char *wire_state_word(enum wire_state state);

/* The explanation for people. */
const char *wire_failure_text(enum wire_failure why);

/* "policy" -> WIRE_SET_POLICY, -1 if there is no such setting; and the reverse. */
int wire_setting_find(const char *word);
const char *wire_setting_name(enum wire_setting setting);

/* Reads the terms before the path of the first store in a list. Returns the path, or NULL if the
 * terms are malformed. */
struct wire_terms {
    uint32_t reads, writes; /* channels */
    uint64_t pieces;        /* bytes, 0 = none */
};
const char *wire_read_terms(const char *store, struct wire_terms *terms);

/* Whether a setting applies to applications: by name, by user, or all. */
bool wire_setting_is_of_applications(enum wire_setting setting);

/* Whether a setting applies to one store, where there are several. The others hold for all. */
bool wire_setting_is_of_stores(enum wire_setting setting);

#endif
