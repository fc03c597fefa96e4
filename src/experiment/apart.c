#include "experiment/apart.h"
#include "base/mem.h"
#include "experiment/parcel.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { APART_BLOCK = 1 << 16, APART_ASLEEP = 10 };

/* --- the child -------------------------------------------------------------------------------- */

int apart_beat(void *context)
{
    const struct apart *apart = context;
    const struct itimerval busy = {.it_value.tv_sec = apart->patience};
    const struct itimerval asleep = {.it_value.tv_sec = APART_ASLEEP * (time_t)apart->patience};
    setitimer(ITIMER_VIRTUAL, &busy, NULL);
    setitimer(ITIMER_REAL, &asleep, NULL);
    return 0;
}

/* Ends with the parent, and by every fault and timer; but not by the signals of a terminal, which
 * the parent gets too: a run that it did not wait for must not look like one that failed. */
static void apart_set_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM, SIGALRM};
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int apart_write(int out, const char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(out, data + done, size - done);
        if (written < 0 && errno != EINTR)
            return -1;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

static _Noreturn void apart_work(const struct apart *apart, int out)
{
    struct run_result result;
    size_t size;
    apart_set_signals();
    apart_beat((void *)(uintptr_t)apart);
    apart->work(apart->context, &result);
    char *parcel = parcel_pack(&result, &size, NULL);
    /* _exit: what the parent has buffered or registered is its own. */
    _exit(parcel && apart_write(out, parcel, size) == 0 ? 0 : 1);
}

/* --- the parent ------------------------------------------------------------------------------- */

/* Starts the child. Returns its id, and where its bytes come from; -1 with err. */
static pid_t apart_start(const struct apart *apart, int *in, struct err *err)
{
    /* A child that another thread starts meanwhile would keep the pipe open. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int ends[2];
    pthread_mutex_lock(&lock);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        apart_work(apart, ends[1]);
    }
    if (child < 0)
        err_set(err, "cannot start a process for the plug-in: %s", strerror(errno));
    else
        close(ends[1]);
    pthread_mutex_unlock(&lock);
    *in = ends[0];
    return child;
}

/* All that comes until the end; NULL when memory is out. free() frees. */
static char *apart_read(int in, size_t *size)
{
    size_t capacity = 0;
    char *data = NULL;
    *size = 0;
    for (;;) {
        char *more = mem_reserve(data, &capacity, *size + APART_BLOCK, 1);
        if (!more) {
            free(data);
            return NULL;
        }
        data = more;
        ssize_t got = read(in, data + *size, APART_BLOCK);
        if (got == 0)
            return data;
        *size += got > 0 ? (size_t)got : 0;
    }
}

/* How it ended, if not with a result. */
static int apart_tell(const struct apart *apart, int status, struct err *err)
{
    if (!WIFSIGNALED(status))
        return err_set(err, "the plug-in ended its process");
    int number = WTERMSIG(status);
    if (number == SIGVTALRM || number == SIGALRM)
        return err_set(err, "the plug-in did not come back from a decision for %u s",
                       apart->patience * (number == SIGALRM ? APART_ASLEEP : 1));
    return err_set(err, "the plug-in crashed (%s)", sigdescr_np(number));
}

int apart_run(const struct apart *apart, struct run_result *result, struct err *err)
{
    int in, status;
    size_t size = 0;
    pid_t child = apart_start(apart, &in, err);
    if (child < 0)
        return -1;
    char *data = apart_read(in, &size);
    close(in);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    int told = 0;
    if (!data)
        told = err_memory(err);
    else if (status != 0 || size == 0)
        told = apart_tell(apart, status, err);
    else
        told = parcel_unpack(data, size, result, err);
    free(data);
    return told;
}
