/* What the preload costs. `make bench` runs it; results/performance.md says what it prints.
 *
 * A 4 KiB pwrite to memory, with and without libweir-preload.so, in turns: plain programs, of which
 * two differ by noise only; on a file that is not controlled; and on one that is, without a
 * controller and with one that limits nothing. */
#include "bench.h"
#include "node/pages.h"
#include "wire/message.h"
#include "wire/page.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

enum {
    CALL = 4096,    /* bytes */
    BATCH = 64,     /* calls between two looks at the clock */
    BATCHES = 2000, /* in one round */
    ROUNDS = 15
};

static char place[32]; /* a directory in memory for all files */

/* --- a pwrite ------------------------------------------------------------------------------- */

/* Nanoseconds of a pwrite to the file, the median over batches: what the child does. */
static int time_pwrites(const char *path)
{
    static char bytes[CALL];
    static double spans[BATCHES];
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0)
        bench_fail(path);
    for (int i = 0; i < BATCHES; i++) {
        uint64_t begun = bench_now();
        for (int k = 0; k < BATCH; k++)
            if (pwrite(file, bytes, CALL, (off_t)CALL * k) != CALL)
                bench_fail("pwrite");
        spans[i] = (double)(bench_now() - begun) / BATCH;
    }
    printf("%.2f\n", bench_median(spans, BATCHES));
    return 0;
}

/* How the child is started. */
struct variant {
    const char *name;
    const char *preload; /* NULL = without */
    const char *stores;
    const char *socket;
    struct pages *pages; /* of a controller that is to give signs of life, or NULL */
};

static void enter(const struct variant *variant, const char *file)
{
    char self[] = "/proc/self/exe";
    if (variant->preload) {
        setenv("LD_PRELOAD", variant->preload, 1);
        setenv(WIRE_ENV_SOCKET, variant->socket, 1);
        setenv(WIRE_ENV_STORES, variant->stores, 1);
        setenv(WIRE_ENV_TOKEN, "00112233445566778899aabbccddeeff", 1);
    }
    execl(self, self, "--pwrite", file, (char *)NULL);
    _exit(127);
}

static double run_variant(const struct variant *variant)
{
    int ends[2];
    char file[128], text[64] = "";
    bench_path(place, "file", file, sizeof file);
    if (pipe2(ends, O_CLOEXEC))
        bench_fail("pipe");
    pid_t child = bench_spawn();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        enter(variant, file);
    }
    close(ends[1]);
    struct pollfd answer = {.fd = ends[0], .events = POLLIN};
    while (poll(&answer, 1, 50) == 0)
        if (variant->pages)
            pages_beat(variant->pages, bench_now());
    if (read(ends[0], text, sizeof text - 1) <= 0)
        bench_fail(variant->name);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return atof(text);
}

/* --- a controller that limits nothing -------------------------------------------------------- */

static void welcome(int client, const struct pages *pages)
{
    char bytes[WIRE_MOST];
    struct wire_message message = {.type = WIRE_WELCOME};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    snprintf(message.welcome.stores, sizeof message.welcome.stores, "%s", place);
    struct iovec vector = {bytes, wire_encode(&message, bytes)};
    struct msghdr head = {.msg_iov = &vector,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          .msg_controllen = sizeof control};
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(2 * sizeof(int));
    memcpy(CMSG_DATA(&control.head), (int[2]){pages->grant_fd, pages->usage_fd}, 2 * sizeof(int));
    if (sendmsg(client, &head, MSG_NOSIGNAL) < 0)
        bench_fail("welcome");
}

/* Answers whoever attaches. */
static pid_t start_open_controller(const char *path, const struct pages *pages)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 16))
        bench_fail(path);
    pid_t child = bench_spawn();
    if (child == 0)
        for (;;) {
            char bytes[WIRE_MOST];
            int client = accept(listener, NULL, NULL);
            if (client >= 0 && recv(client, bytes, sizeof bytes, 0) > 0)
                welcome(client, pages);
        }
    close(listener);
    return child;
}

/* --- the cost of a call ---------------------------------------------------------------------- */

static void find_preload(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    snprintf(slash ? slash + 1 : path, size - (size_t)(slash ? slash + 1 - path : 0),
             "libweir-preload.so");
}

static void print_cost(const struct variant *variants, size_t count, double rounds[][ROUNDS])
{
    double plain = bench_median(rounds[0], ROUNDS);
    printf("4 KiB pwrite to memory, %.0f ns; more than that (median of %d rounds):\n", plain,
           ROUNDS);
    for (size_t i = 1; i < count; i++)
        printf("  %-42s %+6.1f ns\n", variants[i].name, bench_median(rounds[i], ROUNDS) - plain);
}

static void bench_calls(void)
{
    char preload[512], socket[96], nobody[96];
    struct err err;
    struct pages pages;
    find_preload(preload, sizeof preload);
    if (access(preload, R_OK)) {
        printf("4 KiB pwrite: skipped, %s is not there\n", preload);
        return;
    }
    if (pages_init(&pages, 0, &err))
        bench_die(err.text);
    pages_open(&pages);
    pages_beat(&pages, bench_now());
    bench_path(place, "open.sock", socket, sizeof socket);
    bench_path(place, "nobody.sock", nobody, sizeof nobody);
    pid_t controller = start_open_controller(socket, &pages);
    const struct variant variants[] = {
        {.name = "plain"},
        {.name = "plain again: noise"},
        {"under the preload, not on a store", preload, "/nowhere", socket, NULL},
        {"on a store, no controller there", preload, place, nobody, NULL},
        {"on a store, controlled, not limited", preload, place, socket, &pages},
    };
    enum { VARIANTS = sizeof variants / sizeof *variants };
    double rounds[VARIANTS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < VARIANTS; i++)
            rounds[i][round] = run_variant(&variants[i]);
    print_cost(variants, VARIANTS, rounds);
    kill(controller, SIGKILL);
    waitpid(controller, NULL, 0);
    pages_fini(&pages);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--pwrite") == 0)
        return time_pwrites(argv[2]);
    snprintf(place, sizeof place, "/dev/shm/weir-bench-XXXXXX");
    if (!mkdtemp(place))
        bench_fail(place);
    bench_calls();
    char path[96];
    unlink(bench_path(place, "file", path, sizeof path));
    unlink(bench_path(place, "open.sock", path, sizeof path));
    rmdir(place);
    return 0;
}
