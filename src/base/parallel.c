#include "base/parallel.h"
#include "base/mem.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct parallel_loop {
    int (*work)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};

static void *parallel_turn(void *argument)
{
    struct parallel_loop *loop = argument;
    while (!atomic_load(&loop->failed)) {
        size_t i = atomic_fetch_add(&loop->next, 1);
        if (i >= loop->count)
            break;
        if (loop->work(loop->context, i) != 0)
            atomic_store(&loop->failed, true);
    }
    return NULL;
}

/* Starts up to this many; returns how many there are. */
static size_t parallel_start(struct parallel_loop *loop, pthread_t *threads, size_t count)
{
    sigset_t all, before;
    size_t started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < count && pthread_create(&threads[started], NULL, parallel_turn, loop) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

int parallel_run(size_t count, size_t jobs, int (*work)(void *context, size_t i), void *context)
{
    struct parallel_loop loop = {.work = work, .context = context, .count = count};
    size_t others = jobs < count ? jobs : count;
    others = others > 0 ? others - 1 : 0;
    pthread_t *threads = mem_alloc(others, sizeof *threads);
    size_t started = threads ? parallel_start(&loop, threads, others) : 0;
    parallel_turn(&loop);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return loop.failed ? -1 : 0;
}

size_t parallel_processors(void)
{
    cpu_set_t set;
    /* A batch system, a container or taskset may leave a part of the machine. */
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (size_t)CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}
