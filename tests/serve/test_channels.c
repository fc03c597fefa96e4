/* Several stores with a bandwidth each, under one controller. */
#include "base/mem.h"
#include "base/text.h"
#include "serve/channels.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The platform has 100 bytes/s, /b 40, /c 10 for reads and 20 for writes. */
static const struct site_store stores[] = {
    {.path = "/a"},
    {.path = "/b", .bandwidth = 40, .policy = "fcfs", .pieces = 65536},
    {.path = "/c", .reads = 10, .writes = 20},
    {.path = "/d", .pieces = 131072},
};

static struct service make_service(const struct site_store *list, uint32_t count)
{
    return (struct service){.platform = {.node_bandwidth = INFINITY, .bandwidth = 100},
                            .policy = "fair-share",
                            .stores = {list, count},
                            .soft_release = SERVICE_SOFT_RELEASE,
                            .phase_gap = SERVICE_PHASE_GAP,
                            .max_wait = SERVICE_MAX_WAIT};
}

enum { A, B, READS, WRITES, COUNT };
#define NOW UINT64_C(1000000000000)

static struct users door; /* what the users have on this node */

static void open_all(struct channels *channels, const struct service *service)
{
    struct err err = {0};
    assert_int_equal(channels_plan(channels, service, &err), 0);
    users_fini(&door);
    channels->users = &door;
    assert_int_equal(channels_open(channels, NULL, NOW, &err), 0);
    channels_settle(channels, NOW);
}

/* An application that announces an I/O on a channel. */
static struct seat begin(struct channels *channels, int channel, uint64_t number)
{
    struct err err = {0};
    struct seat seat = {.uid = 1};
    struct channel *to = &channels->list[channel];
    struct wire_attach who = {.token = {number, 1}, .nodes = 1, .weight = 1};
    snprintf(who.name, sizeof who.name, "%llu", (unsigned long long)number);
    assert_int_equal(channel_attach(to, NOW, &seat, &who, &err), 0);
    node_post(to->node, NOW, &seat, &(struct wire_post){.volume = 500, .begun = 1});
    return seat;
}

static double rate_of(const struct seat *seat)
{
    struct page_grant grant;
    page_read(seat->app->pages.grant, &grant);
    return grant.mode == PAGE_OPEN ? -1 : round(line_speed(&grant.bytes) / LINE_BYTE * 1e3) / 1e3;
}

static void a_store_with_a_bandwidth_has_a_channel(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    struct service service = make_service(stores, 4);
    assert_int_equal(channels_plan(&channels, &service, &err), 0);
    assert_int_equal(channels.count, COUNT);
    assert_true(channels.platform);
    assert_string_equal(channels.list[A].store, "/a,/d");
    assert_string_equal(channels.list[B].store, "/b");
    assert_string_equal(channels.list[READS].store, "/c read");
    assert_string_equal(channels.list[WRITES].store, "/c write");
    assert_string_equal(channels.stores, "/a:1,1,65536/b:2,3/c:0,0,131072/d");
    assert_string_equal(channels.list[A].service[0].policy, "fair-share");
    assert_string_equal(channels.list[B].service[0].policy, "fcfs");
    assert_true(channels.list[WRITES].service[0].platform.bandwidth == 20);

    service = make_service(stores, 0); /* everything */
    assert_int_equal(channels_plan(&channels, &service, &err), 0);
    assert_true(channels.count == 1 && channels.platform && !*channels.list[0].store);
    assert_string_equal(channels.stores, "");
    service = make_service(stores + 1, 1); /* one store, and no need of the platform's */
    assert_int_equal(channels_plan(&channels, &service, &err), 0);
    assert_true(channels.count == 1 && !channels.platform && !*channels.list[0].store);
    assert_true(channels.list[0].service[0].platform.bandwidth == 40);
    assert_string_equal(channels.stores, "0,0,65536/b");
}

static void there_are_not_too_many(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    struct site_store many[5];
    char path[300];
    for (int i = 0; i < 5; i++)
        many[i] = (struct site_store){.path = "/x", .reads = 1e6, .writes = 1e6};
    struct service service = make_service(many, 4);
    assert_int_equal(channels_plan(&channels, &service, &err), 0);
    service.stores.count = 5;
    assert_int_equal(channels_plan(&channels, &service, &err), -1);
    assert_string_equal(err.text, "stores: at most 8 bandwidths, the platform's included");
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    many[0].path = path;
    assert_int_equal(channels_plan(&channels, &service, &err), -1);
    assert_non_null(strstr(err.text, "is longer than"));
}

/* Two on each: of the platform's 100 each has 50, of /b's 40 the first has all. */
static void channels_decide_independently(void **state)
{
    (void)state;
    struct channels channels;
    struct service service = make_service(stores, 4);
    open_all(&channels, &service);
    struct seat seats[COUNT][2];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 2; j++)
            seats[i][j] = begin(&channels, i, (uint64_t)j + 1);
    channels_settle(&channels, NOW);
    static const double rates[COUNT][2] = {{50, 50}, {40, 0}, {5, 5}, {10, 10}};
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 2; j++)
            assert_true(rate_of(&seats[i][j]) == rates[i][j]);
    /* One that leaves a store leaves the others alone. */
    node_detach(channels.list[READS].node, NOW, &seats[READS][0]);
    channels_settle(&channels, NOW);
    assert_true(rate_of(&seats[READS][1]) == 10 && rate_of(&seats[WRITES][1]) == 10);
    assert_int_equal(channels_applications(&channels), 7);
    assert_int_equal(users_find(&door, 1)->applications, 7);
    assert_null(users_find(&door, 2));
    /* As in every report to a controller elsewhere. */
    node_repeat(channels.list[B].node, NOW, seats[B][0].app);
    assert_int_equal(users_find(&door, 1)->applications, 7);
    struct wire_app app;
    controller_describe(channels.list[B].controller, NOW, seats[B][0].app->who.app, &app);
    assert_int_equal(app.channel, B);
    assert_string_equal(app.store, "/b");
    assert_true(channels_next(&channels) <= NOW + CHANNEL_BEAT_NS);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 2; j++)
            node_detach(channels.list[i].node, NOW, &seats[i][j]);
    assert_null(users_find(&door, 1));
    channels_close(&channels);
}

static int set(struct channels *channels, enum wire_setting setting, double value,
               const char *store, struct err *err)
{
    struct wire_set message = {.setting = setting, .app = WIRE_ALL, .value = value};
    snprintf(message.store, sizeof message.store, "%s", store);
    if (setting == WIRE_SET_POLICY)
        strcpy(message.text, "fcfs");
    int channel = channels_set(channels, NOW, NULL, &message, err);
    channels_settle(channels, NOW);
    return channel;
}

static void a_setting_of_one_store_does_not_touch_the_others(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    struct service service = make_service(stores, 4);
    open_all(&channels, &service);
    struct seat seats[COUNT];
    for (int i = 0; i < COUNT; i++)
        seats[i] = begin(&channels, i, 1);
    channels_settle(&channels, NOW);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 60, "/b", &err), B);
    assert_true(rate_of(&seats[A]) == 100 && rate_of(&seats[B]) == 60);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 200, "", &err), A);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 5, "/c read", &err), READS);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 300, "/d", &err), A); /* shares it */
    assert_true(rate_of(&seats[A]) == 300 && rate_of(&seats[READS]) == 5);
    assert_true(rate_of(&seats[WRITES]) == 20);
    assert_int_equal(set(&channels, WIRE_SET_POLICY, 0, "/c write", &err), WRITES);
    assert_string_equal(channels.list[WRITES].controller->policy->name, "fcfs");
    assert_string_equal(channels.list[READS].controller->policy->name, "fair-share");

    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 5, "/c", &err), -1);
    assert_string_equal(
        err.text, "this store has two bandwidths; there are '/a,/d', '/b', '/c read', '/c write'");
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 5, "/x", &err), -1);
    assert_string_equal(err.text,
                        "there is no such store; there are '/a,/d', '/b', '/c read', '/c write'");
    /* A limit holds for each; so does `off`. */
    assert_int_equal(set(&channels, WIRE_SET_LIMIT, 7, "", &err), A);
    assert_true(rate_of(&seats[A]) == 7 && rate_of(&seats[B]) == 7 && rate_of(&seats[READS]) == 5);
    assert_int_equal(set(&channels, WIRE_SET_CONTROL, 0, "", &err), A);
    for (int i = 0; i < COUNT; i++)
        assert_true(rate_of(&seats[i]) == -1);
    channels_close(&channels);
}

static void without_the_platforms_bandwidth_a_store_is_named(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    struct service service = make_service(stores + 1, 2);
    open_all(&channels, &service);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 5, "", &err), -1);
    assert_string_equal(err.text, "no store is named; there are '/b', '/c read', '/c write'");
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 5, "/b", &err), 0);
    channels_close(&channels);
}

static void what_was_set_for_a_store_survives_a_restart(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    char path[] = "/tmp/weir-channels-XXXXXX";
    close(mkstemp(path));
    struct service service = make_service(stores, 4);
    service.state = path;
    open_all(&channels, &service);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 6000, "/c read", &err), READS);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 7000, "", &err), A);
    assert_int_equal(set(&channels, WIRE_SET_OPS, 5, "", &err), A);
    channels_close(&channels);
    open_all(&channels, &service);
    assert_int_equal(channels_restore(&channels, NOW, &err), 0);
    assert_true(channels.list[READS].controller->platform.bandwidth == 6000);
    assert_true(channels.list[A].controller->platform.bandwidth == 7000);
    assert_true(channels.list[WRITES].controller->platform.bandwidth == 20);
    struct seat seat = begin(&channels, WRITES, 1);
    assert_true(seat.app->ops == 5);
    channels_close(&channels);
    /* A store that is no more. */
    service.stores.count = 2;
    open_all(&channels, &service);
    assert_int_equal(channels_restore(&channels, NOW, &err), -1);
    assert_non_null(strstr(err.text, ": there is no such store"));
    channels_close(&channels);
    unlink(path);
}

/* The whole configuration, or nothing of it. */
static void another_configuration_reaches_every_store(void **state)
{
    (void)state;
    struct channels channels;
    struct err err = {0};
    struct site_store others[4];
    struct service service = make_service(stores, 4), next = make_service(others, 4);
    memcpy(others, stores, sizeof others);
    others[1].bandwidth = 41;
    others[2].writes = 21;
    next.platform.bandwidth = 101;
    open_all(&channels, &service);
    assert_int_equal(set(&channels, WIRE_SET_BANDWIDTH, 60, "/b", &err), B);
    assert_int_equal(channels_reload(&channels, NOW, &next, &err), 0);
    assert_true(channels.list[A].controller->platform.bandwidth == 101);
    assert_true(channels.list[B].controller->platform.bandwidth == 60); /* was set */
    assert_true(channels.list[WRITES].controller->platform.bandwidth == 21);
    struct site_store wrong[4];
    struct service fault = make_service(wrong, 4);
    memcpy(wrong, others, sizeof wrong);
    wrong[2].policy = "fcsf";
    fault.platform.bandwidth = 102;
    assert_int_equal(channels_reload(&channels, NOW, &fault, &err), -1);
    assert_non_null(strstr(err.text, "fcfs")); /* what was meant */
    assert_true(channels.list[A].controller->platform.bandwidth == 101);
    assert_ptr_equal(channels.list[B].controller->service->stores.list, others);
    channels_close(&channels);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    struct service service = make_service(stores, 4);
    for (long n = 0;; n++) {
        struct channels channels;
        struct err err = {0};
        assert_int_equal(channels_plan(&channels, &service, &err), 0);
        mem_fail_after(n);
        int status = channels_open(&channels, NULL, NOW, &err);
        mem_fail_after(-1);
        channels_close(&channels);
        if (status == 0)
            break;
        assert_non_null(strstr(err.text, "out of memory"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_with_a_bandwidth_has_a_channel),
        cmocka_unit_test(there_are_not_too_many),
        cmocka_unit_test(channels_decide_independently),
        cmocka_unit_test(a_setting_of_one_store_does_not_touch_the_others),
        cmocka_unit_test(without_the_platforms_bandwidth_a_store_is_named),
        cmocka_unit_test(what_was_set_for_a_store_survives_a_restart),
        cmocka_unit_test(another_configuration_reaches_every_store),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
