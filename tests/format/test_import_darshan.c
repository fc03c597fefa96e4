#include "common_import.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                     \
    "# darshan log version: 3.41\n# exe: /home/x/solver -n 4\n# jobid: 42\n"                       \
    "# start_time: 1600000000\n# nprocs: 8\n# run time: 100.0000\n\n"
#define COLUMNS "# Module    Rank  Wt/Rd  Segment  Offset  Length  Start(s)  End(s)\n"

static const struct import_options none = {0};

/* Two ranks read 3 kB in all at 1 s, and write 10 kB at 60 s in two accesses 2 s apart. */
static const char trace[] = HEADER COLUMNS
    " X_POSIX       0   read        0               0            1000      1.0000      1.5000\n"
    " X_POSIX       0  write        1               0            4000     60.0000     61.0000\n"
    " X_POSIX       0  write        2            4000               0     90.0000     "
    "90.0000\n" COLUMNS
    " X_POSIX       1   read        0               0            2000      1.2000      2.0000\n"
    " X_POSIX       1  write        1              -1            6000     63.0000     64.0000 [3]\n"
    " X_MPIIO       1  write        0              -1            6000     62.0000     64.5000\n";

static void a_trace_has_phases_with_work_between(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", trace, &none, &notes);
    const struct app_spec *app = scenario->apps;
    assert_int_equal(scenario->count, 1);
    assert_string_equal(app->name, "solver-42");
    assert_true(app->nodes == 8 && app->release == 0);
    /* Reading ends at 2, writing lasts from 60 to 64, the run until 100. MPI-IO is above POSIX and
     * must not count twice. Pauses are 58 s and 2 s: from 0.05 to 2 is a factor of 40, from 2 to 58
     * one of 29, so both separate phases. */
    assert_non_null(strstr(notes.text, "5 accesses at 4.333 kB/s in 3 I/O phases"));
    assert_non_null(strstr(notes.text, "pauses jump from 50 ms to 2 s"));
    /* The second write moved 6000 bytes in 1 s, nothing disturbed it, and 90 % of the bytes were
     * moved no faster: that is what the program can do, and the file system at least. The others
     * took 1 s each, of which it needs 0.5 s and 2/3 s: the rest is work. */
    assert_true(fabs(scenario->platform.bandwidth - 6000) < 1e-3 && app->bandwidth == 0);
    assert_iterations(
        app, (struct iteration[]){{1.5, 3000}, {58 + 1. / 3, 4000}, {2, 6000}, {36, 0}}, 4);
    assert_non_null(strstr(notes.text, "6 kB/s, the most that was moved together"));
    assert_non_null(strstr(notes.text, "own bandwidth 6 kB/s, as solver moved undisturbed"));
    assert_string_equal(app->extra->names[PARTY_JOB], "42");
    assert_string_equal(app->extra->names[PARTY_PROGRAM], "solver");
    scenario_free(scenario);
}

static void the_gap_may_be_chosen(void **state)
{
    (void)state;
    struct import_options options = {.gap = 5, .procs_per_node = 3};
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", trace, &options, &notes);
    /* The pause of 2 s within the second phase is work, and so is what its first part takes longer
     * than at the rate of the last. */
    assert_iterations(scenario->apps,
                      (struct iteration[]){{1.5, 3000}, {60 + 1. / 3, 10000}, {36, 0}}, 3);
    assert_true(scenario->apps->bandwidth == 0);
    assert_true(fabs(scenario->platform.bandwidth - 6000) < 1e-3);
    assert_true(scenario->apps->nodes == 3); /* for 8 processes */
    assert_non_null(strstr(notes.text, "in 2 I/O phases, apart by more than 5 s as asked"));
    scenario_free(scenario);
}

/* POSIX has accesses of file 1 only. */
static void what_only_mpi_io_saw_of_a_file_counts(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("darshan",
                      HEADER "# DXT, file_id: 1, file_name: /a\n X_POSIX 1 write 0 0 10 1 2 N/A\n"
                             "# DXT, file_id: 1, file_name: /a\n X_MPIIO 1 write 0 -1 10 1 3 N/A\n"
                             "# DXT, file_id: 2, file_name: /b\n X_MPIIO 1 write 0 -1 70 62 64.5\n",
                      &none, NULL);
    /* 70 bytes in 2.5 s are 28 per second: the 10 bytes need 10 / 28 of their second. */
    assert_iterations(scenario->apps, (struct iteration[]){{2 - 10 / 28., 10}, {60, 70}, {35.5, 0}},
                      3);
    scenario_free(scenario);
}

/* --- contention ------------------------------------------------------------------------------ */

#define JOB(program, job, start)                                                                   \
    "# darshan log version: 3.41\n# exe: /x/" program "\n# uid: 7\n# jobid: " job                  \
    "\n# start_time: " start "\n# nprocs: 1\n# run time: 100.0\n\n" COLUMNS

/* Two jobs shared 1 GB/s: each took 20 s for 10 GB that it can move in 10 s. */
static void a_rate_that_others_have_slowed_down_is_not_that_of_the_application(void **state)
{
    (void)state;
    static const char both[] =
        JOB("a", "1", "1600000000") " X_POSIX 0 write 0 0 10000000000 30 50\n" JOB(
            "b", "2", "1600000010") " X_POSIX 0 write 0 0 10000000000 20 40\n";
    static const struct import_options given = {.platform = {.bandwidth = 1e9}};
    for (int i = 0; i < 2; i++) {
        struct notes notes = {""};
        struct scenario *scenario = accept_import("darshan", both, i ? &given : &none, &notes);
        /* Together they moved 20 GB in 20 s. */
        assert_true(fabs(scenario->platform.bandwidth - 1e9) < 1);
        for (uint32_t k = 0; k < 2; k++)
            assert_true(scenario->apps[k].bandwidth == 0);
        assert_iterations(&scenario->apps[0], (struct iteration[]){{30, 1e10}, {50, 0}}, 2);
        assert_non_null(strstr(notes.text, "2 of 2 applications can do alone is not in the logs"));
        scenario_free(scenario);
    }
}

/* Another run of `a` had the file system for itself: it can move 0.8 GB/s. Of the other program
 * nothing is known. */
static void a_program_can_do_what_it_did_undisturbed(void **state)
{
    (void)state;
    static const char logs[] =
        JOB("a", "1", "1600000000") " X_POSIX 0 write 0 0 10000000000 30 50\n" JOB(
            "b", "2",
            "1600000010") " X_POSIX 0 write 0 0 10000000000 20 40\n" JOB("a", "3",
                                                                         "1600001000") " X_POSIX 0 "
                                                                                       "write 0 0 "
                                                                                       "8000000000 "
                                                                                       "30 40\n";
    struct scenario *scenario = accept_import("darshan", logs, &none, NULL);
    assert_true(fabs(scenario->apps[0].bandwidth - 8e8) < 1);
    assert_true(scenario->apps[1].bandwidth == 0);
    assert_true(fabs(scenario->apps[2].bandwidth - 8e8) < 1);
    scenario_free(scenario);
}

/* What the user says of the nodes counts more than what was seen. */
static void nodes_limit_an_application_if_their_bandwidth_is_given(void **state)
{
    (void)state;
    static const char log[] = JOB("a", "1", "0") " X_POSIX 0 write 0 0 10000000000 30 50\n";
    static const struct import_options given = {
        .platform = {.bandwidth = 1e10, .node_bandwidth = 1e9}};
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", log, &given, &notes);
    assert_true(scenario->apps[0].bandwidth == 0 && scenario->platform.node_bandwidth == 1e9);
    /* It took 20 s alone, and needs 10 s of them for I/O. */
    assert_iterations(scenario->apps, (struct iteration[]){{40, 1e10}, {50, 0}}, 2);
    assert_non_null(strstr(notes.text, "own bandwidth 1 GB/s, that of its nodes"));
    scenario_free(scenario);
}

static void io_below_a_millisecond_keeps_its_rate(void **state)
{
    (void)state;
    static const char log[] = JOB("a", "1", "0") " X_POSIX 0 write 0 0 1000 30 30.0001\n";
    static const struct import_options given = {.platform = {.bandwidth = 1e9}};
    struct scenario *scenario = accept_import("darshan", log, &given, NULL);
    assert_true(fabs(scenario->apps[0].bandwidth - 1e7) < 1);
    scenario_free(scenario);
}

/* Pauses of 1 and 1.5 s: neither is clearly between phases. */
static void a_gap_at_a_small_step_is_flagged(void **state)
{
    (void)state;
    static const char log[] = JOB("a", "1", "0") " X_POSIX 0 write 0 0 1000 1 1.03\n"
                                                 " X_POSIX 0 write 0 0 1000 1.1 1.2\n"
                                                 " X_POSIX 0 write 0 0 1000 1.3 1.4\n";
    struct notes notes = {""};
    scenario_free(accept_import("darshan", log, &none, &notes));
    assert_non_null(strstr(notes.text, "by less than a factor of 2: the phases are a guess"));
}

/* --- counters -------------------------------------------------------------------------------- */

/* The counters that matter of a record, and one that does not. */
#define LINE(module, rank, file, counter, value)                                                   \
    module "\t" rank "\t" file "\t" counter "\t" value "\t/a b\t/\tlustre\n"
#define RECORD(module, prefix, rank, file, bytes, reading, writing, slowest)                       \
    LINE(module, rank, file, prefix "_MAX_BYTE_READ", "9999")                                      \
    LINE(module, rank, file, prefix "_BYTES_READ", bytes)                                          \
    LINE(module, rank, file, prefix "_BYTES_WRITTEN", "0")                                         \
    LINE(module, rank, file, prefix "_F_READ_TIME", reading)                                       \
    LINE(module, rank, file, prefix "_F_WRITE_TIME", writing)                                      \
    LINE(module, rank, file, prefix "_F_META_TIME", "1.0")                                         \
    LINE(module, rank, file, prefix "_F_SLOWEST_RANK_TIME", slowest)

static void expect_counters(const char *text, double bytes, double seconds, const char *note)
{
    struct notes notes = {""};
    const struct import_options options = {.platform = {.bandwidth = 1e9}};
    struct scenario *scenario = accept_import("darshan", text, &options, &notes);
    const struct app_spec *app = scenario->apps;
    assert_true(app->io.mean == bytes);
    assert_true(fabs(app->work.mean - (100 - seconds)) < 1e-9);
    assert_true(bytes == 0 || fabs(app->bandwidth - bytes / seconds) < 1e-9 * app->bandwidth);
    if (note && !strstr(notes.text, note))
        fail_msg("no '%s' in: %s", note, notes.text);
    scenario_free(scenario);
}

static void io_takes_as_long_as_the_slowest_process(void **state)
{
    (void)state;
    /* Two shared files: 5 s and 7 s of their slowest processes, whatever the sums over processes.
     * Process 3 has 8 + 1 s on its own files, process 4 has 2 * (9 + 1) s. */
    expect_counters(
        HEADER RECORD("POSIX", "POSIX", "-1", "1", "1000", "30.0", "0", "5.0")
            RECORD("POSIX", "POSIX", "-1", "2", "1000", "0.0", "9.0", "7.0")
                RECORD("POSIX", "POSIX", "3", "3", "500", "4.0", "4.0", "0")
                    RECORD("POSIX", "POSIX", "4", "3", "500", "9.0", "0.0", "0")
                        RECORD("STDIO", "STDIO", "4", "4", "500", "0", "9.0", "0"),
        3500, 32,
        "3.5 kB of I/O in 32 s of 1.667 min (the slowest process: 12 s in shared files, "
        "20 s in its own)");
}

static void one_process_that_does_all_the_io_is_not_averaged_away(void **state)
{
    (void)state;
    expect_counters(HEADER RECORD("POSIX", "POSIX", "0", "1", "43600", "25.0", "0", "0"), 43600, 26,
                    "26 s in its own");
}

static void io_takes_no_longer_than_the_run(void **state)
{
    (void)state;
    expect_counters(HEADER RECORD("POSIX", "POSIX", "-1", "1", "7", "0", "0", "80.0")
                        RECORD("POSIX", "POSIX", "-1", "2", "7", "0", "0", "80.0"),
                    14, 100, "cut to the run time, spread evenly over 1 iteration");
}

static void where_the_slowest_is_not_known_the_mean_is_taken_and_said(void **state)
{
    (void)state;
    /* 8 processes. */
    expect_counters(HEADER RECORD("POSIX", "POSIX", "-1", "1", "7", "39.0", "0", "0"), 7, 5,
                    "the slowest process of some files is unknown");
}

static void a_time_below_zero_is_not_known(void **state)
{
    (void)state;
    expect_counters(HEADER RECORD("POSIX", "POSIX", "-1", "1", "70", "0", "0", "4.0")
                        RECORD("STDIO", "STDIO", "0", "7", "2", "-2662.7", "0.5", "-1"),
                    72, 5.5, NULL);
}

/* MPI-IO moves file 1, which POSIX has seen, and file 2, which it has not. */
static void bytes_that_pass_through_mpi_io_count_once(void **state)
{
    (void)state;
    expect_counters(HEADER RECORD("POSIX", "POSIX", "0", "1", "0", "0", "0", "0")
                        RECORD("POSIX", "POSIX", "1", "1", "100", "2.0", "0", "0")
                            RECORD("MPI-IO", "MPIIO", "-1", "1", "120", "0", "0", "9.0")
                                RECORD("MPI-IO", "MPIIO", "-1", "2", "30", "0", "0", "4.0"),
                    130, 7, NULL);
}

/* DAOS, which has what DFS wrote and something of its own; MPI-IO names files differently. */
static void daos_counts_once_too(void **state)
{
    (void)state;
    expect_counters(HEADER RECORD("MPI-IO", "MPIIO", "-1", "5", "1000", "0", "0", "9.0")
                        RECORD("DFS", "DFS", "-1", "1", "1000", "0", "0", "6.0")
                            RECORD("DAOS", "DAOS", "-1", "1", "1000", "0", "0", "5.0")
                                RECORD("DAOS", "DAOS", "-1", "2", "88", "0", "0", "1.0"),
                    1088, 6, NULL);
    expect_counters(HEADER RECORD("DFS", "DFS", "-1", "1", "1000", "0", "0", "6.0"), 1000, 6, NULL);
}

#define OLD(rank, file, counter, value)                                                            \
    rank "\t" file "\t" counter "\t" value "\t...c.dat\t/\tnfs\n"

static void texts_of_darshan_2_are_read(void **state)
{
    (void)state;
    expect_counters(
        HEADER OLD("-1", "1", "CP_INDEP_OPENS", "4") OLD("-1", "1", "CP_BYTES_READ", "1000")
            OLD("-1", "1", "CP_BYTES_WRITTEN", "500") OLD("-1", "1", "CP_F_POSIX_READ_TIME", "40")
                OLD("-1", "1", "CP_F_POSIX_WRITE_TIME", "0")
                    OLD("-1", "1", "CP_F_SLOWEST_RANK_TIME", "9")
                        OLD("2", "2", "CP_BYTES_READ", "10") OLD("2", "2", "CP_BYTES_WRITTEN", "0")
                            OLD("2", "2", "CP_F_POSIX_READ_TIME", "3")
                                OLD("2", "2", "CP_F_POSIX_WRITE_TIME", "0")
                                    OLD("2", "2", "CP_F_MPI_READ_TIME", "4"),
        1510, 13, NULL);
}

#define TOTAL(counter, value) "total_" counter ": " value "\n"
#define TOTALS                                                                                     \
    TOTAL("POSIX_OPENS", "3")                                                                      \
    TOTAL("POSIX_BYTES_READ", "1000")                                                              \
    TOTAL("POSIX_BYTES_WRITTEN", "0")                                                              \
    TOTAL("POSIX_F_READ_TIME", "16.0")                                                             \
    TOTAL("POSIX_F_WRITE_TIME", "0")                                                               \
    TOTAL("POSIX_F_SLOWEST_RANK_TIME", "0")

static void totals_count_where_they_stand_alone(void **state)
{
    (void)state;
    expect_counters(HEADER TOTALS, 1000, 2, "the slowest process of some files is unknown");
    expect_counters(HEADER RECORD("POSIX", "POSIX", "-1", "1", "1000", "30.0", "0", "5.0") TOTALS,
                    1000, 5, NULL);
}

static void a_file_may_have_several_texts(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("darshan",
                      HEADER RECORD("POSIX", "POSIX", "-1", "1", "8000", "0", "0", "10.0") HEADER
                      "# jobid: 43\n# start_time: 1600000007\n" RECORD("POSIX", "POSIX", "-1", "1",
                                                                       "90", "0", "0", "20.0"),
                      &none, NULL);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].io.mean == 8000 && scenario->apps[0].work.mean == 90);
    assert_string_equal(scenario->apps[1].name, "solver-43");
    assert_true(scenario->apps[1].io.mean == 90 && scenario->apps[1].release == 7);
    scenario_free(scenario);
}

/* However their texts compare. */
static void logs_stay_in_the_order_of_their_texts(void **state)
{
    (void)state;
    enum { LOGS = 12 };
    char text[LOGS * 1024] = "", name[32];
    for (int i = 0; i < LOGS; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, HEADER "# jobid: %d\n%s", 100 + 7 * i % LOGS,
                 RECORD("POSIX", "POSIX", "-1", "1", "8000", "0", "0", "10.0"));
    }
    struct scenario *scenario = accept_import("darshan", text, &none, NULL);
    assert_int_equal(scenario->count, LOGS);
    for (int i = 0; i < LOGS; i++) {
        snprintf(name, sizeof name, "solver-%d", 100 + 7 * i % LOGS);
        assert_string_equal(scenario->apps[i].name, name);
    }
    scenario_free(scenario);
}

/* Of the two texts of one log: an incomplete trace is better than counters that are cut off. */
static void what_is_incomplete_is_taken_if_the_other_is_broken(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario = accept_import(
        "darshan",
        HEADER
        "# *WARNING*: The DXT_POSIX module contains incomplete data!\n"
        " X_POSIX 0 write 0 0 10 1.0 2.0\n" HEADER LINE("POSIX", "0", "1", "POSIX_BYTES_READ", "5"),
        &none, &notes);
    assert_int_equal(scenario->count, 1);
    assert_iterations(scenario->apps, (struct iteration[]){{1, 10}, {98, 0}}, 2);
    assert_non_null(strstr(notes.text, "the text is cut off"));
    scenario_free(scenario);
}

static void a_lenient_reader_skips_a_text_that_is_cut_off_before_any_bytes(void **state)
{
    (void)state;
    const struct import_options lenient = {.lenient = true};
    struct scenario *scenario =
        accept_import("darshan",
                      HEADER LINE("POSIX", "0", "1", "POSIX_BYTES_READ", "0") HEADER
                      "# jobid: 43\n" RECORD("POSIX", "POSIX", "-1", "1", "90", "0", "0", "20.0"),
                      &lenient, NULL);
    assert_int_equal(scenario->count, 1);
    assert_string_equal(scenario->apps[0].name, "solver-43");
    scenario_free(scenario);
}

static void a_log_without_io_is_work(void **state)
{
    (void)state;
    expect_counters(HEADER "# no module data available.\n", 0, 0, "0 B of I/O");
}

static void counters_are_spread_over_iterations(void **state)
{
    (void)state;
    struct import_options options = {.iterations = 4};
    struct notes notes = {""};
    struct scenario *scenario = accept_import(
        "darshan", HEADER RECORD("POSIX", "POSIX", "-1", "1", "8000", "70.0", "0", "10.0"),
        &options, &notes);
    const struct app_spec *app = scenario->apps;
    assert_int_equal(app->iterations, 4);
    assert_true(app->io.mean == 2000 && app->work.mean == 22.5);
    /* What it reached is the fastest I/O seen, so it need not be said of the application. */
    assert_true(scenario->platform.bandwidth == 800 && app->bandwidth == 0);
    scenario_free(scenario);
}

/* --- what is missing ------------------------------------------------------------------------- */

#define START "# darshan log version: 3.41\n# exe: /x/solver\n# jobid: 42\n# nprocs: 8\n"

static void io_without_a_duration_is_noted(void **state)
{
    (void)state;
    static const char text[] = HEADER LINE("POSIX", "-1", "1", "POSIX_BYTES_READ", "1000")
        LINE("POSIX", "-1", "1", "POSIX_BYTES_WRITTEN", "0")
            LINE("POSIX", "-1", "1", "POSIX_F_READ_TIME", "0.000000")
                LINE("POSIX", "-1", "1", "POSIX_F_WRITE_TIME", "0.000000");
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", text, &plain_options, &notes);
    assert_true(scenario->apps->work.mean == 100 && scenario->apps->bandwidth == 0);
    assert_non_null(strstr(notes.text, "solver-42: the log does not show how long the I/O took: "));
    scenario_free(scenario);
    refuse_import("darshan", text, &none,
                  "f: missing --bandwidth RATE: no I/O has a duration to estimate it from");
}

static void a_missing_run_time_is_noted(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario =
        accept_import("darshan", START RECORD("POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0"),
                      &plain_options, &notes);
    assert_true(scenario->apps->work.mean == 0 && scenario->apps->io.mean == 1000);
    assert_non_null(strstr(notes.text, "solver-42: the run time is 0 or missing: "));
    scenario_free(scenario);
}

/* The second run would otherwise have started fifty years before the first. */
static void a_run_that_started_at_an_unknown_time_starts_with_the_first(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario =
        accept_import("darshan",
                      HEADER RECORD("POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0")
                          START RECORD("POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0"),
                      &plain_options, &notes);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].release == 0 && scenario->apps[1].release == 0);
    assert_non_null(strstr(notes.text, "solver-42-2: the start of the run is unknown: "));
    scenario_free(scenario);
}

/* --- what is wrong --------------------------------------------------------------------------- */

#define REGIONS(list)                                                                              \
    "# log file regions\n" list "# mounted file systems (mount point and fs type)\n"
#define EXPECTED "expected the text of darshan-parser or darshan-dxt-parser"

static void what_says_nothing_of_the_io_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: no line '# nprocs: N', " EXPECTED},
        {HEADER, "f: no counters of POSIX, MPI-IO, STDIO, DFS or DAOS, expected the text of "
                 "darshan-parser without --file or --perf"},
        {HEADER REGIONS("# STDIO module: 72 bytes (compressed), ver=2\n"
                        "# POSIX module: 72 bytes (compressed), ver=4\n") "# POSIX module data\n",
         "f: no counters of POSIX, which the log has: the text is cut off or that of --file or "
         "--perf, or darshan-parser needs --show-incomplete"},
        {HEADER REGIONS("# POSIX module: 72 bytes (compressed), ver=4\n"
                        "# DFS module: 72 bytes (compressed), ver=1\n")
             RECORD("POSIX", "POSIX", "-1", "1", "1000", "30.0", "0", "5.0"),
         "f: no counters of DFS, which the log has: the text is cut off, or darshan-parser needs "
         "--show-incomplete"},
        {HEADER LINE("POSIX", "0", "1", "POSIX_BYTES_READ", "5")
             LINE("POSIX", "0", "1", "POSIX_BYTES_WRITTEN", "5"),
         "f: the text is cut off after line 9"},
        {HEADER RECORD("POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0")
             LINE("POSIX", "0", "2", "POSIX_OPENS", "500"),
         "f: the text is cut off after line 15"},
        {HEADER " X_POSIX 0 write 0 0 10 1.0 2.0\n X_POSIX 0 write 0 0 10 2.0 3",
         "f: the text is cut off after line 9"},
        {HEADER LINE("POSIX", "0", "1", "POSIX_BYTES_READ", "18446744073709551615"),
         "f:8: impossible value of a counter: 1.84467e+19"},
        {HEADER "# no DXT module data available for this Darshan log.\n",
         "f: no accesses, since Darshan did not trace the run (DXT): convert the log with "
         "darshan-parser"},
        {HEADER REGIONS(
             "# DXT_POSIX module: 72 bytes (compressed), ver=1\n") "# DXT_POSIX module data\n",
         "f: no accesses: give darshan-dxt-parser --show-incomplete if it finds the log "
         "incomplete, "
         "else convert it with darshan-parser"},
        {HEADER "# *ERROR*: The POSIX module contains incomplete data!\n",
         "f:8: *ERROR*: The POSIX module contains incomplete data!"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("darshan", cases[i].text, &plain_options, cases[i].message);
}

static void an_incomplete_log_is_noted(void **state)
{
    (void)state;
    expect_counters(HEADER "# *WARNING*: The POSIX module contains incomplete data!\n" RECORD(
                        "POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0"),
                    1000, 5, "the counters of solver-42 are incomplete");
}

static void a_lenient_reader_takes_what_a_text_has_that_is_cut_off(void **state)
{
    (void)state;
    const struct import_options lenient = {.lenient = true};
    struct notes notes = {""};
    struct scenario *scenario =
        accept_import("darshan",
                      HEADER RECORD("POSIX", "POSIX", "0", "1", "1000", "4.0", "0", "0")
                          LINE("POSIX", "0", "2", "POSIX_BYTES_READ", "500"),
                      &lenient, &notes);
    assert_true(scenario->apps->io.mean == 1500);
    assert_non_null(strstr(notes.text, "f: the text is cut off after line 15"));
    scenario_free(scenario);
}

static void a_lenient_reader_takes_what_a_trace_has_that_is_cut_off(void **state)
{
    (void)state;
    const struct import_options lenient = {.lenient = true};
    struct scenario *scenario = accept_import(
        "darshan", HEADER " X_POSIX 0 write 0 0 10 1.0 2.0\n X_POSIX 0 wri", &lenient, NULL);
    assert_iterations(scenario->apps, (struct iteration[]){{1, 10}, {98, 0}}, 2);
    scenario_free(scenario);
}

static void a_binary_log_from_nowhere_is_refused(void **state)
{
    (void)state;
    static const char log[] = "3.41\0\0\0\0\x37\x35\x64\0\0\0\0\0 and more";
    const struct import_text source = {log, sizeof log, "f"};
    struct err err = {0};
    assert_null(import_parse(import_find("darshan", NULL), &source, &plain_options, NULL, &err));
    assert_string_equal(err.text,
                        "f: a binary log, expected a file, or the text of darshan-parser");
}

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"hello\n", "f:1: expected a line of darshan-parser or darshan-dxt-parser"},
        {"# nprocs: many\n",
         "f:1: '# nprocs: ' is followed by 'many', expected a number from 1 on"},
        {"# nprocs: 0\n", "f:1: '# nprocs: ' is followed by '0', expected a number from 1 on"},
        {"# run time: -1\n",
         "f:1: '# run time: ' is followed by '-1', expected a number from 0 on"},
        {HEADER " X_POSIX 0 write 0 0\n", "f:8: length is missing"},
        {HEADER " X_POSIX 0 write 0 0 10 1.0 nan\n", "f:8: end 'nan' is not a finite number"},
        {HEADER " X_POSIX 0 write 0 0 10 2.0 1.0\n",
         "f:8: impossible access of 10 bytes from 2 s to 1 s"},
        {HEADER "POSIX\t1\t2\tPOSIX_BYTES_READ\n", "f:8: value of a counter is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("darshan", cases[i].text, &none, cases[i].message);
}

static void a_lenient_reader_skips_and_counts_what_is_wrong(void **state)
{
    (void)state;
    const struct import_options lenient = {.lenient = true};
    struct notes notes = {""};
    struct scenario *scenario = accept_import(
        "darshan",
        HEADER "garbage\n X_POSIX 0 write 0 0 10 1.0 2.0\n X_POSIX 0 write 0 0 x 1.0 2.0\n",
        &lenient, &notes);
    assert_iterations(scenario->apps, (struct iteration[]){{1, 10}, {98, 0}}, 2);
    assert_non_null(
        strstr(notes.text,
               "skipped 2 lines or applications that could not be understood; the first: f:8: "));
    scenario_free(scenario);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_import("darshan", trace, &none);
    fail_each_import(
        "darshan", HEADER RECORD("POSIX", "POSIX", "-1", "1", "8000", "70.0", "0", "10.0"), &none);
}

/* Sums that awk finds in the samples. */
static void real_logs_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double volume;
    } logs[] = {
        {"../shared/data/darshan/dxt.dxt.txt", 35539507},
        {"../shared/data/darshan/ior_hdf5_example.dxt.txt", 8398304},
        {"../shared/data/darshan/sample-dxt-simple.dxt.txt", 4040},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        size_t length;
        char *text = load_or_skip(logs[i].path, &length);
        struct scenario *scenario = accept_import("darshan", text, &none, NULL);
        double volume = 0;
        for (uint32_t k = 0; k < scenario->apps->iterations; k++)
            volume += scenario->apps->explicit_iterations[k].volume;
        assert_true(volume == logs[i].volume);
        scenario_free(scenario);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_phases_with_work_between),
        cmocka_unit_test(the_gap_may_be_chosen),
        cmocka_unit_test(what_only_mpi_io_saw_of_a_file_counts),
        cmocka_unit_test(a_rate_that_others_have_slowed_down_is_not_that_of_the_application),
        cmocka_unit_test(a_program_can_do_what_it_did_undisturbed),
        cmocka_unit_test(nodes_limit_an_application_if_their_bandwidth_is_given),
        cmocka_unit_test(io_below_a_millisecond_keeps_its_rate),
        cmocka_unit_test(a_gap_at_a_small_step_is_flagged),
        cmocka_unit_test(io_takes_as_long_as_the_slowest_process),
        cmocka_unit_test(one_process_that_does_all_the_io_is_not_averaged_away),
        cmocka_unit_test(io_takes_no_longer_than_the_run),
        cmocka_unit_test(where_the_slowest_is_not_known_the_mean_is_taken_and_said),
        cmocka_unit_test(a_time_below_zero_is_not_known),
        cmocka_unit_test(bytes_that_pass_through_mpi_io_count_once),
        cmocka_unit_test(daos_counts_once_too),
        cmocka_unit_test(texts_of_darshan_2_are_read),
        cmocka_unit_test(totals_count_where_they_stand_alone),
        cmocka_unit_test(a_file_may_have_several_texts),
        cmocka_unit_test(logs_stay_in_the_order_of_their_texts),
        cmocka_unit_test(what_is_incomplete_is_taken_if_the_other_is_broken),
        cmocka_unit_test(a_lenient_reader_skips_a_text_that_is_cut_off_before_any_bytes),
        cmocka_unit_test(a_log_without_io_is_work),
        cmocka_unit_test(counters_are_spread_over_iterations),
        cmocka_unit_test(io_without_a_duration_is_noted),
        cmocka_unit_test(a_missing_run_time_is_noted),
        cmocka_unit_test(a_run_that_started_at_an_unknown_time_starts_with_the_first),
        cmocka_unit_test(what_says_nothing_of_the_io_is_refused),
        cmocka_unit_test(an_incomplete_log_is_noted),
        cmocka_unit_test(a_lenient_reader_takes_what_a_text_has_that_is_cut_off),
        cmocka_unit_test(a_lenient_reader_takes_what_a_trace_has_that_is_cut_off),
        cmocka_unit_test(a_binary_log_from_nowhere_is_refused),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(a_lenient_reader_skips_and_counts_what_is_wrong),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(real_logs_are_read),
    };
    return cmocka_run_group_tests_name("format/import_darshan", tests, NULL, NULL);
}
