/* The bytes of a hello, addresses, and what is told of refusals. */
#include "link/address.h"
#include "link/hello.h"
#include "link/refusals.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct link_hello sample = {.nonce = {1, 2, 3},
                                         .key = {9, 8, 7},
                                         .version = 5,
                                         .role = LINK_CLIENT,
                                         .boot = {4, 5},
                                         .incarnation = 0x1122334455667788,
                                         .epoch = 42,
                                         .name = "node-17"};

static void what_is_written_is_read(void **state)
{
    (void)state;
    unsigned char bytes[HELLO_MOST];
    struct link_hello hello;
    struct link_greeting greeting = {{2, 7}, {3, 1, 4, 1, 5}}, again;
    assert_null(
        link_greeting_read(&(struct packet){bytes, link_greeting_write(&greeting, bytes)}, &again));
    assert_memory_equal(&again, &greeting, sizeof again);
    assert_null(link_hello_read(&(struct packet){bytes, link_hello_write(&sample, bytes)}, &hello));
    assert_memory_equal(&hello, &sample, sizeof hello);
}

static void a_hello_that_is_not_exactly_one_is_refused(void **state)
{
    (void)state;
    unsigned char bytes[HELLO_MOST] = {0};
    struct link_hello hello;
    struct link_greeting greeting = {{1, 1}, {0}};
    size_t size = link_hello_write(&sample, bytes);
    for (size_t i = 0; i < size; i++)
        assert_non_null(link_hello_read(&(struct packet){bytes, i}, &hello));
    assert_non_null(link_hello_read(&(struct packet){bytes, size + 1}, &hello));
    bytes[8 + HELLO_NONCE + SEAL_KEY + 4] = LINK_ROLES_COUNT;
    assert_string_equal(link_hello_read(&(struct packet){bytes, size}, &hello),
                        "the hello has an unknown role");
    link_hello_write(&sample, bytes);
    memset(bytes + size - WIRE_NAME, 'x', WIRE_NAME);
    assert_string_equal(link_hello_read(&(struct packet){bytes, size}, &hello),
                        "a text has no end");
    size = link_greeting_write(&greeting, bytes);
    assert_non_null(link_greeting_read(&(struct packet){bytes, size - 1}, &greeting));
    assert_string_equal(
        link_greeting_read(&(struct packet){(unsigned char *)"HTTP/1.1 400 Bad", 16}, &greeting),
        "the other end is not a controller");
}

static void both_ends_take_the_newest_version_that_both_speak(void **state)
{
    (void)state;
    static const struct {
        struct link_versions a, b;
        uint32_t common;
    } cases[] = {
        {{1, 1}, {1, 1}, 1}, {{1, 3}, {2, 5}, 3}, {{2, 5}, {1, 3}, 3},
        {{1, 2}, {3, 4}, 0}, {{3, 4}, {1, 2}, 0}, {{1, 9}, {4, 4}, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(link_version(&cases[i].a, &cases[i].b), cases[i].common);
}

static void a_refusal_is_a_bounded_printable_text(void **state)
{
    (void)state;
    unsigned char bytes[HELLO_MOST];
    char reason[HELLO_REASON], longer[2 * HELLO_MOST];
    struct packet packet = {bytes, link_refusal_write("no\nkey", bytes)};
    assert_true(link_refusal_read(&packet, reason));
    assert_null(strchr(reason, '\n'));
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    packet.size = link_refusal_write(longer, bytes);
    assert_true(packet.size <= HELLO_MOST && link_refusal_read(&packet, reason));
    assert_int_equal(strlen(reason), HELLO_REASON - 1);
    packet.size = 8; /* no reason at all; and another mark */
    assert_false(link_refusal_read(&packet, reason));
    packet.size = 20;
    bytes[0] ^= 1;
    assert_false(link_refusal_read(&packet, reason));
}

static void addresses_are_read_as_people_write_them(void **state)
{
    (void)state;
    static const char *const good[][3] = {
        {"n1", "n1", LINK_PORT},         {"n1:80", "n1", "80"},
        {"10.0.0.1:9", "10.0.0.1", "9"}, {"::1", "::1", LINK_PORT},
        {"[::1]", "::1", LINK_PORT},     {"[fe80::1]:7000", "fe80::1", "7000"},
        {"0.0.0.0:0", "0.0.0.0", "0"},
    };
    static const char *const bad[] = {"",         ":80",    "n1:",  "n1:x",
                                      "n1:70000", "[::1]x", "[]:1", "n:-1"};
    struct link_address address, list[LINK_CONTROLLERS];
    struct err err;
    char place[LINK_PLACE];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(link_address_read(good[i][0], LINK_PORT, &address, &err), 0);
        assert_string_equal(address.host, good[i][1]);
        assert_string_equal(address.port, good[i][2]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(link_address_read(bad[i], LINK_PORT, &address, &err), -1);
        assert_non_null(strstr(err.text, "expected HOST[:PORT]"));
    }
    assert_int_equal(link_address_list("a,b:7,[::1]:8", LINK_PORT, list, &err), 3);
    assert_string_equal(link_address_print(&list[2], place), "[::1]:8");
    assert_string_equal(link_address_print(&list[1], place), "b:7");
    assert_int_equal(link_address_list("a,,b", LINK_PORT, list, &err), -1);
    assert_int_equal(link_address_list("a,a,a,a,a,a,a,a,a", LINK_PORT, list, &err), -1);
}

static void a_refusal_is_told_once_per_reason_and_address_in_an_hour(void **state)
{
    (void)state;
    static struct refusals refusals;
    char address[REFUSALS_ADDRESS];
    uint32_t told = 0;
    assert_true(refusals_note(&refusals, 5, "10.0.0.1", "a reason"));
    assert_false(refusals_note(&refusals, 6, "10.0.0.1", "a reason"));
    assert_true(refusals_note(&refusals, 7, "10.0.0.1", "another reason"));
    assert_true(refusals_note(&refusals, 8, "10.0.0.2", "a reason"));
    assert_true(refusals_note(&refusals, 8 + REFUSALS_SPAN, "10.0.0.1", "a reason"));
    for (int i = 0; i < 10000; i++) {
        snprintf(address, sizeof address, "10.1.%d.%d", i / 250, i % 250);
        told += refusals_note(&refusals, 9 + REFUSALS_SPAN, address, "a reason");
    }
    assert_int_equal(told, REFUSALS_MOST - 1);
    assert_int_equal(refusals.refusals, 10005);
    assert_int_equal(refusals.untold, 10000 - told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_hello_that_is_not_exactly_one_is_refused),
        cmocka_unit_test(both_ends_take_the_newest_version_that_both_speak),
        cmocka_unit_test(a_refusal_is_a_bounded_printable_text),
        cmocka_unit_test(addresses_are_read_as_people_write_them),
        cmocka_unit_test(a_refusal_is_told_once_per_reason_and_address_in_an_hour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
