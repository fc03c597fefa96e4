#include "common_import.h"
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
    assert_iterations(app, (struct iteration[]){{1, 3000}, {58, 4000}, {2, 6000}, {36, 0}}, 4);
    assert_non_null(strstr(notes.text, "5 accesses in 3 I/O phases"));
    assert_non_null(strstr(notes.text, "pauses jump from 50 ms to 2 s"));
    /* The second write moved 6000 bytes in 1 s. */
    assert_true(scenario->platform.bandwidth == 6000);
    assert_non_null(strstr(notes.text, "6 kB/s, the fastest I/O seen"));
    scenario_free(scenario);
}

static void the_gap_may_be_chosen(void **state)
{
    (void)state;
    struct import_options options = {.gap = 5, .procs_per_node = 3};
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", trace, &options, &notes);
    assert_iterations(scenario->apps, (struct iteration[]){{1, 3000}, {58, 10000}, {36, 0}}, 3);
    assert_true(scenario->apps->nodes == 3); /* for 8 processes */
    assert_non_null(strstr(notes.text, "in 2 I/O phases, apart by more than 5 s as asked"));
    scenario_free(scenario);
}

static void what_only_mpi_io_saw_counts(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import(
        "darshan", HEADER " X_MPIIO 1 write 0 -1 6000 62.0000 64.5000 N/A\n", &none, NULL);
    assert_iterations(scenario->apps, (struct iteration[]){{62, 6000}, {35.5, 0}}, 2);
    scenario_free(scenario);
}

static const char counters[] =
    HEADER "POSIX\t-1\t1038\tPOSIX_BYTES_READ\t1000\t/a b\t/\tlustre\n"
           "POSIX\t-1\t1038\tPOSIX_BYTES_WRITTEN\t5000\t/a b\t/\tlustre\n"
           "POSIX\t-1\t1038\tPOSIX_MAX_BYTE_READ\t9999\t/a b\t/\tlustre\n"
           "POSIX\t-1\t1038\tPOSIX_F_READ_TIME\t30.0\t/a b\t/\tlustre\n"
           "POSIX\t3\t1039\tPOSIX_F_WRITE_TIME\t50.0\t/c\t/\tlustre\n"
           "POSIX\t3\t1039\tPOSIX_F_META_TIME\t50.0\t/c\t/\tlustre\n"
           "STDIO\t0\t7\tSTDIO_BYTES_WRITTEN\t2000\t<STDOUT>\t/\tlustre\n"
           "STDIO\t0\t7\tSTDIO_F_WRITE_TIME\t-2662.7\t<STDOUT>\t/\tlustre\n"
           "MPI-IO\t-1\t1038\tMPIIO_BYTES_READ\t1000\t/a b\t/\tlustre\n";

static void counters_are_spread_over_iterations(void **state)
{
    (void)state;
    struct import_options options = {.iterations = 4};
    struct notes notes = {""};
    struct scenario *scenario = accept_import("darshan", counters, &options, &notes);
    const struct app_spec *app = scenario->apps;
    /* 8000 bytes; 80 s over 8 processes are 10 s of I/O and leave 90 s of work. */
    assert_int_equal(app->iterations, 4);
    assert_true(app->io.mean == 2000 && app->work.mean == 22.5);
    assert_true(scenario->platform.bandwidth == 800);
    assert_non_null(strstr(notes.text, "counters only: 8 kB of I/O in 10 s of 100 s"));
    scenario_free(scenario);
}

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: no line '# nprocs: N', expected the text of darshan-parser or "
             "darshan-dxt-parser"},
        {HEADER, "f: no I/O that would tell the bandwidth: give --bandwidth"},
        {"hello\n", "f:1: expected a line of darshan-parser or darshan-dxt-parser"},
        {"# nprocs: many\n", "f:1: 'nprocs: ' is not followed by a number from 0 on"},
        {"# run time: -1\n", "f:1: 'run time: ' is not followed by a number from 0 on"},
        {HEADER " X_POSIX 0 write 0 0\n", "f:8: length is missing"},
        {HEADER " X_POSIX 0 write 0 0 10 1.0 nan\n", "f:8: end 'nan' is not a finite number"},
        {HEADER " X_POSIX 0 write 0 0 10 2.0 1.0\n",
         "f:8: an access of 10 bytes from 2 s to 1 s cannot be"},
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
        cmocka_unit_test(what_only_mpi_io_saw_counts),
        cmocka_unit_test(counters_are_spread_over_iterations),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(a_lenient_reader_skips_and_counts_what_is_wrong),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(real_logs_are_read),
    };
    return cmocka_run_group_tests_name("format/import_darshan", tests, NULL, NULL);
}
