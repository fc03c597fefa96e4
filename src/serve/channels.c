#include "serve/channels.h"
#include "base/text.h"
#include "serve/plan_store.h"
#include "serve/state.h"
#include <string.h>

/* --- which ones ------------------------------------------------------------------------------- */

_Static_assert((int)STORE_CHANNELS == (int)WIRE_CHANNELS && (int)STORE_NAME == (int)WIRE_STORE,
               "what a configuration may have, clients can be told");

/* Writes a store for WELCOME, with its channels. */
static int channels_write_store(struct channels *channels, const struct stores *stores,
                                uint32_t number, struct err *err)
{
    char terms[64] = "";
    size_t used = strlen(channels->stores), room = sizeof channels->stores - used;
    const struct site_store *store = &stores->list[number];
    uint32_t reads = stores_channel(stores, number, true);
    uint32_t writes = stores_channel(stores, number, false);
    if (strlen(store->path) + sizeof " write" > WIRE_STORE)
        return err_set(err, "the path of store '%s' is longer than %d bytes", store->path,
                       WIRE_STORE - (int)sizeof " write");
    if (store->pieces >= 1)
        snprintf(terms, sizeof terms, "%u,%u,%.0f", reads, writes, store->pieces);
    else if (writes != reads)
        snprintf(terms, sizeof terms, "%u,%u", reads, writes);
    else if (reads > 0)
        snprintf(terms, sizeof terms, "%u", reads);
    int more =
        snprintf(channels->stores + used, room, "%s%s%s", used ? ":" : "", terms, store->path);
    if ((size_t)more >= room)
        return err_set(err, "the stores' paths are longer than %zu bytes together",
                       sizeof channels->stores - 1);
    return 0;
}

/* Whether clients accept the list: otherwise none could attach. */
static int channels_check_stores(const struct channels *channels, struct err *err)
{
    char bytes[WIRE_MOST];
    struct wire_message message = {.type = WIRE_WELCOME};
    memcpy(message.welcome.stores, channels->stores, sizeof message.welcome.stores);
    const char *fault = wire_decode(bytes, wire_encode(&message, bytes), &message);
    return fault ? err_set(err, "stores: %s", fault) : 0;
}

int channels_plan(struct channels *channels, const struct service *service, struct err *err)
{
    struct store_channel list[STORE_CHANNELS];
    uint32_t count = stores_plan(&service->stores, service->platform.bandwidth, list);
    *channels = (struct channels){.platform = stores_share(&service->stores)};
    if (count > WIRE_CHANNELS)
        return err_set(err, "stores: at most %d bandwidths, the platform's included",
                       WIRE_CHANNELS);
    for (uint32_t i = 0; i < service->stores.count; i++)
        if (channels_write_store(channels, &service->stores, i, err) != 0)
            return -1;
    for (uint32_t i = 0; i < count; i++) {
        struct channel *channel = &channels->list[channels->count++];
        *channel = (struct channel){.service = {*service}};
        channel->service[0].platform.bandwidth = list[i].bandwidth;
        if (!list[i].platform)
            channel->service[0].platform.least = list[i].least;
        if (list[i].policy)
            channel->service[0].policy = list[i].policy;
        if (count > 1) /* a single one needs no name */
            memcpy(channel->store, list[i].name, WIRE_STORE);
    }
    return channels_check_stores(channels, err);
}

/* --- from start to end ------------------------------------------------------------------------ */

static int channels_open_one(struct channels *channels, uint32_t number, struct journal *journal,
                             uint64_t now, struct err *err)
{
    struct channel *channel = &channels->list[number];
    if (journal && !(channel->journal = journal_of_store(journal, channel->store, err)))
        return -1;
    struct policy *policy = policy_open(channel->service[0].policy, err);
    if (!policy)
        return err_prepend(err, "policy");
    if (channel_open(channel, &channel->service[0], policy, now, err) != 0)
        return -1;
    struct controller *controller = channel->controller;
    channel->users = channels->users;
    controller->channel = number;
    controller->store = channel->store;
    controller->say = channels->say;
    controller->context = channels->context;
    return 0;
}

int channels_open(struct channels *channels, struct journal *journal, uint64_t now, struct err *err)
{
    for (uint32_t i = 0; i < channels->count; i++)
        if (channels_open_one(channels, i, journal, now, err) != 0)
            return -1;
    for (uint32_t i = 0; channels->count > 1 && i < channels->count; i++)
        channels->list[i].controller->next_store =
            channels->list[(i + 1) % channels->count].controller;
    return 0;
}

int channels_open_nodes(struct channels *channels, uint64_t now, struct err *err)
{
    for (uint32_t i = 0; i < channels->count; i++) {
        struct channel *channel = &channels->list[i];
        if (channel_open_node(channel, &channel->service[0], now, err) != 0)
            return -1;
        channel->users = channels->users;
    }
    return 0;
}

void channels_bind(struct channels *channels, struct uplink *uplink)
{
    for (uint32_t i = 0; i < channels->count; i++)
        channel_bind(&channels->list[i], uplink, i);
}

void channels_close(struct channels *channels)
{
    for (uint32_t i = 0; i < channels->count; i++)
        channel_close(&channels->list[i]);
    state_leave(&channels->saving);
    channels->count = 0;
}

void channels_say(const struct channels *channels, const char *text)
{
    if (channels->say)
        channels->say(channels->context, text);
}

static void channels_save_late(struct channels *channels);

void channels_settle(struct channels *channels, uint64_t now)
{
    channels_save_late(channels);
    for (uint32_t i = 0; i < channels->count; i++)
        channel_settle(&channels->list[i], now);
}

uint64_t channels_next(const struct channels *channels)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < channels->count; i++) {
        uint64_t next = channel_next(&channels->list[i]);
        first = next < first ? next : first;
    }
    return first;
}

uint32_t channels_applications(const struct channels *channels)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < channels->count; i++)
        count += channels->list[i].node->count;
    return count;
}

/* The strategy of a channel, as it was set. */
static const char *channels_strategy(const struct channel *channel)
{
    const struct wire_set policy = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL};
    return rules_find(&channel->controller->rules, &policy)->set.text;
}

/* --- settings --------------------------------------------------------------------------------- */

/* The channels with this name: their whole name, or a path in it. */
static uint32_t channels_find(const struct channels *channels, const char *name)
{
    uint32_t found = 0;
    const struct service *service = &channels->list[0].service[channels->list[0].latest];
    uint32_t next = channels->platform;
    for (uint32_t i = 0; i < channels->count; i++)
        if (*name && strcmp(channels->list[i].store, name) == 0)
            return 1u << i;
    for (uint32_t i = 0; i < service->stores.count; i++) {
        const struct site_store *store = &service->stores.list[i];
        uint32_t bits = !store_is_own(store) ? 1 : store_is_split(store) ? 3u << next : 1u << next;
        next += store_is_own(store) + store_is_split(store);
        found |= strcmp(store->path, name) == 0 ? bits : 0;
    }
    return found;
}

/* Adds the existing stores to a message. */
static uint32_t channels_ask_which(const struct channels *channels, const char *fault,
                                   struct err *err)
{
    char names[sizeof err->text / 2] = "";
    for (uint32_t i = 0; i < channels->count; i++) {
        text_append(names, sizeof names, i ? ", '" : "'");
        text_append(names, sizeof names, channels->list[i].store);
        text_append(names, sizeof names, "'");
    }
    err_set(err, "%s; there are %s", fault, names);
    return 0;
}

uint32_t channels_of(const struct channels *channels, const struct wire_set *set, struct err *err)
{
    uint32_t all = (1u << channels->count) - 1;
    if (set->app != WIRE_ALL)
        return 1;
    if (!wire_setting_is_of_stores((enum wire_setting)set->setting))
        return all;
    if (!*set->store && (channels->platform || channels->count == 1))
        return 1;
    if (!*set->store)
        return channels_ask_which(channels, "no store is named", err);
    uint32_t found = channels_find(channels, set->store);
    if (found == 0 && channels->count == 1) {
        err_set(err, "unknown store '%s'", set->store);
        return 0;
    }
    if (found == 0 || (found & (found - 1)) != 0)
        return channels_ask_which(
            channels, found ? "this store has two bandwidths" : "there is no such store", err);
    return found;
}

/* Saves the changed settings, if there is a state file. */
static int channels_save(struct channels *channels, struct err *err)
{
    const struct channel *first = &channels->list[0];
    const struct rules *rules[WIRE_CHANNELS];
    const char *stores[WIRE_CHANNELS];
    for (uint32_t i = 0; i < channels->count; i++) {
        rules[i] = &channels->list[i].controller->rules;
        stores[i] = i > 0 || !channels->platform ? channels->list[i].store : "";
    }
    const char *path = first->service[first->latest].state;
    if (!path)
        return 0;
    int status = state_save(&channels->saving, path,
                            &(struct state_rules){rules, stores, channels->count}, err);
    channels->unsaved = status == STATE_LATER;
    return status == 0 ? 0 : -1;
}

/* What was set while the state file did not answer is saved once it does. */
static void channels_save_late(struct channels *channels)
{
    struct err err = {0};
    if (channels->unsaved && !state_is_late(&channels->saving) &&
        channels_save(channels, &err) != 0 && !channels->unsaved)
        channels_say(channels, err.text);
}

const struct service *channels_service(const struct channels *channels)
{
    return &channels->list[0].service[channels->list[0].latest];
}

void channels_drop_plan(const struct channels *channels, const char *strategy)
{
    for (uint32_t i = 0; i < channels->count; i++)
        if (strcmp(channels_strategy(&channels->list[i]), strategy) == 0)
            return;
    plan_store_drop(channels_service(channels), strategy);
}

int channels_check(const struct channels *channels, const struct wire_set *set, struct err *err)
{
    uint32_t which = channels_of(channels, set, err);
    for (uint32_t i = 0; i < channels->count; i++)
        if (which >> i & 1 && controller_check(channels->list[i].controller, set, err) != 0)
            return -1;
    return which != 0 ? 0 : -1;
}

int channels_set(struct channels *channels, uint64_t now, const struct seat *by,
                 const struct wire_set *set, struct err *err)
{
    const struct controller_author author = {by != NULL, by ? by->uid : 0, by ? by->pid : 0};
    uint32_t which = channels_of(channels, set, err);
    if (which == 0)
        return -1;
    for (uint32_t i = 0; i < channels->count; i++) {
        if (!(which >> i & 1))
            continue;
        char before[WIRE_TEXT] = "";
        text_append(before, sizeof before, channels_strategy(&channels->list[i]));
        if (controller_set(channels->list[i].controller, now, set, err) != 0)
            return -1;
        channels_drop_plan(channels, before);
        controller_note_change(channels->list[i].controller, now, author, set);
    }
    return channels_save(channels, err) == 0 ? __builtin_ctz(which) : -1;
}

/* Settings from a state file go to copies first. */
struct restoring {
    const struct channels *channels;
    struct rules rules[WIRE_CHANNELS];
};

static int channels_take(void *context, const struct wire_set *set, struct err *err)
{
    struct restoring *restoring = context;
    uint32_t which = channels_of(restoring->channels, set, err);
    if (which == 0)
        return -1;
    for (uint32_t i = 0; i < restoring->channels->count; i++)
        if (which >> i & 1 && rules_add(&restoring->rules[i], set, WIRE_CHANGED, err) != 0)
            return -1;
    return 0;
}

int channels_restore(struct channels *channels, uint64_t now, struct err *err)
{
    struct restoring restoring = {.channels = channels};
    const char *path = channels->list[0].controller->service->state;
    int status = 0;
    if (!path)
        return 0;
    for (uint32_t i = 0; i < channels->count && status == 0; i++)
        status = rules_configured(&channels->list[i].controller->rules, &restoring.rules[i], err);
    if (status == 0)
        status = state_load(path, STATE_PATIENCE, channels_take, &restoring, err);
    for (uint32_t i = 0; i < channels->count; i++) {
        struct controller *controller = channels->list[i].controller;
        if (status != 0)
            rules_free(&restoring.rules[i]);
        else if ((status = controller_adopt(controller, now, &restoring.rules[i],
                                            controller->service, err)) != 0)
            err_prepend(err, "%s", path);
    }
    return status;
}

/* --- another configuration -------------------------------------------------------------------- */

/* Restores all channels, some of which have already changed. */
static void channels_go_back(struct channels *channels, uint64_t now, uint32_t changed)
{
    for (uint32_t i = 0; i < changed; i++) {
        struct channel *channel = &channels->list[i];
        const struct service *before = &channel->service[channel->latest];
        struct err err;
        channel_reload(channel, now, before, &err);
        /* Without memory the settings stay changed, and are the only change. */
        channel_configure(channel, before);
    }
}

int channels_reload(struct channels *channels, uint64_t now, const struct service *service,
                    struct err *err)
{
    struct channels fresh;
    if (channels_plan(&fresh, service, err) != 0)
        return -1;
    for (uint32_t i = 0; i < channels->count; i++) {
        struct channel *channel = &channels->list[i];
        struct service *own = &channel->service[!channel->latest];
        *own = fresh.list[i].service[0];
        if (channel_reload(channel, now, own, err) != 0) {
            channels_go_back(channels, now, i);
            return -1;
        }
    }
    for (uint32_t i = 0; i < channels->count; i++)
        channels->list[i].latest = !channels->list[i].latest;
    return 0;
}
