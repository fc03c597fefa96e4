#include "base/aside.h"
#include "base/mem.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { ASIDE_STACK = 256 * 1024 };

struct aside {
    struct aside_calls calls;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done; /* the work is, */
    bool left; /* or nobody waits for it: the first of both leaves the rest to the other */
};

static void aside_free(struct aside *aside)
{
    pthread_cond_destroy(&aside->ended);
    pthread_mutex_destroy(&aside->lock);
    free(aside);
}

static void *aside_run(void *own)
{
    struct aside *aside = own;
    aside->calls.work(aside->context);
    pthread_mutex_lock(&aside->lock);
    aside->done = true;
    bool left = aside->left;
    pthread_cond_signal(&aside->ended);
    pthread_mutex_unlock(&aside->lock);
    if (left) {
        aside->calls.drop(aside->context);
        aside_free(aside);
    }
    return NULL;
}

/* Detached, since joining could wait for ever. Signals are for the loop. */
static bool aside_start_thread(struct aside *aside)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_attr_setstacksize(&attributes, ASIDE_STACK) == 0 &&
                   pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                   pthread_create(&thread, &attributes, aside_run, aside) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

struct aside *aside_start(const struct aside_calls *calls, void *context)
{
    pthread_condattr_t clock;
    struct aside *aside = mem_alloc(1, sizeof *aside);
    if (!aside)
        return NULL;
    *aside = (struct aside){.calls = *calls, .context = context};
    pthread_mutex_init(&aside->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&aside->ended, &clock);
    pthread_condattr_destroy(&clock);
    if (aside_start_thread(aside))
        return aside;
    aside_free(aside);
    return NULL;
}

bool aside_wait(struct aside *aside, uint64_t limit)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t time = (uint64_t)until.tv_nsec + limit;
    until.tv_sec += (time_t)(time / 1000000000u);
    until.tv_nsec = (long)(time % 1000000000u);
    pthread_mutex_lock(&aside->lock);
    int status = 0;
    while (limit > 0 && !aside->done && status == 0)
        status = pthread_cond_timedwait(&aside->ended, &aside->lock, &until);
    bool done = aside->done;
    pthread_mutex_unlock(&aside->lock);
    return done;
}

bool aside_end(struct aside *aside)
{
    pthread_mutex_lock(&aside->lock);
    bool done = aside->done;
    aside->left = true;
    pthread_mutex_unlock(&aside->lock);
    if (done)
        aside_free(aside);
    return done;
}

bool aside_do(const struct aside_calls *calls, void *context, uint64_t limit)
{
    struct aside *aside = aside_start(calls, context);
    if (!aside) { /* the context must be dropped by somebody */
        calls->drop(context);
        return false;
    }
    aside_wait(aside, limit);
    return aside_end(aside);
}
