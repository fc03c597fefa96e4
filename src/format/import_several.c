#include "format/import_several.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/stage.h"
#include <stdlib.h>
#include <unistd.h>

enum { AT_ONCE = 64 }; /* files that are in memory before they are joined */

/* A file on its own. */
struct import_part {
    struct import import;
    const struct file_name *path;
    char *notes;
    size_t notes_length;
    struct err err;
    int status;
};

struct import_parts {
    const struct importer *importer;
    struct import_part list[AT_ONCE];
};

static int import_read_part(void *context, size_t i)
{
    struct import_parts *parts = context;
    struct import_part *part = &parts->list[i];
    struct import *import = &part->import;
    import->err = &part->err;
    import->notes = open_memstream(&part->notes, &part->notes_length);
    if (!import->notes) {
        part->status = err_memory(&part->err);
        return 0;
    }
    part->status = stream_open(&import->stream, part->path->name, import->err);
    if (part->status == 0)
        part->status = import_begin(import, parts->importer);
    import->draft.where = import->stream.where;
    if (part->status == 0)
        part->status = parts->importer->read(import);
    stream_close(&import->stream);
    if (fclose(import->notes) != 0 && part->status == 0)
        part->status = err_memory(&part->err);
    return 0;
}

/* --- joining --------------------------------------------------------------------------------- */

static int import_join_apps(struct import *import, struct import *part)
{
    uint32_t first = (uint32_t)import->draft.count;
    double later = part->origin - import->origin; /* of time 0 */
    for (size_t i = 0; i < part->draft.count; i++) {
        part->draft.apps[i].release += later;
        if (draft_add(&import->draft, &part->draft.apps[i], part->draft.lines[i], import->err) != 0)
            return -1;
    }
    for (size_t i = 0; i < part->observed.count; i++) {
        struct observed_io io = part->observed.list[i];
        io.app += first;
        io.start += later;
        io.end += later;
        if (observed_add(&import->observed, io) != 0)
            return err_memory(import->err);
    }
    return 0;
}

static int import_join_kept(struct import *import, const struct import *part)
{
    const char *list = part->kept.list;
    for (size_t i = 0; i < part->kept.count; i++)
        if (import_hold(import, list + i * part->kept.size, part->kept.size) != 0)
            return -1;
    return 0;
}

/* The first becomes the import itself, all but what is not its own. */
static int import_join(struct import *import, struct import_part *part)
{
    struct import *from = &part->import;
    if (import->notes && part->notes)
        fputs(part->notes, import->notes);
    if (import->skipped == 0 && from->skipped > 0)
        import->first = from->first;
    import->skipped += from->skipped;
    if (!import->draft.scenario) {
        import->draft.scenario = from->draft.scenario;
        import->origin = from->origin;
        from->draft.scenario = NULL;
    } else {
        if (from->draft.scenario->platform.bandwidth > 0)
            import->draft.scenario->platform = from->draft.scenario->platform;
        arena_adopt(&import->draft.scenario->arena, &from->draft.scenario->arena);
    }
    import->draft.where = part->path->name;
    return import_join_apps(import, from) != 0 ? -1 : import_join_kept(import, from);
}

static void import_part_fini(struct import_part *part)
{
    draft_fini(&part->import.draft);
    observed_fini(&part->import.observed);
    free(part->import.kept.list);
    free(part->notes);
}

/* A part that failed is left out, or ends the import. */
static int import_take_part(struct import *import, const struct importer *importer,
                            struct import_part *part)
{
    if (part->status == 0)
        return import_join(import, part);
    if (import->err)
        *import->err = part->err;
    /* What the user names must be there, even if it may be broken. */
    bool there = part->path->found || (importer->rates && access(part->path->name, R_OK) == 0);
    return there ? import_leave_out(import) : -1;
}

int import_several(struct import *import, const struct importer *importer,
                   const struct files *files)
{
    struct import_parts *parts = mem_alloc(1, sizeof *parts);
    int status = parts ? 0 : err_memory(import->err);
    import->several = importer->rates;
    for (size_t i = 0; i < files->count; i++)
        import->several |= files->list[i].found;
    for (size_t done = 0; done < files->count && status == 0; done += AT_ONCE) {
        size_t left = files->count - done, count = left < AT_ONCE ? left : AT_ONCE;
        stage_show((double)done / (double)files->count);
        *parts = (struct import_parts){.importer = importer};
        for (size_t i = 0; i < count; i++) {
            parts->list[i].path = &files->list[done + i];
            parts->list[i].import.options = import->options;
        }
        parallel_run(count, parallel_processors(), import_read_part, parts);
        for (size_t i = 0; i < count; i++) {
            if (status == 0)
                status = import_take_part(import, importer, &parts->list[i]);
            import_part_fini(&parts->list[i]);
        }
    }
    free(parts);
    if (status == 0 && !import->draft.scenario) /* nothing is left */
        return err_set(import->err, "%s", import->first.text);
    return status;
}
