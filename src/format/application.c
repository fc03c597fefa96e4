#include "format/application.h"
#include "base/suggest.h"
#include "format/kinds.h"
#include "format/phases.h"
#include "format/word.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int application_read_phases(struct reader *reader, const struct key *key, void *into);
static int application_read_user(struct reader *reader, const struct key *key, void *into);
static int application_read_account(struct reader *reader, const struct key *key, void *into);
static int application_read_store(struct reader *reader, const struct key *key, void *into);
static int phase_read_store(struct reader *reader, const struct key *key, void *into);
static int application_read_length(struct reader *reader, const struct key *key, void *into);
static int read_noise(struct reader *reader, const struct key *key, void *into);
static int read_work(struct reader *reader, const struct key *key, void *into);
static int read_io(struct reader *reader, const struct key *key, void *into);
static int read_shape(struct reader *reader, const struct key *key, void *into);

/* --- the tables ----------------------------------------------------------------------------- */

static const struct kind phases = {.value = "a list of phases", .read = application_read_phases};
static const struct kind application_user = {.value = "a text", .read = application_read_user};
static const struct kind application_account = {.value = "a text",
                                                .read = application_read_account};
static const struct kind application_length = {.value = "a time such as '90 s' or '1.5 h'",
                                               .read = application_read_length};
static const struct kind application_store = {.value = "a path of a store",
                                              .read = application_read_store};
static const struct kind phase_store = {.value = "a path of a store", .read = phase_read_store};
static const struct kind noise = {.value = "a mapping", .read = read_noise};
static const struct kind work = {.value = "a time or a distribution", .read = read_work};
static const struct kind io = {.value = "a size or a distribution", .read = read_io};
static const struct kind shape = {.value = "a name of a distribution", .read = read_shape};

#define AT(member) offsetof(struct app_spec, member)
static const struct key application_keys[] = {
    {"name", &kind_text, AT(name), OPTIONAL, "default app1, app2, ..."},
    {"count", &kind_replicas, AT(count), OPTIONAL, "number of copies; default 1"},
    {"nodes", &kind_nodes, AT(nodes), OPTIONAL, "required unless bandwidth is given"},
    {"bandwidth", &kind_rate, AT(bandwidth), OPTIONAL,
     "most it can use; default nodes times the node bandwidth"},
    {"work", &work, AT(work), OPTIONAL, "computation before each I/O"},
    {"io", &io, AT(io), OPTIONAL, "volume moved after each work"},
    {"iterations", &kind_iterations, AT(iterations), OPTIONAL, "of work and I/O; default 1"},
    {"phases", &phases, 0, OPTIONAL, "one by one, in place of work, io and iterations"},
    {"store", &application_store, 0, OPTIONAL,
     "a path in the store that its I/O goes to; default the first store"},
    {"release", &kind_moment, AT(release), OPTIONAL,
     "when it starts, negative if before time 0; default 0"},
    {"weight", &kind_factor, AT(weight), OPTIONAL, "its importance; default 1"},
    {"user", &application_user, 0, OPTIONAL, "whose it is, for shares and measures by user"},
    {"account", &application_account, 0, OPTIONAL,
     "that it runs for; default the first that the shares list for its user"},
    {"progress", &kind_seconds, AT(progress), OPTIONAL, "made before time 0; default 0"},
    {"waiting", &kind_seconds, AT(waiting), OPTIONAL,
     "how long its first I/O has been waiting at time 0; default 0"},
    {"period", &kind_seconds, AT(period), OPTIONAL,
     "known length of an iteration; default: learnt from the run"},
    {"calls", &kind_bytes, AT(calls), OPTIONAL,
     "moved by each of its calls, which cannot be split; default: little"},
    {"length", &application_length, 0, OPTIONAL,
     "that it takes alone in all, if that is known; default: unknown"},
    {"noise", &noise, 0, OPTIONAL, "each phase is longer or shorter by up to this share"},
    {0}};

static const struct key noise_keys[] = {
    {"work", &kind_ratio, AT(noise_work), OPTIONAL, "of the time; default 0"},
    {"io", &kind_ratio, AT(noise_io), OPTIONAL, "of the volume; default 0"},
    {0}};
#undef AT

/* A phase while it is read. */
struct phase_draft {
    struct iteration iteration;
    double read;
    int path;
};

static const struct key phase_keys[] = {
    {"work", &kind_seconds, offsetof(struct phase_draft, iteration.work), OPTIONAL, "computation"},
    {"io", &kind_bytes, offsetof(struct phase_draft, iteration.volume), OPTIONAL,
     "transfer, after the work if both"},
    {"write", &kind_bytes, offsetof(struct phase_draft, iteration.volume), OPTIONAL,
     "the same as io"},
    {"read", &kind_bytes, offsetof(struct phase_draft, read), OPTIONAL,
     "transfer in the other direction, instead of io"},
    {"store", &phase_store, offsetof(struct phase_draft, path), OPTIONAL,
     "a path in the store of this I/O; default the application's"},
    {0}};

/* The same keys for work and io, each in its own unit. */
#define AT(member) offsetof(struct distribution, member)
#define DISTRIBUTION_KEYS(unit)                                                                    \
    {"distribution", &shape, AT(kind), REQUIRED,                                                   \
     "constant, uniform, normal, lognormal or exponential"},                                       \
        {"mean", &unit, AT(mean), OPTIONAL, "of all but uniform"},                                 \
        {"sd", &unit, AT(sd), OPTIONAL, "standard deviation of normal and lognormal"},             \
        {"min", &unit, AT(min), OPTIONAL, "smaller values are drawn again; default 0"},            \
    {                                                                                              \
        "max", &unit, AT(max), OPTIONAL, "larger values are drawn again; default none"             \
    }
static const struct key work_keys[] = {DISTRIBUTION_KEYS(kind_seconds), {0}};
static const struct key io_keys[] = {DISTRIBUTION_KEYS(kind_bytes), {0}};
#undef AT

static const struct key_table application_table = {"application", application_keys};
static const struct key_table phase_table = {"phase", phase_keys};
static const struct key_table noise_table = {"noise", noise_keys};
static const struct key_table work_table = {"work", work_keys};
static const struct key_table io_table = {"io", io_keys};

const struct key_table *const application_tables[] = {
    &application_table, &phase_table, &noise_table, &work_table, &io_table, NULL};

/* --- distributions -------------------------------------------------------------------------- */

/* What each distribution cannot do without. */
static const char *const needs[DIST_KINDS][2] = {
    [DIST_CONSTANT] = {"mean"},     [DIST_UNIFORM] = {"min", "max"},
    [DIST_NORMAL] = {"mean", "sd"}, [DIST_LOGNORMAL] = {"mean", "sd"},
    [DIST_EXPONENTIAL] = {"mean"},
};

static int read_shape(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    for (int i = 0; i < DIST_KINDS; i++) {
        if (strcmp(text, distribution_names[i]) == 0) {
            *(enum distribution_kind *)into = (enum distribution_kind)i;
            return 0;
        }
    }
    return reader_fail(reader, reader_line(reader), "unknown distribution '%s'%s",
                       quote_text(text, strlen(text)).text,
                       suggest(text, distribution_names, NULL).text);
}

static int read_distribution(struct reader *reader, const struct key *key,
                             const struct key_table *table, struct amount *into)
{
    size_t line = reader_line(reader);
    struct distribution read = {.kind = DIST_CONSTANT, .max = INFINITY};
    uint64_t seen;
    if (key_table_read(reader, table, &read, &seen) != 0)
        return -1;
    for (int i = 0; i < 2 && needs[read.kind][i]; i++) {
        if (!key_table_saw(table, seen, needs[read.kind][i]))
            return reader_fail(reader, line, "a distribution '%s' of %s needs '%s'",
                               distribution_names[read.kind], key->name, needs[read.kind][i]);
    }
    if (read.kind == DIST_CONSTANT) {
        into->mean = read.mean;
        return 0;
    }
    struct distribution *kept = arena_alloc(&reader->draft->scenario->arena, 1, sizeof *kept);
    if (!kept)
        return err_memory(reader->err);
    *kept = read;
    into->random = kept;
    return 0;
}

/* A constant, or a mapping. */
static int application_read_amount(struct reader *reader, const struct key *key,
                                   const struct key_table *table, struct amount *into)
{
    struct key constant = {.name = key->name, .kind = table->keys[1].kind};
    if (reader->event.type == YAML_SCALAR_EVENT)
        return constant.kind->read(reader, &constant, &into->mean);
    return read_distribution(reader, key, table, into);
}

static int read_work(struct reader *reader, const struct key *key, void *into)
{
    return application_read_amount(reader, key, &work_table, into);
}

static int read_io(struct reader *reader, const struct key *key, void *into)
{
    return application_read_amount(reader, key, &io_table, into);
}

static int read_noise(struct reader *reader, const struct key *key, void *into)
{
    (void)key;
    return key_table_read(reader, &noise_table, into, NULL);
}

/* --- phases --------------------------------------------------------------------------------- */

/* The number of a path that is named here; 0 or -1. */
static int application_read_path(struct reader *reader, const struct key *key, int *number)
{
    size_t line = reader_line(reader);
    if (reader_is_list(reader))
        return reader_fail(reader, line, "an I/O goes to one store; give each a phase of its own");
    const char *path = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!path)
        return -1;
    if (*path != '/')
        return reader_fail(reader, line, "%s '%s' is not an absolute path", key->name,
                           quote_text(path, strlen(path)).text);
    *number = scenario_path(reader->draft->scenario, path, reader->err);
    return *number > 0 ? 0 : err_prepend(reader->err, "%s:%zu", reader->draft->where, line);
}

static int phase_read_store(struct reader *reader, const struct key *key, void *into)
{
    return application_read_path(reader, key, into);
}

/* Adds {work}, an I/O, or both. */
static int add_phase(struct reader *reader, struct phases *list)
{
    static const char *const transfers[] = {"io", "read", "write"};
    size_t line = reader_line(reader);
    struct phase_draft phase = {0};
    uint64_t seen;
    int ios = 0;
    if (key_table_read(reader, &phase_table, &phase, &seen) != 0)
        return -1;
    bool has_work = key_table_saw(&phase_table, seen, "work");
    bool reads = key_table_saw(&phase_table, seen, "read");
    for (size_t i = 0; i < sizeof transfers / sizeof *transfers; i++)
        ios += key_table_saw(&phase_table, seen, transfers[i]);
    if (!has_work && ios == 0)
        return reader_fail(reader, line, "a phase must have work or io");
    if (ios > 1)
        return reader_fail(reader, line,
                           "a phase has only one of io, read and write; give each its own phase");
    if (phase.path && ios == 0)
        return reader_fail(reader, line, "a phase without I/O has no store");
    if ((has_work && phases_add_work(list, phase.iteration.work, reader->err) != 0) ||
        (ios && phases_add_io_at(list, reads ? phase.read : phase.iteration.volume,
                                 place_of((uint32_t)phase.path, reads), reader->err) != 0))
        return err_prepend(reader->err, "%s:%zu", reader->draft->where, line);
    return 0;
}

static int application_read_phases(struct reader *reader, const struct key *key, void *into)
{
    size_t line = reader_line(reader);
    struct phases list = {0};
    if (reader->event.type != YAML_SEQUENCE_START_EVENT)
        return reader_fail(reader, line, "%s must be %s, such as [{work: 30 s}, {io: 1 GB}]",
                           key->name, kind_value(key->kind));
    int status = reader_next(reader);
    while (status == 0 && reader->event.type != YAML_SEQUENCE_END_EVENT)
        status = add_phase(reader, &list) != 0 ? -1 : reader_next(reader);
    if (status == 0 && list.count == 0)
        status = reader_fail(reader, line, "%s is an empty list", key->name);
    if (status == 0)
        status = phases_take(&list, into, &reader->draft->scenario->arena, reader->err);
    phases_fini(&list);
    return status;
}

/* --- what few have -------------------------------------------------------------------------- */

/* To be filled in; NULL with err. */
static struct app_extra *application_extra(struct reader *reader, struct app_spec *app)
{
    if (!app->extra)
        app->extra = arena_alloc(&reader->draft->scenario->arena, 1, sizeof *app->extra);
    if (!app->extra)
        err_memory(reader->err);
    return (struct app_extra *)app->extra;
}

static int application_read_user(struct reader *reader, const struct key *key, void *into)
{
    struct app_extra *extra = application_extra(reader, into);
    return extra ? kind_text.read(reader, key, &extra->names[PARTY_USER]) : -1;
}

static int application_read_length(struct reader *reader, const struct key *key, void *into)
{
    struct app_extra *extra = application_extra(reader, into);
    return extra ? kind_seconds.read(reader, key, &extra->length) : -1;
}

static int application_read_store(struct reader *reader, const struct key *key, void *into)
{
    struct app_extra *extra = application_extra(reader, into);
    int number;
    if (!extra || application_read_path(reader, key, &number) != 0)
        return -1;
    extra->path = (uint8_t)number;
    return 0;
}

static int application_read_account(struct reader *reader, const struct key *key, void *into)
{
    struct app_extra *extra = application_extra(reader, into);
    return extra ? kind_text.read(reader, key, &extra->names[PARTY_ACCOUNT]) : -1;
}

/* --- applications --------------------------------------------------------------------------- */

static int set_default_name(struct reader *reader, struct app_spec *app)
{
    char name[32];
    int length = snprintf(name, sizeof name, "app%zu", reader->draft->count + 1);
    app->name = arena_strndup(&reader->draft->scenario->arena, name, (size_t)length);
    return app->name ? 0 : err_memory(reader->err);
}

int application_read(struct reader *reader, void *unused)
{
    (void)unused;
    static const char *const excluded[] = {"work", "io", "iterations"};
    const struct key_table *table = &application_table;
    size_t line = reader_line(reader);
    struct app_spec app = app_spec_defaults;
    uint64_t seen;
    if (key_table_read(reader, table, &app, &seen) != 0 ||
        (!key_table_saw(table, seen, "name") && set_default_name(reader, &app) != 0))
        return -1;
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
        if (app.explicit_iterations && key_table_saw(table, seen, excluded[i]))
            return reader_fail(reader, line, "application '%s' has both phases and %s", app.name,
                               excluded[i]);
    }
    if (!key_table_saw(table, seen, "nodes") && !key_table_saw(table, seen, "bandwidth"))
        return reader_fail(reader, line, "missing key 'nodes' in application '%s'", app.name);
    return draft_add(reader->draft, &app, line, reader->err);
}
