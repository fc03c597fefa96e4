#include "replay/worker.h"
#include "base/mem.h"
#include "client/clock.h"
#include "client/session.h"
#include "client/tie.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <weir/client.h>

enum {
    PIECE = 1 << 20, /* bytes of one call at most */
    RING = 16 << 20  /* ... of a file, which is written again and again */
};

struct replay_worker {
    struct ledger *ledger;
    struct ledger_app *app;
    uint32_t id;
    struct weir_client *client; /* NULL: I/Os are not announced */
    char *piece;
    int file;
    off_t at, written;
    double start;
};

/* --- time ----------------------------------------------------------------------------------- */

void worker_sleep(double time)
{
    double whole = floor(time);
    struct timespec until = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (time - whole))};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

double worker_start(struct ledger *ledger)
{
    uint64_t start;
    while ((start = atomic_load(&ledger->start)) == 0)
        worker_sleep(clock_now() + 0.001);
    return 1e-9 * (double)start;
}

static double since_start(const struct replay_worker *worker)
{
    return clock_now() - worker->start;
}

/* --- bytes ---------------------------------------------------------------------------------- */

/* Notes the application's fault; -1. */
static int worker_blame(const struct replay_worker *worker, const char *what)
{
    snprintf(worker->app->fault, LEDGER_FAULT, "cannot %s: %s", what, strerror(errno));
    return -1;
}

static int worker_write_piece(struct replay_worker *worker, size_t bytes)
{
    bool pipe = worker->ledger->pipes;
    if (worker->at + (off_t)bytes > RING)
        worker->at = 0;
    for (size_t done = 0; done < bytes;) {
        ssize_t moved = pipe ? write(worker->file, worker->piece, bytes - done)
                             : pwrite(worker->file, worker->piece, bytes - done, worker->at);
        if (moved <= 0)
            return worker_blame(worker, "write");
        done += (size_t)moved;
        worker->at += moved;
    }
    worker->written = worker->at > worker->written ? worker->at : worker->written;
    return 0;
}

static int worker_read_piece(struct replay_worker *worker, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        size_t most = (size_t)(worker->written - worker->at);
        most = most < bytes - done ? most : bytes - done;
        ssize_t moved = most ? pread(worker->file, worker->piece, most, worker->at) : 0;
        if (moved < 0 || (moved == 0 && worker->at == 0))
            return worker_blame(worker, "read");
        worker->at = moved == 0 ? 0 : worker->at + moved;
        done += (size_t)moved;
    }
    return 0;
}

/* Every second I/O reads what is there; nothing is in a pipe. */
static int worker_transfer(struct replay_worker *worker, double volume, bool reads)
{
    weir_io_begin(worker->client, volume);
    reads = reads && worker->written > 0 && !worker->ledger->pipes;
    for (uint64_t left = (uint64_t)volume; left > 0;) {
        size_t bytes = weir_io_pace(worker->client, left < PIECE ? (size_t)left : PIECE);
        if (reads ? worker_read_piece(worker, bytes) : worker_write_piece(worker, bytes))
            return -1;
        left -= bytes;
    }
    weir_io_end(worker->client);
    /* Without a controller, or if the controller took this for a part of the I/O before. */
    ledger_post(worker->ledger, worker->id);
    return 0;
}

/* --- an application ------------------------------------------------------------------------- */

char *worker_path(const struct ledger *ledger, uint32_t app, char buffer[2 * LEDGER_PATH])
{
    snprintf(buffer, 2 * LEDGER_PATH, "%s/%u.data", ledger->directory, app);
    return buffer;
}

static int worker_live(struct replay_worker *worker)
{
    struct ledger_app *app = worker->app;
    const struct ledger_phase *phases = ledger_phases(worker->ledger, worker->id);
    double now = app->release;
    for (uint32_t k = 0; k < app->count; k++) {
        struct iteration iteration = phases[k].iteration;
        atomic_store(&app->now, k);
        worker_sleep(worker->start + now + iteration.work);
        app->late = fmax(app->late, since_start(worker) - (now + iteration.work));
        if (iteration.volume > 0 && worker_transfer(worker, iteration.volume, k % 2))
            return -1;
        now = since_start(worker);
    }
    app->completion = now;
    return 0;
}

static int worker_open_file(struct replay_worker *worker, uint32_t app)
{
    char path[2 * LEDGER_PATH];
    bool pipe = worker->ledger->pipes;
    worker->piece = mem_alloc(1, PIECE);
    if (!worker->piece)
        return worker_blame(worker, "get memory");
    memset(worker->piece, 'w', PIECE);
    /* Bytes in the page cache have not been moved: on a disk every call waits for the device. */
    worker->file = open(worker_path(worker->ledger, app, path),
                        pipe ? O_WRONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_DSYNC | O_CLOEXEC, 0600);
    return worker->file < 0 ? worker_blame(worker, "open its file") : 0;
}

/* The application joins at its release, like a program that is started then. */
static void worker_join(struct replay_worker *worker)
{
    const struct ledger *ledger = worker->ledger;
    struct weir_join facts = {.socket = ledger->socket,
                              .name = worker->app->name,
                              .nodes = worker->app->nodes,
                              .weight = worker->app->weight,
                              .period = worker->app->period};
    if (!ledger->silent && ledger->socket[0])
        worker->client = weir_client_join(&facts);
    if (worker->client)
        tie_attach(session_get());
}

int worker_run(struct ledger *ledger, uint32_t app)
{
    struct replay_worker worker = {
        .ledger = ledger, .app = &ledger->apps[app], .id = app, .file = -1};
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    int status = worker_open_file(&worker, app);
    atomic_fetch_add(&ledger->ready, 1);
    if (status == 0) {
        worker.start = worker_start(ledger);
        worker_sleep(worker.start + worker.app->release);
        worker_join(&worker);
        status = worker_live(&worker);
        weir_client_leave(worker.client);
    }
    atomic_fetch_add(&ledger->finished, 1);
    if (worker.file >= 0)
        close(worker.file);
    free(worker.piece);
    return status;
}
