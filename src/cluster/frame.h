/* The frames between an agent and the controller: a head, then messages (node/message.h), each with
 * the number of its channel before it.
 *
 * Up go events, and in a report also what the agent holds; down go orders. No sockets here, so that
 * it can be fuzzed. The link adds the length and proves where a frame comes from. */
#ifndef WEIR_CLUSTER_FRAME_H
#define WEIR_CLUSTER_FRAME_H

#include "node/message.h"

/* Members of the head, 64-bit numbers: name, meaning. Sequence numbers are those of one connection
 * and direction, from 1. */
#define FRAME_HEAD_MEMBERS(X)                                                                      \
    X(epoch, "down: of the controller; up: the highest that the agent has heard of")               \
    X(sequence, "number of the frame")                                                             \
    X(acknowledged, "number of the latest frame from the other side that was taken")               \
    X(stamp, "up: the agent's clock; down: the latest stamp heard from it")                        \
    X(flags, "see below")

#define FRAME_MEMBER(member, text) uint64_t member;
struct frame_head {
    FRAME_HEAD_MEMBERS(FRAME_MEMBER)
};
#undef FRAME_MEMBER

/* Flags: name, bit, meaning. */
#define FRAME_FLAGS(X)                                                                             \
    X(WHOLE, 1, "begins a full state: up a report, down the answer to one")                        \
    X(LAST, 2, "up: ends a report")                                                                \
    X(ANSWER, 4, "up: asks for a frame in return")                                                 \
    X(REPORT, 8, "down: asks for a report")                                                        \
    X(LEASE, 16, "down: the lease counts from the stamp")                                          \
    X(QUIET, 32, "down, from version 2: it is not in office, and raises hardly anything")          \
    X(ALONE, 64, "from version 2: down, it is not elected; up, such a controller is not obeyed")

#define FRAME_ENUM(name, bit, text) FRAME_##name = bit,
enum frame_flag { FRAME_FLAGS(FRAME_ENUM) FRAME_FLAGS_END };
#undef FRAME_ENUM

enum {
    FRAME_HEAD = 40,           /* bytes of the head */
    FRAME_MOST = 16 << 10,     /* bytes of the longest frame */
    FRAME_EACH = NODE_MOST + 2 /* bytes of the longest message in it */
};

/* The last epoch there can be: those of clocks and of etcd are far below it, and none is above, so
 * that epochs never begin again at 0. */
#define FRAME_LAST_EPOCH (UINT64_C(1) << 62)

/* A frame that is being written. */
struct frame {
    size_t size; /* with the head */
    unsigned char bytes[FRAME_MOST];
};

/* Empties it; adds a message of a channel, false if it does not fit; writes the head at last. */
void frame_clear(struct frame *frame);
bool frame_is_empty(const struct frame *frame); /* it has no message */
bool frame_add(struct frame *frame, uint32_t version, uint32_t channel,
               const struct node_message *message);
void frame_seal(struct frame *frame, const struct frame_head *head);

/* Reads the head and returns its size; 0 with what is wrong, a constant text. */
size_t frame_read_head(const void *bytes, size_t size, struct frame_head *head, const char **fault);

/* Reads the first of the messages in `bytes`, and returns how many bytes it has; 0 with what is
 * wrong. The channel is below `channels`. */
struct frame_reader {
    uint32_t version, channels;
};
struct frame_message {
    uint32_t channel;
    struct node_message message;
};
size_t frame_read(const struct frame_reader *reader, const void *bytes, size_t size,
                  struct frame_message *out, const char **fault);

#endif
