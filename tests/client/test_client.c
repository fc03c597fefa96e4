/* The public functions; what is below them: test_session.c. */
#include "support/fake.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weir/client.h>

#include <cmocka.h>

static struct fake fake;

static void without_a_client_nothing_waits(void **state)
{
    (void)state;
    weir_io_begin(NULL, 1);
    assert_int_equal(weir_io_pace(NULL, 12345), 12345);
    weir_io_operation(NULL);
    weir_io_end(NULL);
    weir_client_leave(NULL);
    assert_false(weir_client_controlled(NULL));
}

static void an_application_is_paced_between_begin_and_end(void **state)
{
    (void)state;
    struct wire_message message;
    struct weir_client *client =
        weir_client_join(&(struct weir_join){.socket = fake.path, .name = "a", .nodes = 2});
    assert_non_null(client);
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, NULL), 0); /* not before its first I/O */
    fake_grant(&fake, PAGE_PACED, 100e6);
    weir_io_begin(client, 10e6);
    assert_true(weir_client_controlled(client));
    uint64_t begin = fake_now();
    for (size_t done = 0; done < 10000000;) {
        size_t piece = weir_io_pace(client, 10000000 - done);
        assert_true(piece > 0 && piece <= 4000000); /* 40 ms of the rate */
        done += piece;
    }
    assert_int_equal(weir_io_pace(client, 0), 0);
    weir_io_end(client);
    assert_true(fake_now() - begin >= 95000000); /* 10 MB at 100 MB/s, less a burst of 4 ms */
    fake_wait_heard(&fake, WIRE_END, 1);
    assert_int_equal(fake_heard(&fake, WIRE_POST, &message), 1); /* one I/O, one message */
    assert_true(message.post.volume == 10e6);
    weir_client_leave(client);
    fake_wait_peers(&fake, 0);
}

static void who_left_comes_back_with_the_next_io(void **state)
{
    (void)state;
    struct weir_client *client = weir_client_join(NULL);
    fake_grant(&fake, PAGE_OPEN, 0);
    weir_io_begin(client, 0);
    fake_wait_heard(&fake, WIRE_ATTACH, 2);
    weir_client_leave(client); /* which also ends it */
    fake_wait_heard(&fake, WIRE_END, 2);
    fake_wait_peers(&fake, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_client_nothing_waits),
        cmocka_unit_test(an_application_is_paced_between_begin_and_end),
        cmocka_unit_test(who_left_comes_back_with_the_next_io),
    };
    fake_start(&fake, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_stop(&fake);
    return failed;
}
