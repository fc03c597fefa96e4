#include "serve/plan_store.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A place and a hash. */
enum { PLAN_STORE_PATH = PATH_MAX + 32 };

static const char plan_store_mark[] = ".plan.", plan_store_param[] = "file=";

/* FNV-1a: another plan has another name, so that a strategy that names it is another one. */
static uint64_t plan_store_hash(const struct plan_text *plan)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < plan->size; i++)
        hash = (hash ^ (unsigned char)plan->bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* "DIRECTORY/BASE.plan." with an absolute directory. 0, or -1 with err. */
static int plan_store_place(const struct service *service, char place[PATH_MAX], struct err *err)
{
    const char *base = service->state ? service->state : service->socket;
    const char *slash = strrchr(base, '/');
    char directory[PATH_MAX], full[PATH_MAX];
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - base + 1) : 1,
             slash ? base : ".");
    if (!realpath(directory, full))
        return err_set(err, "cannot keep the plan in '%s': %s", directory, strerror(errno));
    int length = snprintf(place, PATH_MAX, "%s/%s%s", strcmp(full, "/") == 0 ? "" : full,
                          slash ? slash + 1 : base, plan_store_mark);
    return length < PATH_MAX ? 0 : err_set(err, "the path of '%s' is too long", base);
}

/* Whether the file has this content. One that a crash cut, or another user made, has not. */
static bool plan_store_has(const char *path, const struct plan_text *plan)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char bytes[4096];
    size_t at = 0;
    ssize_t part = 1;
    while (fd >= 0 && part > 0 && at <= plan->size) {
        part = read(fd, bytes, sizeof bytes);
        if (part > 0 &&
            ((size_t)part > plan->size - at || memcmp(bytes, plan->bytes + at, (size_t)part) != 0))
            part = -1;
        at += part > 0 ? (size_t)part : 0;
    }
    if (fd >= 0)
        close(fd);
    return fd >= 0 && part == 0 && at == plan->size;
}

/* Writes another file and renames it, so that it is never half there. */
static int plan_store_write(const char *path, const struct plan_text *plan, struct err *err)
{
    char beside[PLAN_STORE_PATH + 8];
    snprintf(beside, sizeof beside, "%s.new", path);
    unlink(beside);
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool right =
        fd >= 0 && write(fd, plan->bytes, plan->size) == (ssize_t)plan->size && fsync(fd) == 0;
    right = fd >= 0 && close(fd) == 0 && right && rename(beside, path) == 0;
    if (right)
        return 0;
    err_set(err, "cannot keep the plan in '%s': %s", path, strerror(errno));
    unlink(beside);
    return -1;
}

int plan_store_put(const struct service *service, const struct plan_text *plan,
                   char strategy[WIRE_TEXT], struct err *err)
{
    char path[PLAN_STORE_PATH], place[PATH_MAX];
    if (plan_store_place(service, place, err) != 0)
        return -1;
    snprintf(path, sizeof path, "%s%016" PRIx64, place, plan_store_hash(plan));
    if (strchr(path, ',') ||
        strlen(strategy) + 1 + sizeof plan_store_param + strlen(path) > WIRE_TEXT)
        return err_set(err, "cannot keep the plan in '%s': expected a shorter path without a comma",
                       path);
    text_append(strategy, WIRE_TEXT, strchr(strategy, ':') ? "," : ":");
    text_append(strategy, WIRE_TEXT, plan_store_param);
    text_append(strategy, WIRE_TEXT, path);
    if (plan_store_has(path, plan))
        return 0;
    return plan_store_write(path, plan, err) == 0 ? 1 : -1;
}

const char *plan_store_path(const char *strategy)
{
    size_t length = sizeof plan_store_param - 1;
    for (const char *at = strpbrk(strategy, ":,"); at; at = strpbrk(at + 1, ":,"))
        if (strncmp(at + 1, plan_store_param, length) == 0)
            return at + 1 + length;
    return NULL;
}

void plan_store_drop(const struct service *service, const char *strategy)
{
    char place[PATH_MAX];
    struct err err;
    const char *path = plan_store_path(strategy);
    if (!path || plan_store_place(service, place, &err) != 0)
        return;
    size_t length = strlen(place);
    if (strncmp(path, place, length) == 0 && strspn(path + length, "0123456789abcdef") == 16 &&
        !path[length + 16])
        unlink(path);
}
