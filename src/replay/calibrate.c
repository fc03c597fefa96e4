#include "replay/calibrate.h"
#include "base/maths.h"
#include "client/clock.h"
#include "replay/ledger.h"
#include "replay/worker.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BLOCK = 1 << 20, /* bytes of a call: large enough for a parallel file system */
    MOST_WRITERS = 128
};

/* Seconds until all writers have begun. */
static const double run_up = 0.1;

/* The results of one writer, in memory that it shares with its parent. */
struct writer_tally {
    double bytes, seconds;
    int fault; /* errno */
};

struct step {
    const struct calibrate_options *options;
    struct writer_tally *tallies;
    uint32_t writers;
    bool direct;
    double start;
};

/* --- a writer ------------------------------------------------------------------------------- */

/* A file without a name, -1 if there can be none: whatever happens, it leaves nothing. */
static int calibrate_open_file(const struct calibrate_options *options, uint32_t writer, int way)
{
    char path[LEDGER_PATH + 64];
    int length = snprintf(path, sizeof path, "%s/.weir-%d-%u", options->directory, (int)getpid(),
                          (unsigned)writer);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | way, 0600), why = errno;
    unlink(path);
    errno = why;
    return file;
}

/* Writes block after block until its time or its part of the bytes is used up. */
static void calibrate_fill(const struct step *step, int file, const char *block,
                           struct writer_tally *tally)
{
    double end = step->start + step->options->seconds;
    double most = step->options->bytes / step->writers;
    while (tally->bytes < most && clock_now() < end) {
        ssize_t written = write(file, block, BLOCK);
        if (written <= 0) {
            tally->fault = written < 0 ? errno : EIO;
            return;
        }
        tally->bytes += (double)written;
    }
    if (fdatasync(file))
        tally->fault = errno;
    tally->seconds = clock_now() - step->start;
}

static _Noreturn void write_alone(const struct step *step, uint32_t writer)
{
    struct writer_tally *tally = &step->tallies[writer];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Pages, as O_DIRECT requires. */
    char *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int way = step->direct ? O_DIRECT : O_DSYNC;
    int file = block == MAP_FAILED ? -1 : calibrate_open_file(step->options, writer, way);
    if (file < 0) {
        tally->fault = errno;
        _exit(1);
    }
    memset(block, 'w', BLOCK);
    worker_sleep(step->start);
    calibrate_fill(step, file, block, tally);
    _exit(tally->fault ? 1 : 0);
}

/* --- a step --------------------------------------------------------------------------------- */

static int start_writers(const struct step *step, pid_t *writers, struct err *err)
{
    for (uint32_t i = 0; i < step->writers; i++) {
        writers[i] = fork();
        if (writers[i] < 0)
            return err_set(err, "cannot start a process: %s", strerror(errno));
        if (writers[i] == 0)
            write_alone(step, i);
    }
    return 0;
}

static int add_up(const struct step *step, struct calibrate_step *result, struct err *err)
{
    *result = (struct calibrate_step){.writers = step->writers, .slowest = INFINITY};
    for (uint32_t i = 0; i < step->writers; i++) {
        const struct writer_tally *tally = &step->tallies[i];
        if (tally->fault || !(tally->seconds > 0))
            return err_set(err, "%s: cannot write: %s", step->options->directory,
                           tally->fault ? strerror(tally->fault) : "a writer was ended");
        double rate = tally->bytes / tally->seconds;
        result->bandwidth += rate;
        result->slowest = maths_min(result->slowest, rate);
        result->fastest = maths_max(result->fastest, rate);
    }
    return 0;
}

static int run_step(struct step *step, struct calibrate_step *result, struct err *err)
{
    pid_t writers[MOST_WRITERS] = {0};
    memset(step->tallies, 0, MOST_WRITERS * sizeof *step->tallies);
    step->start = clock_now() + run_up;
    int status = start_writers(step, writers, err);
    for (uint32_t i = 0; i < step->writers; i++) {
        if (writers[i] > 0 && status)
            kill(writers[i], SIGKILL);
        while (writers[i] > 0 && waitpid(writers[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    return status ? status : add_up(step, result, err);
}

/* --- all of them ---------------------------------------------------------------------------- */

/* Whether files here can be opened bypassing the page cache; -1 if not at all. */
static int try_direct(const struct calibrate_options *options, bool *direct, struct err *err)
{
    int file = calibrate_open_file(options, 0, O_DIRECT);
    *direct = file >= 0;
    if (file < 0)
        file = calibrate_open_file(options, 0, O_DSYNC);
    if (file < 0)
        return err_set(err, "%s: cannot create a file: %s", options->directory, strerror(errno));
    close(file);
    return 0;
}

static int calibrate_measure(struct step *step, struct calibration *result, struct err *err)
{
    const struct calibrate_options *options = step->options;
    double steps = ceil(log2(options->most)) + 1;
    for (uint32_t writers = 1; writers <= options->most && result->count < CALIBRATE_STEPS;
         writers *= 2) {
        struct calibrate_step *entry = &result->steps[result->count];
        step->writers = writers;
        if (options->progress)
            options->progress(options->context, result->count / steps);
        if (run_step(step, entry, err))
            return -1;
        entry->degradation = 1 - entry->bandwidth / result->steps[0].bandwidth;
        result->count++;
    }
    result->bandwidth = result->steps[result->count - 1].bandwidth;
    result->node_bandwidth = result->steps[0].bandwidth;
    return 0;
}

int calibrate(const struct calibrate_options *options, struct calibration *result, struct err *err)
{
    struct statfs info;
    struct step step = {.options = options};
    size_t size = MOST_WRITERS * sizeof *step.tallies;
    *result = (struct calibration){0};
    if (try_direct(options, &step.direct, err))
        return -1;
    result->direct = step.direct;
    result->memory = statfs(options->directory, &info) == 0 && info.f_type == TMPFS_MAGIC;
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return err_memory(err);
    step.tallies = shared;
    int status = calibrate_measure(&step, result, err);
    munmap(shared, size);
    return status;
}
