#include "common.h"
#include "client/request.h"
#include "wire/page.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* after what it needs */
#include <cmocka.h>

#define BASE "WEIR_TEST_BASE"   /* set under control: where store and socket are */
#define STORE "WEIR_TEST_STORE" /* the keys of the store */
static const char name[] = "tested";

/* --- time and processes ----------------------------------------------------------------------- */

double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void rest(double time)
{
    for (double end = seconds() + time; (time = end - seconds()) > 0;) {
        struct timespec pause = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
        nanosleep(&pause, NULL);
    }
}

int reap(int pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- places ----------------------------------------------------------------------------------- */

static const char *place(const char *directory, const char *file)
{
    static char paths[4][256];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s%s", getenv(BASE), directory, file);
    return path;
}

const char *on_store(const char *file)
{
    return place("store/", file);
}

const char *off_store(const char *file)
{
    return place("", file);
}

int open_new(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    return fd;
}

/* --- the controller --------------------------------------------------------------------------- */

static void keep_application(const struct wire_message *message, void *context)
{
    if (message->type == WIRE_APP && strcmp(message->app.name, name) == 0)
        *(struct wire_app *)context = message->app;
}

static const char *ask(struct wire_app *app)
{
    const struct wire_message question = {.type = WIRE_QUERY, .query = {.applications = 1}};
    return request_ask(off_store("socket"), &question, 2, keep_application, app);
}

struct wire_app ask_application(void)
{
    struct wire_app app = {0};
    assert_null(ask(&app));
    return app;
}

void assert_counted(double before, double bytes)
{
    double end = seconds() + 2, moved;
    while ((moved = ask_application().moved - before) < bytes && seconds() < end)
        rest(0.005);
    rest(0.005);
    moved = ask_application().moved - before;
    if (moved != bytes)
        fail_msg("%.0f bytes were counted, not %.0f", moved, bytes);
}

void assert_comes_to_rest(void)
{
    for (double end = seconds() + 5; seconds() < end; rest(0.01))
        if (ask_application().state == WIRE_WORKING)
            return;
    fail();
}

/* --- running under it ------------------------------------------------------------------------- */

static pid_t spawn(const char *const *argv)
{
    pid_t child;
    int fault = posix_spawn(&child, argv[0], NULL, NULL, (char *const *)argv, environ);
    if (fault != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(fault));
        exit(1);
    }
    return child;
}

static void wait_for_controller(void)
{
    struct wire_app unused;
    for (double end = seconds() + 10; ask(&unused) && seconds() < end;)
        rest(0.01);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* Writes the controller's configuration: one store, of these keys. */
static void configure(const char *path, const char *base, const char *keys)
{
    FILE *out = fopen(path, "w");
    if (!out || fprintf(out, "stores: [{path: %s/store, %s}]\n", base, keys) < 0 ||
        fclose(out) != 0) {
        perror(path);
        exit(1);
    }
}

static int run_outside(const char *weir, const char *self, const char *keys)
{
    char base[] = "/tmp/weir-preload-XXXXXX", store[64], socket[64], settings[64];
    if (!mkdtemp(base))
        return 1;
    setenv(BASE, base, 1);
    snprintf(store, sizeof store, "%s/store", base);
    snprintf(socket, sizeof socket, "%s/socket", base);
    snprintf(settings, sizeof settings, "%s/weir.yaml", base);
    mkdir(store, 0700);
    configure(settings, base, keys);
    const char *const serve[] = {weir, "serve", "--socket", socket, "--config", settings, NULL};
    const char *const exec[] = {weir, "exec", "--socket", socket, "--name", name, "--", self, NULL};
    pid_t server = spawn(serve);
    wait_for_controller();
    int code = reap(spawn(exec));
    kill(server, SIGTERM);
    reap(server);
    nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    unsetenv(BASE);
    return code;
}

int run_controlled(char **argv, const char *const *stores, int (*tests)(void))
{
    const char *weir = getenv("WEIR");
    if (getenv(BASE))
        return tests();
    int code = weir ? 0 : 77;
    for (; code == 0 && *stores; stores++) {
        setenv(STORE, *stores, 1);
        code = run_outside(weir, argv[0], *stores);
    }
    return code;
}

bool in_pieces(void)
{
    return strstr(getenv(STORE), "pieces");
}
