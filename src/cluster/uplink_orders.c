/* What the controller sends. */
#include "cluster/lease.h"
#include "cluster/uplink_inner.h"

/* --- orders ----------------------------------------------------------------------------------- */

/* Obeys an order, unless it is for an earlier application of the same number, or grants what was
 * given back meanwhile. */
static void uplink_obey(struct uplink *uplink, uint64_t now, const struct frame_head *head,
                        const struct frame_message *order)
{
    struct uplink_line *line = &uplink->lines[order->channel];
    uint32_t number = order->message.grant.app;
    const struct node_app *app = number < line->node->capacity ? line->node->apps[number] : NULL;
    if (!app)
        return;
    const struct told *told = number < line->capacity ? &line->told[number] : NULL;
    bool grants = order->message.type == NODE_GRANT;
    if (told && lease_holds(LEASE_LATEST) &&
        head->acknowledged < (grants ? told->changed : told->joined))
        return;
    double rate = app->rate;
    uplink->counting = true;
    node_obey(line->node, now, &order->message);
    uplink->counting = false;
    uplink->reply |= app->rate < rate; /* others wait for it */
}

/* NULL, or what is wrong. */
static const char *uplink_take_orders(struct uplink *uplink, uint64_t now,
                                      const struct frame_head *head, const unsigned char *bytes,
                                      size_t size)
{
    const struct frame_reader reader = {uplink->version, uplink->terms.channels};
    struct frame_message next;
    const char *fault = NULL;
    for (size_t at = 0, used; at < size && !fault; at += used) {
        used = frame_read(&reader, bytes + at, size - at, &next, &fault);
        if (used > 0 && node_direction_of(next.message.type) == NODE_EVENT)
            fault = "a controller does not send events";
        else if (used > 0)
            uplink_obey(uplink, now, head, &next);
    }
    return fault;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Renews the lease. False: the frame was under way for so long that its lease has ended. */
static bool uplink_renew(struct uplink *uplink, uint64_t now, const struct frame_head *head)
{
    uint64_t since = lease_holds(LEASE_ECHO) ? head->stamp : now;
    uint64_t lease = since + (uint64_t)(1e9 * uplink->terms.lease);
    if (!(head->flags & FRAME_LEASE))
        return true;
    if (head->stamp > uplink->echoed)
        uplink->echoed = head->stamp;
    if (head->stamp > uplink->served && !(head->flags & FRAME_QUIET))
        uplink->served = head->stamp;
    if (lease > uplink->lease)
        uplink->lease = lease;
    return lease > now;
}

/* Whether the orders of a frame count. After a report that is only so from its answer on. */
static bool uplink_takes(struct uplink *uplink, const struct frame_head *head)
{
    if (uplink->report)
        return false;
    if (uplink->awaiting) {
        bool heard = head->acknowledged >= uplink->report_sequence;
        if (heard && (head->flags & FRAME_WHOLE))
            return true;
        /* The report was lost, or its answer was. */
        uplink->report =
            heard || ((head->flags & FRAME_REPORT) && head->stamp > uplink->report_stamp);
        return false;
    }
    uplink->report = (head->flags & FRAME_REPORT) ||
                     (head->sequence != uplink->received + 1 && lease_holds(LEASE_GAP));
    return !uplink->report;
}

/* NULL, or what is wrong. */
static const char *uplink_check(const struct uplink *uplink, uint64_t now,
                                const struct frame_head *head)
{
    if (head->epoch < uplink->epoch && lease_holds(LEASE_FENCE))
        return "another controller has taken its place";
    if ((head->flags & FRAME_ALONE) && uplink->demands)
        return "it is not elected: of several controllers only the first is used";
    if (head->acknowledged > uplink->sent)
        return "a frame is acknowledged that was never sent";
    if (head->stamp > now)
        return "a stamp is echoed that was never sent";
    return NULL;
}

int uplink_frame(struct uplink *uplink, uint64_t now, const void *bytes, size_t size,
                 struct err *err)
{
    struct frame_head head;
    const char *fault;
    if (!uplink->connected)
        return 0;
    size_t used = frame_read_head(bytes, size, &head, &fault);
    if (used > 0)
        fault = uplink_check(uplink, now, &head);
    if (fault)
        return err_set(err, "%s", fault);
    uplink->ignored = UINT64_MAX;
    uplink->alone = (head.flags & FRAME_ALONE) != 0;
    if (now >= uplink_lapses(uplink))
        uplink_lapse(uplink, now);
    if (head.epoch > uplink->epoch)
        uplink->epoch = head.epoch;
    if (head.acknowledged > uplink->acknowledged) {
        uplink->acknowledged = head.acknowledged;
        uplink_forget_departed(uplink, head.acknowledged);
    }
    if (head.sequence <= uplink->received)
        return 0; /* again, or late */
    bool valid = uplink_renew(uplink, now, &head);
    if (!uplink_takes(uplink, &head))
        return 0;
    if (!valid) {
        uplink->report = true;
        return 0;
    }
    uplink->received = head.sequence;
    uplink->awaiting = uplink->free = false;
    fault =
        uplink_take_orders(uplink, now, &head, (const unsigned char *)bytes + used, size - used);
    return fault ? err_set(err, "%s", fault) : 0;
}
