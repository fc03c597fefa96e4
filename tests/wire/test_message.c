#include "wire/message.h"
#include "wire/page.h"
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One valid message of each type. */
static const struct wire_message samples[] = {
    {.type = WIRE_ATTACH,
     .attach = {.token = {1, 2},
                .nodes = 4,
                .weight = 1,
                .name = "a",
                .job = "1234[5]",
                .user = 1043,
                .account = "physics",
                .partition = "long"}},
    {.type = WIRE_POST, .post = {.volume = 1e9, .begun = 1}},
    {.type = WIRE_END},
    {.type = WIRE_QUERY, .query = {.applications = 1, .finished = UINT32_MAX}},
    {.type = WIRE_SET, .set = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = "fcfs"}},
    {.type = WIRE_WELCOME, .welcome = {.app = 7, .slot = PAGE_SLOTS - 1, .stores = "/a:/b c"}},
    {.type = WIRE_REFUSED, .refused = {.reason = "no"}},
    {.type = WIRE_APP, .app = {.id = 1, .stretch = INFINITY, .name = "modèle"}},
    {.type = WIRE_STATUS, .status = {.bandwidth = 2e9, .policy = "fair-share"}},
    {.type = WIRE_SHOW},
    {.type = WIRE_RULE,
     .rule = {.set = {.setting = WIRE_SET_LIMIT, .value = 1e6, .scope = WIRE_OF_USER, .uid = 7},
              .source = WIRE_CHANGED}},
    {.type = WIRE_DONE, .done = {.uid = 7, .stretch = INFINITY, .name = "a", .job = ""}},
    {.type = WIRE_CHANNEL, .channel = {.bandwidth = 1e9, .policy = "fcfs", .store = "/a read"}},
    {.type = WIRE_FAILED, .failed = {.why = WIRE_FAILED_MAPPING}},
    {.type = WIRE_AGENT,
     .agent = {.node = "n1",
               .controller = "head:9347",
               .connected = 1,
               .reached = 1,
               .applications = 3,
               .processes = 5,
               .epoch = 17,
               .lease = 3.5}},
    {.type = WIRE_PIECE, .piece = {.size = 3, .bytes = "{}\n"}},
};

static void every_message_survives_the_journey(void **state)
{
    (void)state;
    assert_int_equal(sizeof samples / sizeof samples[0], WIRE_TYPES);
    for (int i = 0; i < WIRE_TYPES; i++) {
        char bytes[WIRE_MOST], again[WIRE_MOST];
        struct wire_message message;
        assert_int_equal(samples[i].type, i);
        size_t size = wire_encode(&samples[i], bytes);
        assert_true(size <= WIRE_MOST);
        assert_null(wire_decode(bytes, size, &message));
        assert_int_equal(message.type, i);
        assert_int_equal(wire_encode(&message, again), size);
        assert_memory_equal(bytes, again, size);
    }
}

static void a_message_of_another_size_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < WIRE_TYPES; i++) {
        char bytes[WIRE_MOST + 1] = {0};
        struct wire_message message;
        size_t size = wire_encode(&samples[i], bytes);
        for (size_t other = 0; other < sizeof bytes; other++)
            if (other != size)
                assert_non_null(wire_decode(bytes, other, &message));
    }
}

static void a_head_that_is_not_ours_is_refused(void **state)
{
    (void)state;
    char bytes[WIRE_MOST];
    struct wire_message message;
    size_t size = wire_encode(&samples[WIRE_POST], bytes);
    for (int i = 0; i < 8; i++) { /* magic, version, type */
        bytes[i] ^= 0x40;
        assert_non_null(wire_decode(bytes, size, &message));
        bytes[i] ^= 0x40;
    }
    assert_null(wire_decode(bytes, size, &message));
}

static const char *refusal(const struct wire_message *message)
{
    char bytes[WIRE_MOST];
    struct wire_message decoded;
    return wire_decode(bytes, wire_encode(message, bytes), &decoded);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    const double wrong[] = {NAN, INFINITY, -INFINITY, -1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct wire_message m = samples[WIRE_ATTACH];
        m.attach.nodes = wrong[i];
        assert_non_null(refusal(&m));
        m = samples[WIRE_ATTACH];
        m.attach.volume_hint = wrong[i];
        assert_non_null(refusal(&m));
        m = samples[WIRE_POST];
        m.post.volume = wrong[i];
        assert_non_null(refusal(&m));
        m = samples[WIRE_SET];
        m.set.value = wrong[i];
        assert_non_null(refusal(&m));
    }
    struct wire_message m = samples[WIRE_ATTACH];
    m.attach.weight = 0;
    assert_non_null(refusal(&m));
    m = samples[WIRE_APP];
    m.app.yield = NAN;
    assert_non_null(refusal(&m));
}

static void flags_and_choices_out_of_range_are_refused(void **state)
{
    (void)state;
    struct wire_message m = samples[WIRE_ATTACH];
    m.attach.leader = WIRE_LEADERS;
    assert_non_null(refusal(&m));
    m = samples[WIRE_POST];
    m.post.reserved = 1;
    assert_non_null(refusal(&m));
    m = samples[WIRE_QUERY];
    m.query.applications = UINT32_MAX;
    assert_non_null(refusal(&m));
    m = samples[WIRE_SET];
    m.set.setting = WIRE_SETTINGS_COUNT;
    assert_non_null(refusal(&m));
    m = samples[WIRE_WELCOME];
    m.welcome.slot = PAGE_SLOTS;
    assert_non_null(refusal(&m));
    m = samples[WIRE_APP];
    m.app.state = WIRE_STATES_COUNT;
    assert_non_null(refusal(&m));
    m = samples[WIRE_APP];
    m.app.failure = WIRE_FAILURES_COUNT;
    assert_non_null(refusal(&m));
    m = samples[WIRE_FAILED];
    m.failed.why = WIRE_FAILURES_COUNT;
    assert_non_null(refusal(&m));
}

/* Members in the order of their bytes, and whether every value is allowed there. */
struct member {
    const char *name;
    size_t size;
    bool any;
};

static bool allows_any(const char *kind)
{
    return strcmp(kind, "TOKEN") == 0 || strcmp(kind, "COUNT") == 0 || strcmp(kind, "NUMBER") == 0;
}

/* All bytes 0xFF are a number above every limit, NaN, or a text without an end. */
static void spoil_members(enum wire_type type, const struct member *members, size_t count)
{
    struct wire_message message;
    size_t at = 8; /* behind the head */
    for (size_t i = 0; i < count; at += members[i++].size) {
        char bytes[WIRE_MOST];
        size_t size = wire_encode(&samples[type], bytes);
        memset(bytes + at, 0xFF, members[i].size);
        if ((wire_decode(bytes, size, &message) == NULL) != members[i].any)
            fail_msg("%s.%s", wire_type_name(type), members[i].name);
    }
    assert_int_equal(at, wire_size(type));
}

static void every_member_is_checked(void **state)
{
    (void)state;
#define MEMBER(kind, member, limit, text)                                                          \
    {#member, sizeof(struct {WIRE_MEMBER_##kind(member, limit)}), allows_any(#kind)},
#define SPOIL(TYPE, LIST)                                                                          \
    do {                                                                                           \
        const struct member members[] = {WIRE_##LIST##_MEMBERS(MEMBER)};                           \
        spoil_members(WIRE_##TYPE, members, sizeof members / sizeof members[0]);                   \
    } while (0)
    SPOIL(ATTACH, ATTACH);
    SPOIL(POST, POST);
    SPOIL(END, NOTHING);
    SPOIL(QUERY, QUERY);
    SPOIL(SET, SET);
    SPOIL(WELCOME, WELCOME);
    SPOIL(REFUSED, REFUSED);
    SPOIL(APP, APP);
    SPOIL(STATUS, STATUS);
    SPOIL(SHOW, NOTHING);
    SPOIL(RULE, RULE);
    SPOIL(DONE, DONE);
    SPOIL(CHANNEL, STATUS);
    SPOIL(FAILED, FAILED);
    SPOIL(AGENT, AGENT);
}

static void a_setting_without_its_value_is_refused(void **state)
{
    (void)state;
    struct wire_message m = {.type = WIRE_SET,
                             .set = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL}};
    assert_non_null(refusal(&m));
    m.set.setting = WIRE_SET_WEIGHT;
    assert_non_null(refusal(&m));
    m.set.setting = WIRE_SET_LIMIT; /* 0 lifts a limit */
    assert_null(refusal(&m));
    m.set.setting = WIRE_SET_BANDWIDTH; /* 0: uncontrolled */
    assert_null(refusal(&m));
    m.set = (struct wire_set){.setting = WIRE_SET_POLICY, .app = WIRE_ALL, .unset = 1};
    assert_null(refusal(&m));
}

static void settings_out_of_bounds_are_refused(void **state)
{
    (void)state;
    static const struct {
        enum wire_setting setting;
        double value;
        bool right;
    } cases[] = {
        {WIRE_SET_BANDWIDTH, 999, false}, {WIRE_SET_BANDWIDTH, 1e3, true},
        {WIRE_SET_BANDWIDTH, 1e15, true}, {WIRE_SET_BANDWIDTH, 1e22, false},
        {WIRE_SET_LIMIT, 20, false},      {WIRE_SET_LIMIT, 2e6, true},
        {WIRE_SET_LIMIT, 2e15, false},    {WIRE_SET_WEIGHT, 1e7, false},
        {WIRE_SET_WEIGHT, 4, true},       {WIRE_SET_OPS, 1e-9, false},
        {WIRE_SET_OPS, 500, true},        {WIRE_SET_OPS, 1e10, false},
        {WIRE_SET_CONTROL, 1, true},      {WIRE_SET_CONTROL, 0.5, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wire_message m = {.type = WIRE_SET, .set = {.app = WIRE_ALL}};
        m.set.setting = cases[i].setting;
        m.set.value = cases[i].value;
        assert_int_equal(refusal(&m) == NULL, cases[i].right);
    }
}

static void a_setting_is_for_one_thing(void **state)
{
    (void)state;
    struct wire_message m = {.type = WIRE_SET,
                             .set = {.setting = WIRE_SET_LIMIT,
                                     .app = WIRE_ALL,
                                     .value = 1e6,
                                     .scope = WIRE_OF_USER,
                                     .uid = 1042}};
    assert_null(refusal(&m));
    strcpy(m.set.text, "a");
    assert_non_null(refusal(&m)); /* of a user and of a name */
    m.set.text[0] = 0;
    m.set.setting = WIRE_SET_BANDWIDTH;
    assert_non_null(refusal(&m)); /* nobody has one of his own */
    m.set.scope = WIRE_OF_NAME;
    m.set.app = 3;
    assert_non_null(refusal(&m));
    m.set.scope = WIRE_SCOPES;
    assert_non_null(refusal(&m));
}

static void texts_that_could_do_harm_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"",
                                        "a/b",
                                        "a\nb",
                                        "\033[2J",
                                        "\x7f",
                                        "\xff",
                                        "\xc2\x85",
                                        "\xc0\xaf",
                                        "\xe0\x80\xaf",
                                        "\xf0\x80\x80\xaf", /* too long for '/' */
                                        "\xed\xa0\x80",
                                        "\xf4\x90\x80\x80",
                                        "a\xc3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct wire_message m = samples[WIRE_ATTACH];
        snprintf(m.attach.name, WIRE_NAME, "%s", names[i]);
        assert_non_null(refusal(&m));
    }
    struct wire_message j = samples[WIRE_ATTACH];
    snprintf(j.attach.job, WIRE_NAME, "1\n2");
    assert_non_null(refusal(&j));
    j = samples[WIRE_ATTACH];
    snprintf(j.attach.account, WIRE_NAME, "1\n2");
    assert_non_null(refusal(&j));
    j = samples[WIRE_ATTACH];
    memset(j.attach.partition, 'a', WIRE_NAME);
    assert_non_null(refusal(&j));
    static const char *const stores[] = {
        "a",        ":",     "/a:b", "/a::/b", "/a:/b\n",
        "8/a",      "1,8/a", "1,/a", ",1/a",   "1,2,/a",
        "1,2,3,/a", "1",     "-1/a", "1, 2/a", "1,2,281474976710656/a"};
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        struct wire_message m = samples[WIRE_WELCOME];
        snprintf(m.welcome.stores, WIRE_STORES, "%s", stores[i]);
        assert_non_null(refusal(&m));
    }
    struct wire_message m = samples[WIRE_WELCOME];
    m.welcome.stores[0] = 0; /* all regular files */
    assert_null(refusal(&m));
    strcpy(m.welcome.stores, "/a:1/b:2,3/c:0,0,4194304/d");
    assert_null(refusal(&m));
}

static void the_terms_of_a_store_stand_before_its_path(void **state)
{
    (void)state;
    struct wire_terms terms;
    assert_string_equal(wire_read_terms("/a:1/b", &terms), "/a:1/b");
    assert_true(terms.reads == 0 && terms.writes == 0 && terms.pieces == 0);
    assert_string_equal(wire_read_terms("7/1,2", &terms), "/1,2");
    assert_true(terms.reads == 7 && terms.writes == 7 && terms.pieces == 0);
    assert_string_equal(wire_read_terms("2,3,65536/", &terms), "/");
    assert_true(terms.reads == 2 && terms.writes == 3 && terms.pieces == 65536);
    assert_null(wire_read_terms("", &terms));
}

static void a_text_that_does_not_end_is_refused(void **state)
{
    (void)state;
    char bytes[WIRE_MOST];
    struct wire_message message;
    size_t size = wire_encode(&samples[WIRE_REFUSED], bytes);
    memset(bytes + size - WIRE_TEXT, 'x', WIRE_TEXT);
    assert_string_equal(wire_decode(bytes, size, &message), "a text has no end");
}

static void what_lies_behind_a_text_is_not_sent(void **state)
{
    (void)state;
    char bytes[WIRE_MOST];
    struct wire_message m = samples[WIRE_REFUSED];
    memcpy(m.refused.reason, "no\0secret", sizeof "no\0secret");
    size_t size = wire_encode(&m, bytes);
    assert_null(memmem(bytes, size, "secret", strlen("secret")));
}

static void any_text_becomes_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"ior", "ior"},
        {"", "unnamed"},
        {"a/b", "a_b"},
        {"a\tb\xff", "a_b_"},
        {"modèle", "modèle"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789",
         "012345678901234567890123456789012345678901234567890123456789012"}, /* 63 */
        /* No character is cut in two: 62 bytes, and the two of 'è' do not fit before the 0. */
        {"01234567890123456789012345678901234567890123456789012345678901è",
         "01234567890123456789012345678901234567890123456789012345678901"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wire_message m = samples[WIRE_ATTACH];
        wire_name(m.attach.name, cases[i].text);
        assert_string_equal(m.attach.name, cases[i].name);
        assert_null(refusal(&m));
    }
}

static void settings_are_found_by_their_words(void **state)
{
    (void)state;
    assert_int_equal(wire_setting_find("policy"), WIRE_SET_POLICY);
    assert_int_equal(wire_setting_find("ops"), WIRE_SET_OPS);
    assert_int_equal(wire_setting_find("Policy"), -1);
    assert_string_equal(wire_setting_name(WIRE_SET_OPS), "ops");
    assert_string_equal(wire_type_name(WIRE_WELCOME), "WELCOME");
}

static FILE *open_seed(enum wire_type type, const char *mode)
{
    char path[4096], word[32] = "";
    const char *name = wire_type_name(type);
    for (size_t i = 0; name[i] && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)name[i]);
    snprintf(path, sizeof path, WEIR_SOURCE_DIR "/tests/fuzz/corpus/wire/%s", word);
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    return file;
}

/* Messages of an old version take a fuzzer no further than their head. WEIR_UPDATE_GOLDEN=1 writes
 * them again. */
static void the_fuzzer_begins_with_a_message_of_each_type(void **state)
{
    (void)state;
    for (enum wire_type type = 0; type < WIRE_TYPES; type++) {
        char bytes[WIRE_MOST + 1];
        struct wire_message message;
        FILE *file;
        if (getenv("WEIR_UPDATE_GOLDEN")) {
            file = open_seed(type, "wb");
            size_t written = wire_encode(&samples[type], bytes);
            assert_int_equal(fwrite(bytes, 1, written, file), written);
            assert_int_equal(fclose(file), 0);
        }
        file = open_seed(type, "rb");
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_null(wire_decode(bytes, size, &message));
        assert_int_equal(message.type, type);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_survives_the_journey),
        cmocka_unit_test(a_message_of_another_size_is_refused),
        cmocka_unit_test(a_head_that_is_not_ours_is_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(flags_and_choices_out_of_range_are_refused),
        cmocka_unit_test(every_member_is_checked),
        cmocka_unit_test(a_setting_without_its_value_is_refused),
        cmocka_unit_test(settings_out_of_bounds_are_refused),
        cmocka_unit_test(a_setting_is_for_one_thing),
        cmocka_unit_test(texts_that_could_do_harm_are_refused),
        cmocka_unit_test(the_terms_of_a_store_stand_before_its_path),
        cmocka_unit_test(a_text_that_does_not_end_is_refused),
        cmocka_unit_test(what_lies_behind_a_text_is_not_sent),
        cmocka_unit_test(any_text_becomes_a_name),
        cmocka_unit_test(settings_are_found_by_their_words),
        cmocka_unit_test(the_fuzzer_begins_with_a_message_of_each_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
