#include "cli/service_check.h"
#include "cli/rate.h"
#include "client/identity.h"
#include "escape/backstop.h"
#include "serve/channels.h"
#include "serve/election.h"
#include "controller/named_plan.h"
#include "base/reach.h"
#include "serve/state.h"
#include "link/server.h"
#include "wire/message.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stores that have their own bandwidth need no other. */
static int service_check_platform(const struct platform *platform, bool needed, struct err *err)
{
    if (needed && !(platform->bandwidth > 0))
        return err_set(err, "missing --bandwidth RATE");
    if (platform->bandwidth > 0 && rate_check(platform->bandwidth, err) != 0)
        return err_prepend(err, "bandwidth");
    if (isfinite(platform->node_bandwidth) && rate_check(platform->node_bandwidth, err) != 0)
        return err_prepend(err, "node bandwidth");
    return 0;
}

/* As a write in pieces moves them: not too many of them, and no more than one call can move. */
#define LEAST_PIECES 65536.0
#define MOST_PIECES  1073741824.0

static int check_terms(const struct site_store *store, struct err *err)
{
    const double rates[] = {store->bandwidth, store->reads, store->writes};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (rates[i] > 0 && rate_check(rates[i], err) != 0)
            return err_prepend(err, "store '%s'", store->path);
    if (store->pieces > 0 && !(store->pieces >= LEAST_PIECES && store->pieces <= MOST_PIECES))
        return err_set(err, "store '%s': expected pieces of 64 KiB to 1 GiB", store->path);
    return 0;
}

static int service_check_one_store(const struct site_store *store, struct err *err)
{
    const char *path = store->path;
    if (*path != '/' || strchr(path, ':'))
        return err_option(err, "--store: '%s' is not an absolute path without a colon", path);
    return check_terms(store, err);
}

/* Nanoseconds for which a store is waited for. */
#define STORE_PATIENCE 1000000000u

/* One that hangs may be right: programs are controlled there when it answers again. */
static int service_find_store(const char *path, struct err *err)
{
    struct stat file;
    int error = reach_store(path, STORE_PATIENCE, &file);
    if (error == ETIMEDOUT)
        fprintf(stderr, "weir: store '%s' does not answer\n", path);
    else if (error != 0)
        return err_set(err, "store '%s': %s", path, strerror(error));
    else if (!S_ISDIR(file.st_mode))
        return err_set(err, "store '%s' is not a directory", path);
    return 0;
}

static int check_limit(const struct limit *limit, struct err *err)
{
    if (strlen(limit->name) >= WIRE_NAME)
        return err_set(err, "limits: the name '%s' is too long", limit->name);
    if (limit->bandwidth > 0 && rate_check(limit->bandwidth, err) != 0)
        return err_prepend(err, "limits");
    if (limit->ops > 0 && !(limit->ops >= WIRE_LEAST_OPS && limit->ops <= WIRE_MOST_OPS))
        return err_set(err, "limits: expected ops from %g to %g per second, not %g", WIRE_LEAST_OPS,
                       WIRE_MOST_OPS, limit->ops);
    if (limit->weight > 0 &&
        !(limit->weight >= WIRE_LEAST_WEIGHT && limit->weight <= WIRE_MOST_WEIGHT))
        return err_set(err, "limits: expected a weight from %g to %g, not %g", WIRE_LEAST_WEIGHT,
                       WIRE_MOST_WEIGHT, limit->weight);
    return 0;
}

/* Whether both give the same key for the same applications: only one would count. */
static bool limits_collide(const struct limit *one, const struct limit *two)
{
    return one->by_user == two->by_user && (!one->by_user || one->uid == two->uid) &&
           strcmp(one->name, two->name) == 0 &&
           ((one->bandwidth > 0 && two->bandwidth > 0) || (one->ops > 0 && two->ops > 0) ||
            (one->weight > 0 && two->weight > 0));
}

static int check_limits(const struct service *service, struct err *err)
{
    for (uint32_t i = 0; i < service->limits.count; i++) {
        const struct limit *limit = &service->limits.list[i];
        if (check_limit(limit, err) != 0)
            return -1;
        for (uint32_t k = 0; k < i; k++)
            if (limits_collide(&service->limits.list[k], limit))
                return err_set(err, "limits: the same key is given twice for %s%s",
                               limit->by_user ? "one user"
                               : *limit->name ? ""
                                              : "all others",
                               limit->name);
    }
    return 0;
}

static int check_times(const struct service *service, struct err *err)
{
    if (!(service->max_wait > 0 && service->max_wait <= SERVICE_MOST_WAIT))
        return err_set(err, "expected a max_wait above 0 and up to %g s, not %g s",
                       SERVICE_MOST_WAIT, service->max_wait);
    if (!(service->soft_release <= SERVICE_MOST_PAUSE && service->phase_gap <= SERVICE_MOST_PAUSE))
        return err_set(err, "expected a soft_release and a phase_gap of up to %g s",
                       SERVICE_MOST_PAUSE);
    return 0;
}

/* Whether a file can be made there, or replaced. */
static int check_place(const char *what, const char *path, struct err *err)
{
    char directory[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof directory)
        return err_set(err, "%s '%s': %s", what, path, strerror(ENAMETOOLONG));
    memcpy(directory, path, length);
    directory[length] = '\0';
    if (access(length ? directory : slash ? "/" : ".", W_OK | X_OK) != 0)
        return err_set(err, "cannot create the %s '%s': %s", what, path, strerror(errno));
    return 0;
}

/* Whether a file can be written, or made where it is not yet. */
static int check_file(const char *what, const char *path, struct err *err)
{
    struct stat file;
    if (stat(path, &file) == 0) {
        if (S_ISDIR(file.st_mode))
            return err_set(err, "%s '%s' is a directory", what, path);
        if (access(path, W_OK) != 0)
            return err_set(err, "cannot write the %s '%s': %s", what, path, strerror(errno));
        return 0;
    }
    return errno == ENOENT ? check_place(what, path, err)
                           : err_set(err, "%s '%s': %s", what, path, strerror(errno));
}

/* A plan must fit the bandwidth that the same file sets, in whatever order. */
static int service_take_bandwidth(void *context, const struct wire_set *set, struct err *err)
{
    struct channels *channels = context;
    uint32_t which = channels_of(channels, set, err);
    for (uint32_t i = 0; i < channels->count; i++)
        if (which >> i & 1 && set->setting == WIRE_SET_BANDWIDTH && set->value > 0)
            channels->list[i].service[0].platform.bandwidth = set->value;
    return which != 0 ? 0 : -1;
}

static int service_check_setting(void *context, const struct wire_set *set, struct err *err)
{
    const struct channels *channels = context;
    uint32_t which = channels_of(channels, set, err);
    int status = which != 0 ? 0 : -1;
    for (uint32_t i = 0; i < channels->count && status == 0; i++)
        if (which >> i & 1 && set->setting == WIRE_SET_POLICY)
            status = named_plan_check(set->text, &channels->list[i].service[0].platform, err);
    return status;
}

/* Nanoseconds for which the state is waited for at the start. */
#define STATE_START 10000000000u

static int check_state(const char *path, struct channels *channels, struct err *err)
{
    int status = check_file("state", path, err);
    if (status == 0 && (state_load(path, STATE_START, service_take_bandwidth, channels, err) != 0 ||
                        state_load(path, STATE_START, service_check_setting, channels, err) != 0))
        status = err_prepend(err, "correct the line, or remove the file to continue without it");
    return status;
}

/* That of munged must be there: nothing can connect without it. */
static int check_munge(const char *path, struct err *err)
{
    struct stat file;
    if (strlen(path) >= IDENTITY_PATH)
        return err_set(err, "invalid socket of munged '%s', expected at most %d bytes", path,
                       IDENTITY_PATH - 1);
    if (stat(path, &file) != 0)
        return err_set(err, "socket of munged '%s': %s", path, strerror(errno));
    return S_ISSOCK(file.st_mode) ? 0
                                  : err_set(err, "'%s' is not a socket: expected munged's", path);
}

static int service_check_cluster(const struct service_cluster *cluster, struct err *err)
{
    struct link_address address;
    struct election_place place;
    if (cluster->leader && !cluster->listen)
        return err_set(err, "missing --listen ADDR[:PORT], where agents connect to the leader");
    if (!cluster->listen)
        return 0;
    if (cluster->leader && election_read(cluster->leader, &place, err) != 0)
        return -1;
    if (cluster->floor > 0 && rate_check(cluster->floor, err) != 0)
        return err_prepend(err, "floor");
    if (cluster->munge && check_munge(cluster->munge, err) != 0)
        return -1;
    return link_address_read(cluster->listen, LINK_PORT, &address, err);
}

int service_check(const struct service *service, struct err *err)
{
    struct channels channels;
    for (uint32_t i = 0; i < service->stores.count; i++)
        if (service_check_one_store(&service->stores.list[i], err) != 0)
            return -1;
    if (channels_plan(&channels, service, err) != 0 ||
        service_check_platform(&service->platform, channels.platform, err) != 0)
        return -1;
    if (!*service->socket || strlen(service->socket) >= IDENTITY_PATH)
        return err_set(err, "invalid socket path '%s', expected 1 to %d bytes", service->socket,
                       IDENTITY_PATH - 1);
    if (check_limits(service, err) != 0 || check_times(service, err) != 0)
        return -1;
    if (service->journal && service->state && strcmp(service->journal, service->state) == 0)
        return err_set(err, "journal and state are the same file '%s'", service->journal);
    if (service_check_cluster(&service->cluster, err) != 0)
        return -1;
    for (uint32_t i = 0; i < channels.count; i++) {
        const struct service *one = &channels.list[i].service[0];
        if (named_plan_check(one->policy, &one->platform, err) != 0)
            return err_prepend(err, "policy");
    }
    return 0;
}

int service_check_files(const struct service *service, struct err *err)
{
    struct channels channels;
    for (uint32_t i = 0; i < service->stores.count; i++)
        if (service_find_store(service->stores.list[i].path, err) != 0)
            return -1;
    if (channels_plan(&channels, service, err) != 0)
        return -1;
    if (service->journal && check_file("journal", service->journal, err) != 0)
        return -1;
    if (service->state && check_state(service->state, &channels, err) != 0)
        return -1;
    return service->cgroup ? backstop_check(service, err) : 0;
}

int service_check_places(const struct service *service, struct err *err)
{
    struct link_address address;
    struct stat file;
    if (lstat(service->socket, &file) == 0 && !S_ISSOCK(file.st_mode))
        return err_set(err, "'%s' exists and is not a socket", service->socket);
    if (check_place("socket", service->socket, err) != 0)
        return -1;
    if (!service->cluster.listen)
        return 0;
    return link_address_read(service->cluster.listen, LINK_PORT, &address, err) == 0
               ? link_server_check(&address, err)
               : -1;
}
