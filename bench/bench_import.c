/* How long importing takes, and how much memory. `make bench` runs it; results/performance.md says
 * what it prints: an access trace of 100 MB, and a log of 100,000 jobs. */
#include "bench.h"
#include "format/import.h"
#include <sys/resource.h>

enum { RANKS = 64, PHASES = 20, ACCESSES = 900, JOBS = 100000 };

/* Each rank writes 900 MiB every 300 s, in accesses of 8 ms with pauses of 2 ms, as
 * darshan-dxt-parser prints them: rank by rank. */
static void write_trace(FILE *out)
{
    fputs("# exe: /bench\n# jobid: 1\n# nprocs: 64\n# run time: 6000\n", out);
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < PHASES * ACCESSES; i++) {
            double start = 300.0 * (i / ACCESSES) + 0.01 * (i % ACCESSES) + 0.0001 * rank;
            fprintf(out, " X_POSIX %7d  write %8d %15.0f %15d %11.4f %11.4f   N/A\n", rank, i,
                    1048576.0 * i, 1048576, start, start + 0.008);
        }
}

static void write_jobs(FILE *out)
{
    for (int i = 1; i <= JOBS; i++)
        fprintf(out, "%d %d 60 %d %d -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n", i, 30 * i,
                600 + i % 7200, 1 + i % 512);
}

static void measure(const char *format, void (*write)(FILE *out))
{
    const struct import_options options = {.platform = {.bandwidth = 1e11}, .io_ratio = 0.1};
    char path[] = "/tmp/weir-bench-XXXXXX";
    const char *const paths[] = {path};
    const struct import_source source = {paths, 1};
    struct err err = {0};
    struct rusage usage;
    FILE *file = fdopen(mkstemp(path), "w");
    if (!file)
        bench_die("cannot write a temporary file");
    write(file);
    double megabytes = (double)ftell(file) / 1e6;
    if (fclose(file) != 0)
        bench_die("cannot write a temporary file");
    double start = bench_seconds();
    struct scenario *scenario =
        import_files(import_find(format, NULL), &source, &options, NULL, &err);
    double time = bench_seconds() - start;
    unlink(path);
    if (!scenario)
        bench_die(err.text);
    getrusage(RUSAGE_SELF, &usage);
    printf("%-10s %8.1f %8.2f %8.0f %12u %10ld\n", format, megabytes, time, megabytes / time,
           scenario->count, usage.ru_maxrss);
    scenario_free(scenario);
}

int main(void)
{
    printf("\nimport           MB        s     MB/s applications   peak KiB\n");
    measure("darshan", write_trace);
    measure("swf", write_jobs);
    return 0;
}
