#include "terminal/progress.h"
#include "base/text.h"
#include "base/units.h"
#include "client/clock.h"
#include "terminal/notes.h"
#include "terminal/terminal.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000, INTERVAL_MS = 100, TEXT = 160 };

/* Instead of what is done: the text is all. */
static const double TOLD = -2;

/* What the thread shows; all but `done` is guarded by the lock. */
static struct {
    pthread_mutex_t lock;
    char stage[TEXT];
    size_t subject;      /* how much of it names the subject */
    double first, begun; /* when the first stage began, and this one */
    _Atomic double done; /* 0..1, or below 0 = unknown */
    bool active, visible;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Written at once: others may print to the same terminal. */
static void progress_put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void progress_draw(void)
{
    char text[2 * TEXT];
    double now = clock_now(), done = atomic_load_explicit(&line.done, memory_order_relaxed);
    if (!line.active || now - line.first < PATIENCE_MS / 1e3)
        return;
    if (done == TOLD)
        snprintf(text, sizeof text, "\r\033[K%s", line.stage);
    else if (done >= 0)
        snprintf(text, sizeof text, "\r\033[K%s  %3.0f %%", line.stage, 100 * done);
    else
        snprintf(text, sizeof text, "\r\033[K%s  %.0f s", line.stage, now - line.begun);
    progress_put(text);
    line.visible = true;
}

static void *progress_watch(void *unused)
{
    (void)unused;
    for (;;) {
        usleep(INTERVAL_MS * 1000);
        pthread_mutex_lock(&line.lock);
        progress_draw();
        pthread_mutex_unlock(&line.lock);
    }
    return NULL;
}

/* The thread lives as long as the process. Signals are the main thread's. */
static void progress_start(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (!terminal_is_able(stderr))
        return;
    line.first = clock_now();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, progress_watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_begin(const char *subject, const char *stage)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, progress_start);
    pthread_mutex_lock(&line.lock);
    line.subject = (size_t)snprintf(line.stage, sizeof line.stage, "%.30s  ", subject);
    snprintf(line.stage + line.subject, sizeof line.stage - line.subject, "%.40s", stage);
    line.begun = clock_now();
    line.active = true;
    atomic_store_explicit(&line.done, -1, memory_order_relaxed);
    pthread_mutex_unlock(&line.lock);
}

void progress_show(void *context, double done)
{
    (void)context;
    atomic_store_explicit(&line.done, done, memory_order_relaxed);
}

void progress_count(size_t done, size_t of)
{
    char left[32];
    pthread_mutex_lock(&line.lock);
    double spent = clock_now() - line.begun;
    double rate = spent > 0 ? (double)done / spent : 0;
    double rest = rate > 0 ? (double)(of - done) / rate : 0;
    snprintf(line.stage + line.subject, sizeof line.stage - line.subject,
             "%zu of %zu runs, %.3g/s, %s left", done, of, rate,
             units_print(text_round(rest, 2), UNIT_SECONDS, left, sizeof left));
    pthread_mutex_unlock(&line.lock);
    progress_show(NULL, TOLD);
}

void progress_end(void)
{
    pthread_mutex_lock(&line.lock);
    if (line.visible)
        progress_put("\r\033[K");
    line.active = line.visible = false;
    pthread_mutex_unlock(&line.lock);
}

static const char *progress_program = "weir";

static void progress_warn(const char *text)
{
    fprintf(stderr, "%s: warning: %s\n", progress_program, text);
}

static void progress_note(const char *lines)
{
    notes_tell(progress_program, lines);
}

void progress_enter(const char *program)
{
    static const struct stage_host host = {.note = progress_note,
                                           .begin = progress_begin,
                                           .end = progress_end,
                                           .warn = progress_warn,
                                           .show = progress_show,
                                           .count = progress_count};
    progress_program = program;
    stage_enter(&host);
}
