#include "base/json.h"
#include "cli/commands.h"
#include "cli/finished.h"
#include "cli/groups.h"
#include "cli/health.h"
#include "cli/page.h"

struct status_options {
    struct words operands;
    struct where where;
    const char *by;
    bool json, finished, health;
    struct whole last;
};

static void status_write_application(struct json *json, const struct wire_app *app)
{
    json_begin_object(json, NULL);
    json_integer(json, "id", app->id);
    finished_write_who(json, &(struct finished_who){.name = app->name,
                                                    .store = app->store,
                                                    .job = app->job,
                                                    .account = app->account,
                                                    .partition = app->partition,
                                                    .uid = app->uid,
                                                    .pid = app->pid});
    json_integer(json, "processes", app->processes);
    json_string(json, "state", wire_state_word(app->state));
    json_number(json, "nodes", app->nodes);
    json_number(json, "bmax", app->bmax);
    json_number(json, "weight", app->weight);
    json_number(json, "age", app->age);
    json_number(json, "granted", app->rate);
    json_number(json, "measured", app->measured);
    json_number(json, "moved", app->moved);
    json_number(json, "volume", app->volume);
    json_string(json, "volume_source",
                app->volume > 0 ? wire_volume_word(app->volume_source) : NULL);
    json_number(json, "remaining", app->remaining);
    json_integer(json, "phases", app->phases);
    json_number(json, "yield", app->yield);
    json_number(json, "stretch", app->stretch);
    json_bool(json, "held", app->held);
    json_number(json, "ahead", app->ahead);
    json_number(json, "limit", app->limit);
    json_number(json, "ops_limit", app->ops_limit);
    json_number(json, "escaped", app->escaped);
    json_string(json, "escaped_why", app->escaped > 0 ? wire_escape_word(app->escaped_why) : NULL);
    json_integer(json, "uncontrolled", app->uncontrolled);
    json_string(json, "failure",
                app->failure != WIRE_FAILED_NONE ? wire_failure_text(app->failure) : NULL);
    json_end_object(json);
}

static void write_channel(struct json *json, const struct wire_status *status)
{
    json_bool(json, "off", status->off);
    json_string(json, "policy", status->policy);
    json_number(json, "bandwidth", status->bandwidth);
    json_number(json, "granted", status->granted);
    json_number(json, "measured", status->measured);
    json_integer(json, "decisions", status->decisions);
    json_integer(json, "processes", status->processes);
}

static void write_store(struct json *json, const struct wire_status *status)
{
    json_begin_object(json, NULL);
    json_string(json, "store", status->store);
    write_channel(json, status);
    json_end_object(json);
}

static void write_finished(const struct snapshot *snapshot)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", WEIR_VERSION);
    json_begin_array(&json, "finished");
    for (size_t i = 0; i < snapshot->done_count; i++)
        finished_write(&json, &snapshot->done[i]);
    json_end_array(&json);
    json_end_object(&json);
}

static void status_write_controller(struct json *json, const struct snapshot *snapshot)
{
    const struct wire_status *status = &snapshot->status;
    json_number(json, "age", status->now);
    json_number(json, "node_bandwidth", status->node_bandwidth);
    write_channel(json, status);
    json_string(json, "escape_check", status->sees_all ? "all" : "own");
    json_integer(json, "refused", status->refused);
    if (snapshot->channel_count > 0) {
        json_begin_array(json, "stores");
        write_store(json, status);
        for (size_t i = 0; i < snapshot->channel_count; i++)
            write_store(json, &snapshot->channels[i]);
        json_end_array(json);
    }
}

static void status_write_agent(struct json *json, const struct wire_agent *agent)
{
    json_begin_object(json, "agent");
    json_string(json, "node", agent->node);
    json_string(json, "controller", agent->controller);
    json_bool(json, "connected", agent->connected);
    json_bool(json, "reached", agent->reached);
    json_integer(json, "epoch", agent->epoch);
    json_number(json, "lease", agent->lease);
    json_integer(json, "processes", agent->processes);
    json_integer(json, "refused", agent->refused);
    json_end_object(json);
}

static void status_write_all(const struct snapshot *snapshot)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", WEIR_VERSION);
    if (*snapshot->agent.node)
        status_write_agent(&json, &snapshot->agent);
    else
        status_write_controller(&json, snapshot);
    json_begin_array(&json, "applications");
    for (size_t i = 0; i < snapshot->count; i++)
        status_write_application(&json, &snapshot->apps[i]);
    json_end_array(&json);
    json_end_object(&json);
}

static int status_print_groups(const struct snapshot *snapshot,
                               const struct status_options *options, bool finished, struct err *err)
{
    struct groups groups;
    int key = groups_find(options->by, err);
    int status = groups_init(&groups, snapshot, (enum groups_key)key, finished, err);
    if (status == 0)
        groups_print(&groups, options->json);
    groups_fini(&groups);
    return status;
}

static int status_check_health(const struct snapshot *snapshot,
                               const struct status_options *options, struct err *err)
{
    int warnings = health_print(snapshot, options->json);
    if (warnings == 0)
        return 0;
    return err_set(err, "not all is well: %d check%s", warnings,
                   warnings == 1 ? " warns" : "s warn");
}

static int status_run(const void *values, struct err *err)
{
    const struct status_options *options = values;
    char path[IDENTITY_PATH];
    struct where where;
    struct snapshot snapshot;
    bool finished = options->finished || options->last.given;
    uint64_t most = options->last.given ? options->last.value : UINT32_MAX;
    struct wire_query query = {.applications = !finished};
    if (options->last.given && options->last.value == 0) {
        err_option(err, "--last: expected at least 1");
        return STATUS_MISUSE;
    }
    if (options->by && groups_find(options->by, err) < 0)
        return STATUS_MISUSE;
    if (where_find(&options->where, path, &where, err) != 0)
        return STATUS_MISUSE;
    if (finished)
        query.finished = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    int status = snapshot_take(&snapshot, &where, query, err);
    if (status == 0 && options->health)
        status = status_check_health(&snapshot, options, err);
    else if (status == 0 && options->by)
        status = status_print_groups(&snapshot, options, finished, err);
    else if (status == 0 && options->json)
        (finished ? write_finished : status_write_all)(&snapshot);
    else if (status == 0)
        page_print(&snapshot, finished ? finished_draw : screen_draw);
    snapshot_fini(&snapshot);
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static const struct option options[] = {
    WHERE_OPTIONS(struct status_options, where),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct status_options, json),
     "print everything as JSON, including limits and what escaped control"},
    {"health", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct status_options, health),
     "only check whether all is well: a line for each check; exit code 1 if one warns"},
    {"finished", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct status_options, finished),
     "show applications that have left instead of those that run: the last 256"},
    {"last", 0, OPTION_WHOLE, UNIT_NONE, "N", offsetof(struct status_options, last),
     "only the last N of these"},
    {"by", 0, OPTION_TEXT, UNIT_NONE, "KEY", offsetof(struct status_options, by),
     "show sums by job, user or account instead of applications; '-' stands for none"},
    {.name = NULL},
};

const struct command command_status = {
    .name = "status",
    .summary = "show what runs under a controller",
    .options = options,
    .details =
        "What an application still has to move is known from a hint, or estimated as the mean of "
        "its earlier I/Os, or guessed; the column 'by' shows which. For an application that has "
        "left, 'waited' is the time its I/O took beyond its time alone, and 'stretch' its whole "
        "time over its time alone. On a terminal, columns that do not fit are left out.",
    .example = "weir status --json",
    .size = sizeof(struct status_options),
    .run = status_run,
};
