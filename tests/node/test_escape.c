/* What the kernel counts for a process is compared with what its calls said. */
#include "node/escape.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MB 1000000u

/* A look at process 7, which has moved so many bytes and sleeps. */
static struct escape_look look_at(uint64_t read, uint64_t written)
{
    return (struct escape_look){
        .pid = 7, .read = read, .written = written, .asleep = true, .close = true};
}

static const struct escape_known silent = {0};

/* Nothing was counted during the look. */
static struct escape_known said(uint64_t bytes)
{
    return (struct escape_known){true, bytes, bytes, false};
}

/* What the last of the looks that it takes finds, when nothing more happens. */
static double later(struct escape_process *process, const struct escape_look *look,
                    struct escape_known known, enum wire_escape *why)
{
    for (int i = 1; i < ESCAPE_LOOKS - 1; i++)
        assert_true(escape_judge(process, look, known, why) == 0);
    return escape_judge(process, look, known, why);
}

static void a_silent_process_escapes_in_the_directions_in_which_a_store_is_open(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(3 * MB, 5 * MB);
    (void)state;
    look.why = WIRE_ESCAPE_STATIC;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look = look_at(10 * MB, 7 * MB); /* 7 MB read, 2 MB written */
    look.why = WIRE_ESCAPE_STATIC;
    look.holds = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, silent, &why) == 2 * MB);
    assert_int_equal(why, WIRE_ESCAPE_STATIC);
    look.read += MB;
    look.written += MB;
    look.holds = ESCAPE_READS | ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, silent, &why) == 2 * MB);
}

static void what_an_attached_process_did_before_the_first_look_counts(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(3 * MB, 30 * MB);
    struct escape_known known = said(12 * MB); /* of 33 */
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    known.like_kernel = true;
    assert_true(escape_judge(&process, &look, known, &why) == 0);
    assert_true(later(&process, &look, known, &why) == 21 * MB);
    assert_int_equal(why, WIRE_ESCAPE_CALLS);
}

/* It counts 5 MB while it is looked at for the first time, and the kernel's count follows. */
static void what_is_counted_during_the_first_look_is_not_missing_later(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 20 * MB);
    struct escape_known known = {true, 25 * MB, 20 * MB, true};
    (void)state;
    look.preloaded = true;
    look.asleep = false;
    look.holds = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, known, &why) == 0);
    look = look_at(0, 30 * MB);
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    known = said(30 * MB);
    assert_true(escape_judge(&process, &look, known, &why) == 0);
    assert_true(later(&process, &look, known, &why) == 0);
    assert_true(later(&process, &look, known, &why) == 0);
}

static void what_a_supervisor_sees_does_not_escape(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 5 * MB);
    (void)state;
    look.holds = ESCAPE_WRITES;
    look.supervised = true;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.written += 5 * MB;
    look.supervised = false; /* it was killed */
    assert_true(escape_judge(&process, &look, silent, &why) == 5 * MB);
}

static void what_is_too_little_for_a_close_look_is_kept_for_the_next(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 1000);
    (void)state;
    look.holds = ESCAPE_WRITES;
    look.close = false;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.written = 70000;
    look.close = true;
    assert_true(escape_judge(&process, &look, silent, &why) == 70000);
}

static void inherited_files_do_not_make_a_preloaded_process_suspect(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 5 * MB);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.written += 5 * MB;
    look.own = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.close = false; /* nothing more happens, and it is still there */
    assert_true(escape_judge(&process, &look, silent, &why) == 5 * MB);
    assert_int_equal(why, WIRE_ESCAPE_CALLS);
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
}

static void a_process_that_attaches_late_or_has_just_left_is_not_suspected(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 5 * MB);
    (void)state;
    look.preloaded = true;
    look.holds = look.own = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.written += 5 * MB; /* the controller was slow to take it */
    assert_true(escape_judge(&process, &look, said(5 * MB), &why) == 0);
    look.written += 5 * MB;
    assert_true(escape_judge(&process, &look, said(10 * MB), &why) == 0);
    look.written += 5 * MB; /* its place is given back before the look at it is judged */
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
}

static void what_an_attached_process_does_not_know_of_escapes(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(9 * MB, 9 * MB);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    assert_true(escape_judge(&process, &look, said(0), &why) == 0); /* the first look */
    look.read += 20 * MB;
    look.written += 10 * MB;
    assert_true(escape_judge(&process, &look, said(30 * MB), &why) == 0);
    look.written += 10 * MB; /* 4 MB of which it knows */
    assert_true(escape_judge(&process, &look, said(34 * MB), &why) == 0);
    look.close = false; /* nothing more happens, and they are still missing */
    assert_true(later(&process, &look, said(34 * MB), &why) == 6 * MB);
    assert_int_equal(why, WIRE_ESCAPE_CALLS);
    assert_true(escape_judge(&process, &look, said(34 * MB), &why) == 0);
    /* It knows of more than the kernel counts: asynchronous I/O. */
    assert_true(escape_judge(&process, &look, said(90 * MB), &why) == 0);
}

static void little_or_less_than_a_hundredth_is_not_said(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_READS;
    escape_judge(&process, &look, said(0), &why);
    look.read = 500 * (uint64_t)MB; /* 2 MB are missing, of 500 */
    assert_true(escape_judge(&process, &look, said(498 * MB), &why) == 0);
    look.read += 4 * MB; /* 6 MB of 504 */
    assert_true(escape_judge(&process, &look, said(498 * MB), &why) == 0);
    assert_true(later(&process, &look, said(498 * MB), &why) == 6 * MB);
}

static void a_call_that_one_side_counts_a_moment_earlier_does_not_escape(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, said(0), &why);
    /* Written so far, in MB, as the kernel and as the process count it. */
    static const uint64_t counts[][2] = {{10, 5}, {15, 15}, {20, 25}, {30, 30}, {40, 40}, {50, 50}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        look.written = counts[i][0] * MB;
        assert_true(escape_judge(&process, &look, said(counts[i][1] * MB), &why) == 0);
    }
}

/* On a busy machine most looks come between a call's end and its count: each misses another one. */
static void calls_that_wait_for_a_processor_do_not_escape(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, said(0), &why);
    for (uint64_t i = 1; i < 200; i++) {
        look.written = 5 * MB * i;
        uint64_t counted = i % ESCAPE_LOOKS ? i - 1 : i;
        assert_true(escape_judge(&process, &look, said(5 * MB * counted), &why) == 0);
    }
}

/* A program in calls of 1 MiB, as dd, which has no turn between a call's end and its count whenever
 * it is looked at: one call is missing at all looks. */
static void a_call_that_is_not_yet_counted_at_any_look_does_not_escape(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    const uint64_t call = 1 << 20;
    (void)state;
    look.preloaded = true;
    look.asleep = false;
    look.threads = 1;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, said(0), &why);
    for (uint64_t i = 1; i <= 60; i++) {
        look.written = i / 4 * 4 * call + call; /* at three of four looks it has had no turn */
        look.calls = look.written / call;
        assert_true(escape_judge(&process, &look, said(look.written - call), &why) == 0);
    }
    look.asleep = true; /* at its end it waits for something, and has counted that one */
    for (int i = 0; i < 10; i++)
        assert_true(escape_judge(&process, &look, said(look.written), &why) == 0);
    /* What really escapes is more than a call. */
    look.asleep = false;
    uint64_t knows = look.written;
    double escaped = 0;
    for (int i = 0; i < 10; i++) {
        look.written += 4 * call;
        look.calls += 4;
        escaped += escape_judge(&process, &look, said(knows), &why);
    }
    assert_true(escaped > 20.0 * (double)call);
    assert_int_equal(why, WIRE_ESCAPE_CALLS);
}

/* A program counts 100 MB/s, all of which the kernel has counted. Its count is read some time after
 * the kernel's, which is the longer the busier the machine is: the delay grows over several looks,
 * and is short again. */
static void what_is_counted_during_a_look_does_not_escape(void **state)
{
    static const uint64_t delays[] = {90, 0, 30, 60, 90, 90, 0, 0, 0, 0, 0, 0, 20, 40, 0, 0, 0, 0};
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    const uint64_t millisecond = MB / 10;
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    for (uint64_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        look.written = (i + 1) * 250 * millisecond;
        struct escape_known known = said(look.written + delays[i] * millisecond);
        known.before = look.written - 5 * millisecond;
        assert_true(escape_judge(&process, &look, known, &why) == 0);
    }
    /* It does not hide what escapes later: 5 MB more than it counted during looks. */
    struct escape_known known = said(look.written);
    look.written += 5 * MB;
    assert_true(escape_judge(&process, &look, known, &why) == 0);
    assert_true(later(&process, &look, known, &why) >= 4 * MB);
}

static void bytes_of_children_that_were_waited_for_are_not_its_own(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, MB);
    (void)state;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, silent, &why);
    look.written += 50 * MB;
    look.reaped = 1;
    assert_true(escape_judge(&process, &look, silent, &why) == 0);
    look.written += MB;
    assert_true(escape_judge(&process, &look, silent, &why) == MB);
}

static void another_program_in_the_process_begins_again(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.preloaded = true;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, said(5 * MB), &why);
    look.written = 9 * MB;
    assert_true(escape_judge(&process, &look, said(0), &why) == 0);
    look.written += 9 * MB;
    assert_true(escape_judge(&process, &look, said(9 * MB), &why) == 0);
}

static void requests_in_a_ring_are_seen_at_the_disk(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.preloaded = look.ring = true;
    look.holds = ESCAPE_READS;
    escape_judge(&process, &look, said(0), &why);
    look.block = 30 * MB;
    assert_true(escape_judge(&process, &look, said(0), &why) == 0);
    assert_true(later(&process, &look, said(0), &why) == 30 * MB);
    assert_int_equal(why, WIRE_ESCAPE_RING);
    look.ring = false; /* without one, they are pages of programs, or of files elsewhere */
    look.block += 30 * MB;
    assert_true(escape_judge(&process, &look, said(0), &why) == 0);
    assert_true(escape_judge(&process, &look, said(0), &why) == 0);
}

static void programs_that_only_announce_are_left_alone(void **state)
{
    enum wire_escape why;
    struct escape_process process = {0};
    struct escape_look look = look_at(0, 0);
    (void)state;
    look.holds = ESCAPE_WRITES;
    escape_judge(&process, &look, said(0), &why);
    look.written = 100 * MB;
    assert_true(escape_judge(&process, &look, said(0), &why) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silent_process_escapes_in_the_directions_in_which_a_store_is_open),
        cmocka_unit_test(what_an_attached_process_did_before_the_first_look_counts),
        cmocka_unit_test(what_is_counted_during_the_first_look_is_not_missing_later),
        cmocka_unit_test(what_a_supervisor_sees_does_not_escape),
        cmocka_unit_test(what_is_too_little_for_a_close_look_is_kept_for_the_next),
        cmocka_unit_test(inherited_files_do_not_make_a_preloaded_process_suspect),
        cmocka_unit_test(a_process_that_attaches_late_or_has_just_left_is_not_suspected),
        cmocka_unit_test(what_an_attached_process_does_not_know_of_escapes),
        cmocka_unit_test(little_or_less_than_a_hundredth_is_not_said),
        cmocka_unit_test(a_call_that_one_side_counts_a_moment_earlier_does_not_escape),
        cmocka_unit_test(calls_that_wait_for_a_processor_do_not_escape),
        cmocka_unit_test(a_call_that_is_not_yet_counted_at_any_look_does_not_escape),
        cmocka_unit_test(what_is_counted_during_a_look_does_not_escape),
        cmocka_unit_test(bytes_of_children_that_were_waited_for_are_not_its_own),
        cmocka_unit_test(another_program_in_the_process_begins_again),
        cmocka_unit_test(requests_in_a_ring_are_seen_at_the_disk),
        cmocka_unit_test(programs_that_only_announce_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
