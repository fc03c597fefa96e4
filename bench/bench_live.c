/* What a live controller can do. `make bench` runs it; results/performance.md says what it prints.
 *
 * A controller with a thousand connections, a hundred of them in the middle of an I/O: how long it
 * takes from a post to its grant, and how many posts it takes in a second. */
#include "bench.h"
#include "client/link.h"
#include "client/wait.h"
#include "serve/serve.h"
#include "wire/page.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum {
    CONNECTIONS = 1000,
    ACTIVE = 100,
    POSTS = 20000,      /* one after the other */
    PIPELINED = 200000, /* without waiting */
    PIPELINES = 16
};

static char place[32]; /* a directory for its socket */

/* --- a client as fast as it can be ------------------------------------------------------------ */

struct client {
    int socket;
    const struct grant_page *grant;
    struct usage_page *usage;
};

static void attach(struct client *client, const char *path, uint32_t number)
{
    struct wire_message message = {.type = WIRE_ATTACH};
    int pages[2] = {-1, -1};
    client->socket = link_connect(path, BENCH_SECOND);
    message.attach =
        (struct wire_attach){.token = {number + 1, 1}, .nodes = 1, .weight = 1, .name = "bench"};
    if (client->socket < 0 || link_send_within(client->socket, &message, BENCH_SECOND) ||
        link_receive(client->socket, &message, pages, 5 * BENCH_SECOND) != LINK_MESSAGE ||
        message.type != WIRE_WELCOME)
        bench_fail("attach");
    client->grant = mmap(NULL, PAGE_GRANT_BYTES, PROT_READ, MAP_SHARED, pages[0], 0);
    client->usage = mmap(NULL, PAGE_USAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pages[1], 0);
    if (client->grant == MAP_FAILED || (void *)client->usage == MAP_FAILED)
        bench_fail("map");
    link_close_pages(pages);
    /* More than it will ever be granted is claimed: nobody takes it for stopped. */
    double much = 1e290;
    uint64_t bits;
    memcpy(&bits, &much, sizeof bits);
    atomic_store(&client->usage->used, bits);
}

static void tell(const struct client *client, const struct wire_message *message)
{
    if (link_send_within(client->socket, message, 5 * BENCH_SECOND))
        bench_fail("send");
}

static void post(const struct client *client)
{
    struct wire_message message = {.type = WIRE_POST, .post = {.volume = 1e15, .begun = 1}};
    tell(client, &message);
}

static void end(const struct client *client)
{
    struct wire_message message = {.type = WIRE_END};
    tell(client, &message);
}

/* Waits until it may move something, as a client does. */
static void await_grant(const struct client *client)
{
    const struct timespec limit = {.tv_nsec = 20000000};
    uint32_t change = atomic_load(&client->grant->change);
    if (atomic_load(&client->grant->mode) != PAGE_PACED)
        wait_soon(&client->grant->change, change, WAIT_MS / 10);
    if (atomic_load(&client->grant->mode) == PAGE_PACED)
        return;
    atomic_fetch_add(&client->usage->waiters, 1);
    while (change = atomic_load(&client->grant->change),
           atomic_load(&client->grant->mode) != PAGE_PACED)
        syscall(SYS_futex, &client->grant->change, FUTEX_WAIT, change, &limit, NULL, 0);
    atomic_fetch_sub(&client->usage->waiters, 1);
}

/* Waits until the controller has done all that was sent before. */
static void catch_up(const struct client *client)
{
    struct wire_message message = {.type = WIRE_QUERY};
    tell(client, &message);
    do {
        if (link_receive(client->socket, &message, NULL, 30 * BENCH_SECOND) != LINK_MESSAGE)
            bench_fail("status");
    } while (message.type != WIRE_STATUS);
}

/* --- the controller --------------------------------------------------------------------------- */

static void announce(void *context)
{
    if (write(*(int *)context, "", 1) != 1)
        bench_fail("ready");
}

static pid_t start_controller(const char *path)
{
    int ends[2];
    char byte;
    if (pipe2(ends, O_CLOEXEC))
        bench_fail("pipe");
    pid_t child = bench_spawn();
    if (child == 0) {
        struct err err = {0};
        const struct service service = {
            .platform = {.node_bandwidth = INFINITY, .bandwidth = 1e9},
            .socket = path,
            .policy = "fair-share",
            .soft_release = SERVICE_SOFT_RELEASE,
            .phase_gap = SERVICE_PHASE_GAP,
            .max_wait = SERVICE_MAX_WAIT,
        };
        const struct serve_hooks hooks = {.ready = announce, .context = &ends[1]};
        if (serve_run(&service, &hooks, &err))
            fprintf(stderr, "bench_live: %s\n", err.text);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1)
        bench_fail("the controller did not start");
    close(ends[0]);
    return child;
}

/* Keeps a process, 0 = this one, on one processor; below 0 on any. */
static void keep_on(pid_t process, int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (processor < 0 || i == processor)
            CPU_SET(i, &set);
    sched_setaffinity(process, sizeof set, &set);
}

static void bench_latency(const struct client *client, const char *where)
{
    static double spans[POSTS];
    uint64_t begun = bench_now();
    for (int i = 0; i < POSTS; i++) {
        uint64_t date = bench_now();
        post(client);
        await_grant(client);
        spans[i] = (double)(bench_now() - date) / 1e3;
        end(client);
        catch_up(client);
    }
    double seconds = (double)(bench_now() - begun) / 1e9;
    printf("  %-28s %6.0f %6.0f %20.0f\n", where, bench_median(spans, POSTS),
           bench_quantile(spans, POSTS, 0.99), POSTS / seconds);
}

static void bench_pipelined(const struct client *clients)
{
    uint64_t begun = bench_now();
    for (int i = 0; i < PIPELINED; i++) {
        const struct client *client = &clients[i / 32 % PIPELINES];
        post(client);
        end(client);
    }
    for (int i = 0; i < PIPELINES; i++)
        catch_up(&clients[i]);
    double seconds = (double)(bench_now() - begun) / 1e9;
    printf("pipelined, %d at a time: %.0f posts per second, each with its end\n", PIPELINES,
           PIPELINED / seconds);
}

static void bench_controller(const char *path)
{
    static struct client clients[CONNECTIONS];
    struct rlimit files = {.rlim_cur = 8192, .rlim_max = 8192};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    pid_t controller = start_controller(path);
    for (uint32_t i = 0; i < CONNECTIONS; i++)
        attach(&clients[i], path, i);
    for (int i = 0; i < ACTIVE; i++)
        post(&clients[i]);
    catch_up(&clients[0]);
    printf("%d connections, %d active; from post to grant (us), and rounds per second\n",
           CONNECTIONS, ACTIVE);
    printf("  controller and client          median  p99   post, grant, end, ok\n");
    bench_latency(&clients[ACTIVE], "where the system puts them");
    keep_on(0, 0);
    keep_on(controller, 0);
    bench_latency(&clients[ACTIVE], "on one processor");
    keep_on(controller, 1);
    bench_latency(&clients[ACTIVE], "on two, which sleep a lot");
    keep_on(0, -1);
    keep_on(controller, -1);
    for (int i = 0; i < ACTIVE; i++)
        end(&clients[i]);
    bench_pipelined(&clients[ACTIVE]);
    kill(controller, SIGTERM);
    waitpid(controller, NULL, 0);
}

int main(void)
{
    char path[96];
    snprintf(place, sizeof place, "/tmp/weir-bench-XXXXXX");
    if (!mkdtemp(place))
        bench_fail(place);
    bench_controller(bench_path(place, "weir.sock", path, sizeof path));
    unlink(path);
    rmdir(place);
    return 0;
}
