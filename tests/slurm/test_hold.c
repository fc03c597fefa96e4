#include "slurm/hold.h"
#include "support/fake.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct identity identify(const char *path)
{
    struct identity identity;
    identity_init(&identity, &(struct weir_join){.socket = path, .name = "job", .token = {1, 2}});
    identity.attach.leader = WIRE_HOSTS;
    return identity;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void an_application_is_held_until_the_end(void **state)
{
    (void)state;
    struct fake fake;
    struct hold hold;
    fake_start(&fake, NULL);
    struct identity identity = identify(fake.path);
    assert_null(hold_open(&hold, &identity));
    assert_int_equal(hold.answer.type, WIRE_WELCOME);
    fake_wait_peers(&fake, 1);
    hold_close(&hold);
    fake_wait_peers(&fake, 0);
    fake_stop(&fake);
}

static void a_controller_that_was_restarted_hears_of_it(void **state)
{
    (void)state;
    struct fake fake;
    struct hold hold;
    char path[64];
    snprintf(path, sizeof path, "/tmp/weir-hold-%d.sock", (int)getpid());
    fake_start(&fake, path);
    struct identity identity = identify(path);
    assert_null(hold_open(&hold, &identity));
    fake_wait_peers(&fake, 1);
    fake_stop(&fake);
    fake_start(&fake, path);
    fake_wait_peers(&fake, 1);
    hold_close(&hold);
    fake_wait_peers(&fake, 0);
    fake_stop(&fake);
}

static void without_a_controller_it_says_so_at_once(void **state)
{
    (void)state;
    struct hold hold;
    struct identity identity = identify("/nowhere/weir.sock");
    double start = now();
    assert_string_equal(hold_open(&hold, &identity),
                        "neither a controller nor an agent listens there");
    assert_true(now() - start < HOLD_PATIENCE);
    hold_close(&hold); /* does nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_is_held_until_the_end),
        cmocka_unit_test(a_controller_that_was_restarted_hears_of_it),
        cmocka_unit_test(without_a_controller_it_says_so_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
