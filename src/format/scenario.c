/* `scenario`: the YAML file that people write. Tables of keys say what may stand in it. */
#include "format/application.h"
#include "format/kinds.h"
#include "format/registry.h"
#include "format/site.h"
#include "format/store_keys.h"
#include "format/word.h"
#include <string.h>

static int read_platform(struct reader *reader, const struct key *key, void *into);
static int read_window(struct reader *reader, const struct key *key, void *into);
static int scenario_read_applications(struct reader *reader, const struct key *key, void *into);

const struct kind kind_platform = {.value = "a mapping", .read = read_platform};
static const struct kind window = {.value = "'auto' or a mapping", .read = read_window};
static const struct kind applications = {.value = "a list of mappings",
                                         .read = scenario_read_applications};

static const struct key scenario_keys[] = {
    {"name", &kind_text, offsetof(struct scenario, name), OPTIONAL, "default that of the file"},
    SITE_KEYS(struct scenario,
              "the file systems; they share the platform's bandwidth unless they have their own. "
              "By default there is one",
              "the strategy; default the few that differ most"),
    {"window", &window, offsetof(struct scenario, window), OPTIONAL,
     "the time that is measured; 'auto' = the time of the shortest application alone; "
     "default the whole run"},
    {"seed", &kind_seed, offsetof(struct scenario, seed), OPTIONAL, "of all randomness; default 0"},
    {"applications", &applications, 0, REQUIRED, "what runs on it"},
    {0}};

static const struct key platform_keys[] = {
    {"nodes", &kind_nodes, offsetof(struct platform, nodes), OPTIONAL,
     "of the machine; default those of the applications together"},
    {"node_bandwidth", &kind_rate, offsetof(struct platform, node_bandwidth), OPTIONAL,
     "of each node; default that of the file system"},
    {"bandwidth", &kind_platform_bandwidth, 0, OPTIONAL,
     "of the file system; required unless given as --bandwidth. A controller can estimate it: "
     "'auto', or {auto: [LOW, HIGH]}"},
    {"contention", &kind_contention, offsetof(struct platform, store), OPTIONAL,
     "how the bandwidth falls with the number k of applications that use it: a ratio d for "
     "1/(1 + d(k - 1)), or the ratios for k = 1, 2, ...; default it does not"},
    {"health", &kind_health, offsetof(struct platform, store), OPTIONAL,
     "how the bandwidth varies over time: lines 'seconds,factor' of a file, a list of changes, or "
     "quantiles; default it does not"},
    {0}};

static const struct key window_keys[] = {
    {"start", &kind_seconds, offsetof(struct window, start), OPTIONAL, "default 0"},
    {"end", &kind_seconds, offsetof(struct window, end), REQUIRED, "after the start"},
    {0}};

static const struct key_table scenario_table = {"the scenario", scenario_keys};
static const struct key_table platform_table = {"platform", platform_keys};
static const struct key_table window_table = {"window", window_keys};

static int read_platform(struct reader *reader, const struct key *key, void *into)
{
    (void)key;
    reader->draft->platform_line = reader_line(reader);
    return key_table_read(reader, &platform_table, into, NULL);
}

static int read_window(struct reader *reader, const struct key *key, void *into)
{
    struct window *result = into;
    size_t line = reader_line(reader);
    if (reader->event.type == YAML_SCALAR_EVENT) {
        const char *word = reader_scalar(reader, key->name, kind_value(key->kind));
        if (!word)
            return -1;
        if (strcmp(word, "auto") != 0)
            return reader_fail(reader, line, "window '%s' is not 'auto' or {start: ..., end: ...}",
                               quote_text(word, strlen(word)).text);
        result->kind = WINDOW_AUTO;
        return 0;
    }
    struct err fault;
    result->kind = WINDOW_FIXED;
    if (key_table_read(reader, &window_table, into, NULL) != 0)
        return -1;
    if (window_validate(result, &fault) != 0)
        return reader_fail(reader, line, "%s", fault.text);
    return 0;
}

static int scenario_read_applications(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, application_read, into);
}

static int scenario_read_document(struct reader *reader, const struct format_defaults *defaults)
{
    struct draft *draft = reader->draft;
    size_t line = reader_line(reader);
    if (key_table_read(reader, &scenario_table, draft->scenario, NULL) != 0 ||
        reader_finish(reader) != 0)
        return -1;
    draft_override(draft, defaults);
    if (draft->scenario->platform.bandwidth == 0 && stores_share(&draft->scenario->stores))
        return reader_fail(reader, draft->platform_line ? draft->platform_line : line,
                           "missing key 'bandwidth' in platform; --bandwidth sets it too");
    return 0;
}

static struct scenario *scenario_parse(const char *text, size_t length, const char *where,
                                       const struct format_defaults *defaults, struct err *err)
{
    struct draft draft;
    struct reader reader;
    struct scenario *scenario = NULL;
    if (draft_init(&draft, where, err) == 0) {
        if (reader_init(&reader, text, length, &draft, err) == 0 &&
            scenario_read_document(&reader, defaults) == 0)
            scenario = draft_finish(&draft, err);
        reader_fini(&reader);
    }
    draft_fini(&draft);
    return scenario;
}

const struct format format_scenario = {
    .name = "scenario",
    .help = "YAML: platform, window, seed and applications",
    .parse = scenario_parse,
};

static void document(const struct key_table *mapping,
                     void (*row)(void *context, const char *mapping, const char *key,
                                 const char *value, const char *help),
                     void *context)
{
    for (const struct key *key = mapping->keys; key->name; key++)
        row(context, mapping->name, key->name, kind_value(key->kind), key->help);
}

void scenario_document(void (*row)(void *context, const char *mapping, const char *key,
                                   const char *value, const char *help),
                       void *context)
{
    document(&scenario_table, row, context);
    document(&platform_table, row, context);
    for (size_t i = 0; store_tables[i]; i++)
        document(store_tables[i], row, context);
    document(&window_table, row, context);
    for (size_t i = 0; site_tables[i]; i++)
        document(site_tables[i], row, context);
    for (size_t i = 0; application_tables[i]; i++)
        document(application_tables[i], row, context);
}
