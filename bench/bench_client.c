/* What a controlled call of 4 KiB costs besides its I/O. `make bench` runs it; results/performance.md
 * says what it prints: the median of many short runs, and the same once more, which shows the
 * noise. */
#include "bench.h"
#include "client/session.h"
#include "serve/serve.h"
#include "wire/line.h"
#include <pthread.h>
#include <sys/wait.h>

enum { RUNS = 101, CALLS = 10000, CONTENDED = 1000000, MOST_THREADS = 4 };

static char path[] = "/tmp/weir-bench-XXXXXX";

/* --- what is measured ------------------------------------------------------------------------- */

static void call(void)
{
    struct session *session = session_get();
    session_enter(session);
    session_exit(session, session_acquire(session, 4096, true));
}

static _Atomic uint64_t used;

static void take(void)
{
    static const struct line line = {.rate = 1000000000, .burst = 4000000};
    line_take(&line, &used, 4096 * LINE_BYTE, 1000);
}

static void *take_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < CONTENDED; i++)
        take();
    return NULL;
}

/* Nanoseconds of one, the median. */
static double measure(void (*once)(void))
{
    static double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double start = bench_seconds();
        for (int j = 0; j < CALLS; j++)
            once();
        times[i] = 1e9 * (bench_seconds() - start) / CALLS;
    }
    return bench_median(times, RUNS);
}

static void print(const char *what, void (*once)(void))
{
    double first = measure(once);
    printf("%-36s %8.1f %8.1f\n", what, first, measure(once));
}

static void print_contended(int count)
{
    pthread_t threads[MOST_THREADS];
    double times[2];
    for (int run = 0; run < 2; run++) {
        double start = bench_seconds();
        for (int i = 0; i < count; i++)
            if (pthread_create(&threads[i], NULL, take_often, NULL) != 0)
                bench_die("cannot start a thread");
        for (int i = 0; i < count; i++)
            pthread_join(threads[i], NULL);
        times[run] = 1e9 * (bench_seconds() - start) / (CONTENDED * count);
    }
    printf("ticket, %d threads at once            %8.1f %8.1f\n", count, times[0], times[1]);
}

/* --- a controller whose limit nobody reaches -------------------------------------------------- */

static void serve(void)
{
    struct err err = {0};
    struct service service = {.platform = {.nodes = 1, .node_bandwidth = 1e15, .bandwidth = 1e15},
                              .socket = path,
                              .policy = SERVICE_POLICY,
                              .soft_release = SERVICE_SOFT_RELEASE,
                              .phase_gap = SERVICE_PHASE_GAP,
                              .max_wait = SERVICE_MAX_WAIT};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (serve_run(&service, NULL, &err) != 0)
        bench_die(err.text);
    exit(0);
}

static void wait_until_controlled(void)
{
    for (int i = 0; i < 5000 && !session_controlled(session_get()); i++) {
        call();
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (!session_controlled(session_get()))
        bench_die("the controller does not answer");
}

int main(void)
{
    printf("\ncall of 4 KiB                              ns    again\n");
    print("no session", call);
    close(mkstemp(path));
    unlink(path);
    session_init(session_get(), &(struct weir_join){.socket = path});
    print("no controller", call);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        serve();
    wait_until_controlled();
    print("limited, but never reached", call);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    print("ticket", take);
    print_contended(2);
    print_contended(4);
    return 0;
}
