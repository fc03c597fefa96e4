/* What agents may hold outlives its controller. */
#include "serve/holdings.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[40], socket_path[64], path[72];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/weir-holdings-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(socket_path, sizeof socket_path, "%s/s", directory);
    snprintf(path, sizeof path, "%s.held", socket_path);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

/* A controller of so many channels starts at this time: whether it knows, and what. */
static bool start(uint32_t channels, uint64_t now, double held[WIRE_CHANNELS])
{
    struct holdings holdings;
    struct err err = {0};
    assert_int_equal(holdings_open(&holdings, socket_path, channels, &err), 0);
    bool known = holdings_read(&holdings, now, held);
    holdings_close(&holdings);
    return known;
}

static void leave(uint32_t channels, uint64_t until, double first, double second)
{
    const double held[WIRE_CHANNELS] = {first, second};
    struct holdings holdings;
    assert_int_equal(holdings_open(&holdings, socket_path, channels, NULL), 0);
    holdings_write(&holdings, until, held);
    holdings_close(&holdings);
}

static void the_next_controller_knows_what_was_held(void **state)
{
    double held[WIRE_CHANNELS];
    (void)state;
    assert_false(start(2, 1000, held)); /* there was none before */
    leave(2, 5000, 7, 8);
    assert_true(start(2, 4999, held));
    assert_true(held[0] == 7 && held[1] == 8);
    assert_true(start(2, 5000, held)); /* all leases have ended */
    assert_true(held[0] == 0 && held[1] == 0);
    assert_false(start(1, 1000, held)); /* other channels */
}

static void what_cannot_be_true_is_not_known(void **state)
{
    double held[WIRE_CHANNELS];
    (void)state;
    leave(1, 5000, 7, 0);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, 8, SEEK_SET); /* of another start of the machine */
    fputs("00000000", file);
    fclose(file);
    assert_false(start(1, 1000, held));
    leave(1, 5000, -1, 0);
    assert_false(start(1, 1000, held));
}

static void another_controller_does_not_share_it(void **state)
{
    struct holdings first, second;
    struct err err = {0};
    double held[WIRE_CHANNELS] = {1};
    (void)state;
    assert_int_equal(holdings_open(&first, socket_path, 1, &err), 0);
    assert_int_equal(holdings_open(&second, socket_path, 1, &err), -1);
    holdings_write(&second, 5000, held); /* and is harmless */
    assert_false(holdings_read(&second, 0, held));
    holdings_close(&second);
    holdings_close(&first);
}

static void a_link_is_not_followed(void **state)
{
    struct holdings holdings;
    struct err err = {0};
    struct stat file;
    char other[80];
    (void)state;
    snprintf(other, sizeof other, "%s/other", directory);
    unlink(path);
    assert_int_equal(symlink(other, path), 0);
    assert_int_equal(holdings_open(&holdings, socket_path, 1, &err), -1);
    assert_int_equal(stat(other, &file), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_controller_knows_what_was_held),
        cmocka_unit_test(what_cannot_be_true_is_not_known),
        cmocka_unit_test(another_controller_does_not_share_it),
        cmocka_unit_test(a_link_is_not_followed),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
