#include "cluster/frame.h"
#include "cluster/hub.h"
#include "cluster/uplink.h"
#include "fuzz.h"
#include <math.h>

enum { CHANNELS = 2 };

/* --- a hub and an agent that hear the frames ----------------------------------------------------
 */

static int fuzz_hear(void *context, uint64_t now, struct hub_place from,
                     const struct node_message *event, struct err *err)
{
    (void)context;
    (void)now;
    (void)err;
    fuzz_require(from.channel < CHANNELS && node_direction_of(event->type) == NODE_EVENT);
    return event->type == NODE_JOIN && event->join.uid == 0 ? -1 : 0;
}

static void fuzz_report(void *context, uint64_t now, struct hub_place from, bool ends)
{
    (void)context;
    (void)now;
    (void)from;
    (void)ends;
}

static void fuzz_lose(void *context, uint64_t now, struct hub_place from, bool restarted)
{
    (void)restarted;
    fuzz_report(context, now, from, true);
}

static bool fuzz_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    struct frame_head head;
    const char *fault;
    (void)context;
    (void)member;
    fuzz_require(frame_read_head(bytes, size, &head, &fault) > 0);
    return true;
}

static bool fuzz_send_up(void *context, const void *bytes, size_t size)
{
    return fuzz_send(context, 0, bytes, size);
}

static void fuzz_close(void *context, uint32_t member, const char *why)
{
    (void)context;
    (void)member;
    fuzz_require(why[0] != '\0');
}

static void fuzz_superseded(void *context, uint64_t now, uint64_t epoch)
{
    (void)context;
    (void)now;
    fuzz_require(epoch > 0);
}

/* --- the frames ---------------------------------------------------------------------------------
 */

/* Reads a frame as both sides do. What was accepted is written as the same bytes. */
static void fuzz_read(const unsigned char *bytes, size_t size)
{
    const struct frame_reader reader = {NODE_NEWEST, CHANNELS};
    struct frame_message next;
    struct frame_head head;
    static struct frame frame;
    const char *fault;
    size_t at = frame_read_head(bytes, size, &head, &fault);
    fuzz_require((at == 0) == (fault != NULL));
    frame_clear(&frame);
    for (size_t used; at > 0 && at < size; at += used) {
        used = frame_read(&reader, bytes + at, size - at, &next, &fault);
        fuzz_require((used == 0) == (fault != NULL) && used <= size - at);
        size_t before = frame.size;
        if (fault || !frame_add(&frame, NODE_NEWEST, next.channel, &next.message))
            return;
        fuzz_require(frame.size - before == used);
    }
    if (at > 0 && size <= FRAME_MOST) {
        frame_seal(&frame, &head);
        fuzz_require(frame.size == size && memcmp(frame.bytes, bytes, FRAME_HEAD) == 0);
    }
}

static const struct hub_ops fuzz_ops = {fuzz_hear, fuzz_report, fuzz_lose,
                                        fuzz_send, fuzz_close,  fuzz_superseded};

/* Two bytes are the size of the frame that follows them. All of them reach a hub, and an agent with
 * one application. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hub_terms terms = {.lease = 4, .channels = CHANNELS, .bandwidth = {100, 50}};
    const struct uplink_terms up = {.lease = 4, .beat = 1, .progress = 1, .channels = 1};
    const struct node_terms node_terms = {.rule = {0.002, 0.05}};
    const struct hub_hello hello = {"node", 1, 0, NODE_NEWEST};
    const struct wire_attach who = {.token = {1, 2}, .nodes = 1, .weight = 1, .name = "a"};
    struct err err;
    struct seat seat = {.uid = 1};
    uint64_t now = 2000000000;
    struct hub *hub = hub_new(&terms, &fuzz_ops, NULL, &err);
    struct uplink *uplink = uplink_new(&up, fuzz_send_up, NULL, &err);
    struct node *node = node_new(&node_terms, (struct event_sink){0}, now, &err);
    fuzz_require(hub && uplink && node);
    uplink_bind(uplink, 0, node);
    hub_activate(hub, now, 5, UINT64_MAX, NULL);
    uint32_t member = hub_connect(hub, now, &hello, &err);
    uplink_connected(uplink, now, NODE_NEWEST);
    fuzz_require(node_attach(node, now, &seat, &who, &err) == 0);
    node_post(node, now, &seat, &(struct wire_post){.volume = 9, .begun = 1});
    uplink_settle(uplink, now);
    for (size_t at = 0, length; at + 2 <= size; at += 2 + length) {
        length = (size_t)(data[at] | data[at + 1] << 8);
        length = length < size - at - 2 ? length : size - at - 2;
        unsigned char *frame = mem_alloc(length + 1, 1); /* reading past its end is seen */
        fuzz_require(frame != NULL);
        memcpy(frame + 1, data + at + 2, length);
        now += 100000000;
        fuzz_read(frame + 1, length);
        if (hub_frame(hub, now, member, frame + 1, length, &err) != 0)
            hub_disconnect(hub, now, member);
        if (uplink_frame(uplink, now, frame + 1, length, &err) != 0)
            uplink_disconnected(uplink, now);
        hub_settle(hub, now);
        uplink_settle(uplink, now);
        fuzz_require(isfinite(hub_held(hub, 0)) && hub_held(hub, 1) >= 0);
        free(frame);
    }
    node_free(node);
    uplink_free(uplink);
    hub_free(hub);
    return 0;
}
