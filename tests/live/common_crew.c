#include "common_crew.h"
#include "client/session.h"
#include "support/raw.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PIECE = 65536 };

void crew_nap(int ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- controller --------------------------------------------------------------------------------
 */

void crew_serve(struct crew *crew, const char *policy)
{
    char bandwidth[32];
    const char *program = getenv("WEIR");
    snprintf(bandwidth, sizeof bandwidth, "%.0f", CREW_BANDWIDTH);
    crew->controller = fork();
    assert_true(crew->controller >= 0);
    if (crew->controller == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen(crew->log, "a", stderr))
            _exit(1);
        execl(program, program, "serve", "--socket", crew->path, "--policy", policy, "--bandwidth",
              bandwidth, (char *)NULL);
        _exit(1);
    }
    for (int i = 0; i < 500; i++) {
        int fd = raw_connect(crew->path);
        if (fd >= 0) {
            close(fd);
            return;
        }
        crew_nap(10);
    }
    fail_msg("the controller does not listen");
}

void crew_open(struct crew *crew, const char *policy)
{
    const char *program = getenv("WEIR");
    if (!program || access(program, X_OK) != 0)
        skip();
    *crew = (struct crew){.controller = -1};
    snprintf(crew->path, sizeof crew->path, "/tmp/weir-crew-%d.sock", (int)getpid());
    snprintf(crew->log, sizeof crew->log, "/tmp/weir-crew-%d.log", (int)getpid());
    unlink(crew->path);
    unlink(crew->log);
    crew->shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(crew->shared, MAP_FAILED);
    crew_serve(crew, policy);
}

void crew_signal(pid_t pid, int signal)
{
    kill(pid, signal);
    if (signal == SIGKILL)
        waitpid(pid, NULL, 0);
}

void crew_close(struct crew *crew)
{
    for (int i = 0; i < crew->count; i++)
        crew_signal(crew->movers[i].pid, SIGKILL);
    if (crew->controller > 0)
        crew_signal(crew->controller, SIGKILL);
    munmap((void *)crew->shared, 4096);
    unlink(crew->path);
    unlink(crew->log);
}

int crew_count_lines(const struct crew *crew, const char *text)
{
    char line[512];
    int count = 0;
    FILE *log = fopen(crew->log, "r");
    assert_non_null(log);
    while (fgets(line, sizeof line, log))
        count += strstr(line, text) != NULL;
    fclose(log);
    return count;
}

/* --- movers ------------------------------------------------------------------------------------
 */

static _Noreturn void move(const struct crew *crew, _Atomic uint64_t *moved, bool explicit)
{
    struct session *session = session_get();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    session_init(session, &(struct weir_join){.socket = crew->path, .name = "mover"});
    if (explicit)
        session_begin(session, 1e6);
    for (;;) {
        session_enter(session);
        size_t piece = session_acquire(session, PIECE, false);
        session_exit(session, piece);
        atomic_fetch_add(moved, piece);
    }
}

struct mover *crew_move(struct crew *crew, bool explicit)
{
    struct mover *mover = &crew->movers[crew->count];
    mover->moved = &crew->shared[16 * crew->count++];
    mover->pid = fork();
    assert_true(mover->pid >= 0);
    if (mover->pid == 0)
        move(crew, mover->moved, explicit);
    return mover;
}

double crew_measure(const struct mover *mover, int after, int length)
{
    crew_nap(after);
    double begin = now();
    uint64_t before = atomic_load(mover->moved);
    crew_nap(length);
    uint64_t behind = atomic_load(mover->moved);
    return (double)(behind - before) / (now() - begin);
}
