/* What one window costs as a whole, in instructions: `weir simulate` of 60 applications with
 * 115,500 phases, 2.1 MB as `instance`, beside the published C++ program. Valgrind counts the same
 * every time, however busy the machine is. `make bench` runs it; see results/performance.md.
 *
 *     bench_window [STRATEGY]... */
#include "bench.h"
#include <libgen.h>
#include <stdbool.h>

/* What their program executes on the same file, in millions: counted once in the same way, compiled
 * by gcc 12.2 with -O3 as its makefile says. */
static const struct row {
    const char *strategy;
    double theirs;
} rows[] = {
    {"fair-share", 1041.6},
    {"fcfs", 963.5},
    {"greedy-yield", 1086.3},
    {"greedy-com", 1099.0},
    {"set-10", 1255.2},
    {"periodic-greedy-yield", 1353.7},
    {"look-ahead-greedy-yield", 1531.8},
    {"best-next-event", 16365.6},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct place {
    char weir[1024], directory[64];
};

static void run(const char *command)
{
    if (system(command) != 0)
        bench_die(command);
}

/* The program beside this one, and the window in a directory of its own. */
static void set_up(struct place *place)
{
    char self[1000], command[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        bench_fail("/proc/self/exe");
    self[length] = 0;
    snprintf(place->weir, sizeof place->weir, "%s/weir", dirname(self));
    snprintf(place->directory, sizeof place->directory, "/tmp/weir-bench-XXXXXX");
    if (!mkdtemp(place->directory))
        bench_fail(place->directory);
    snprintf(command, sizeof command,
             "cd %s && '%s' generate synthetic --param pressure=0.8 --seed 16 -o window.yaml "
             "2>errors && '%s' export instance window.yaml -o window.instance",
             place->directory, place->weir, place->weir);
    run(command);
}

/* Instructions of the whole command, in millions. */
static double count(const struct place *place, const char *strategy)
{
    char command[4096], line[256];
    snprintf(command, sizeof command,
             "cd %s && valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "
             "--log-file=log '%s' simulate window.instance --format instance --bandwidth 1 "
             "--window auto --policy '%s' >table && sed -n 's/.*I *refs: *//p' log | tr -d ,",
             place->directory, place->weir, strategy);
    FILE *pipe = popen(command, "r");
    bool read = pipe && fgets(line, sizeof line, pipe);
    if (!pipe || pclose(pipe) != 0 || !read)
        bench_die(command);
    return strtod(line, NULL) / 1e6;
}

static void print_row(const struct place *place, const char *strategy)
{
    double ours = count(place, strategy);
    printf("%-24s %12.1f", strategy, ours);
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].strategy, strategy) == 0)
            printf(" %12.1f %8.1f", rows[i].theirs, rows[i].theirs / ours);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (system("valgrind --version >/dev/null 2>&1") != 0) {
        printf("no valgrind: instructions are not counted\n");
        return 0;
    }
    struct place place;
    char command[128];
    set_up(&place);
    printf(
        "one window of 60 applications and 115,500 phases, million instructions\n%-24s %12s %12s "
        "%8s\n",
        "", "ours", "theirs", "times");
    for (int i = 1; i < argc; i++)
        print_row(&place, argv[i]);
    for (int i = 0; argc == 1 && i < ROWS; i++)
        print_row(&place, rows[i].strategy);
    snprintf(command, sizeof command, "rm -r %s", place.directory);
    run(command);
    return 0;
}
