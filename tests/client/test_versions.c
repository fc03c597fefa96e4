/* A program whose library is newer than the controller of its node. */
#include "client/link.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define SOON 1000000000u

/* The version in which the program sends. */
static uint32_t version_of_next(int program, int controller)
{
    const struct wire_message attach = {.type = WIRE_ATTACH,
                                        .attach = {.nodes = 1, .weight = 1, .name = "a"}};
    char bytes[WIRE_MOST];
    assert_int_equal(link_send(program, &attach), 0);
    ssize_t size = recv(controller, bytes, sizeof bytes, 0);
    assert_true(size > 0);
    return wire_version(bytes, (size_t)size);
}

static void hear_refusal(int program, int controller, uint32_t version)
{
    const struct wire_message refusal = {.type = WIRE_REFUSED, .refused = {.reason = "no"}};
    char bytes[WIRE_MOST];
    struct wire_message message;
    size_t size = wire_encode_as(&refusal, version, bytes);
    assert_int_equal(send(controller, bytes, size, 0), size);
    assert_int_equal(link_receive(program, &message, NULL, SOON), LINK_MESSAGE);
    assert_string_equal(message.refused.reason, "no");
}

static void a_program_speaks_as_its_controller_does(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    assert_int_equal(version_of_next(ends[0], ends[1]), WIRE_VERSION);
    hear_refusal(ends[0], ends[1], WIRE_VERSION - 1); /* it knows no later one */
    assert_int_equal(version_of_next(ends[0], ends[1]), WIRE_VERSION - 1);
    hear_refusal(ends[0], ends[1], WIRE_OLDEST);
    assert_int_equal(version_of_next(ends[0], ends[1]), WIRE_OLDEST);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_speaks_as_its_controller_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
