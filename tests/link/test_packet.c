/* Packets out of a stream, and tags of frames. */
#include "base/little.h"
#include "base/mem.h"
#include "link/seal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 100, ROOM = 512 };

/* Packets of these sizes, whose bytes count up from the size. */
static size_t lay_out(unsigned char *room, const size_t *sizes, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        little_put(room + used, sizes[i], PACKET_HEAD);
        used += PACKET_HEAD;
        for (size_t j = 0; j < sizes[i]; j++)
            room[used++] = (unsigned char)(sizes[i] + j);
    }
    return used;
}

static void however_a_stream_is_cut_the_packets_are_the_same(void **state)
{
    (void)state;
    static const size_t sizes[] = {3, 0, 100, 1, 0, 57};
    unsigned char stream[ROOM];
    size_t count = sizeof sizes / sizeof *sizes, length = lay_out(stream, sizes, count);
    for (size_t step = 1; step <= length; step++) {
        struct packet_reader reader = {.most = MOST};
        struct packet packet;
        const char *fault;
        size_t seen = 0;
        for (size_t from = 0; from < length; from += step) {
            const unsigned char *at = stream + from;
            const unsigned char *end = stream + (from + step < length ? from + step : length);
            int status;
            while ((status = packet_next(&reader, &at, end, &packet, &fault)) > 0) {
                assert_int_equal(packet.size, sizes[seen]);
                for (size_t j = 0; j < packet.size; j++)
                    assert_int_equal(packet.bytes[j], (unsigned char)(packet.size + j));
                seen++;
            }
            assert_int_equal(status, 0);
            assert_ptr_equal(at, end);
        }
        assert_int_equal(seen, count);
        assert_null(reader.bytes); /* nothing is kept between packets */
    }
}

static void a_packet_beyond_the_limit_is_refused_by_its_length_alone(void **state)
{
    (void)state;
    unsigned char head[PACKET_HEAD];
    const uint32_t lengths[] = {MOST + 1, 0x20544547 /* "GET " */, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        struct packet_reader reader = {.most = MOST};
        struct packet packet;
        const char *fault = NULL;
        const unsigned char *at = head;
        little_put(head, lengths[i], PACKET_HEAD);
        assert_int_equal(packet_next(&reader, &at, head + 2, &packet, &fault), 0);
        assert_int_equal(packet_next(&reader, &at, head + 4, &packet, &fault), -1);
        assert_string_equal(fault, "a packet is too long");
        packet_reader_fini(&reader);
    }
}

static void memory_is_taken_only_for_what_has_arrived(void **state)
{
    (void)state;
    unsigned char head[PACKET_HEAD + 1] = {0};
    struct packet_reader reader = {.most = 1 << 20};
    struct packet packet;
    const char *fault;
    const unsigned char *at = head;
    little_put(head, 1 << 20, PACKET_HEAD);
    assert_int_equal(packet_next(&reader, &at, head + sizeof head, &packet, &fault), 0);
    assert_true(reader.capacity <= 16);
    packet_reader_fini(&reader);

    at = head;
    mem_fail_after(0);
    assert_int_equal(packet_next(&reader, &at, head + sizeof head, &packet, &fault), -1);
    mem_fail_after(-1);
    assert_string_equal(fault, "out of memory");
    packet_reader_fini(&reader);
}

static size_t seal_frame(struct seal *from, const char *body, unsigned char *bytes)
{
    seal_tag(from, body, strlen(body), bytes);
    memcpy(bytes + SEAL_TAG, body, strlen(body));
    return SEAL_TAG + strlen(body);
}

static bool opens(struct seal *to, const unsigned char *bytes, size_t size)
{
    struct packet packet = {bytes, size};
    return seal_open(to, &packet);
}

static void a_frame_opens_once_in_order_and_only_at_the_other_end(void **state)
{
    (void)state;
    struct seal controller = {.key = {1, 2, 3}, .controller = true}, agent = {.key = {1, 2, 3}};
    struct seal stranger = {.key = {1, 2, 4}};
    unsigned char first[ROOM], second[ROOM];
    size_t size = seal_frame(&controller, "one", first);
    size_t size2 = seal_frame(&controller, "two", second);
    assert_false(opens(&agent, second, size2));    /* too early */
    assert_false(opens(&stranger, first, size));   /* another key */
    assert_false(opens(&controller, first, size)); /* reflected */
    assert_false(opens(&agent, first, SEAL_TAG));  /* cut off */
    assert_false(opens(&agent, first, 3));         /* no tag */
    for (size_t bit = 0; bit < 8 * size; bit++) {
        first[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_false(opens(&agent, first, size));
        first[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    struct packet packet = {first, size};
    assert_true(seal_open(&agent, &packet));
    assert_int_equal(packet.size, 3);
    assert_memory_equal(packet.bytes, "one", 3);
    assert_false(opens(&agent, first, size)); /* again */
    assert_true(opens(&agent, second, size2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_a_stream_is_cut_the_packets_are_the_same),
        cmocka_unit_test(a_packet_beyond_the_limit_is_refused_by_its_length_alone),
        cmocka_unit_test(memory_is_taken_only_for_what_has_arrived),
        cmocka_unit_test(a_frame_opens_once_in_order_and_only_at_the_other_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
