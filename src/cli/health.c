#include "cli/health.h"
#include "base/json.h"
#include <stdarg.h>
#include <stdio.h>

enum { HEALTH_CHECKS = 8, HEALTH_TEXT = 160 };

struct checkup {
    struct {
        const char *name;
        bool warns;
        char text[HEALTH_TEXT];
    } list[HEALTH_CHECKS];
    int count;
};

__attribute__((format(printf, 4, 5))) static void health_add(struct checkup *health,
                                                             const char *name, bool warns,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    health->list[health->count].name = name;
    health->list[health->count].warns = warns;
    vsnprintf(health->list[health->count++].text, HEALTH_TEXT, format, arguments);
    va_end(arguments);
}

static void health_check_agent(struct checkup *health, const struct wire_agent *agent)
{
    health_add(health, "controller", !agent->connected, "%s %s",
               agent->connected ? "connected to" : "not connected to", agent->controller);
    health_add(health, "lease", !(agent->lease > 0),
               agent->lease > 0 ? "%.1f s left" : "none: programs run unthrottled", agent->lease);
    health_add(health, "refused", agent->refused > 0, "%llu attempts to attach",
               (unsigned long long)agent->refused);
}

static void health_check_applications(struct checkup *health, const struct snapshot *snapshot)
{
    double moved = 0, escaped = 0;
    uint32_t uncontrolled = 0, starving = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        const struct wire_app *app = &snapshot->apps[i];
        moved += app->moved;
        escaped += app->escaped;
        uncontrolled += app->uncontrolled > 0;
        starving += app->yield < 0.2 && app->age > 60;
    }
    double part = escaped > 0 ? escaped / (moved + escaped) : 0;
    health_add(health, "escaped", part > 0.1, "%.3g %% of the bytes of those that run", 100 * part);
    health_add(health, "uncontrolled", uncontrolled > 0, "%u applications", uncontrolled);
    health_add(health, "starving", starving > 0, "%u applications with a yield below 0.2",
               starving);
}

static void health_check_controller(struct checkup *health, const struct snapshot *snapshot)
{
    const struct wire_status *status = &snapshot->status;
    health_add(health, "control", status->off,
               status->off ? "off: it observes, and nothing waits" : "on");
    health_add(health, "escape_check", !status->sees_all,
               status->sees_all ? "sees the processes of all users"
                                : "sees only the processes of its own user: run it as root");
    health_add(health, "refused", status->refused > 0, "%llu attempts to attach",
               (unsigned long long)status->refused);
    health_check_applications(health, snapshot);
}

int health_print(const struct snapshot *snapshot, bool as_json)
{
    struct checkup health = {.count = 0};
    struct json json = {.out = stdout, .pretty = true};
    int warnings = 0;
    if (*snapshot->agent.node)
        health_check_agent(&health, &snapshot->agent);
    else
        health_check_controller(&health, snapshot);
    if (as_json)
        json_begin_object(&json, NULL);
    for (int i = 0; i < health.count; i++) {
        bool warns = health.list[i].warns;
        warnings += warns;
        if (!as_json)
            printf("%-8s %-12s %s\n", warns ? "warning" : "ok", health.list[i].name,
                   health.list[i].text);
        else
            json_string(&json, health.list[i].name, warns ? health.list[i].text : "ok");
    }
    if (as_json)
        json_end_object(&json);
    return warnings;
}
