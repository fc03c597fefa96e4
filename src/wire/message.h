/* The messages between an application's processes and the live controller, and their bytes.
 *
 * One SOCK_SEQPACKET datagram is one message: a head and the body of its type, of a size that is
 * fixed by the type, in the byte order of the machine (both ends are on it). Who sends is told by
 * the kernel, never by a message. No sockets here, so that it can be fuzzed. */
#ifndef WEIR_WIRE_MESSAGE_H
#define WEIR_WIRE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_VERSION = 1,
    WIRE_NAME = 64,     /* bytes of a name, its final 0 included */
    WIRE_TEXT = 256,    /* ... of a strategy, a reason */
    WIRE_STORES = 1024, /* ... of the stores' paths, separated by colons */
    WIRE_STORE = 256,   /* ... of what one bandwidth is for: a path, or its reads or writes */
    WIRE_CHANNELS = 8   /* bandwidths of one controller: that of the platform, those of stores */
};

/* Every type of message: name, member of the union, what it says. Those up to SET, SHOW and FAILED
 * go to the controller, the others come from it. */
#define WIRE_MESSAGES(X)                                                                           \
    X(ATTACH, attach, "a process belongs to this application, which starts to exist if need be")   \
    X(POST, post, "the application begins an I/O, or goes on with one")                            \
    X(END, end, "it ends it")                                                                      \
    X(QUERY, query, "say what runs")                                                               \
    X(SET, set, "change a setting")                                                                \
    X(WELCOME, welcome, "attached; the grant page and the usage page come along")                  \
    X(REFUSED, refused, "no, and why")                                                             \
    X(APP, app, "one running application, in answer to a QUERY")                                   \
    X(STATUS, status, "the controller itself: ends the answer to a QUERY, a SET or a SHOW")        \
    X(SHOW, show, "say which settings are in force")                                               \
    X(RULE, rule, "one of them, in answer to a SHOW")                                              \
    X(DONE, done, "one application that has left, in answer to a QUERY")                           \
    X(CHANNEL, channel, "one of several bandwidths; the first one is in STATUS")                   \
    X(FAILED, failed, "this process was welcome, but runs without control")

#define WIRE_ENUM(name, member, text) WIRE_##name,
enum wire_type { WIRE_MESSAGES(WIRE_ENUM) WIRE_TYPES };
#undef WIRE_ENUM

/* An application is known by the uid of its processes and this number, drawn at random by whoever
 * starts it. A process that knows only these facts can attach to a controller that was restarted.
 */
struct wire_attach {
    uint64_t token[2];
    double nodes;       /* > 0 */
    double weight;      /* > 0 */
    double volume_hint; /* bytes of each I/O, 0 = unknown */
    double period;      /* known length of an iteration in seconds, 0 = unknown */
    uint32_t leader;    /* enum wire_leader */
    uint32_t rank;      /* place in a plan, WIRE_NO_RANK = none */
    char name[WIRE_NAME];
    char job[WIRE_NAME]; /* number of the batch job that it is, "" = none */
    uint32_t channel;    /* number of the bandwidth that its I/O here is a part of */
    uint32_t user; /* uid + 1 of the user that it is of: another than the sender's only if that
                      is root or the controller's; 0 = the sender's */
    char account[WIRE_NAME], partition[WIRE_NAME]; /* of the job, "" = none */
};
#define WIRE_NO_RANK UINT32_MAX

/* A leader keeps the application alive but moves nothing itself. */
enum wire_leader {
    WIRE_FOLLOWS, /* is none */
    WIRE_LEADS,   /* starts it and nothing else (weir exec) */
    WIRE_HOSTS,   /* a batch system's: its processes stay in the control group that they have */
    WIRE_LEADERS
};

struct wire_post {
    double volume;     /* bytes, 0 = unknown */
    uint32_t begun;    /* 1: io_begin, ended by END; 0: recognised from calls, ended by quiet */
    uint32_t reserved; /* 0 */
};

struct wire_end {
    double moved; /* bytes since the post, by this process */
};

struct wire_query {
    uint32_t applications; /* 1: an APP for each that runs */
    uint32_t finished; /* a DONE for each of the last ones that have left, this many at most; then
                          STATUS */
};

/* The settings that can change while the controller runs: the number behind it is `value`, 0 = no
 * limit; of BANDWIDTH and CONTROL, 0 = everything runs uncontrolled. */
#define WIRE_SETTINGS(X)                                                                           \
    X(POLICY, "policy", "the strategy")                                                            \
    X(BANDWIDTH, "bandwidth", "B, that of the store")                                              \
    X(WEIGHT, "weight", "the importance of an application")                                        \
    X(LIMIT, "limit", "the most bandwidth of an application")                                      \
    X(OPS, "ops", "the most operations of an application per second")                              \
    X(CONTROL, "control", "off: everything runs uncontrolled, until on")

#define WIRE_ENUM(name, word, text) WIRE_SET_##name,
enum wire_setting { WIRE_SETTINGS(WIRE_ENUM) WIRE_SETTINGS_COUNT };
#undef WIRE_ENUM

struct wire_set {
    uint32_t setting; /* enum wire_setting */
    uint32_t app;     /* id of one application, WIRE_ALL = by name */
    double value;
    char text[WIRE_TEXT];   /* of POLICY: the strategy; else the application's name, "" = all, also
                               those to come */
    uint32_t scope;         /* enum wire_scope */
    uint32_t uid;           /* of WIRE_OF_USER */
    uint32_t unset;         /* 1: what was set is removed; `value` means nothing */
    uint32_t reserved;      /* 0 */
    char store[WIRE_STORE]; /* of POLICY and BANDWIDTH: which one, "" = the platform's */
};
#define WIRE_ALL UINT32_MAX

/* For each application of a name, or for all applications of a user together. */
enum wire_scope { WIRE_OF_NAME, WIRE_OF_USER, WIRE_SCOPES };

/* What a value may be, unless it is 0. */
#define WIRE_LEAST_RATE   1e3 /* bytes/s, of BANDWIDTH and LIMIT */
#define WIRE_MOST_RATE    1e15
#define WIRE_LEAST_WEIGHT 1e-6
#define WIRE_MOST_WEIGHT  1e6
#define WIRE_LEAST_OPS    1e-3 /* operations/s */
#define WIRE_MOST_OPS     1e9

/* Before the path of a store may stand the channel of its reads and, behind commas, that of its
 * writes and the bytes of the pieces in which large writes may be made:
 * "/home:1/scratch:2,3,4194304/archive". What is not said is 0, or for writes as for reads. */
struct wire_welcome {
    uint32_t app;  /* id */
    uint32_t slot; /* of this process in the usage page */
    char stores[WIRE_STORES];
};

struct wire_refused {
    char reason[WIRE_TEXT];
};

enum wire_volume { WIRE_VOLUME_HINT, WIRE_VOLUME_MEAN, WIRE_VOLUME_GUESS };

struct wire_app {
    uint32_t id, uid;
    uint32_t processes;
    uint32_t state;         /* enum wire_state */
    uint32_t volume_source; /* enum wire_volume: where `volume` is from */
    uint32_t phases;        /* I/O phases finished */
    double nodes, bmax, weight;
    double age;               /* seconds since it attached */
    double rate;              /* granted, bytes/s */
    double measured;          /* moved in the last second, bytes/s */
    double moved;             /* bytes in all */
    double volume, remaining; /* of the current I/O */
    double yield, stretch;
    double limit, ops_limit; /* 0 = none */
    double escaped;          /* bytes that went past control, as far as that is seen */
    char name[WIRE_NAME];
    uint32_t pid;         /* of its leader, else of one of its processes; 0 = not known */
    uint32_t escaped_why; /* enum wire_escape: of most of what escaped */
    char job[WIRE_NAME];
    uint32_t uncontrolled; /* of its processes: those that run without control at the moment */
    uint32_t failure;      /* enum wire_failure: why the latest of them did; WIRE_FAILURES_COUNT =
                              none ever did */
    uint32_t channel;      /* ids are different within one only */
    uint32_t reserved;
    char store[WIRE_STORE]; /* the channel's; "" = there is one channel */
    char account[WIRE_NAME], partition[WIRE_NAME];
};

/* Ways past control: name, word, what to tell people. */
#define WIRE_ESCAPES(X)                                                                            \
    X(NONE, "none", "nothing escaped")                                                             \
    X(MEMORY, "memory", "files are mapped, or handed to the kernel through memory")                \
    X(STATIC, "static", "a program is statically linked")                                          \
    X(LIBRARY, "library", "a program has another C library")                                       \
    X(SIZE, "size", "a program is of another word size")                                           \
    X(RIGHTS, "rights", "a program runs with more rights than its user")                           \
    X(ENVIRONMENT, "environment", "a program was started without its environment")                 \
    X(RING, "io_uring", "a program uses io_uring")                                                 \
    X(CALLS, "calls", "a program makes system calls of its own")

#define WIRE_ENUM(name, word, text) WIRE_ESCAPE_##name,
enum wire_escape { WIRE_ESCAPES(WIRE_ENUM) WIRE_ESCAPES_COUNT };
#undef WIRE_ENUM

enum wire_state { WIRE_WORKING, WIRE_WAITING, WIRE_MOVING, WIRE_PARKED, WIRE_UNCONTROLLED };

struct wire_status {
    double now;       /* seconds since the controller started */
    double bandwidth; /* B */
    double node_bandwidth;
    double granted; /* sum of all rates */
    double measured;
    uint64_t decisions;
    uint32_t applications, processes;
    char policy[WIRE_TEXT];
    uint32_t off;      /* 1: everything runs uncontrolled */
    uint32_t sees_all; /* 1: it may compare all processes with what the kernel counts; 0: only those
                          of its own user */
    char store[WIRE_STORE]; /* that the bandwidth is of; "" = there is one channel */
};

struct wire_show {
    uint32_t reserved; /* 0 */
};

/* Where a setting is from: the command line or the configuration; or a SET, now or before a
 * restart. */
enum wire_source { WIRE_CONFIGURED, WIRE_CHANGED, WIRE_SOURCES };

struct wire_rule {
    struct wire_set set;
    uint32_t source; /* enum wire_source */
    uint32_t reserved;
};

/* What an application did, from its first process to its last. */
struct wire_done {
    uint32_t uid, pid;     /* pid as in APP */
    uint32_t phases;       /* I/O phases */
    uint32_t reserved;     /* 0 */
    double started, ended; /* seconds since the controller started */
    double moved, escaped; /* bytes */
    double io_time;        /* seconds in I/O phases, pauses left out */
    double waited;         /* of these, what it would not have taken alone */
    double ideal;          /* seconds that it would have taken alone: all but `waited` */
    double stretch;        /* its time / ideal */
    char name[WIRE_NAME], job[WIRE_NAME];
    char store[WIRE_STORE]; /* as in APP */
    char account[WIRE_NAME], partition[WIRE_NAME];
};

/* Why a process that was welcome runs without control. */
#define WIRE_FAILURES(X)                                                                           \
    X(PAGES, "the pages that it was given are none, or of another version")                        \
    X(MAPPING, "it may not map the pages that it was given")                                       \
    X(SEALED, "it has forbidden itself system calls that control may need")

#define WIRE_ENUM(name, text) WIRE_FAILED_##name,
enum wire_failure { WIRE_FAILURES(WIRE_ENUM) WIRE_FAILURES_COUNT };
#undef WIRE_ENUM

struct wire_failed {
    uint32_t why;      /* enum wire_failure */
    uint32_t reserved; /* 0 */
};

/* A message, checked. */
struct wire_message {
    enum wire_type type;
    union {
        struct wire_attach attach;
        struct wire_post post;
        struct wire_end end;
        struct wire_query query;
        struct wire_set set;
        struct wire_welcome welcome;
        struct wire_refused refused;
        struct wire_app app;
        struct wire_status status;
        struct wire_show show;
        struct wire_rule rule;
        struct wire_done done;
        struct wire_status channel;
        struct wire_failed failed;
    };
};

enum { WIRE_MOST = 2048 }; /* no message is longer */

/* Bytes of every message of this type. */
size_t wire_size(enum wire_type type);

/* Writes the message's bytes (at most WIRE_MOST) and returns how many. The body must be valid. */
size_t wire_encode(const struct wire_message *message, void *bytes);

/* Reads one. Returns NULL, or why it is none: the text never changes and needs no freeing. Checks
 * the magic, version, type and exact size; that texts end within their space and are printable
 * UTF-8 (a name: not empty, no '/'; stores: absolute paths); that flags are 0 or 1 and numbers are
 * finite and in range (those of APP, STATUS and DONE, which are only shown: not NaN). */
const char *wire_decode(const void *bytes, size_t size, struct wire_message *message);

/* Makes a name of any text: what may not stand in one becomes '_', what is too long is cut off,
 * and nothing becomes "unnamed". */
void wire_name(char name[WIRE_NAME], const char *text);

const char *wire_type_name(enum wire_type type);

/* The word, and the text for people, of a way past control. */
const char *wire_escape_word(enum wire_escape why);
const char *wire_escape_text(enum wire_escape why);

/* What it means, in words. */
const char *wire_failure_text(enum wire_failure why);

/* "policy" -> WIRE_SET_POLICY; -1 if it is no setting. And the other way round. */
int wire_setting_find(const char *word);
const char *wire_setting_name(enum wire_setting setting);

/* Reads what stands before the path of the first store in a list. Returns the path, or NULL if
 * that is not as it should be. */
struct wire_terms {
    uint32_t reads, writes; /* channels */
    uint64_t pieces;        /* bytes, 0 = none */
};
const char *wire_read_terms(const char *store, struct wire_terms *terms);

/* Whether a setting is for applications: by name, by user, or all. */
bool wire_setting_is_of_applications(enum wire_setting setting);

/* Whether it is for one store, where there are several. The others hold for every store. */
bool wire_setting_is_of_stores(enum wire_setting setting);

#endif
