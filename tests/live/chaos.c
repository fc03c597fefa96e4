/* A program that does everything at once, and knows what its files must contain.
 *
 *     chaos DIRECTORY SECONDS NUMBER [child]
 *
 * Threads append to files in every way, children are forked and started that do too, and signal
 * handlers write to a file of their own. Every file is read back, when it is full and at the end.
 * Exits with 0 if every byte was right. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, BLOCK = 200000, PERIOD = 65521, FULL = 4 << 20, RECORD = 16, RECORDS = 65536 };
enum { MS = 1000000 };

static const char *directory;
static double deadline;
static char pattern[PERIOD + BLOCK]; /* what stands at an offset depends on it modulo PERIOD */
static int source;                   /* a file of the same */
static int handled = -1;             /* the file of the handlers, */
static _Atomic int records;          /* and how many they began to write */
static _Atomic bool wrong;

static void complain(const char *what, long at)
{
    dprintf(2, "chaos: process %d: %s at %ld: %s\n", (int)getpid(), what, at, strerror(errno));
    atomic_store(&wrong, true);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_over(void)
{
    return seconds() >= deadline || atomic_load(&wrong);
}

/* A new file without a name in the directory. */
static int open_file(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/chaos-XXXXXX", directory);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0 || unlink(path) != 0)
        complain("cannot create a file", 0);
    return fd;
}

/* --- signals ---------------------------------------------------------------------------------- */

static void make_record(char record[RECORD + 1], int number)
{
    memset(record, '.', RECORD);
    for (int at = RECORD - 2; at > 0; at--, number /= 10)
        record[at] = (char)('0' + number % 10);
    record[RECORD - 1] = '\n';
}

static void handle(int signal)
{
    (void)signal;
    int fault = errno, number = atomic_fetch_add(&records, 1);
    char record[RECORD + 1];
    make_record(record, number);
    if (handled >= 0 && number < RECORDS &&
        pwrite(handled, record, RECORD, (off_t)number * RECORD) != RECORD)
        complain("a handler's write", number);
    errno = fault;
}

static void check_records(void)
{
    int count = atomic_load(&records);
    for (int i = 0; i < count && i < RECORDS; i++) {
        char expected[RECORD + 1], found[RECORD];
        make_record(expected, i);
        errno = 0;
        if (pread(handled, found, RECORD, (off_t)i * RECORD) != RECORD ||
            memcmp(found, expected, RECORD) != 0)
            complain("a handler's record", i);
    }
}

static void start_signals(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 5000}, {0, 5000}};
    handled = open_file();
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void stop_signals(void)
{
    struct itimerval never = {{0}, {0}};
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
}

/* --- a file ----------------------------------------------------------------------------------- */

struct work {
    int fd;
    FILE *stream; /* to the same file; NULL in a forked child */
    off_t at;     /* its size */
    uint64_t dice;
};

static uint64_t roll(struct work *work)
{
    work->dice = work->dice * 6364136223846793005u + 1442695040888963407u;
    return work->dice >> 33;
}

static ssize_t append_vector(struct work *work, const char *data, size_t n)
{
    struct iovec parts[] = {{(void *)(uintptr_t)data, n / 3},
                            {(void *)(uintptr_t)(data + n / 3), n - n / 3}};
    return pwritev(work->fd, parts, 2, work->at);
}

static ssize_t append_stream(struct work *work, const char *data, size_t n)
{
    if (fseeko(work->stream, work->at, SEEK_SET) != 0 || fwrite(data, 1, n, work->stream) != n ||
        fflush(work->stream) != 0)
        return -1;
    return (ssize_t)n;
}

/* Appends some bytes in some way, and returns how many. */
static ssize_t append(struct work *work)
{
    size_t n = 1 + roll(work) % BLOCK;
    off_t from = work->at % PERIOD;
    switch (roll(work) % (work->stream ? 5 : 4)) {
    case 0:
        return pwrite(work->fd, pattern + from, n, work->at);
    case 1:
        return lseek(work->fd, work->at, SEEK_SET) < 0 ? -1 : write(work->fd, pattern + from, n);
    case 2:
        return append_vector(work, pattern + from, n);
    case 3:
        return lseek(work->fd, work->at, SEEK_SET) < 0 ? -1 : sendfile(work->fd, source, &from, n);
    default:
        return append_stream(work, pattern + from, n);
    }
}

static void check(const struct work *work)
{
    static _Thread_local char found[BLOCK];
    for (off_t at = 0; at < work->at;) {
        errno = 0;
        ssize_t n = pread(work->fd, found, BLOCK, at);
        if (n <= 0 || memcmp(found, pattern + at % PERIOD, (size_t)n) != 0) {
            complain("wrong bytes", at);
            return;
        }
        at += n;
    }
}

static void work_until(struct work *work, double end)
{
    while (seconds() < end && !is_over()) {
        ssize_t n = append(work);
        if (n < 0 && errno != EINTR)
            complain("a write", work->at);
        work->at += n > 0 ? n : 0;
        if (work->at < FULL)
            continue;
        check(work);
        work->at = 0;
        if (ftruncate(work->fd, 0) != 0)
            complain("ftruncate", 0);
    }
    check(work);
}

static void *run_thread(void *number)
{
    struct work work = {.fd = open_file(), .dice = (uintptr_t)number};
    work.stream = fdopen(dup(work.fd), "r+");
    if (!work.stream)
        complain("fdopen", 0);
    else
        work_until(&work, deadline);
    if (work.stream)
        fclose(work.stream);
    close(work.fd);
    return NULL;
}

/* --- children --------------------------------------------------------------------------------- */

static _Noreturn void run_child(uint64_t number)
{
    struct work work = {.fd = -1, .dice = number};
    atomic_store(&records, 0);
    start_signals(); /* a child inherits no timer */
    work.fd = open_file();
    work_until(&work, seconds() + 0.1);
    stop_signals();
    check_records();
    _exit(atomic_load(&wrong) ? 1 : 0);
}

static void have_child(uint64_t number)
{
    char text[32];
    int status = -1;
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    pid_t pid = fork();
    if (pid == 0 && number % 2 == 0)
        execl("/proc/self/exe", "chaos", directory, "0.15", text, "child", (char *)NULL);
    if (pid == 0)
        run_child(number);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status != 0)
        complain("a child ended with", status);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    if (argc < 4)
        return 2;
    directory = argv[1];
    deadline = seconds() + atof(argv[2]);
    uint64_t number = strtoull(argv[3], NULL, 10) * 1000;
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (char)(i % PERIOD * 2654435761u >> 13);
    source = open_file();
    if (write(source, pattern, sizeof pattern) != (ssize_t)sizeof pattern)
        complain("the source", 0);
    start_signals();
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run_thread, (void *)(number + i)) != 0) // NOLINT
            return 1;
    while (!is_over()) {
        if (argc == 4)
            have_child(++number);
        kill(getpid(), SIGUSR1);
        nanosleep(&(struct timespec){0, 20 * MS}, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    stop_signals();
    check_records();
    return atomic_load(&wrong) ? 1 : 0;
}
