/* Messages as programs of earlier versions write and read them, recorded from their builds. */
#include "wire/message.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Hexadecimal digits; <n> is n zeros, and what follows the last digit is zeros too. */
struct recording {
    enum wire_type type;
    size_t size;
    const char *bytes;
};

#define ATTACH_BODY                                                                                \
    "efcdab896745230107<13>1040<7>400000000065cdcd41<8>01000000010000001304<6>636664<61>3737<62>"  \
    "70687973696373<57>6c6f6e67"

static const struct recording version_3[] = {
    {WIRE_ATTACH, 328, "7765697203000000" ATTACH_BODY},
    {WIRE_POST, 24, "77656972030001000000000080842e4101"},
    {WIRE_END, 12, "77656972030002"},
    {WIRE_FAILED, 12, "7765697203000d0002"},
    {WIRE_WELCOME, 1040, "776569720300050009000000030000002f686f6d653a312f73637261746368"},
    {WIRE_REFUSED, 264, "7765697203000600746f6f206d616e79"},
};

static const struct recording version_4[] = {
    {WIRE_ATTACH, 328, "7765697204000000" ATTACH_BODY},
    {WIRE_POST, 24, "77656972040001000000000080842e4101"},
    {WIRE_END, 12, "77656972040002"},
    {WIRE_FAILED, 12, "7765697204000d0003"},
    {WIRE_WELCOME, 1040, "776569720400050009000000030000002f686f6d653a312f73637261746368"},
    {WIRE_REFUSED, 272, "77656972040006<9>746f6f206d616e79"},
    {WIRE_QUERY, 16, "776569720400030001"},
    {WIRE_STATUS, 584, "77656972040008<13>65cddd41<40>66636673"},
};

static void play(const struct recording *recording, char bytes[WIRE_MOST])
{
    memset(bytes, 0, WIRE_MOST);
    for (const char *at = recording->bytes; *at;)
        if (*at == '<') {
            char *end;
            bytes += strtoul(at + 1, &end, 10);
            at = end + 1;
        } else {
            const char digits[] = {at[0], at[1], '\0'};
            *bytes++ = (char)strtoul(digits, NULL, 16);
            at += 2;
        }
}

/* What they wrote is read, and is written for them as they wrote it. */
static void check_recordings(const struct recording *list, size_t count, uint32_t version)
{
    for (size_t i = 0; i < count; i++) {
        char bytes[WIRE_MOST], again[WIRE_MOST];
        struct wire_message message;
        play(&list[i], bytes);
        assert_int_equal(wire_version(bytes, list[i].size), version);
        assert_null(wire_decode(bytes, list[i].size, &message));
        assert_int_equal(message.type, list[i].type);
        if (message.type == WIRE_FAILED) /* only programs send it */
            continue;
        assert_int_equal(wire_encode_as(&message, version, again), list[i].size);
        assert_memory_equal(bytes, again, list[i].size);
    }
}

static struct wire_message read_one(const struct recording *recording)
{
    char bytes[WIRE_MOST];
    struct wire_message message;
    play(recording, bytes);
    assert_null(wire_decode(bytes, recording->size, &message));
    return message;
}

static void messages_of_earlier_versions_are_read_and_written(void **state)
{
    (void)state;
    check_recordings(version_3, sizeof version_3 / sizeof *version_3, 3);
    check_recordings(version_4, sizeof version_4 / sizeof *version_4, 4);
}

static void their_members_mean_what_they_meant(void **state)
{
    (void)state;
    const struct recording *const versions[] = {version_3, version_4};
    for (int i = 0; i < 2; i++) {
        struct wire_message message = read_one(&versions[i][0]);
        assert_true(message.attach.token[0] == UINT64_C(0x0123456789abcdef));
        assert_true(message.attach.nodes == 4 && message.attach.volume_hint == 1e9);
        assert_string_equal(message.attach.partition, "long");
        message = read_one(&versions[i][3]);
        assert_int_equal(message.failed.why, WIRE_FAILED_SEALED);
        message = read_one(&versions[i][5]);
        assert_string_equal(message.refused.reason, "too many");
        assert_int_equal(message.refused.misuse, 0);
    }
    struct wire_message status = read_one(&version_4[7]);
    assert_true(status.status.bandwidth == 2e9 && status.status.refused == 0);
}

static void versions_that_are_not_served_can_read_the_refusal(void **state)
{
    struct wire_message refusal = {.type = WIRE_REFUSED, .refused = {.reason = "too old"}};
    char bytes[WIRE_MOST];
    struct wire_message message;
    (void)state;
    /* Up to version 3 it was the reason alone, after a head of eight bytes. */
    assert_int_equal(wire_encode_as(&refusal, 1, bytes), 8 + WIRE_TEXT);
    assert_int_equal(wire_version(bytes, 8 + WIRE_TEXT), 1);
    assert_string_equal(bytes + 8, "too old");
    assert_string_equal(wire_decode(bytes, 8 + WIRE_TEXT, &message),
                        "the program is too old: it was started with an earlier version of weir");
    /* A later program reads earlier versions. */
    size_t size = wire_encode_as(&refusal, WIRE_VERSION + 1, bytes);
    assert_int_equal(wire_version(bytes, size), WIRE_VERSION);
    assert_null(wire_decode(bytes, size, &message));
    bytes[4] = WIRE_VERSION + 1;
    assert_non_null(wire_decode(bytes, size, &message));
    assert_int_equal(wire_version("GET / HTTP/1.1", 14), 0);
    assert_int_equal(wire_version(bytes, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_earlier_versions_are_read_and_written),
        cmocka_unit_test(their_members_mean_what_they_meant),
        cmocka_unit_test(versions_that_are_not_served_can_read_the_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
