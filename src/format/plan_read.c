#include "base/mem.h"
#include "format/kinds.h"
#include "format/plan_file.h"
#include "format/word.h"
#include <math.h>
#include <string.h>

/* Numbers are written so that they read back exactly; what is computed from them may differ in the
 * last digits between machines. */
static const double same = 1e-9;

static bool plan_read_differ(double a, double b)
{
    return !(fabs(a - b) <= same * fmax(fabs(a), fabs(b)));
}

/* --- tables of keys ------------------------------------------------------------------------- */

/* What is read into; all of it is checked when it is complete. */
struct document {
    struct plan_file file;
    const struct tasks *tasks; /* expected, or found so far, */
    struct plan_own *own;      /* here; else NULL */
    size_t room;               /* for applications */
    double period, sys_efficiency, dilation;
};

struct app_entry {
    struct plan *plan; /* its instances are added here */
    const char *name;
    uint32_t instances;
    double efficiency, dilation, nodes, work, volume;
};

struct instance_entry {
    struct plan *plan; /* its pieces are added here */
    double start;
};

static int read_method(struct reader *reader, const struct key *key, void *into);
static int read_objective(struct reader *reader, const struct key *key, void *into);
static int read_bounds(struct reader *reader, const struct key *key, void *into);
static int plan_read_read_applications(struct reader *reader, const struct key *key, void *into);
static int read_schedule(struct reader *reader, const struct key *key, void *into);
static int read_pieces(struct reader *reader, const struct key *key, void *into);

static int plan_read_ignored(struct reader *reader, const struct key *key, void *into);
static int plan_read_platform(struct reader *reader, const struct key *key, void *into);

/* What tells people where a plan comes from; whether it fits is seen from the plan itself. */
static const struct kind ignored = {.value = "a scalar", .read = plan_read_ignored};
static const struct kind platform = {.value = "a mapping", .read = plan_read_platform};
static const struct kind method = {.value = "a word", .read = read_method};
static const struct kind objective = {.value = "a word", .read = read_objective};
static const struct kind bounds = {.value = "a mapping", .read = read_bounds};
static const struct kind applications = {.value = "a list of mappings",
                                         .read = plan_read_read_applications};
static const struct kind schedule = {.value = "a list of mappings", .read = read_schedule};
static const struct kind pieces = {.value = "a list of [start, end, bandwidth]",
                                   .read = read_pieces};

#define AT(member) offsetof(struct document, member)
static const struct key document_keys[] = {
    {"weir", &ignored, 0, OPTIONAL, "version of the program that made the plan"},
    {"scenario", &ignored, 0, OPTIONAL, "that was planned"},
    {"seed", &ignored, 0, OPTIONAL, "of its random draws"},
    {"platform", &platform, 0, OPTIONAL, "of the scenario"},
    {"method", &method, AT(file.method), REQUIRED, "the method that made the plan"},
    {"objective", &objective, AT(file.objective), REQUIRED, "and for what"},
    {"period", &kind_seconds, AT(period), REQUIRED, "after which the pattern repeats"},
    {"sys_efficiency", &kind_factor, AT(sys_efficiency), REQUIRED, "of the plan"},
    {"dilation", &kind_factor, AT(dilation), REQUIRED, "of the plan"},
    {"bounds", &bounds, AT(file), REQUIRED, "bounds on any plan"},
    {"applications", &applications, 0, REQUIRED, "as in the scenario"},
    {"seconds", &kind_seconds, AT(file.seconds), REQUIRED, "that planning took"},
    {0}};
#undef AT

#define AT(member) offsetof(struct plan_file, bounds.member)
static const struct key bounds_keys[] = {
    {"sys_efficiency", &kind_factor, AT(sys_efficiency), REQUIRED, "without contention"},
    {"sys_efficiency_bandwidth", &kind_factor, AT(sys_efficiency_bandwidth), REQUIRED,
     "with the bandwidth respected"},
    {"dilation_bandwidth", &kind_factor, AT(dilation_bandwidth), REQUIRED, "the same"},
    {0}};
#undef AT

#define AT(member) offsetof(struct app_entry, member)
static const struct key app_keys[] = {
    {"name", &kind_text, AT(name), REQUIRED, "of the application"},
    {"instances", &kind_iterations, AT(instances), REQUIRED, "of it in a period"},
    {"efficiency", &kind_factor, AT(efficiency), REQUIRED, "share of its time spent working"},
    {"dilation", &kind_factor, AT(dilation), REQUIRED, "how much slower than alone it is"},
    {"nodes", &kind_factor, AT(nodes), REQUIRED, "of the application"},
    {"work", &kind_seconds, AT(work), REQUIRED, "of an instance"},
    {"volume", &kind_bytes, AT(volume), REQUIRED, "of an instance"},
    {"schedule", &schedule, 0, REQUIRED, "its instances in order"},
    {0}};
#undef AT

static const struct key instance_keys[] = {
    {"start", &kind_moment, offsetof(struct instance_entry, start), REQUIRED, "of the work"},
    {"io", &pieces, 0, REQUIRED, "the transfers"},
    {0}};

static const struct key piece_keys[] = {
    {"start", &kind_moment, offsetof(struct plan_piece, start), REQUIRED, "of a transfer"},
    {"end", &kind_moment, offsetof(struct plan_piece, end), REQUIRED, "of a transfer"},
    {"bandwidth", &kind_rate, offsetof(struct plan_piece, rate), REQUIRED, "of a transfer"},
    {0}};

static const struct key platform_keys[] = {
    {"nodes", &ignored, 0, OPTIONAL, "of the platform"},
    {"node_bandwidth", &ignored, 0, OPTIONAL, "of a node"},
    {"bandwidth", &ignored, 0, OPTIONAL, "of the file system"},
    {.name = NULL},
};

static const struct key_table document_table = {"the plan", document_keys};
static const struct key_table platform_table = {"platform", platform_keys};
static const struct key_table bounds_table = {"bounds", bounds_keys};
static const struct key_table app_table = {"an application", app_keys};
static const struct key_table instance_table = {"an instance", instance_keys};

/* --- values --------------------------------------------------------------------------------- */

static int read_choice(struct reader *reader, const struct key *key, const char *const *names,
                       const char **chosen)
{
    const char *text = reader_scalar(reader, key->name, key->kind->value);
    if (!text)
        return -1;
    for (; *names; names++) {
        *chosen = *names;
        if (strcmp(*names, text) == 0)
            return 0;
    }
    return reader_fail(reader, reader_line(reader), "unknown %s '%s'", key->name,
                       quote_text(text, strlen(text)).text);
}

static int plan_read_ignored(struct reader *reader, const struct key *key, void *into)
{
    (void)into;
    return reader_scalar(reader, key->name, key->kind->value) ? 0 : -1;
}

static int plan_read_platform(struct reader *reader, const struct key *key, void *into)
{
    (void)key;
    return key_table_read(reader, &platform_table, into, NULL);
}

static int read_method(struct reader *reader, const struct key *key, void *into)
{
    return read_choice(reader, key, plan_methods, into);
}

static int read_objective(struct reader *reader, const struct key *key, void *into)
{
    return read_choice(reader, key, plan_objectives, into);
}

static int read_bounds(struct reader *reader, const struct key *key, void *into)
{
    (void)key;
    return key_table_read(reader, &bounds_table, into, NULL);
}

static int plan_read_read_piece(struct reader *reader, void *into)
{
    struct instance_entry *entry = into;
    struct plan_piece piece;
    size_t line = reader_line(reader);
    bool opened = reader->event.type == YAML_SEQUENCE_START_EVENT;
    for (const struct key *key = piece_keys; opened && key->name; key++) {
        if (reader_next(reader) != 0)
            return -1;
        if (reader->event.type == YAML_SEQUENCE_END_EVENT)
            opened = false;
        else if (key->kind->read(reader, key, (char *)&piece + key->offset) != 0)
            return -1;
    }
    if (opened && reader_next(reader) != 0)
        return -1;
    if (!opened || reader->event.type != YAML_SEQUENCE_END_EVENT)
        return reader_fail(reader, line, "a transfer must be [start, end, bandwidth]");
    return plan_add_piece(entry->plan, piece) < 0 ? err_memory(reader->err) : 0;
}

static int read_pieces(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, plan_read_read_piece, into);
}

static int read_instance(struct reader *reader, void *into)
{
    struct plan *plan = ((struct app_entry *)into)->plan;
    struct instance_entry entry = {.plan = plan};
    size_t first = plan->piece_count;
    if (key_table_read(reader, &instance_table, &entry, NULL) != 0)
        return -1;
    struct plan_instance instance = {entry.start, first, plan->piece_count - first};
    return plan_add_instance(plan, instance) < 0 ? err_memory(reader->err) : 0;
}

static int read_schedule(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, read_instance, into);
}

/* --- applications --------------------------------------------------------------------------- */

/* Whether the application is the one that the scenario has in its place. */
static int plan_read_compare(struct reader *reader, size_t line, const struct app_entry *entry,
                             const struct task *task)
{
    const struct {
        const char *what;
        double planned, wanted;
    } amounts[] = {{"nodes", entry->nodes, task->nodes},
                   {"seconds of work", entry->work, task->work},
                   {"bytes of I/O", entry->volume, task->volume}};
    if (strcmp(entry->name, task->name) != 0)
        return reader_fail(
            reader, line,
            "the plan is for another scenario: it has application '%s' where the scenario has '%s'",
            quote_text(entry->name, strlen(entry->name)).text, task->name);
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        if (plan_read_differ(amounts[i].planned, amounts[i].wanted))
            return reader_fail(reader, line,
                               "the plan is for another scenario: application '%s' has %.9g %s, "
                               "there %.9g",
                               task->name, amounts[i].planned, amounts[i].what, amounts[i].wanted);
    return 0;
}

/* Room for one more application in a plan that is read on its own. */
static int plan_read_make_room(struct document *document)
{
    struct plan *plan = document->file.plan;
    struct tasks *tasks = &document->own->tasks;
    if (plan->count < document->room)
        return 0;
    size_t room = 2 * document->room + 8;
    void *apps = mem_grow(plan->apps, room, sizeof *plan->apps);
    if (apps)
        plan->apps = apps;
    struct task *list = apps ? arena_alloc(&tasks->arena, room, sizeof *list) : NULL;
    if (!list)
        return -1;
    for (uint32_t i = 0; i < tasks->count; i++)
        list[i] = tasks->list[i];
    tasks->list = list;
    document->room = room;
    return 0;
}

/* Takes an application as the file has it. */
static int plan_read_take(struct reader *reader, struct document *document, size_t line,
                          const struct app_entry *entry)
{
    struct tasks *tasks = &document->own->tasks;
    double bmax = platform_bmax(&document->own->platform, entry->nodes);
    if (!(entry->nodes > 0 && entry->work > 0 && entry->volume > 0))
        return reader_fail(reader, line, "application '%s' has no nodes, work or volume",
                           quote_text(entry->name, strlen(entry->name)).text);
    char *name = arena_strndup(&tasks->arena, entry->name, strlen(entry->name));
    if (!name || plan_read_make_room(document) != 0)
        return err_memory(reader->err);
    tasks->list[tasks->count++] = (struct task){.name = name,
                                                .nodes = entry->nodes,
                                                .work = entry->work,
                                                .volume = entry->volume,
                                                .bmax = bmax,
                                                .io = entry->volume / bmax};
    tasks->nodes += entry->nodes;
    return 0;
}

/* Checks that the application is the expected one. */
static int plan_read_expect(struct reader *reader, const struct document *document, size_t line,
                            const struct app_entry *entry)
{
    const struct tasks *tasks = document->tasks;
    uint32_t number = document->file.plan->count;
    if (number == tasks->count)
        return reader_fail(reader, line,
                           "the plan is for another scenario, which has only %u application%s",
                           (unsigned)tasks->count, tasks->count == 1 ? "" : "s");
    return plan_read_compare(reader, line, entry, &tasks->list[number]);
}

static int read_application(struct reader *reader, void *into)
{
    struct document *document = into;
    struct plan *plan = document->file.plan;
    size_t line = reader_line(reader), first = plan->instance_count;
    struct app_entry entry = {.plan = plan};
    if (key_table_read(reader, &app_table, &entry, NULL) != 0)
        return -1;
    if (document->own ? plan_read_take(reader, document, line, &entry)
                      : plan_read_expect(reader, document, line, &entry))
        return -1;
    size_t count = plan->instance_count - first;
    if (count != entry.instances)
        return reader_fail(reader, line, "application '%s' has %u instances, its schedule %zu",
                           quote_text(entry.name, strlen(entry.name)).text,
                           (unsigned)entry.instances, count);
    plan->apps[plan->count++] = (struct plan_app){first, count};
    return 0;
}

static int plan_read_read_applications(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, read_application, into);
}

/* --- the whole ------------------------------------------------------------------------------ */

/* The plan itself, and that what the file says of it follows from it. */
static int plan_read_check(const struct document *document, struct err *err)
{
    const struct plan *plan = document->file.plan;
    if (plan_validate(plan, document->tasks, err) != 0)
        return -1;
    if (document->own)
        return 0;
    double efficiency = plan_sys_efficiency(plan, document->tasks);
    double dilation = plan_max_dilation(plan, document->tasks);
    if (plan_read_differ(document->sys_efficiency, efficiency))
        return err_set(err, "sys_efficiency is %.9g, that of the schedule %.9g",
                       document->sys_efficiency, efficiency);
    if (plan_read_differ(document->dilation, dilation))
        return err_set(err, "dilation is %.9g, that of the schedule %.9g", document->dilation,
                       dilation);
    return 0;
}

static int plan_read_read_document(struct reader *reader, struct document *document)
{
    struct plan *plan = document->file.plan;
    plan->count = 0; /* applications read so far; there is room for those of the scenario */
    if (key_table_read(reader, &document_table, document, NULL) != 0 || reader_finish(reader) != 0)
        return -1;
    plan->period = document->period;
    if (plan_read_check(document, reader->err) != 0)
        return err_prepend(reader->err, "%s", reader->draft->where);
    return 0;
}

/* Frees the file when it cannot be read. */
static struct plan_file *plan_read_fill(struct plan_file *file, struct document *document,
                                        struct reader *reader)
{
    document->file.plan = file->plan;
    if (plan_read_read_document(reader, document) == 0) {
        *file = document->file;
        return file;
    }
    plan_file_free(file);
    return NULL;
}

static struct plan_file *plan_read_parse(struct document *document, const char *text, size_t length,
                                         const char *where, struct err *err)
{
    struct draft draft; /* its arena holds the names */
    struct reader reader;
    struct plan_file *file = NULL;
    if (draft_init(&draft, where, err) == 0) {
        if (reader_init(&reader, text, length, &draft, err) == 0) {
            struct plan *plan = plan_new(document->tasks->count);
            file = plan ? plan_file_new(plan) : NULL;
            if (file)
                file = plan_read_fill(file, document, &reader);
            else
                err_memory(err);
        }
        reader_fini(&reader);
    }
    draft_fini(&draft);
    return file;
}

struct plan_file *plan_file_parse(const char *text, size_t length, const char *where,
                                  const struct tasks *tasks, struct err *err)
{
    struct document document = {.tasks = tasks};
    return plan_read_parse(&document, text, length, where, err);
}

struct plan_file *plan_file_parse_own(const char *text, size_t length, const char *where,
                                      struct plan_own *own, struct err *err)
{
    struct document document = {.tasks = &own->tasks, .own = own};
    own->tasks.bandwidth = own->platform.bandwidth;
    return plan_read_parse(&document, text, length, where, err);
}
