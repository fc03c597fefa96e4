/* A program of MPI that alternates between work and collective writes, and records its I/O phases.

   alternate FILE RECORD ITERATIONS WORK VOLUME RELEASE
     ITERATIONS times: WORK seconds of work, then a collective write of VOLUME bytes of all ranks
     together. RECORD gets a line 'begin end bytes' for each, in seconds since the start; RELEASE
     seconds after it the first work begins. The start is when RECORD.go appears, which holds its
   time in seconds of CLOCK_REALTIME; RECORD.ready tells that all ranks wait for it. RECORD.stop
   makes the current iteration the last one.

   alternate check FILE BYTES
     whether FILE has exactly that content.

   Each rank writes a contiguous part, through MPI's collective buffers on all ranks. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct job {
    const char *file, *record;
    int iterations, rank, ranks;
    double work, release;
    MPI_Offset volume;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_until(double when)
{
    double rest = when - seconds();
    if (rest > 0)
        usleep((useconds_t)(1e6 * rest));
}

/* What stands at a place of the file depends on the place only. */
static void fill(uint64_t *words, size_t bytes, uint64_t offset)
{
    for (size_t i = 0; i < bytes / 8; i++)
        words[i] = (offset / 8 + i + 1) * 0x9E3779B97F4A7C15;
}

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "alternate: %s %s\n", what, which);
    exit(1);
}

static int check(const char *path, uint64_t bytes)
{
    enum { BLOCK = 1 << 20 };
    static uint64_t expected[BLOCK / 8], found[BLOCK / 8];
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot open", path);
    for (uint64_t offset = 0; offset < bytes; offset += BLOCK) {
        size_t size = bytes - offset < BLOCK ? bytes - offset : BLOCK;
        fill(expected, size, offset);
        if (fread(found, 1, size, file) != size || memcmp(found, expected, size) != 0)
            fail("wrong bytes in", path);
    }
    if (fgetc(file) != EOF)
        fail("too many bytes in", path);
    fclose(file);
    return 0;
}

/* Waits until the start of all jobs; returns its time. */
static double start(const struct job *job)
{
    double time = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (job->rank == 0) {
        char path[4096];
        FILE *file;
        snprintf(path, sizeof path, "%s.ready", job->record);
        fclose(fopen(path, "w"));
        snprintf(path, sizeof path, "%s.go", job->record);
        while (!(file = fopen(path, "r")) || fscanf(file, "%lf", &time) != 1)
            usleep(5000);
        fclose(file);
    }
    MPI_Bcast(&time, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return time;
}

static MPI_File open_file(const struct job *job)
{
    MPI_File file;
    MPI_Info hints;
    char all[16];
    snprintf(all, sizeof all, "%d", job->ranks);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_cb_write", "enable");
    MPI_Info_set(hints, "cb_config_list", "*:*");
    MPI_Info_set(hints, "cb_nodes", all);
    if (MPI_File_open(MPI_COMM_WORLD, job->file, MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &file))
        fail("cannot open", job->file);
    MPI_Info_free(&hints);
    return file;
}

static bool is_stopped(const struct job *job)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.stop", job->record);
    return access(path, F_OK) == 0;
}

/* What the ranks tell each other after an I/O: the largest counts. */
struct io {
    double begin, end, stopped;
};

static struct io write_once(const struct job *job, MPI_File file, MPI_Offset offset, void *data)
{
    int part = (int)(job->volume / job->ranks);
    struct io own = {.begin = seconds()}, all;
    if (MPI_File_write_at_all(file, offset, data, part, MPI_BYTE, MPI_STATUS_IGNORE))
        fail("cannot write", job->file);
    own.end = seconds();
    own.stopped = is_stopped(job);
    MPI_Allreduce(&own, &all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void alternate(const struct job *job)
{
    size_t part = (size_t)job->volume / (size_t)job->ranks;
    uint64_t *data = malloc(part);
    MPI_File file = open_file(job);
    FILE *record = job->rank ? NULL : fopen(job->record, "w");
    double zero = start(job);
    struct io io = {.end = zero + job->release};
    for (int i = 0; i < job->iterations && !io.stopped; i++) {
        MPI_Offset offset = i * job->volume + job->rank * (MPI_Offset)part;
        fill(data, part, (uint64_t)offset);
        sleep_until(io.end + job->work);
        io = write_once(job, file, offset, data);
        if (record)
            fprintf(record, "%.6f %.6f %lld\n", io.begin - zero, io.end - zero,
                    (long long)job->volume);
    }
    MPI_File_close(&file);
    if (record)
        fclose(record);
    free(data);
}

int main(int argc, char **argv)
{
    struct job job;
    if (argc == 4 && strcmp(argv[1], "check") == 0)
        return check(argv[2], strtoull(argv[3], NULL, 10));
    MPI_Init(&argc, &argv);
    if (argc != 7)
        fail("expected", "FILE RECORD ITERATIONS WORK VOLUME RELEASE");
    job = (struct job){.file = argv[1],
                       .record = argv[2],
                       .iterations = atoi(argv[3]),
                       .work = atof(argv[4]),
                       .volume = atoll(argv[5]),
                       .release = atof(argv[6])};
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    alternate(&job);
    return MPI_Finalize();
}
