#include "format/darshan_records.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* What is kept of a record. The last is of Darshan 2, which has times of POSIX and of MPI-IO in one
 * record, the latter including the former. */
enum field { READ, WRITTEN, READING, WRITING, OPENING, SLOWEST, ABOVE, FIELDS };

static const struct {
    const char *name; /* without that of the module */
    enum field field;
} wanted[] = {
    {"BYTES_READ", READ},           {"BYTES_WRITTEN", WRITTEN},
    {"F_READ_TIME", READING},       {"F_WRITE_TIME", WRITING},
    {"F_META_TIME", OPENING},       {"F_SLOWEST_RANK_TIME", SLOWEST},
    {"F_POSIX_READ_TIME", READING}, {"F_POSIX_WRITE_TIME", WRITING},
    {"F_POSIX_META_TIME", OPENING}, {"F_MPI_READ_TIME", ABOVE},
    {"F_MPI_WRITE_TIME", ABOVE},    {"F_MPI_META_TIME", ABOVE},
};

/* Without these a record is not whole. */
enum { NEEDED = 1 << READ | 1 << WRITTEN | 1 << READING | 1 << WRITING };

struct darshan_record {
    uint64_t file;
    double rank;
    enum darshan_module module;
    bool total;
    bool counts; /* its bytes are not those of another record */
    unsigned seen;
    size_t number; /* of its last line */
    double fields[FIELDS];
};

#define X(name, text, prefix) text,
const char *const darshan_module_names[DARSHAN_MODULE_COUNT] = {DARSHAN_MODULES(X)};
#undef X
#define X(name, text, prefix) prefix,
static const char *const prefixes[DARSHAN_MODULE_COUNT] = {DARSHAN_MODULES(X)};
#undef X

/* --- lines ----------------------------------------------------------------------------------- */

/* The field of a counter, or FIELDS if it is not wanted. */
static enum field darshan_find_field(const char *counter, size_t length,
                                     enum darshan_module *module)
{
    int i = 0;
    size_t size = 0;
    for (; i < DARSHAN_MODULE_COUNT; i++) {
        size = strlen(prefixes[i]);
        if (length > size && memcmp(counter, prefixes[i], size) == 0)
            break;
    }
    *module = (enum darshan_module)i;
    for (size_t k = 0; i < DARSHAN_MODULE_COUNT && k < sizeof wanted / sizeof *wanted; k++)
        if (strlen(wanted[k].name) == length - size &&
            memcmp(counter + size, wanted[k].name, length - size) == 0)
            return wanted[k].field;
    return FIELDS;
}

bool darshan_is_wanted(const char *counter, size_t length)
{
    enum darshan_module module;
    return darshan_find_field(counter, length, &module) != FIELDS;
}

int darshan_records_add(struct darshan_records *records, const struct darshan_line *line)
{
    enum darshan_module module;
    enum field field = darshan_find_field(line->counter, line->length, &module);
    if (module == DARSHAN_MODULE_COUNT)
        return 0;
    struct darshan_record *last = records->count ? &records->list[records->count - 1] : NULL;
    if (!last || last->file != line->file || last->rank != line->rank || last->module != module ||
        last->total != line->total) {
        struct darshan_record *list =
            mem_reserve(records->list, &records->capacity, records->count + 1, sizeof *list);
        if (!list)
            return -1;
        records->list = list;
        last = &list[records->count++];
        *last = (struct darshan_record){
            .file = line->file, .rank = line->rank, .module = module, .total = line->total};
        records->seen |= 1u << module;
    }
    last->number = line->number;
    if (field == FIELDS)
        return 0;
    /* Below 0 is "not known". */
    last->fields[field] += maths_max(line->value, 0);
    last->seen |= 1u << field;
    return 0;
}

void darshan_records_fini(struct darshan_records *records)
{
    free(records->list);
    *records = (struct darshan_records){0};
}

/* --- sums ------------------------------------------------------------------------------------ */

static double record_bytes(const struct darshan_record *record)
{
    return record->fields[READ] + record->fields[WRITTEN];
}

static double record_seconds(const struct darshan_record *record)
{
    const double *fields = record->fields;
    double seconds = fields[READING] + fields[WRITING] + fields[OPENING];
    return fields[ABOVE] > 0 ? fields[ABOVE] : seconds;
}

/* Bytes that pass through DFS end in DAOS, those of MPI-IO in any other module. */
static int record_height(const struct darshan_record *record)
{
    return record->module == DARSHAN_MPIIO ? 2 : record->module == DARSHAN_DFS;
}

/* In the order of their lines. */
static int darshan_compare_lines(const struct darshan_record *x, const struct darshan_record *y)
{
    return (x->number > y->number) - (x->number < y->number);
}

/* By file, from below. */
static int darshan_compare_files(const void *a, const void *b)
{
    const struct darshan_record *x = a, *y = b;
    int height = record_height(x) - record_height(y);
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return height ? height : darshan_compare_lines(x, y);
}

static int darshan_compare_ranks(const void *a, const void *b)
{
    const struct darshan_record *x = a, *y = b;
    int order = (x->rank > y->rank) - (x->rank < y->rank);
    return order ? order : darshan_compare_lines(x, y);
}

/* The totals of --all repeat what the records say one by one. */
static void darshan_drop_totals(struct darshan_records *records)
{
    size_t count = 0;
    for (size_t i = 0; i < records->count; i++)
        if (!records->list[i].total)
            records->list[count++] = records->list[i];
    if (count > 0)
        records->count = count;
}

/* Decides which records count: not those of a module through which bytes pass to one below that has
 * recorded bytes of the same file. MPI-IO and DFS name files differently, so where bytes went to
 * DAOS, MPI-IO never counts. */
static void choose_records(struct darshan_records *records)
{
    bool daos = false, moved = false, below = false;
    for (size_t i = 0; i < records->count; i++) {
        enum darshan_module module = records->list[i].module;
        daos |= (module == DARSHAN_DFS || module == DARSHAN_DAOS) &&
                record_bytes(&records->list[i]) > 0;
    }
    qsort(records->list, records->count, sizeof *records->list, darshan_compare_files);
    for (size_t i = 0; i < records->count; i++) {
        struct darshan_record *record = &records->list[i];
        if (i == 0 || record->file != record[-1].file)
            moved = below = false;
        else if (record_height(record) != record_height(record - 1))
            below = moved; /* anything so far, by the modules below this one */
        record->counts = !below && !(daos && record->module == DARSHAN_MPIIO);
        moved |= record->counts && record_bytes(record) > 0;
    }
}

static size_t darshan_find_cut(const struct darshan_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        if ((records->list[i].seen & NEEDED) != NEEDED)
            return records->list[i].number;
    return 0;
}

static void darshan_add_shared(const struct darshan_record *record, double processes,
                               struct darshan_io *io)
{
    double slowest = record->fields[SLOWEST], mean = record_seconds(record) / processes;
    io->shared += maths_max(slowest, mean); /* which cannot be less, but 0 where it is not known */
    io->averaged |= slowest <= 0 && mean > 0;
    io->opening += record->fields[OPENING] / processes;
}

size_t darshan_records_sum(struct darshan_records *records, double processes, struct darshan_io *io)
{
    double own = 0, opening = 0, shared = 0;
    *io = (struct darshan_io){.rank = -1};
    if (records->count == 0)
        return 0;
    darshan_drop_totals(records);
    size_t cut = darshan_find_cut(records);
    choose_records(records);
    qsort(records->list, records->count, sizeof *records->list, darshan_compare_ranks);
    for (size_t i = 0; i < records->count; i++) {
        const struct darshan_record *record = &records->list[i];
        if (i == 0 || record->rank != record[-1].rank)
            own = opening = 0;
        if (!record->counts)
            continue;
        io->bytes += record_bytes(record);
        io->modules |= record_bytes(record) > 0 ? 1u << record->module : 0;
        if (record->rank < 0) {
            darshan_add_shared(record, processes, io);
            shared = io->opening;
            continue;
        }
        own += record_seconds(record);
        opening += record->fields[OPENING];
        if (own > io->own) {
            io->own = own;
            io->opening = shared + opening;
            io->rank = record->rank;
        }
    }
    return cut;
}
