#include "base/little.h"
#include "node/message.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One valid message of each type. */
static const struct node_message samples[] = {
    {.type = NODE_JOIN,
     .join = {.app = 3, .uid = 1042, .token = {1, 2}, .nodes = 4, .weight = 1, .name = "modèle"}},
    {.type = NODE_POST, .post = {.app = 3, .phase = 7, .volume = 1e9, .announced = 1, .age = 0.5}},
    {.type = NODE_PAUSE, .pause = {.app = 3, .phase = 7, .moved = 12, .quiet = 0.002}},
    {.type = NODE_RESUME, .resume = {.app = 3, .phase = 7, .moved = 12}},
    {.type = NODE_PROGRESS,
     .progress = {.app = 3, .processes = 2, .failure = WIRE_FAILED_NONE, .moved = 12}},
    {.type = NODE_END, .end = {.app = 3, .phase = 7, .moved = 13, .quiet = 0.05}},
    {.type = NODE_LEAVE, .leave = {.app = 3, .moved = 13, .escaped = 1, .why = WIRE_ESCAPE_RING}},
    {.type = NODE_GRANT, .grant = {.app = 3, .phase = 7, .rate = 1e9}},
    {.type = NODE_LIMIT, .limit = {.app = 3, .bmax = 5e8, .alone = 1e9, .phase = 7, .volume = 1e9}},
    {.type = NODE_OPEN, .open = {.app = 3}},
    {.type = NODE_COUNT, .count = {.app = 3}},
    {.type = NODE_CALLS, .calls = {.app = 3, .phase = 7, .moved = 12, .inside = 6e7, .ahead = 1e6}},
    {.type = NODE_TURN, .turn = {.app = 3, .phase = 7}},
    {.type = NODE_GONE,
     .gone = {.uid = 1042, .token = {1, 2}, .counter = {3, 4}, .moved = 13, .escaped = 1}},
    {.type = NODE_NEED, .need = {.app = 3, .rate = 4e7}},
};

/* The first version that has messages of a type. */
static uint32_t since(int type)
{
    return type >= NODE_NEED ? 3 : type >= NODE_CALLS ? 2 : 1;
}

static void every_message_survives_the_journey_in_every_version(void **state)
{
    (void)state;
    assert_int_equal(sizeof samples / sizeof samples[0], NODE_TYPES);
    for (uint32_t version = NODE_OLDEST; version <= NODE_NEWEST; version++)
        for (int i = 0; i < NODE_TYPES; i++) {
            unsigned char bytes[NODE_MOST], again[NODE_MOST];
            struct node_message message;
            const char *fault;
            assert_int_equal(samples[i].type, i);
            size_t size = node_encode(&samples[i], version, bytes);
            if (version < since(i)) { /* it is not sent to an older peer */
                assert_int_equal(size, 0);
                continue;
            }
            assert_true(size > 0 && size <= NODE_MOST);
            assert_int_equal(node_decode(bytes, sizeof bytes, version, &message, &fault), size);
            assert_null(fault);
            assert_int_equal(message.type, i);
            assert_int_equal(node_encode(&message, version, again), size);
            assert_memory_equal(bytes, again, size);
        }
}

static void the_bytes_are_little_endian_on_every_machine(void **state)
{
    (void)state;
    const unsigned char expected[] = {
        NODE_GRANT, 0,    20,   0,    /* type and size: 4 + 4 + 4 + 8 */
        3,          0,    0,    0,    /* app */
        7,          0,    0,    0,    /* phase */
        0,          0,    0,    0,    /* 1e9 = 1.862645149230957 * 2^29 = */
        0x65,       0xcd, 0xcd, 0x41, /* 0x41cdcd6500000000 */
    };
    unsigned char bytes[NODE_MOST];
    assert_int_equal(node_encode(&samples[NODE_GRANT], 1, bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void many_messages_are_read_one_after_the_other(void **state)
{
    (void)state;
    unsigned char bytes[NODE_TYPES * NODE_MOST];
    size_t size = 0, at = 0;
    for (int i = 0; i < NODE_TYPES; i++)
        size += node_encode(&samples[i], NODE_NEWEST, bytes + size);
    for (int i = 0; i < NODE_TYPES; i++) {
        struct node_message message;
        const char *fault;
        at += node_decode(bytes + at, size - at, NODE_NEWEST, &message, &fault);
        assert_null(fault);
        assert_int_equal(message.type, i);
    }
    assert_int_equal(at, size);
}

static const char *refusal_of(const struct node_message *message)
{
    unsigned char bytes[NODE_MOST];
    struct node_message decoded;
    const char *fault;
    size_t size = node_encode(message, NODE_NEWEST, bytes);
    size_t used = node_decode(bytes, size, NODE_NEWEST, &decoded, &fault);
    assert_int_equal(used, fault ? 0 : size);
    return fault;
}

static void a_message_that_is_cut_or_of_another_size_or_type_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < NODE_TYPES; i++) {
        unsigned char bytes[NODE_MOST];
        struct node_message message;
        const char *fault;
        size_t size = node_encode(&samples[i], NODE_NEWEST, bytes);
        for (size_t less = 0; less < size; less++) {
            assert_int_equal(node_decode(bytes, less, NODE_NEWEST, &message, &fault), 0);
            assert_non_null(fault);
        }
        for (int place = 1; place < 4; place++) { /* high byte of the type, and the size */
            bytes[place] ^= 0x40;
            assert_int_equal(node_decode(bytes, sizeof bytes, NODE_NEWEST, &message, &fault), 0);
            assert_non_null(fault);
            bytes[place] ^= 0x40;
        }
        bytes[0] = NODE_TYPES;
        assert_int_equal(node_decode(bytes, size, NODE_NEWEST, &message, &fault), 0);
        /* What this version does not have is neither written nor read. */
        assert_int_equal(node_encode(&samples[i], 0, bytes), 0);
        bytes[0] = (unsigned char)i;
        assert_int_equal(node_decode(bytes, size, 0, &message, &fault), 0);
    }
}

/* As refusal_of, with another quantity in the bytes than the program itself would write there. */
static const char *refusal_of_quantity(struct node_message *message, double *quantity, double wrong)
{
    unsigned char bytes[NODE_MOST], right[8], *at;
    struct node_message decoded;
    const char *fault;
    uint64_t bits;
    *quantity = 0.123456789;
    memcpy(&bits, quantity, sizeof bits);
    little_put(right, bits, sizeof right);
    size_t size = node_encode(message, NODE_NEWEST, bytes);
    assert_non_null(at = memmem(bytes, size, right, sizeof right));
    memcpy(&bits, &wrong, sizeof bits);
    little_put(at, bits, sizeof bits);
    node_decode(bytes, size, NODE_NEWEST, &decoded, &fault);
    return fault;
}

static void quantities_out_of_range_are_refused(void **state)
{
    (void)state;
    const double wrong[] = {NAN, INFINITY, -INFINITY, -1, 1.1e18};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct node_message m = samples[NODE_JOIN];
        assert_non_null(refusal_of_quantity(&m, &m.join.nodes, wrong[i]));
        m = samples[NODE_POST];
        assert_non_null(refusal_of_quantity(&m, &m.post.volume, wrong[i]));
        m = samples[NODE_PAUSE];
        assert_non_null(refusal_of_quantity(&m, &m.pause.quiet, wrong[i]));
        m = samples[NODE_GRANT];
        assert_non_null(refusal_of_quantity(&m, &m.grant.rate, wrong[i]));
    }
    struct node_message m = samples[NODE_JOIN];
    m.join.weight = 0;
    assert_non_null(refusal_of(&m));
    m = samples[NODE_GRANT];
    m.grant.rate = 0;
    assert_null(refusal_of(&m));
}

/* A program can write any number into its page; the connection of its node must not end by it. */
static void amounts_out_of_range_are_cut_when_written(void **state)
{
    (void)state;
    const struct {
        double given, cut;
    } cases[] = {{NAN, 0}, {-1, 0}, {-INFINITY, 0}, {INFINITY, NODE_BYTES}, {1.1e18, NODE_BYTES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct node_message m = samples[NODE_PROGRESS], decoded;
        unsigned char bytes[NODE_MOST];
        const char *fault;
        m.progress.escaped = cases[i].given;
        size_t size = node_encode(&m, NODE_NEWEST, bytes);
        assert_int_equal(node_decode(bytes, size, NODE_NEWEST, &decoded, &fault), size);
        assert_null(fault);
        assert_true(decoded.progress.escaped == cases[i].cut);
    }
}

/* Nodes are upgraded one by one: a newer one may know reasons that are not known here. */
static void reasons_of_a_newer_version_are_read_as_none(void **state)
{
    (void)state;
    struct node_message m = samples[NODE_PROGRESS], decoded;
    unsigned char bytes[NODE_MOST];
    const char *fault;
    for (uint32_t beyond = 0; beyond < 2; beyond++) {
        m.progress.failure = WIRE_FAILURES_COUNT - 1 + beyond;
        m.progress.why = WIRE_ESCAPES_COUNT - 1 + beyond;
        size_t size = node_encode(&m, NODE_NEWEST, bytes);
        assert_int_equal(node_decode(bytes, size, NODE_NEWEST, &decoded, &fault), size);
        assert_int_equal(decoded.progress.failure,
                         beyond ? WIRE_FAILED_NONE : WIRE_FAILURES_COUNT - 1);
        assert_int_equal(decoded.progress.why, beyond ? WIRE_ESCAPE_NONE : WIRE_ESCAPES_COUNT - 1);
    }
}

static void choices_and_texts_out_of_range_are_refused(void **state)
{
    (void)state;
    struct node_message m = samples[NODE_POST];
    m.post.idle = 2;
    assert_non_null(refusal_of(&m));
    m = samples[NODE_POST];
    m.post.app = NODE_APPS;
    assert_non_null(refusal_of(&m));
    m.post.app = NODE_APPS - 1;
    assert_null(refusal_of(&m));
    m = samples[NODE_JOIN];
    strcpy(m.join.name, "a/b");
    assert_non_null(refusal_of(&m));
    m.join.name[0] = '\0';
    assert_non_null(refusal_of(&m));
    strcpy(m.join.name, "a\nb");
    assert_non_null(refusal_of(&m));
    memset(m.join.name, 'a', sizeof m.join.name); /* without an end */
    assert_non_null(refusal_of(&m));
}

static void what_follows_the_end_of_a_text_is_not_sent(void **state)
{
    (void)state;
    unsigned char bytes[NODE_MOST], clean[NODE_MOST];
    struct node_message m = samples[NODE_JOIN];
    strcpy(m.join.job + 1, "secret");
    m.join.job[0] = '\0';
    size_t size = node_encode(&m, NODE_NEWEST, bytes);
    node_encode(&samples[NODE_JOIN], NODE_NEWEST, clean);
    assert_memory_equal(bytes, clean, size);
}

static void two_programs_use_the_newest_version_that_both_speak(void **state)
{
    (void)state;
    assert_int_equal(node_version(NODE_OLDEST, NODE_NEWEST), NODE_NEWEST);
    assert_int_equal(node_version(0, NODE_NEWEST + 5), NODE_NEWEST);
    assert_int_equal(node_version(NODE_NEWEST, NODE_NEWEST + 5), NODE_NEWEST);
    assert_int_equal(node_version(0, NODE_OLDEST), NODE_OLDEST);
    assert_int_equal(node_version(NODE_NEWEST + 1, NODE_NEWEST + 5), 0);
    assert_int_equal(node_version(0, NODE_OLDEST - 1), 0);
    assert_int_equal(node_version(2, 1), 0); /* nonsense */
}

static void events_go_up_and_orders_down(void **state)
{
    (void)state;
    assert_string_equal(node_type_name(NODE_PROGRESS), "PROGRESS");
    for (int i = 0; i < NODE_TYPES; i++)
        assert_int_equal(node_direction_of((enum node_type)i),
                         i < NODE_GRANT || i == NODE_CALLS || i >= NODE_GONE ? NODE_EVENT
                                                                             : NODE_ORDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_survives_the_journey_in_every_version),
        cmocka_unit_test(the_bytes_are_little_endian_on_every_machine),
        cmocka_unit_test(many_messages_are_read_one_after_the_other),
        cmocka_unit_test(a_message_that_is_cut_or_of_another_size_or_type_is_refused),
        cmocka_unit_test(quantities_out_of_range_are_refused),
        cmocka_unit_test(amounts_out_of_range_are_cut_when_written),
        cmocka_unit_test(reasons_of_a_newer_version_are_read_as_none),
        cmocka_unit_test(choices_and_texts_out_of_range_are_refused),
        cmocka_unit_test(what_follows_the_end_of_a_text_is_not_sent),
        cmocka_unit_test(two_programs_use_the_newest_version_that_both_speak),
        cmocka_unit_test(events_go_up_and_orders_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
