/* What a controller tells an agent. */
#include "serve/channels.h"
#include "serve/terms.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct site_store stores[] = {
    {.path = "/a"},
    {.path = "/b", .bandwidth = 4e7, .policy = "fcfs", .pieces = 65536},
    {.path = "/c", .reads = 1e7, .writes = 2e7},
};

static struct service make_service(void)
{
    return (struct service){.platform = {.bandwidth = 1e8},
                            .policy = "fair-share",
                            .stores = {stores, 3},
                            .cluster = {.lease = 4, .floor = 1e6},
                            .soft_release = 0.002,
                            .phase_gap = 0.05,
                            .max_wait = 30};
}

static void an_agent_serves_as_its_controller_does(void **state)
{
    (void)state;
    unsigned char bytes[TERMS_MOST];
    struct err err = {0};
    struct service service = make_service(), read = {0};
    size_t size = terms_write(&service, bytes, &err);
    assert_true(size > 0);
    assert_int_equal(terms_read(bytes, size, &read, &err), 0);
    assert_true(read.cluster.lease == 4 && read.cluster.floor == 1e6);
    assert_true(read.soft_release == 0.002 && read.phase_gap == 0.05 && read.max_wait == 30);
    /* The same channels, stores and terms for programs. */
    struct channels here, there;
    assert_int_equal(channels_plan(&here, &service, &err), 0);
    assert_int_equal(channels_plan(&there, &read, &err), 0);
    assert_int_equal(there.count, here.count);
    assert_string_equal(there.stores, here.stores);
    for (uint32_t i = 0; i < here.count; i++)
        assert_string_equal(there.list[i].store, here.list[i].store);
    arena_fini(&read.arena);
}

/* Agents would otherwise drop their programs at every change. */
static void another_bandwidth_is_no_other_term(void **state)
{
    (void)state;
    unsigned char one[TERMS_MOST], other[TERMS_MOST];
    struct err err = {0};
    struct site_store faster[3];
    struct service service = make_service();
    size_t size = terms_write(&service, one, &err);
    memcpy(faster, stores, sizeof faster);
    faster[1].bandwidth *= 2;
    service.stores.list = faster;
    service.platform.bandwidth *= 3;
    assert_int_equal(terms_write(&service, other, &err), size);
    assert_memory_equal(one, other, size);
}

static void terms_that_are_cut_or_spoilt_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[TERMS_MOST], spoilt[TERMS_MOST];
    struct err err = {0};
    struct service service = make_service();
    size_t size = terms_write(&service, bytes, &err);
    for (size_t i = 0; i < size; i++) {
        struct service read = {0};
        assert_int_equal(terms_read(bytes, i, &read, &err), -1);
        assert_string_equal(err.text, "the controller's terms are malformed");
        assert_int_equal(read.stores.count, 0);
        arena_fini(&read.arena);
    }
    for (size_t i = 0; i < size; i += 8) { /* NaN, or an endless length */
        struct service read = {0};
        memcpy(spoilt, bytes, size);
        memset(spoilt + i, 0xff, 8);
        assert_int_equal(terms_read(spoilt, size, &read, &err), -1);
        arena_fini(&read.arena);
    }
}

static void too_many_stores_for_a_welcome_are_told(void **state)
{
    (void)state;
    static struct site_store many[TERMS_STORES + 1];
    static char path[200];
    unsigned char bytes[TERMS_MOST];
    struct err err = {0};
    struct service service = make_service();
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    for (size_t i = 0; i <= TERMS_STORES; i++)
        many[i].path = path;
    service.stores.list = many;
    service.stores.count = TERMS_STORES + 1;
    assert_int_equal(terms_write(&service, bytes, &err), 0);
    assert_non_null(strstr(err.text, "too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_serves_as_its_controller_does),
        cmocka_unit_test(another_bandwidth_is_no_other_term),
        cmocka_unit_test(terms_that_are_cut_or_spoilt_are_refused),
        cmocka_unit_test(too_many_stores_for_a_welcome_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
