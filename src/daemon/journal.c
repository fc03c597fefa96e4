#include "daemon/journal.h"
#include "base/json.h"
#include "base/mem.h"
#include "daemon/application.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines that wait to be written take at most so many bytes. */
enum { MOST_WAITING = 16 << 20 };

struct batch {
    char *text;
    size_t length, capacity;
};

struct journal {
    uv_loop_t *loop;
    int file;
    FILE *stream; /* into `gathering` */
    struct batch gathering, writing;
    uv_fs_t request;
    bool busy;      /* `writing` is being written */
    size_t written; /* bytes of it */
    uint64_t lost;  /* lines left out since the last one */
    bool torn;      /* without memory a line was not gathered as a whole */
};

/* --- opening and closing ---------------------------------------------------------------------- */

static ssize_t gather(void *cookie, const char *text, size_t length)
{
    struct batch *batch = &((struct journal *)cookie)->gathering;
    char *grown = mem_reserve(batch->text, &batch->capacity, batch->length + length, 1);
    if (!grown)
        return 0;
    batch->text = grown;
    memcpy(grown + batch->length, text, length);
    batch->length += length;
    return (ssize_t)length;
}

struct journal *journal_open(uv_loop_t *loop, const char *path, struct err *err)
{
    struct journal *journal = mem_alloc(1, sizeof *journal);
    if (!journal) {
        err_memory(err);
        return NULL;
    }
    *journal = (struct journal){.loop = loop};
    journal->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (journal->file < 0) {
        err_set(err, "cannot write the journal '%s': %s", path, strerror(errno));
        free(journal);
        return NULL;
    }
    journal->stream = fopencookie(journal, "w", (cookie_io_functions_t){.write = gather});
    if (!journal->stream) {
        err_memory(err);
        journal_close(journal, NULL);
        return NULL;
    }
    return journal;
}

static int write_all(int file, const struct batch *batch, size_t done)
{
    while (done < batch->length) {
        ssize_t written = write(file, batch->text + done, batch->length - done);
        if (written < 0 && errno != EINTR)
            return errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int journal_close(struct journal *journal, struct err *err)
{
    if (!journal)
        return 0;
    while (journal->busy)
        uv_run(journal->loop, UV_RUN_ONCE);
    if (journal->stream)
        fclose(journal->stream);
    int error = write_all(journal->file, &journal->writing, journal->written);
    if (error == 0)
        error = write_all(journal->file, &journal->gathering, 0);
    if (error == 0 && journal->torn)
        error = ENOMEM;
    close(journal->file);
    free(journal->gathering.text);
    free(journal->writing.text);
    free(journal);
    return error ? err_set(err, "cannot write the journal: %s", strerror(error)) : 0;
}

/* --- writing behind --------------------------------------------------------------------------- */

static void proceed(uv_fs_t *request);

static void write_rest(struct journal *journal)
{
    struct batch *batch = &journal->writing;
    size_t left = batch->length - journal->written;
    uv_buf_t rest = uv_buf_init(batch->text + journal->written, (unsigned)left);
    journal->request.data = journal;
    journal->busy =
        uv_fs_write(journal->loop, &journal->request, journal->file, &rest, 1, -1, proceed) == 0;
}

static void proceed(uv_fs_t *request)
{
    struct journal *journal = request->data;
    ssize_t result = request->result;
    uv_fs_req_cleanup(request);
    journal->busy = false;
    if (result <= 0)
        return; /* the disk is full, perhaps: the next flush tries again */
    journal->written += (size_t)result;
    if (journal->written < journal->writing.length)
        write_rest(journal);
}

void journal_flush(struct journal *journal)
{
    if (!journal || journal->busy)
        return;
    if (journal->written < journal->writing.length) {
        write_rest(journal);
        return;
    }
    if (journal->gathering.length == 0)
        return;
    struct batch full = journal->gathering;
    journal->gathering = journal->writing;
    journal->gathering.length = 0;
    journal->writing = full;
    journal->written = 0;
    write_rest(journal);
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool begin(struct journal *journal, struct json *json, double now, const char *event)
{
    if (!journal)
        return false;
    if (journal->gathering.length > MOST_WAITING) {
        journal->lost++;
        return false;
    }
    *json = (struct json){.out = journal->stream};
    json_begin_object(json, NULL);
    json_number(json, "t", now);
    json_string(json, "event", event);
    if (journal->lost > 0)
        json_integer(json, "lost", journal->lost);
    journal->lost = 0;
    return true;
}

static void end(struct journal *journal, struct json *json)
{
    json_end_object(json);
    journal->torn |= fflush(journal->stream) != 0;
}

static void note_service(struct journal *journal, double now, const char *event,
                         const struct platform *platform, const char *policy)
{
    struct json json;
    if (!begin(journal, &json, now, event))
        return;
    json_string(&json, "policy", policy);
    json_number(&json, "bandwidth", platform->bandwidth);
    json_number(&json, "node_bandwidth", platform->node_bandwidth);
    json_number(&json, "nodes", platform->nodes);
    end(journal, &json);
}

void journal_start(struct journal *journal, double now, const struct platform *platform,
                   const char *policy)
{
    note_service(journal, now, "start", platform, policy);
}

void journal_set(struct journal *journal, double now, const struct platform *platform,
                 const char *policy)
{
    note_service(journal, now, "set", platform, policy);
}

void journal_join(struct journal *journal, double now, const struct application *app)
{
    struct json json;
    if (!begin(journal, &json, now, "join"))
        return;
    json_integer(&json, "id", app->id);
    json_string(&json, "name", app->name);
    json_integer(&json, "uid", app->uid);
    json_number(&json, "nodes", app->facts.nodes);
    json_number(&json, "bmax", app->facts.bmax);
    json_number(&json, "weight", app->facts.weight);
    json_number(&json, "period", app->facts.period);
    end(journal, &json);
}

/* What happened to an application, with one number. */
struct fact {
    const char *event, *key;
    double value;
};

static void note(struct journal *journal, double now, const struct application *app,
                 struct fact fact)
{
    struct json json;
    if (!begin(journal, &json, now, fact.event))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, fact.key, fact.value);
    end(journal, &json);
}

void journal_post(struct journal *journal, double now, const struct application *app)
{
    static const char *const sources[] = {
        [WIRE_VOLUME_HINT] = "hint", [WIRE_VOLUME_MEAN] = "mean", [WIRE_VOLUME_GUESS] = "guess"};
    struct json json;
    if (!begin(journal, &json, now, "post"))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "volume", app->volume);
    json_string(&json, "source", sources[app->source]);
    end(journal, &json);
}

void journal_grant(struct journal *journal, double now, const struct application *app)
{
    note(journal, now, app, (struct fact){"grant", "rate", app->rate});
}

void journal_park(struct journal *journal, double now, const struct application *app)
{
    note(journal, now, app, (struct fact){"park", "moved", app->io_moved});
}

void journal_resume(struct journal *journal, double now, const struct application *app)
{
    note(journal, now, app, (struct fact){"resume", "moved", app->io_moved});
}

void journal_complete(struct journal *journal, double now, const struct application *app,
                      double ended)
{
    struct json json;
    if (!begin(journal, &json, now, "complete"))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "ended", ended);
    json_number(&json, "moved", app->io_moved);
    end(journal, &json);
}

void journal_leave(struct journal *journal, double now, const struct application *app)
{
    double moved = app->phase == PHASE_IDLE ? 0 : app->io_moved;
    enum wire_escape why;
    double escaped = application_escaped(app, &why);
    struct json json;
    if (!begin(journal, &json, now, "leave"))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "moved", moved);
    if (escaped > 0) {
        json_number(&json, "escaped", escaped);
        json_string(&json, "why", wire_escape_word(why));
    }
    end(journal, &json);
}
