/* The messages between a node and the controller: events go up, orders come down.
 *
 * In `weir serve` they are passed by function calls; between machines the same structs travel as
 * bytes. Every message is absolute: it holds a state, not a change of one, so that it can be
 * repeated, and the latest counts. No message holds a time of a clock: how long ago something
 * happened is a duration in seconds. This file uses no sockets, so that it can be fuzzed. */
#ifndef WEIR_NODE_MESSAGE_H
#define WEIR_NODE_MESSAGE_H

#include "wire/message.h"
#include "wire/page.h"

/* The versions that this program speaks, oldest and newest. Both ends of a connection tell theirs
 * and use node_version. A later version may have further types of message, and further members at
 * the end of a message, but changes nothing else: what an older one lacks is 0. */
enum { NODE_OLDEST = 1, NODE_NEWEST = 4 };

/* Bounds of quantities: bytes, bytes/s and operations/s, seconds, nodes; and how many applications
 * a node can have at once. */
#define NODE_BYTES   1e18
#define NODE_RATE    1e15
#define NODE_SECONDS 1e12
#define NODE_NODES   1e9
#define NODE_APPS    65536

/* Every type of message: name, member of the union, direction, first version, meaning. */
#define NODE_MESSAGES(X)                                                                           \
    X(JOIN, join, EVENT, 1, "an application has its first process on the node")                    \
    X(POST, post, EVENT, 1, "an I/O begins, or its volume is known better")                        \
    X(PAUSE, pause, EVENT, 1, "the I/O pauses: its bandwidth can be lent")                         \
    X(RESUME, resume, EVENT, 1, "the I/O continues")                                               \
    X(PROGRESS, progress, EVENT, 1, "what the application has done so far")                        \
    X(END, end, EVENT, 1, "the I/O is over")                                                       \
    X(LEAVE, leave, EVENT, 1, "the last process of the application on the node is gone")           \
    X(GRANT, grant, ORDER, 1, "the bandwidth of the I/O from now on")                              \
    X(LIMIT, limit, ORDER, 1, "bounds that hold whatever is granted, and the expected volume")     \
    X(OPEN, open, ORDER, 1, "the application runs uncontrolled until the next GRANT")              \
    X(COUNT, count, ORDER, 1, "asks for PROGRESS at once")                                         \
    X(CALLS, calls, EVENT, 2, "large calls have begun, or one waits, or does so no more")          \
    X(TURN, turn, ORDER, 2, "the store has room: the call that waits starts")                      \
    X(GONE, gone, EVENT, 2,                                                                        \
      "an application that left, or whose agent ended: the last count may be lost")                \
    X(NEED, need, EVENT, 3, "the bandwidth that the application can use")

#define NODE_ENUM(name, member, direction, since, text) NODE_##name,
enum node_type { NODE_MESSAGES(NODE_ENUM) NODE_TYPES };
#undef NODE_ENUM

enum node_direction { NODE_EVENT, NODE_ORDER };

/* --- bodies -----------------------------------------------------------------------------------
 *
 * Each body is one list of its members: kind, name, limit, first version, meaning. The list gives
 * the struct, the bytes and the check of every member.
 *
 *   TOKEN            uint64_t[2], anything
 *   NUMBER           uint32_t, anything
 *   BELOW            uint32_t below the limit
 *   KIND             uint32_t; a number from the limit on, of a newer version, is read as 0
 *   POSITIVE, AMOUNT double > 0 or >= 0, at most the limit
 *   NAME, TEXT       char[limit], as in wire/message.h */
#define NODE_MEMBER_TOKEN(member, limit)    uint64_t member[2];
#define NODE_MEMBER_NUMBER(member, limit)   uint32_t member;
#define NODE_MEMBER_BELOW(member, limit)    uint32_t member;
#define NODE_MEMBER_KIND(member, limit)     uint32_t member;
#define NODE_MEMBER_POSITIVE(member, limit) double member;
#define NODE_MEMBER_AMOUNT(member, limit)   double member;
#define NODE_MEMBER_NAME(member, limit)     char member[limit];
#define NODE_MEMBER_TEXT(member, limit)     char member[limit];

#define NODE_MEMBER(kind, member, limit, since, text) NODE_MEMBER_##kind(member, limit)

/* An application is known by its uid and token, on whichever nodes it runs. `app` is the number
 * that this node gives it from JOIN to LEAVE. */
#define NODE_JOIN_MEMBERS(X)                                                                       \
    X(BELOW, app, NODE_APPS, 1, "the node's number of the application")                            \
    X(NUMBER, uid, 0, 1, "of its processes, from the kernel")                                      \
    X(TOKEN, token, 0, 1, "with the uid, which application it is")                                 \
    X(POSITIVE, nodes, NODE_NODES, 1, "that it runs on")                                           \
    X(POSITIVE, weight, WIRE_MOST_WEIGHT, 1, "its importance")                                     \
    X(AMOUNT, volume_hint, NODE_BYTES, 1, "bytes of each I/O, 0 = unknown")                        \
    X(AMOUNT, period, NODE_SECONDS, 1, "known length of an iteration, 0 = unknown")                \
    X(AMOUNT, age, NODE_SECONDS, 1, "seconds since its first process attached")                    \
    X(NUMBER, pid, 0, 1, "of its leader, else of one of its processes; 0 = unknown")               \
    X(NAME, name, WIRE_NAME, 1, "of the application")                                              \
    X(TEXT, job, WIRE_NAME, 1, "number of its batch job, empty = none")                            \
    X(TEXT, account, WIRE_NAME, 1, "of the job, empty = none")                                     \
    X(TEXT, partition, WIRE_NAME, 1, "of the job, empty = none")                                   \
    X(TOKEN, counter, 0, 2, "which count of its bytes this is, of all that ever were; 0 = unknown")
struct node_join {
    NODE_JOIN_MEMBERS(NODE_MEMBER)
};

#define NODE_POST_MEMBERS(X)                                                                       \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 1, "number of the I/O; a known one is not posted again")                   \
    X(AMOUNT, volume, NODE_BYTES, 1, "bytes of all of it, 0 = unknown or as before")               \
    X(BELOW, announced, 2, 1, "1: programs have announced the volume")                             \
    X(BELOW, idle, 2, 1, "1: it pauses at once, until the application proves that it moves")       \
    X(AMOUNT, moved, NODE_BYTES, 1, "bytes that the application has moved in all")                 \
    X(AMOUNT, age, NODE_SECONDS, 1, "seconds since the I/O began")
struct node_post {
    NODE_POST_MEMBERS(NODE_MEMBER)
};

#define NODE_PAUSE_MEMBERS(X)                                                                      \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 1, "as in POST")                                                           \
    X(AMOUNT, moved, NODE_BYTES, 1, "as in POST")                                                  \
    X(AMOUNT, quiet, NODE_SECONDS, 1, "seconds since its last call")                               \
    X(BELOW, probing, 2, 1,                                                                        \
      "1: an idle application is to prove that it moves, at no cost to others")
struct node_pause {
    NODE_PAUSE_MEMBERS(NODE_MEMBER)
};

#define NODE_RESUME_MEMBERS(X)                                                                     \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 1, "as in POST")                                                           \
    X(AMOUNT, moved, NODE_BYTES, 1, "as in POST")
struct node_resume {
    NODE_RESUME_MEMBERS(NODE_MEMBER)
};

#define NODE_PROGRESS_MEMBERS(X)                                                                   \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, processes, 0, 1, "that are attached on the node")                                    \
    X(NUMBER, uncontrolled, 0, 1, "those of them that run uncontrolled")                           \
    X(KIND, failure, WIRE_FAILURES_COUNT, 1, "why the latest does: enum wire_failure")             \
    X(AMOUNT, moved, NODE_BYTES, 1, "as in POST")                                                  \
    X(AMOUNT, escaped, NODE_BYTES, 1, "bytes seen to bypass control")                              \
    X(KIND, why, WIRE_ESCAPES_COUNT, 1, "enum wire_escape: of most of what escaped")               \
    X(NUMBER, pid, 0, 1, "as in JOIN")                                                             \
    X(AMOUNT, outside, NODE_SECONDS, 3, "of all its I/Os so far, without pauses: outside calls")
struct node_progress {
    NODE_PROGRESS_MEMBERS(NODE_MEMBER)
};

#define NODE_END_MEMBERS(X)                                                                        \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 1, "as in POST")                                                           \
    X(AMOUNT, moved, NODE_BYTES, 1, "as in POST")                                                  \
    X(AMOUNT, quiet, NODE_SECONDS, 1, "seconds since it was over, unless it had paused")           \
    X(AMOUNT, outside, NODE_SECONDS, 3, "as in PROGRESS")
struct node_end {
    NODE_END_MEMBERS(NODE_MEMBER)
};

#define NODE_LEAVE_MEMBERS(X)                                                                      \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN; the number is free from now on")                      \
    X(NUMBER, pid, 0, 1, "as in JOIN")                                                             \
    X(AMOUNT, moved, NODE_BYTES, 1, "as in POST")                                                  \
    X(AMOUNT, escaped, NODE_BYTES, 1, "as in PROGRESS")                                            \
    X(KIND, why, WIRE_ESCAPES_COUNT, 1, "as in PROGRESS")                                          \
    X(AMOUNT, outside, NODE_SECONDS, 3, "as in PROGRESS")
struct node_leave {
    NODE_LEAVE_MEMBERS(NODE_MEMBER)
};

#define NODE_GRANT_MEMBERS(X)                                                                      \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 1, "as in POST: a grant for an earlier I/O is not obeyed")                 \
    X(AMOUNT, rate, NODE_RATE, 1, "bytes/s, 0 = it waits")
struct node_grant {
    NODE_GRANT_MEMBERS(NODE_MEMBER)
};

#define NODE_LIMIT_MEMBERS(X)                                                                      \
    X(BELOW, app, NODE_APPS, 1, "as in JOIN")                                                      \
    X(AMOUNT, bmax, NODE_RATE, 1, "bytes/s that it can have at the moment")                        \
    X(AMOUNT, alone, NODE_RATE, 1, "bytes/s that it reaches alone")                                \
    X(AMOUNT, ops, NODE_RATE, 1, "operations/s, 0 = no limit")                                     \
    X(NUMBER, phase, 0, 1, "as in POST")                                                           \
    X(AMOUNT, volume, NODE_BYTES, 1, "bytes that are expected of this I/O")
struct node_limit {
    NODE_LIMIT_MEMBERS(NODE_MEMBER)
};

#define NODE_OPEN_MEMBERS(X) X(BELOW, app, NODE_APPS, 1, "as in JOIN")
struct node_open {
    NODE_OPEN_MEMBERS(NODE_MEMBER)
};

#define NODE_COUNT_MEMBERS(X) X(BELOW, app, NODE_APPS, 1, "as in JOIN")
struct node_count {
    NODE_COUNT_MEMBERS(NODE_MEMBER)
};

#define NODE_CALLS_MEMBERS(X)                                                                      \
    X(BELOW, app, NODE_APPS, 2, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 2, "as in POST")                                                           \
    X(AMOUNT, moved, NODE_BYTES, 2, "as in POST")                                                  \
    X(AMOUNT, inside, NODE_BYTES, 2, "bytes of the large calls that are in the store")             \
    X(AMOUNT, ahead, NODE_BYTES, 2, "bytes by which a waiting call is ahead of the grant, 0 = none")
struct node_calls {
    NODE_CALLS_MEMBERS(NODE_MEMBER)
};

#define NODE_TURN_MEMBERS(X)                                                                       \
    X(BELOW, app, NODE_APPS, 2, "as in JOIN")                                                      \
    X(NUMBER, phase, 0, 2, "as in POST")
struct node_turn {
    NODE_TURN_MEMBERS(NODE_MEMBER)
};

#define NODE_GONE_MEMBERS(X)                                                                       \
    X(BELOW, app, NODE_APPS, 2, "0")                                                               \
    X(NUMBER, uid, 0, 2, "as in JOIN")                                                             \
    X(TOKEN, token, 0, 2, "as in JOIN")                                                            \
    X(TOKEN, counter, 0, 2, "as in JOIN")                                                          \
    X(AMOUNT, moved, NODE_BYTES, 2, "as in POST")                                                  \
    X(AMOUNT, escaped, NODE_BYTES, 2, "as in PROGRESS")                                            \
    X(KIND, why, WIRE_ESCAPES_COUNT, 2, "as in PROGRESS")                                          \
    X(AMOUNT, untold, NODE_BYTES, 4, "bytes that no controller was sent, as far as its node knows")
struct node_gone {
    NODE_GONE_MEMBERS(NODE_MEMBER)
};

#define NODE_NEED_MEMBERS(X)                                                                       \
    X(BELOW, app, NODE_APPS, 3, "as in JOIN")                                                      \
    X(AMOUNT, rate, NODE_RATE, 3, "bytes/s that it would move if granted all, 0 = all it can get")
struct node_need {
    NODE_NEED_MEMBERS(NODE_MEMBER)
};

/* --- messages --------------------------------------------------------------------------------- */

#define NODE_UNION(name, member, direction, since, text) struct node_##member member;
struct node_message {
    enum node_type type;
    union {
        NODE_MESSAGES(NODE_UNION)
    };
};
#undef NODE_UNION

enum { NODE_MOST = 512 }; /* bytes of the longest message, with room to spare */

/* The version to use with a peer that speaks these: the newest that both do, 0 = there is none. */
uint32_t node_version(uint32_t oldest, uint32_t newest);

/* Writes the bytes (at most NODE_MOST) of a message and returns how many: its type and size (16
 * bits each), then its members, all little-endian without gaps. Its members are within their
 * bounds, but for amounts, which are cut to them. 0: this version has no such message. */
size_t node_encode(const struct node_message *message, uint32_t version, void *bytes);

/* Reads the first of the messages in `bytes` and returns how many bytes it has; 0 with what is
 * wrong, a constant text. Checks the type, the exact size and every member, as its list says. */
size_t node_decode(const void *bytes, size_t size, uint32_t version, struct node_message *message,
                   const char **fault);

const char *node_type_name(enum node_type type);
enum node_direction node_direction_of(enum node_type type);

#endif
