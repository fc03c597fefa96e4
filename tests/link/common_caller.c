#include "common_caller.h"
#include <stdio.h>
#include <unistd.h>

static int caller_connected(void *context, uint32_t version, const void *terms, size_t size,
                            struct err *err)
{
    struct caller *caller = context;
    (void)err;
    snprintf(caller->terms, sizeof caller->terms, "%.*s", (int)size, (const char *)terms);
    caller->version = version;
    caller->connected++;
    return 0;
}

static int caller_frame(void *context, const void *bytes, size_t size, struct err *err)
{
    struct caller *caller = context;
    (void)err;
    snprintf(caller->latest, sizeof caller->latest, "%.*s", (int)size, (const char *)bytes);
    caller->frames++;
    return 0;
}

static void caller_writable(void *context)
{
    ((struct caller *)context)->writable++;
}

static void caller_gone(void *context)
{
    ((struct caller *)context)->gone++;
}

static void caller_say(void *context, const char *text)
{
    struct caller *caller = context;
    snprintf(caller->said, sizeof caller->said, "%s", text);
}

static const struct link_dialer_calls caller_calls = {
    caller_connected, caller_frame, caller_writable, caller_gone, caller_say, NULL,
};

/* Which munged makes the credential, and for which user. */
static struct {
    const char *munge;
    uint32_t reader;
} caller_means;

void caller_dial(struct scene *scene, struct caller *caller, const char *controllers,
                 struct link_versions speaks)
{
    struct link_address list[LINK_CONTROLLERS];
    struct err err;
    int count = link_address_list(controllers, LINK_PORT, list, &err);
    assert_true(count > 0);
    struct link_dialer_setup setup = {
        .controllers = list,
        .controller_count = (uint32_t)count,
        .munge = caller_means.munge ? caller_means.munge : scene->guard->socket,
        .controller_uid = caller_means.munge ? caller_means.reader : geteuid(),
        .speaks = speaks,
        .hello = {.role = LINK_AGENT, .boot = {1, 2}, .incarnation = 77, .epoch = 5, .name = "n1"},
        .calls = &caller_calls,
        .context = caller};
    *caller = (struct caller){0};
    caller->dialer = link_dialer_new(&scene->loop, &setup, &err);
    assert_non_null(caller->dialer);
}

void caller_dial_scene(struct scene *scene, struct caller *caller)
{
    char place[32];
    snprintf(place, sizeof place, "127.0.0.1:%d", scene->port);
    caller_dial(scene, caller, place, scene->speaks);
}

void caller_dial_as(struct scene *scene, struct caller *caller, const char *munge, uint32_t reader)
{
    caller_means.munge = munge;
    caller_means.reader = reader;
    caller_dial_scene(scene, caller);
    caller_means.munge = NULL;
}
