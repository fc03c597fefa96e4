#include "base/mem.h"
#include "common.h"
#include "format/service.h"
#include <math.h>
#include <string.h>

static const struct service defaults = {.platform = {.node_bandwidth = INFINITY},
                                        .socket = "default",
                                        .policy = SERVICE_POLICY,
                                        .cluster = {.lease = SERVICE_LEASE, .controller_uid = 7},
                                        .soft_release = SERVICE_SOFT_RELEASE,
                                        .phase_gap = SERVICE_PHASE_GAP,
                                        .max_wait = SERVICE_MAX_WAIT};

static const char all[] =
    "platform: {bandwidth: 2 GB/s, node_bandwidth: 500 MB/s}\n"
    "policy: set-10\n"
    "socket: /run/x.sock\n"
    "journal: /var/log/weir.json\n"
    "state: /var/lib/weir\n"
    "stores: [/scratch, /work dir, {path: /lustre, bandwidth: 500 MB/s},\n"
    "  {path: /tape, read: 1 GB/s, write: 2 GB/s, policy: fcfs, pieces: 4 MiB}]\n"
    "limits:\n"
    "  - {name: backup, bandwidth: 100 MB/s}\n"
    "  - {ops: 1000}\n"
    "  - {user: 1042, bandwidth: 200 MB/s, weight: 4}\n"
    "  - {user: root, ops: 7}\n"
    "shares:\n"
    "  by: [user]\n"
    "  users: [{name: root, weight: 2}, {name: 1042}]\n"
    "cluster: {listen: '0.0.0.0:9', controller: 'a,b:7', agent_user: 1042, lease: 2 s, "
    "floor: 1 MB/s, munge_socket: /m}\n"
    "soft_release: 1 ms\n"
    "phase_gap: 0.1\n";

static void every_key_is_read(void **state)
{
    (void)state;
    struct service service = defaults;
    struct err err = {0};
    assert_int_equal(service_parse(all, strlen(all), "f", &service, &err), 0);
    assert_true(service.platform.bandwidth == 2e9 && service.platform.node_bandwidth == 500e6);
    assert_string_equal(service.policy, "set-10");
    assert_string_equal(service.socket, "/run/x.sock");
    assert_string_equal(service.journal, "/var/log/weir.json");
    assert_int_equal(service.stores.count, 4);
    assert_string_equal(service.stores.list[1].path, "/work dir");
    assert_string_equal(service.stores.list[2].path, "/lustre");
    assert_true(service.stores.list[0].bandwidth == 0 && service.stores.list[0].pieces == 0);
    assert_true(service.stores.list[2].bandwidth == 500e6 && !service.stores.list[2].policy);
    assert_true(service.stores.list[3].reads == 1e9 && service.stores.list[3].writes == 2e9);
    assert_string_equal(service.stores.list[3].policy, "fcfs");
    assert_true(service.stores.list[3].pieces == 4194304);
    assert_string_equal(service.state, "/var/lib/weir");
    assert_int_equal(service.limits.count, 4);
    assert_true(service.limits.list[2].by_user && service.limits.list[2].uid == 1042);
    assert_true(service.limits.list[2].bandwidth == 200e6 && service.limits.list[2].weight == 4);
    assert_true(service.limits.list[3].by_user && service.limits.list[3].uid == 0);
    assert_false(service.limits.list[0].by_user);
    assert_string_equal(service.limits.list[0].name, "backup");
    assert_true(service.limits.list[0].bandwidth == 100e6 && service.limits.list[0].ops == 0);
    assert_string_equal(service.limits.list[1].name, "");
    assert_true(service.limits.list[1].bandwidth == 0 && service.limits.list[1].ops == 1000);
    /* Users are numbers from here on. */
    assert_int_equal(service.shares->levels, 1 << SHARE_USER);
    assert_string_equal(service.shares->users[0].name, "0");
    assert_string_equal(service.shares->users[1].name, "1042");
    assert_true(service.shares->users[0].weight == 2);
    assert_true(service.soft_release == 0.001 && service.phase_gap == 0.1);
    const struct service_cluster *cluster = &service.cluster;
    assert_string_equal(cluster->listen, "0.0.0.0:9");
    assert_string_equal(cluster->controllers, "a,b:7");
    assert_string_equal(cluster->munge, "/m");
    assert_int_equal(cluster->agent_uid, 1042);
    assert_int_equal(cluster->controller_uid, 7);
    assert_true(cluster->lease == 2 && cluster->floor == 1e6 && !cluster->name);
    arena_fini(&service.arena);
}

static void what_is_not_said_stays_as_it_is(void **state)
{
    (void)state;
    static const char text[] = "policy: fcfs";
    struct service service = defaults;
    struct err err = {0};
    assert_int_equal(service_parse(text, strlen(text), "f", &service, &err), 0);
    assert_string_equal(service.policy, "fcfs");
    assert_string_equal(service.socket, "default");
    assert_null(service.journal);
    assert_true(service.phase_gap == SERVICE_PHASE_GAP);
    assert_int_equal(service.stores.count, 0);
    arena_fini(&service.arena);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "f: empty file"},
        {"[1]", "f:1: the configuration must be a mapping, such as {platform: ...}"},
        {"policy: fcfs\nscoket: x",
         "f:2: unknown key 'scoket' in the configuration, did you mean 'socket'?"},
        {"stores: /scratch", "f:1: stores must be a list of absolute paths, or mappings"},
        {"stores:\n  - /a\n  - b", "f:3: 'b' is not an absolute path without a colon"},
        {"stores: ['/a:b']", "f:1: '/a:b' is not an absolute path without a colon"},
        {"stores:\n  - /a\n  - {path: b}", "f:3: 'b' is not an absolute path without a colon"},
        {"stores: [{bandwidth: 3 GB/s}]", "f:1: missing key 'path' in stores"},
        {"stores: [{path: /a, bandwith: 3 GB/s}]",
         "f:1: unknown key 'bandwith' in stores, did you mean 'bandwidth'?"},
        {"stores: [{path: /a, read: 3 GB/s}]",
         "f:1: a store has bandwidths for both, 'read' and 'write'"},
        {"stores: [{path: /a, bandwidth: 1 GB/s, read: 3 GB/s, write: 3 GB/s}]",
         "f:1: a store has a 'bandwidth', or 'read' and 'write'"},
        {"stores: [{path: /a, policy: fcfs}]",
         "f:1: a store has a 'policy' only with its own bandwidth"},
        {"pieces: 4 MiB",
         "f:1: unknown key 'pieces' in the configuration, expected platform, policy, stores, "
         "limits, shares, socket, journal, state, cgroup, cluster, soft_release, phase_gap or "
         "max_wait"},
        {"applications: []",
         "f:1: a controller's configuration has no 'applications'; to simulate it, keep them in a "
         "file of their own: weir simulate --config CONFIGURATION FILE"},
        {"cluster: {lease: 0.1 s}",
         "f:1: cluster: expected a lease from 0.5 to 60 seconds, not 0.1"},
        {"cluster: {agent_user: no one}", "f:1: unknown user 'no one'"},
        {"cluster: {listn: x}", "f:1: unknown key 'listn' in cluster, did you mean 'listen'?"},
        {"limits:\n  - {bandwidth: 0}", "f:2: bandwidth must be above 0, not '0'"},
        {"limits: [{opps: 3}]", "f:1: unknown key 'opps' in limits, did you mean 'ops'?"},
        {"limits:\n  - {ops: 3}\n  - {user: no one, ops: 3}", "f:3: unknown user 'no one'"},
        {"limits:\n  - {user: 3, name: a}", "f:2: a limit applies to a name or a user, not both"},
        {"limits: [{weight: 0}]", "f:1: weight must be above 0, not '0'"},
        {"policy: a\nshares:\n  users: [{name: no one}]", "f:3: unknown user 'no one'"},
        {"shares: {users: [{name: root}, {name: 0}]}", "f:1: user '0' is listed twice"},
        {"shares: {users: [{name: 0, account: a}]}",
         "f:1: user '0': its account 'a' is not listed"},
        {"soft_release: -1", "f:1: soft_release must be at least 0, not '-1'"},
        {"policy: a\n---\npolicy: b", "f:2: a second document; expected only one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct service service = defaults;
        struct err err = {0};
        assert_int_equal(service_parse(cases[i][0], strlen(cases[i][0]), "f", &service, &err), -1);
        assert_string_equal(err.text, cases[i][1]);
        assert_memory_equal(&service, &defaults, sizeof service);
        arena_fini(&service.arena);
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        struct service service = defaults;
        struct err err = {0};
        mem_fail_after(n);
        int status = service_parse(all, strlen(all), "f", &service, &err);
        mem_fail_after(-1);
        arena_fini(&service.arena);
        if (status == 0)
            break;
        assert_string_equal(err.text, "out of memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(what_is_not_said_stays_as_it_is),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
