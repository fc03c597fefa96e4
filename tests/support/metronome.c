#include "support/metronome.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { MOST = 16, BEAT = 1000000 };

static pthread_t threads[MOST];
static int count;
static _Atomic uint64_t worst; /* nanoseconds */
static _Atomic int stop;

static uint64_t read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *beat(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop)) {
        uint64_t due = read_clock() + BEAT;
        nanosleep(&(struct timespec){0, BEAT}, NULL);
        uint64_t now = read_clock(), late = now > due ? now - due : 0;
        uint64_t most = atomic_load(&worst);
        while (late > most && !atomic_compare_exchange_weak(&worst, &most, late))
            continue;
    }
    return NULL;
}

void metronome_start(void)
{
    cpu_set_t all;
    count = 0;
    atomic_store(&worst, 0);
    atomic_store(&stop, 0);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int cpu = 0; cpu < CPU_SETSIZE && count < MOST; cpu++) {
        cpu_set_t one;
        if (!CPU_ISSET(cpu, &all) || pthread_create(&threads[count], NULL, beat, NULL) != 0)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(threads[count++], sizeof one, &one);
    }
}

double metronome_stop(void)
{
    atomic_store(&stop, 1);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 1e-9 * (double)atomic_load(&worst);
}
