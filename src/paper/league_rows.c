#include "paper/league_rows.h"

const char *const league_groups[] = {
    [LEAGUE_WINDOWS] = "windows",
    [LEAGUE_WINDOWS_MEANS] = "windows, volumes as means",
    [LEAGUE_SETS] = "sets",
    [LEAGUE_SETS_MEANS] = "sets, volumes as means",
    [LEAGUE_JOBS] = "jobs",
    [LEAGUE_JOBS_MEANS] = "jobs, volumes as means",
    [LEAGUE_LENGTHS] = "jobs of known length",
    [LEAGUE_EACH] = "each row",
    [LEAGUE_SUMMARY] = "all rows",
    NULL,
};

/* A workload: name, family, parameters, seeds of a quick and of a full run. Jupiter and Tucan have
 * no randomness: their seeds move every phase by 1e-9 of itself. */
#define LEAGUE_OF_WINDOWS(X)                                                                       \
    X("W 0.2", synthetic, "pressure=0.2", 0, 10)                                                   \
    X("W 0.5", synthetic, "pressure=0.5", 0, 10)                                                   \
    X("W 0.8", synthetic, "pressure=0.8", 1, 20)                                                   \
    X("W 1.0", synthetic, "pressure=1", 1, 20)                                                     \
    X("W 1.1", synthetic, "pressure=1.1", 0, 20)                                                   \
    X("W 0.8, small", synthetic, "pressure=0.8 small=40", 0, 10)                                   \
    X("W 0.8, alike", synthetic, "pressure=0.8 sigma=0", 0, 10)                                    \
    X("W 0.8, steady", synthetic, "pressure=0.8 nu=0", 0, 10)                                      \
    X("io-sets 0.2", io_sets, "stress=0.2", 0, 20)                                                 \
    X("io-sets rare", io_sets, "high=0", 0, 20)                                                    \
    X("io-sets", io_sets, "high=20", 1, 20)                                                        \
    X("io-sets often", io_sets, "high=40", 0, 20)                                                  \
    X("trilab m0r", apex_trilab, "machine=0 data=report", 0, 5)                                    \
    X("trilab m4", apex_trilab, "machine=4 data=paper", 1, 5)                                      \
    X("trilab m10", apex_trilab, "machine=10 data=paper", 0, 5)                                    \
    X("trilab m10r", apex_trilab, "machine=10 data=report", 0, 5)                                  \
    X("nersc m0r", apex_nersc, "machine=0 data=report", 0, 5)                                      \
    X("nersc m4", apex_nersc, "machine=4 data=paper", 1, 5)                                        \
    X("nersc m10", apex_nersc, "machine=10 data=paper", 0, 5)                                      \
    X("nersc m10r", apex_nersc, "machine=10 data=report", 0, 5)
#define LEAGUE_OF_SETS(X)                                                                          \
    X("jupiter 1", jupiter, "set=1", 2, 20)                                                        \
    X("jupiter 2", jupiter, "set=2", 2, 20)                                                        \
    X("jupiter 3", jupiter, "set=3", 2, 20)                                                        \
    X("jupiter 4", jupiter, "set=4", 2, 20)                                                        \
    X("jupiter 5", jupiter, "set=5", 2, 20)                                                        \
    X("jupiter 6", jupiter, "set=6", 2, 20)                                                        \
    X("jupiter 7", jupiter, "set=7", 2, 20)                                                        \
    X("jupiter 8", jupiter, "set=8", 2, 20)                                                        \
    X("jupiter 9", jupiter, "set=9", 2, 20)                                                        \
    X("jupiter 10", jupiter, "set=10", 2, 20)                                                      \
    X("intrepid", intrepid, "", 4, 100)                                                            \
    X("mira", mira, "", 4, 100)                                                                    \
    X("apio 2, 1.0", apio, "set=2 load=1", 4, 100)                                                 \
    X("apio 5, 0.8", apio, "set=5 load=0.8", 4, 100)                                               \
    X("apio 5, 1.0", apio, "set=5 load=1", 4, 100)                                                 \
    X("apio 5, 1.2", apio, "set=5 load=1.2", 4, 100)                                               \
    X("apio 5, log", apio, "set=5 load=1 distribution=lognormal", 4, 100)                          \
    X("apio 10, 1.0", apio, "set=10 load=1", 4, 100)
#define LEAGUE_OF_LENGTHS(X)                                                                       \
    X("general", general, "", 4, 200)                                                              \
    X("general, 20 %", general, "noise=0.2", 4, 200)                                               \
    X("general, 50 %", general, "noise=0.5", 4, 200)                                               \
    X("uniform", uniform, "", 4, 200)                                                              \
    X("uniform, 20 %", uniform, "noise=0.2", 4, 200)                                               \
    X("uniform, 50 %", uniform, "noise=0.5", 4, 200)                                               \
    X("churn 0.5", churn, "load=0.5", 2, 60)                                                       \
    X("churn 0.8", churn, "load=0.8", 2, 60)                                                       \
    X("churn 1.0", churn, "load=1", 2, 60)
#define LEAGUE_OF_JOBS(X)                                                                          \
    LEAGUE_OF_LENGTHS(X)                                                                           \
    X("churn, reads", churn, "load=0.8 read=on", 2, 60)                                            \
    X("tucan", tucan, "batches=16", 1, 5)

const char *const league_places[] = {
#define X(name, family, params, quick, full) name,
#define TWICE(list)                          list(X) list(X)
    TWICE(LEAGUE_OF_WINDOWS) TWICE(LEAGUE_OF_SETS) TWICE(LEAGUE_OF_JOBS) LEAGUE_OF_LENGTHS(X)
#undef TWICE
#undef X
        [LEAGUE_PLACE_EACH] = "all",
    [LEAGUE_PLACE_MEAN] = "mean",
    [LEAGUE_PLACE_WORST] = "worst row",
    [LEAGUE_PLACE_BAD] = "rows above 0.5 %",
    NULL,
};
_Static_assert(sizeof league_places / sizeof *league_places == LEAGUE_PLACES + 1,
               "LEAGUE_ROWS counts the rows");

#define X(name, of, values, quick, full)                                                           \
    {.family = &family_##of, .params = values, .quick_seeds = quick, .seeds = full},
static const struct league_row league_windows[] = {LEAGUE_OF_WINDOWS(X)};
static const struct league_row league_sets[] = {LEAGUE_OF_SETS(X)};
static const struct league_row league_jobs[] = {LEAGUE_OF_JOBS(X)};
static const struct league_row league_lengths[] = {LEAGUE_OF_LENGTHS(X)};
#undef X

#define LEAGUE_LIST(list) list, sizeof list / sizeof *list
static const struct league_kind {
    const struct league_row *list;
    uint32_t count;
    struct knowledge knowledge;
} league_kinds[LEAGUE_KINDS] = {
    [LEAGUE_WINDOWS] = {LEAGUE_LIST(league_windows), {0}},
    [LEAGUE_WINDOWS_MEANS] = {LEAGUE_LIST(league_windows), {.volumes = KNOWLEDGE_MEAN}},
    [LEAGUE_SETS] = {LEAGUE_LIST(league_sets), {0}},
    [LEAGUE_SETS_MEANS] = {LEAGUE_LIST(league_sets), {.volumes = KNOWLEDGE_MEAN}},
    [LEAGUE_JOBS] = {LEAGUE_LIST(league_jobs), {0}},
    [LEAGUE_JOBS_MEANS] = {LEAGUE_LIST(league_jobs), {.volumes = KNOWLEDGE_MEAN}},
    [LEAGUE_LENGTHS] = {LEAGUE_LIST(league_lengths), {.lengths = KNOWLEDGE_EACH}},
};

struct league_row league_row(uint32_t number)
{
    enum league_group group = LEAGUE_WINDOWS;
    for (; number >= league_kinds[group].count; group++)
        number -= league_kinds[group].count;
    struct league_row row = league_kinds[group].list[number];
    row.group = group;
    row.knowledge = league_kinds[group].knowledge;
    return row;
}
