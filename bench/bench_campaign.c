/* What a campaign costs beside its runs, and how it scales. `make bench` runs it; see
 * results/performance.md for what it prints.
 *
 *     bench_campaign [RUNS]
 *
 * Each run has 60 applications with 100 phases of work and I/O each. Shares are of processor time,
 * which a busy machine does not change much; the wall time beside it is worth something on an idle
 * one only. */
#include "bench.h"
#include "experiment/campaign.h"
#include "experiment/pending.h"
#include "experiment/threads.h"
#include "store/database.h"
#include <sys/stat.h>
#include <sys/wait.h>

enum { RUNS = 10000, STRATEGIES = 4, REPEATS = 3, MOST_RANKS = 4 };

static const char scenario_text[] =
    "platform: {nodes: 6000, node_bandwidth: 10 MB/s, bandwidth: 10 GB/s}\n"
    "applications:\n"
    "  - {name: small, count: 40, nodes: 50, work: 100, io: 5 GB, iterations: 100,\n"
    "     noise: {work: 30 %, io: 10 %}}\n"
    "  - {name: large, count: 20, nodes: 200, work: 300, io: 50 GB, iterations: 100,\n"
    "     noise: {work: 30 %, io: 10 %}}\n";

static char place[64];

static char *in_place(const char *name)
{
    static char path[128];
    return bench_path(place, name, path, sizeof path);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_place(name), "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        bench_fail(name);
}

static void write_campaign(size_t runs)
{
    char text[256];
    snprintf(text, sizeof text,
             "scenarios: [scenario.yaml]\nseeds: 1..%zu\n"
             "strategies: [fair-share, fcfs, greedy-com, floor]\n",
             runs / STRATEGIES);
    write_file("scenario.yaml", scenario_text);
    write_file("campaign.yaml", text);
}

/* --- measuring ---------------------------------------------------------------------------------
 */

static double clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Resident memory, MB. */
static double memory_now(void)
{
    unsigned long size, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu %lu", &size, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

struct measured {
    double wall, processor;  /* of the whole, s */
    double loading, storing; /* of it: before the first run, and of the thread that stores, s */
    double early, late;      /* memory after a tenth of the runs and at the end, MB */
    size_t runs;
};

static void watch(void *context, const struct campaign_tally *tally)
{
    struct measured *measured = context;
    if (tally->done < measured->runs / 10)
        measured->early = memory_now();
    if (tally->done == measured->runs)
        measured->late = memory_now();
}

static struct measured run_campaign(size_t jobs)
{
    struct err err;
    struct measured measured = {0};
    struct campaign_tally tally;
    struct pending pending;
    double wall = bench_seconds(), all = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    struct campaign *campaign = campaign_load(in_place("campaign.yaml"), &err);
    struct database *database =
        campaign ? database_open_write(in_place("results.sqlite"), &err) : NULL;
    if (!database ||
        pending_init(&pending, campaign, (struct campaign_shard){1, 1}, NULL, 0, &err) < 0)
        bench_die(err.text);
    measured.loading = clock_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    measured.runs = campaign->runs;
    double own = clock_of(CLOCK_THREAD_CPUTIME_ID);
    const struct campaign_task task = {.campaign = campaign,
                                       .pending = &pending,
                                       .sink = {campaign_store, database},
                                       .jobs = jobs,
                                       .progress = watch,
                                       .context = &measured};
    if (campaign_run(&task, &tally, &err) < 0)
        bench_die(err.text);
    database_close(database);
    measured.storing = clock_of(CLOCK_THREAD_CPUTIME_ID) - own;
    measured.processor = clock_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    measured.wall = bench_seconds() - wall;
    pending_fini(&pending);
    campaign_free(campaign);
    unlink(in_place("results.sqlite"));
    return measured;
}

/* --- threads -----------------------------------------------------------------------------------
 */

static void bench_share(size_t runs)
{
    write_campaign(runs);
    struct measured m = run_campaign(1);
    printf(
        "%zu runs of 60 applications with 100 phases each, one worker: %.1f s of processor time\n"
        "  preparing %.2f %%, storing %.2f %%, together %.2f %%\n"
        "  memory %.1f MB after a tenth, %.1f MB at the end\n",
        m.runs, m.processor, 100 * m.loading / m.processor, 100 * m.storing / m.processor,
        100 * (m.loading + m.storing) / m.processor, m.early, m.late);
}

static void bench_threads(size_t runs)
{
    double wall[3], processor[3];
    write_campaign(runs);
    for (size_t jobs = 1; jobs <= 2; jobs++) {
        double walls[REPEATS], processors[REPEATS];
        for (int i = 0; i < REPEATS; i++) {
            struct measured m = run_campaign(jobs);
            walls[i] = m.wall;
            processors[i] = m.processor;
        }
        wall[jobs] = bench_median(walls, REPEATS);
        processor[jobs] = bench_median(processors, REPEATS);
        printf("%zu worker%s  %7.2f s  %7.2f s of processor time\n", jobs, jobs == 1 ? " " : "s",
               wall[jobs], processor[jobs]);
    }
    printf("two workers are %.2f times as fast as one; by processor time they could be %.2f\n",
           wall[1] / wall[2], 2 * processor[1] / processor[2]);
}

/* --- ranks -------------------------------------------------------------------------------------
 */

/* Seconds of a campaign with this many ranks that run, or 0 when MPI does not start. */
static double run_ranks(const char *program, int ranks)
{
    char count[16];
    snprintf(count, sizeof count, "%d", ranks + 1);
    double start = bench_seconds();
    fflush(stdout);
    pid_t child = bench_spawn();
    if (child == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
        setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
        char *file = strdup(in_place("campaign.yaml")), *base = in_place("results.sqlite");
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(1);
        execlp("mpirun", "mpirun", "-n", count, program, "campaign", file, "--db", base, NULL);
        _exit(1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    unlink(in_place("results.sqlite"));
    return status == 0 ? bench_seconds() - start : 0;
}

static void bench_ranks(const char *self, size_t runs)
{
    char program[4096];
    const char *slash = strrchr(self, '/');
    snprintf(program, sizeof program, "%.*sweir-mpi", slash ? (int)(slash - self) + 1 : 0, self);
    if (access(program, X_OK) != 0)
        return;
    write_campaign(runs);
    double one = 0;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        double walls[REPEATS];
        for (int i = 0; i < REPEATS; i++)
            walls[i] = run_ranks(program, ranks);
        double wall = bench_median(walls, REPEATS);
        if (walls[0] == 0) {
            printf("ranks: MPI does not start here\n");
            return;
        }
        one = ranks == 1 ? wall : one;
        printf("%d rank%s and rank 0  %7.2f s, %.2f times as fast as one\n", ranks,
               ranks == 1 ? " " : "s", wall, one / wall);
    }
}

int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : RUNS;
    snprintf(place, sizeof place, "/tmp/weir-bench-%d", (int)getpid());
    if (runs < STRATEGIES || mkdir(place, 0700) != 0)
        bench_fail(place);
    bench_share(runs);
    fflush(stdout);
    bench_threads(runs / 5 + STRATEGIES);
    fflush(stdout);
    bench_ranks(argv[0], runs / 5 + STRATEGIES);
    unlink(in_place("scenario.yaml"));
    unlink(in_place("campaign.yaml"));
    rmdir(place);
    return 0;
}
