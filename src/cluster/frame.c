#include "cluster/frame.h"
#include "base/little.h"
#include <string.h>

enum { FRAME_CHANNEL = 2 }; /* bytes of a channel's number */

#define FRAME_SIZE(member, text) +sizeof((struct frame_head *)0)->member
_Static_assert(0 FRAME_HEAD_MEMBERS(FRAME_SIZE) == FRAME_HEAD, "the head has gained a member");
#define FRAME_BIT(name, bit, text) | (bit)
enum { FRAME_KNOWN_FLAGS = 0 FRAME_FLAGS(FRAME_BIT) };

/* --- writing ---------------------------------------------------------------------------------- */

void frame_clear(struct frame *frame)
{
    frame->size = FRAME_HEAD;
}

bool frame_is_empty(const struct frame *frame)
{
    return frame->size == FRAME_HEAD;
}

bool frame_add(struct frame *frame, uint32_t version, uint32_t channel,
               const struct node_message *message)
{
    if (frame->size + FRAME_EACH > sizeof frame->bytes)
        return false;
    unsigned char *at = frame->bytes + frame->size;
    size_t size = node_encode(message, version, at + FRAME_CHANNEL);
    if (size == 0) /* the other side does not know it */
        return true;
    little_put(at, channel, FRAME_CHANNEL);
    frame->size += FRAME_CHANNEL + size;
    return true;
}

void frame_seal(struct frame *frame, const struct frame_head *head)
{
    unsigned char *at = frame->bytes;
#define FRAME_WRITE(member, text)                                                                  \
    little_put(at, head->member, sizeof head->member);                                             \
    at += sizeof head->member;
    FRAME_HEAD_MEMBERS(FRAME_WRITE)
}

/* --- reading ---------------------------------------------------------------------------------- */

size_t frame_read_head(const void *bytes, size_t size, struct frame_head *head, const char **fault)
{
    const unsigned char *at = bytes;
    *fault = "the frame is too short";
    if (size < FRAME_HEAD)
        return 0;
#define FRAME_READ(member, text)                                                                   \
    head->member = little_get(at, sizeof head->member);                                            \
    at += sizeof head->member;
    FRAME_HEAD_MEMBERS(FRAME_READ)
    *fault = "the frame has no number";
    if (head->sequence == 0)
        return 0;
    *fault = "the frame has an epoch that no controller can have";
    if (head->epoch > FRAME_LAST_EPOCH)
        return 0;
    *fault = "the frame has an unknown flag";
    if (head->flags & ~(uint64_t)FRAME_KNOWN_FLAGS)
        return 0;
    *fault = NULL;
    return FRAME_HEAD;
}

size_t frame_read(const struct frame_reader *reader, const void *bytes, size_t size,
                  struct frame_message *out, const char **fault)
{
    const unsigned char *at = bytes;
    *fault = "the message is too short";
    if (size < FRAME_CHANNEL)
        return 0;
    out->channel = (uint32_t)little_get(at, FRAME_CHANNEL);
    *fault = "the message is of an unknown channel";
    if (out->channel >= reader->channels)
        return 0;
    size_t used = node_decode(at + FRAME_CHANNEL, size - FRAME_CHANNEL, reader->version,
                              &out->message, fault);
    return used > 0 ? FRAME_CHANNEL + used : 0;
}
