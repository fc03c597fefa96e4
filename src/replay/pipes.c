#include "replay/pipes.h"
#include "base/maths.h"
#include "base/mem.h"
#include "client/clock.h"
#include "replay/worker.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE = 16 << 10 }; /* bytes taken at once: less than a pipe holds */

/* Seconds for which bytes may be saved up while nothing is written. */
static const double patience = 0.01;

static int open_all(const struct ledger *ledger, struct pollfd *pipes, struct err *err)
{
    for (uint32_t id = 0; id < ledger->count; id++) {
        char path[2 * LEDGER_PATH];
        worker_path(ledger, id, path);
        pipes[id] = (struct pollfd){.fd = -1, .events = POLLIN};
        if (mkfifo(path, 0600) == 0)
            pipes[id].fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (pipes[id].fd < 0)
            return err_set(err, "%s: cannot create a pipe: %s", path, strerror(errno));
    }
    return 0;
}

/* Waits until something was written; pipes that are not open yet cannot be waited for. */
static void pipes_await(struct pollfd *pipes, uint32_t count)
{
    int open = poll(pipes, count, 1);
    bool ready = false;
    for (uint32_t id = 0; open > 0 && id < count; id++)
        ready = ready || pipes[id].revents & POLLIN;
    if (!ready)
        worker_sleep(clock_now() + 0.0005);
}

/* Drains a slice of each pipe in turn, as fast as the rate allows, for ever. */
static void pipes_drain(struct pollfd *pipes, uint32_t count, double rate)
{
    static char bytes[SLICE];
    double free_at = clock_now(); /* when the next byte may be taken */
    for (;;) {
        pipes_await(pipes, count);
        for (uint32_t id = 0; id < count; id++) {
            ssize_t taken = pipes[id].revents & POLLIN ? read(pipes[id].fd, bytes, SLICE) : 0;
            if (taken <= 0)
                continue;
            free_at = maths_max(free_at, clock_now() - patience) + (double)taken / rate;
            if (free_at > clock_now())
                worker_sleep(free_at);
        }
    }
}

pid_t pipes_start(const struct ledger *ledger, double rate, struct err *err)
{
    struct pollfd *pipes = mem_alloc(ledger->count, sizeof *pipes);
    pid_t process = -1;
    if (!pipes) {
        err_memory(err);
        return -1;
    }
    if (open_all(ledger, pipes, err) == 0) {
        process = fork();
        if (process < 0)
            err_set(err, "cannot start a process: %s", strerror(errno));
    }
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        pipes_drain(pipes, ledger->count, rate);
    }
    for (uint32_t id = 0; id < ledger->count; id++)
        if (pipes[id].fd > 0)
            close(pipes[id].fd);
    free(pipes);
    return process;
}
