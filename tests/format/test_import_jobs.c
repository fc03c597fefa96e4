/* swf and sacct. */
#include "common_import.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A node moves 0.1 GB/s, the file system 1 GB/s. */
static const struct import_options tenth = {.platform = {.node_bandwidth = 1e8, .bandwidth = 1e9},
                                            .io_ratio = 0.1};

static const char swf[] = "; Computer: none\n"
                          "; MaxProcs: 64\n"
                          "\n"
                          "1 100 50 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n"
                          "2 120 10 2000 -1 -1 -1 32 -1 -1 1 7 7 -1 -1 -1 -1 -1\n"
                          "3 130 10 -1 4 -1 -1 4 -1 -1 5 7 7 -1 -1 -1 -1 -1\n";

static void a_job_is_an_application(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario = accept_import("swf", swf, &tenth, &notes);
    const struct app_spec *apps = scenario->apps;
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->platform.nodes == 64);
    assert_string_equal(apps[0].name, "1");
    /* Started at 150 and 130, of which the earlier is 0. */
    assert_true(apps[0].release == 20 && apps[1].release == 0);
    /* 4 nodes move 0.4 GB/s: 100 s of 1000 s are 40 GB. 32 nodes move 1 GB/s: 200 GB. */
    assert_true(apps[0].nodes == 4 && apps[0].work.mean == 900 && apps[0].io.mean == 40e9);
    assert_true(apps[1].nodes == 32 && apps[1].work.mean == 1800 && apps[1].io.mean == 200e9);
    assert_string_equal(notes.text, "f: 2 jobs, not counting 1 that never ran\n"
                                    "I/O at full bandwidth is assumed to be 10 % of each run\n");
    scenario_free(scenario);
}

/* One processor was enough for what asked for eight. */
static void allocated_processors_go_before_requested_ones(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("swf", "1 100 50 1000 1 -1 -1 8 -1 -1 1 7 7 -1 -1 -1 -1 -1\n", &tenth, NULL);
    assert_true(scenario->apps[0].nodes == 1);
    scenario_free(scenario);
}

static void expect_owner(const struct app_spec *app, const char *user, const char *account)
{
    assert_non_null(app->extra);
    assert_string_equal(app->extra->names[PARTY_USER], user);
    assert_string_equal(app->extra->names[PARTY_ACCOUNT], account);
}

static void jobs_have_users_and_accounts(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("swf",
                      "1 100 50 1000 4 -1 -1 4 -1 -1 1 7 3 -1 -1 -1 -1 -1\n"
                      "2 100 50 1000 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                      &tenth, NULL);
    expect_owner(&scenario->apps[0], "7", "3");
    assert_null(scenario->apps[1].extra);
    scenario_free(scenario);
    scenario = accept_import("sacct",
                             "JobID|Account|Start|ElapsedRaw|NNodes|User\n"
                             "5|physics|2024-02-29T13:00:00|600|4|ada\n"
                             "6||2024-02-29T13:00:00|600|4|\n",
                             &tenth, NULL);
    expect_owner(&scenario->apps[0], "ada", "physics");
    assert_null(scenario->apps[1].extra);
    scenario_free(scenario);
}

static void jobs_may_come_as_submitted_on_nodes_of_several_processors(void **state)
{
    (void)state;
    struct import_options options = tenth;
    options.release = "submit";
    options.procs_per_node = 3;
    options.iterations = 10;
    struct scenario *scenario = accept_import("swf", swf, &options, NULL);
    const struct app_spec *apps = scenario->apps;
    assert_true(apps[0].release == 0 && apps[1].release == 20);
    assert_true(apps[0].nodes == 2 && apps[1].nodes == 11); /* 4/3 and 32/3, rounded up */
    assert_true(scenario->platform.nodes == 22);
    /* 2 nodes move 0.2 GB/s: 20 GB in 100 s; all of it in ten parts. */
    assert_int_equal(apps[0].iterations, 10);
    assert_true(apps[0].work.mean == 90 && apps[0].io.mean == 2e9);
    scenario_free(scenario);
}

#define SWF_JOB "1 100 50 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n"

static void the_machine_may_be_given_in_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double nodes;
    } cases[] = {{"; MaxNodes: 16\n" SWF_JOB, 16},
                 {"; MaxNodes: 16\n; MaxProcs: 64\n" SWF_JOB, 64},
                 {"; MaxProcs: 64\n; MaxNodes: 16\n" SWF_JOB, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario *scenario = accept_import("swf", cases[i].text, &tenth, NULL);
        assert_true(scenario->platform.nodes == cases[i].nodes);
        scenario_free(scenario);
    }
}

static void columns_of_sacct_stand_in_any_order(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("sacct",
                      "JobName|Start|JobID|Elapsed|State|NNodes\n"
                      "x|2024-02-29T23:00:00|12|00:16:40|COMPLETED|4\n"
                      "batch|2024-02-29T23:00:00|12.batch|00:16:40|COMPLETED|1\n"
                      "y|2024-03-01T00:30:00|13_1|1-00:00:00|FAILED|10\n"
                      "z|Unknown|14|00:00:00|PENDING|2\n",
                      &tenth, NULL);
    const struct app_spec *apps = scenario->apps;
    assert_int_equal(scenario->count, 2);
    assert_string_equal(apps[1].name, "13_1");
    assert_true(apps[0].release == 0 && apps[1].release == 5400); /* over a leap day */
    assert_true(apps[0].work.mean == 900 && apps[0].io.mean == 40e9);
    assert_true(apps[1].nodes == 10 && apps[1].work.mean == 77760);
    scenario_free(scenario);
}

/* 10:00 is 10 min, of which 10 % are I/O. */
static void times_of_sacct_may_be_short(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import("sacct",
                                              "JobID|Start|Elapsed|NNodes\n"
                                              "1|2024-01-01T00:00:00|10:00|4\n"
                                              "2|2024-01-01T00:00:00|00:50|4\n",
                                              &tenth, NULL);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].work.mean == 540 && scenario->apps[1].work.mean == 45);
    scenario_free(scenario);
}

/* What a job had counts, not what it asked for, in whatever order the columns stand. */
static void allocated_nodes_go_before_requested_ones(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "JobID|Start|ElapsedRaw|AllocNodes|NNodes\n1|2024-01-01T00:00:00|1000|8|2\n",
        "JobID|Start|ElapsedRaw|NNodes|AllocNodes\n1|2024-01-01T00:00:00|1000|2|8\n"};
    for (size_t i = 0; i < 2; i++) {
        struct scenario *scenario = accept_import("sacct", texts[i], &tenth, NULL);
        assert_true(scenario->apps[0].nodes == 8);
        scenario_free(scenario);
    }
}

/* The second starts at 90 after a wait, the first when it comes, at 100: -1 is no wait. */
static void an_unknown_wait_is_none(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import("swf",
                                              "1 100 -1 1000 4 -1 -1 4 -1 -1 1 7 3 -1 -1 -1 -1 -1\n"
                                              "2 80 10 1000 4 -1 -1 4 -1 -1 1 7 3 -1 -1 -1 -1 -1\n",
                                              &tenth, NULL);
    assert_true(scenario->apps[0].release == 10 && scenario->apps[1].release == 0);
    scenario_free(scenario);
}

static void raw_seconds_and_processors_do_as_well(void **state)
{
    (void)state;
    struct import_options options = tenth;
    options.procs_per_node = 16;
    options.release = "submit";
    struct scenario *scenario = accept_import("sacct",
                                              "jobid|elapsedraw|ncpus|submit\n"
                                              "12|1000|64|1999-12-31T23:59:59\n"
                                              "13|1000||2000-01-01T00:00:00\n"
                                              "14|1000|17|2000-01-01T00:00:00\n",
                                              &options, NULL);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].nodes == 4 && scenario->apps[1].nodes == 2);
    assert_true(scenario->apps[1].release == 1);
    scenario_free(scenario);
}

static void dates_and_sizes_may_be_written_as_slurm_can_be_told_to(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import("sacct",
                                              "NNodes|JobIDRaw|ElapsedRaw|Start\n"
                                              "4K|12|1000.5|1709211600\n"
                                              "1.5K|13|1000|2024-02-29T13:00:02.25\n",
                                              &tenth, NULL);
    assert_int_equal(scenario->count, 2);
    assert_string_equal(scenario->apps[0].name, "12");
    assert_true(scenario->apps[0].nodes == 4096 && scenario->apps[1].nodes == 1536);
    assert_true(scenario->apps[0].release == 0 && scenario->apps[1].release == 2.25);
    scenario_free(scenario);
}

#define STEPS "JobID|Start|ElapsedRaw|NNodes|NTasks|AveDiskWrite|MaxDiskWrite|AveDiskRead\n"
#define AT    "|2024-01-01T00:00:00|1000|10|"

static void steps_of_sacct_say_what_each_task_moved(void **state)
{
    (void)state;
    const struct import_options options = {.platform = {.bandwidth = 1e9}};
    struct notes notes = {""};
    /* 4 tasks of 1.5 MiB + 0.5 MiB and one of 1 KiB; the second job has none; the last step is of
     * a job that is not there. */
    struct scenario *scenario =
        accept_import("sacct",
                      STEPS "7" AT "|||\n7.batch" AT "1|1K|9K|\n7.0" AT "4|1.5M|9M|0.50M\n"
                            "8" AT "|||\n9.0" AT "1|1K|1K|1K\n",
                      &options, &notes);
    assert_int_equal(scenario->count, 2);
    assert_true(scenario->apps[0].io.mean == 4 * 2 * 1048576 + 1024);
    assert_true(scenario->apps[0].work.mean == 1000 - (4 * 2 * 1048576 + 1024) / 1e9);
    assert_true(scenario->apps[1].io.mean == 0);
    assert_non_null(strstr(notes.text, "the log has the I/O volume of 1 of them"));
    assert_non_null(strstr(notes.text, "1 steps do not follow their job"));
    scenario_free(scenario);
    scenario = accept_import(
        "sacct", "JobID|Start|ElapsedRaw|NNodes|NTasks|MaxDiskRead\n7" AT "|\n7.0" AT "3|1000\n",
        &options, &notes);
    assert_true(scenario->apps[0].io.mean == 3000);
    assert_non_null(strstr(notes.text, "as much as the one that moved most"));
    scenario_free(scenario);
}

static void days_and_times_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *start, *elapsed, *message;
    } cases[] = {
        {"2023-02-29T00:00:00", "01:00:00",
         "f:2: Start '2023-02-29T00:00:00' is not a date such as 2024-02-29T13:00:00"},
        {"2024-04-31T00:00:00", "01:00:00",
         "f:2: Start '2024-04-31T00:00:00' is not a date such as 2024-02-29T13:00:00"},
        {"2024-02-29T00:00:00", "02:99:99",
         "f:2: Elapsed '02:99:99' is not a time such as 1-12:00:00"},
        {"2024-02-29T00:00:00", "1:2:3:4:5",
         "f:2: Elapsed '1:2:3:4:5' is not a time such as 1-12:00:00"},
        {"2024-02-29T00:00:00", "10:", "f:2: Elapsed '10:' is not a time such as 1-12:00:00"},
        {"2024-02-29T00:00:00", "2-", "f:2: Elapsed '2-' is not a time such as 1-12:00:00"},
        {"2024-02-29T00:00:00", "ten", "f:2: Elapsed 'ten' is not a time such as 1-12:00:00"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "JobID|Start|Elapsed|NNodes\n7|%s|%s|4\n", cases[i].start,
                 cases[i].elapsed);
        refuse_import("sacct", text, &tenth, cases[i].message);
    }
}

/* As 'sacct -P >>jobs' does for every month; a job that runs at its end is in both. */
static void outputs_of_slurm_may_be_joined(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario =
        accept_import("sacct",
                      "JobID|Start|Elapsed|NNodes\n1|2024-01-01T00:00:00|00:10:00|4\n"
                      "2|2024-01-31T00:00:00|00:10:00|4\n"
                      "JobID|Start|Elapsed|NNodes\n2|2024-01-31T00:00:00|01:10:00|4\n"
                      "1|2024-02-01T00:00:00|00:10:00|4\n",
                      &tenth, &notes);
    assert_int_equal(scenario->count, 4);
    assert_non_null(strstr(notes.text,
                           "1 job repeats the id and the release of another: a job that is listed "
                           "twice counts twice\n"));
    scenario_free(scenario);
}

/* The first ran for 100 s on an unknown number of processors. */
static void a_job_of_unknown_size_did_run(void **state)
{
    (void)state;
    struct notes notes = {""};
    scenario_free(accept_import("swf",
                                "1 0 10 100 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                                "2 0 10 100 -1 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n",
                                &tenth, &notes));
    assert_non_null(strstr(notes.text, "f: 1 job\n"));
    assert_non_null(strstr(notes.text, "on an unknown number of processors, left out: 1\n"));
}

static void a_log_of_slurm_without_io_needs_a_model(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"JobID|Start|ElapsedRaw|NNodes\n",
         "f:1: no column has the volume of I/O: ask sacct for TRESUsageInTot and TRESUsageOutTot, "
         "or AveDiskRead, AveDiskWrite and NTasks, or give --io-ratio or --io-csv"},
        {"JobID|Start|ElapsedRaw|NNodes|AveDiskRead\n",
         "f:1: no column NTasks: AveDiskRead and the like are of one task"},
        {STEPS "7" AT "|||\n", "f: no job has a volume of I/O: ask sacct for steps (without -X), "
                               "or give --io-ratio or --io-csv"},
        {STEPS "7" AT "1|much||\n", "f:2: AveDiskWrite 'much' is not a size such as 1.5M"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("sacct", cases[i][0], &plain_options, cases[i][1]);
}

/* A temporary file with this text; its path is in the template. */
static void write_file(char *path, const char *text)
{
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_table_may_say_the_volume_of_each_job(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-volumes-XXXXXX";
    write_file(path, "job,volume\n# big\n\n2, 4000 GB\n9,1\n");
    struct import_options options = tenth;
    struct notes notes = {""};
    options.io_ratio = 0;
    options.io_csv = path;
    struct scenario *scenario = accept_import("swf", swf, &options, &notes);
    unlink(path);
    /* Job 1 is not in the table. Job 2 needs 4000 s for its I/O, but ran for 2000 s. */
    assert_true(scenario->apps[0].work.mean == 1000 && scenario->apps[0].io.mean == 0);
    assert_true(scenario->apps[1].work.mean == 0 && scenario->apps[1].io.mean == 4e12);
    assert_non_null(strstr(
        notes.text, "has the I/O volume of 1 of them; the I/O of 1 takes longer than the run"));
    scenario_free(scenario);
}

static void a_wrong_table_of_volumes_is_an_error_in_its_own_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1,2\n1\n", ":2: expected two columns: job, volume"},
        {"1,2 s\n", ":1: '2 s' is not a size such as '3 GB' or '512 MiB'"},
        {"1,-2\n", ":1: volume '-2' is below 0"},
        {"1,2\n2,3\n1,4\n", ": job '1' is listed twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[] = "/tmp/weir-volumes-XXXXXX", message[256];
        write_file(path, cases[i][0]);
        struct import_options options = tenth;
        options.io_csv = path;
        snprintf(message, sizeof message, "%s%s", path, cases[i][1]);
        refuse_import("swf", swf, &options, message);
        unlink(path);
    }
}

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
#define TITLES "JobID|Start|Elapsed|NNodes\n"
    static const char *const cases[][3] = {
        {"swf", "1 100 50 1000 4\n", "f:1: cpu time is missing"},
        {"swf", "1 100 x 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n",
         "f:1: wait time 'x' is not a finite number"},
        {"swf", "1 100 50 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1 5\n",
         "f:1: unexpected '5' at the end of the line"},
        {"swf", "; MaxProcs: 2\n1 100 50 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n",
         "f:2: application '1': has 4 nodes, but the platform only 2"},
        {"swf", "; nothing\n", "f: no applications, expected at least one"},
        {"sacct", "JobID|Start|NNodes\n",
         "f:1: no column ElapsedRaw or Elapsed, expected the header of 'sacct -P'"},
        {"sacct", "JobID|Start|Elapsed|NNodes|start\n", "f:1: two columns are named 'Start'"},
        {"sacct", TITLES "1|2024-01-01T00:00:00|00:10:00\n",
         "f:2: 3 columns, expected 4 as in the header"},
        {"sacct", TITLES "|2024-01-01T00:00:00|00:10:00|1\n", "f:2: JobID is empty"},
        {"sacct", TITLES "1|yesterday|00:10:00|1\n",
         "f:2: Start 'yesterday' is not a date such as 2024-02-29T13:00:00"},
        {"sacct", TITLES "1|2024-13-01T00:00:00|00:10:00|1\n",
         "f:2: Start '2024-13-01T00:00:00' is not a date such as 2024-02-29T13:00:00"},
        {"sacct", TITLES "1|2024-01-01T00:00:00|600|1\n",
         "f:2: Elapsed '600' is not a time such as 1-12:00:00"},
        {"sacct", TITLES "1|2024-01-01T00:00:00|00:10:00|few\n",
         "f:2: NNodes 'few' is not a number from 0 on"},
    };
#undef TITLES
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import(cases[i][0], cases[i][1], &tenth, cases[i][2]);
}

static void a_lenient_reader_skips_and_counts_what_is_wrong(void **state)
{
    (void)state;
    struct import_options lenient = tenth;
    struct notes notes = {""};
    lenient.lenient = true;
    struct scenario *scenario = accept_import(
        "sacct",
        "JobID|Start|Elapsed|NNodes\n1|?|00:10:00|1\n2|2024-01-01T00:00:00|00:10:00|1\n3\n",
        &lenient, &notes);
    assert_int_equal(scenario->count, 1);
    assert_non_null(
        strstr(notes.text,
               "skipped 2 lines or applications that could not be understood; the first: f:2: "));
    scenario_free(scenario);
}

/* The second one has more nodes than there are. */
static void jobs_that_are_skipped_are_not_counted_as_jobs(void **state)
{
    (void)state;
    struct import_options lenient = tenth;
    struct notes notes = {""};
    lenient.lenient = true;
    lenient.platform.nodes = 4;
    struct scenario *scenario =
        accept_import("sacct",
                      "JobID|Start|Elapsed|NNodes\n1|2024-01-01T00:00:00|00:10:00|4\n"
                      "2|2024-01-01T00:00:00|00:10:00|5\n",
                      &lenient, &notes);
    assert_int_equal(scenario->count, 1);
    assert_non_null(strstr(notes.text, "f: 1 job\n"));
    assert_non_null(strstr(notes.text, "skipped 1 line or application that"));
    scenario_free(scenario);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_import("swf", swf, &tenth);
    fail_each_import("sacct", "JobID|Start|Elapsed|NNodes\n2|2024-01-01T00:00:00|00:10:00|1\n",
                     &tenth);
}

static void a_real_log_is_read(void **state)
{
    (void)state;
    size_t length;
    char *text = load_or_skip("../shared/data/swf/KTH-SP2-1996-2.1-cln.swf", &length);
    struct scenario *scenario = accept_import("swf", text, &tenth, NULL);
    assert_int_equal(scenario->count, 28467); /* of 28476, nine of which have no run time */
    assert_true(scenario->platform.nodes == 100);
    scenario_free(scenario);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_an_application),
        cmocka_unit_test(allocated_processors_go_before_requested_ones),
        cmocka_unit_test(jobs_have_users_and_accounts),
        cmocka_unit_test(jobs_may_come_as_submitted_on_nodes_of_several_processors),
        cmocka_unit_test(the_machine_may_be_given_in_nodes),
        cmocka_unit_test(dates_and_sizes_may_be_written_as_slurm_can_be_told_to),
        cmocka_unit_test(steps_of_sacct_say_what_each_task_moved),
        cmocka_unit_test(a_log_of_slurm_without_io_needs_a_model),
        cmocka_unit_test(days_and_times_that_do_not_exist_are_refused),
        cmocka_unit_test(outputs_of_slurm_may_be_joined),
        cmocka_unit_test(a_job_of_unknown_size_did_run),
        cmocka_unit_test(columns_of_sacct_stand_in_any_order),
        cmocka_unit_test(times_of_sacct_may_be_short),
        cmocka_unit_test(allocated_nodes_go_before_requested_ones),
        cmocka_unit_test(an_unknown_wait_is_none),
        cmocka_unit_test(raw_seconds_and_processors_do_as_well),
        cmocka_unit_test(a_table_may_say_the_volume_of_each_job),
        cmocka_unit_test(a_wrong_table_of_volumes_is_an_error_in_its_own_line),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(a_lenient_reader_skips_and_counts_what_is_wrong),
        cmocka_unit_test(jobs_that_are_skipped_are_not_counted_as_jobs),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(a_real_log_is_read),
    };
    return cmocka_run_group_tests_name("format/import_jobs", tests, NULL, NULL);
}
