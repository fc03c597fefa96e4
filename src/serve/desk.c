#include "serve/desk.h"
#include "base/text.h"
#include "serve/peer.h"
#include "serve/plan_store.h"
#include <stdlib.h>
#include <string.h>

static int desk_tell_applications(struct peer *peer, struct controller *controller, uint64_t now)
{
    struct wire_message message = {.type = WIRE_APP};
    int status = 0;
    for (; peer->next_id < controller->capacity && status == 0; peer->next_id += status == 0) {
        if (!controller->apps[peer->next_id])
            continue;
        controller_describe(controller, now, peer->next_id, &message.app);
        status = peer_send(peer, &message);
    }
    return status;
}

/* Rules for all channels are sent once. */
static bool desk_tells(const struct controller *controller, const struct rule *rule)
{
    return rules_in_force(&controller->rules, rule) &&
           (controller->channel == 0 ||
            wire_setting_is_of_stores((enum wire_setting)rule->set.setting));
}

static int desk_tell_rules(struct peer *peer, const struct controller *controller)
{
    const struct rules *rules = &controller->rules;
    struct wire_message message = {.type = WIRE_RULE};
    int status = 0;
    for (; peer->next_id < rules->count && status == 0; peer->next_id += status == 0) {
        const struct rule *rule = &rules->list[peer->next_id];
        if (!desk_tells(controller, rule))
            continue;
        message.rule = (struct wire_rule){.set = rule->set, .source = rule->source};
        message.rule.set.store[0] = '\0';
        if (wire_setting_is_of_stores((enum wire_setting)rule->set.setting))
            text_append(message.rule.set.store, WIRE_STORE, controller->store);
        status = peer_send(peer, &message);
    }
    return status;
}

static int desk_tell_finished(struct peer *peer, const struct controller *controller)
{
    const struct accounts *finished = &controller->finished;
    struct wire_message message = {.type = WIRE_DONE};
    for (; peer->next_done < finished->count; peer->next_done++) {
        const struct wire_done *done = accounts_find(finished, peer->next_done);
        if (!done)
            continue; /* others have left while this peer was slow */
        message.done = *done;
        int status = peer_send(peer, &message);
        if (status != 0)
            return status;
    }
    return 0;
}

static int desk_tell_status(struct peer *peer, struct controller *controller, enum wire_type type,
                            uint64_t now)
{
    struct wire_message message = {.type = type};
    controller_report(controller, now, &message.status);
    message.status.refused = peer->peers->refusals.refusals;
    return peer_send(peer, &message);
}

/* Sends everything about a channel; for the first one without STATUS, which comes last. */
static int desk_tell_channel(struct peer *peer, struct controller *controller, uint64_t now)
{
    int status = peer->question == WIRE_SHOW ? desk_tell_rules(peer, controller)
                                             : desk_tell_applications(peer, controller, now);
    if (status == 0)
        status = desk_tell_finished(peer, controller);
    if (status == 0 && controller->channel > 0)
        status = desk_tell_status(peer, controller, WIRE_CHANNEL, now);
    return status;
}

/* Begins the reply about a channel. */
static void desk_turn_to(struct peer *peer, uint32_t channel)
{
    const struct channels *channels = peer->peers->channels;
    bool shows = peer->question == WIRE_SHOW;
    peer->channel = channel;
    peer->next_id = shows || peer->query.applications ? 0 : UINT32_MAX;
    if (channel < channels->count)
        peer->next_done = accounts_first(&channels->list[channel].controller->finished,
                                         shows ? 0 : peer->query.finished);
}

static int desk_answer(struct peer *peer)
{
    const struct channels *channels = peer->peers->channels;
    uint64_t now = uv_hrtime();
    int status = 0;
    if (!peer->answering)
        desk_turn_to(peer, 0);
    while (status == 0 && peer->channel < channels->count) {
        status = desk_tell_channel(peer, channels->list[peer->channel].controller, now);
        if (status == 0)
            desk_turn_to(peer, peer->channel + 1);
    }
    if (status == 0)
        status = desk_tell_status(peer, channels->list[0].controller, WIRE_STATUS, now);
    peer->answering = status > 0;
    return status < 0 ? -1 : 0;
}

/* A setting that is not changed: for a reason of the controller's, or because it is wrong. */
enum { DESK_FAILED = -1, DESK_MISUSED = -2 };

/* The first channel that the setting is for, or one of these with err. */
static int desk_change(const struct peer *peer, const struct wire_set *set, uint64_t now,
                       struct err *err)
{
    struct channels *channels = peer->peers->channels;
    if (channels_check(channels, set, err) != 0)
        return DESK_MISUSED;
    int channel = channels_set(channels, now, &peer->seat, set, err);
    return channel < 0 ? DESK_FAILED : channel;
}

/* The sender knows the plan by another name than the copy has: "COPY:26: ..." -> "line 26: ...". */
static void desk_hide_copy(const char *strategy, struct err *err)
{
    const char *path = plan_store_path(strategy);
    size_t length = path ? strlen(path) : 0;
    if (!path || strncmp(err->text, path, length) != 0 || err->text[length] != ':')
        return;
    struct err own = {0};
    bool line = err->text[length + 1] >= '0' && err->text[length + 1] <= '9';
    err_set(&own, "%s%s", line ? "line " : "the plan:", err->text + length + 1);
    *err = own;
}

/* The strategy follows the plan that came with it. As desk_change. */
static int desk_set_plan(struct peer *peer, const struct wire_set *set, uint64_t now,
                         struct err *err)
{
    struct channels *channels = peer->peers->channels;
    const struct service *service = channels_service(channels);
    const struct plan_text plan = {peer->plan, peer->plan_size};
    struct wire_set own = *set;
    if (set->setting != WIRE_SET_POLICY || set->unset) {
        err_set(err, "a plan is for a strategy only");
        return DESK_MISUSED;
    }
    int made = plan_store_put(service, &plan, own.text, err);
    free(peer->plan);
    peer->plan = NULL;
    peer->plan_size = peer->plan_room = 0;
    if (made < 0)
        return DESK_FAILED;
    int channel = desk_change(peer, &own, now, err);
    if (channel < 0)
        desk_hide_copy(own.text, err);
    if (channel < 0 && made) /* it may be in force, and only not saved */
        channels_drop_plan(channels, own.text);
    return channel;
}

static int desk_set(struct peer *peer, const struct wire_set *set, uint64_t now)
{
    struct err err;
    struct channels *channels = peer->peers->channels;
    if (!peer_is_trusted(peer))
        return peer_refuse(peer,
                           "only root and the user of the controller may change its settings");
    int channel =
        peer->plan ? desk_set_plan(peer, set, now, &err) : desk_change(peer, set, now, &err);
    if (channel < 0)
        return channel == DESK_MISUSED ? peer_correct(peer, err.text) : peer_refuse(peer, err.text);
    return desk_tell_status(peer, channels->list[channel].controller, WIRE_STATUS, now) == 0 ? 0
                                                                                             : -1;
}

const struct peers_desk desk_of_controllers = {desk_answer, desk_set};
