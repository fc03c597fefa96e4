/* The limits of the kernel: files in a directory that stands for one of cgroup v2; and groups in a
 * real one, where the machine has it. */
#include "base/text.h"
#include "escape/backstop.h"
#include "support/stage.h"
#include <math.h>
#include <mntent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* --- a directory of files --------------------------------------------------------------------- */

static char place[] = "/tmp/weir-backstop-XXXXXX";

static const char *at(const char *file)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", place, file);
    return path;
}

static void put(const char *file, const char *text)
{
    FILE *stream = fopen(at(file), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void assert_file(const char *file, const char *expected)
{
    size_t length;
    char *text = text_load(at(file), &length, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static bool is_there(const char *file)
{
    return access(at(file), F_OK) == 0;
}

/* A group with a process, as an earlier controller may have left it. */
static void put_group(const char *name, int pid)
{
    char file[64], text[32];
    mkdir(at(name), 0755);
    snprintf(file, sizeof file, "%s/io.max", name);
    put(file, "");
    snprintf(file, sizeof file, "%s/cgroup.procs", name);
    snprintf(text, sizeof text, "1\n%d\n", pid);
    put(file, text);
}

static void empty_group(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "%s/io.max", name);
    unlink(at(file));
    snprintf(file, sizeof file, "%s/cgroup.procs", name);
    unlink(at(file));
}

static void clear(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", place);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(place, 0755), 0);
}

/* --- a controller with a backstop ------------------------------------------------------------- */

static struct stage stage;
static struct backstop backstop;
static char said[512];
static int times_said;

static void hear(void *context, const char *text)
{
    (void)context;
    times_said++;
    snprintf(said, sizeof said, "%s", text);
}

/* The store of 100 bytes/s is on two disks. */
static void open_stage(const char *path)
{
    stage_open(&stage, "fcfs");
    backstop = (struct backstop){.path = path, .disks = {{"8:0"}, {"259:3"}}, .disk_count = 2};
    backstop_sweep(&backstop);
    stage.channel.backstop = &backstop;
    backstop.say = hear;
    times_said = 0;
}

static struct seat lead_as(enum wire_leader leader, int pid, uint64_t number)
{
    struct err err = {0};
    struct seat seat = {.uid = geteuid(), .pid = pid};
    struct wire_attach who = {.token = {number, 1}, .nodes = 1, .weight = 1, .leader = leader};
    assert_int_equal(channel_attach(&stage.channel, stage.now, &seat, &who, &err), 0);
    return seat;
}

static struct seat lead(int pid, uint64_t number)
{
    return lead_as(WIRE_LEADS, pid, number);
}

static void set(enum wire_setting setting, double value)
{
    struct err err = {0};
    struct wire_set wanted = {.setting = setting, .app = WIRE_ALL, .value = value};
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &wanted, &err), 0);
    backstop_beat(&backstop, stage.channel.node);
}

static void beats(int count)
{
    for (int i = 0; i < count; i++)
        backstop_beat(&backstop, stage.channel.node);
}

static const char *name_of(uint32_t serial)
{
    static char name[32];
    snprintf(name, sizeof name, "%u-%u", (unsigned)geteuid(), serial);
    return name;
}

static const char *file_of(uint32_t serial, const char *file)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", name_of(serial), file);
    return path;
}

/* --- the directory ---------------------------------------------------------------------------- */

static void assert_refused(const char *expected)
{
    struct err err = {0};
    assert_int_equal(cgroup_check(place, &err), -1);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
}

static void a_directory_must_have_the_controller_and_no_processes(void **state)
{
    struct err err = {0};
    (void)state;
    clear();
    assert_refused("has no io controller");
    put("cgroup.controllers", "cpu iocost memory\n");
    assert_refused("has no io controller");
    put("cgroup.controllers", "cpu io memory\n");
    put("cgroup.subtree_control", "");
    assert_int_equal(cgroup_check(place, &err), 0); /* as the root of a hierarchy is */
    put("cgroup.type", "domain\n");
    assert_refused("has no io.max");
    put("io.max", "");
    put("cgroup.procs", "17\n");
    assert_refused("contains processes");
    put("cgroup.procs", "");
    assert_int_equal(cgroup_check(place, &err), 0);
    put("cgroup.procs", "17\n"); /* it hands io down already, so the kernel does not mind */
    put("cgroup.subtree_control", "io\n");
    assert_int_equal(cgroup_check(place, &err), 0);
    put("cgroup.procs", "");
    unlink(at("cgroup.subtree_control"));
    assert_refused("cannot write to the cgroup");
}

static void an_ordinary_directory_is_not_of_cgroup_v2(void **state)
{
    struct err err = {0};
    (void)state;
    clear();
    assert_int_equal(cgroup_check_type(place, &err), -1);
    assert_non_null(strstr(err.text, "is not a cgroup v2 directory"));
    assert_int_equal(cgroup_check_type(at("nowhere"), &err), -1);
    assert_non_null(strstr(err.text, "No such file"));
}

static void io_is_handed_down(void **state)
{
    struct err err = {0};
    (void)state;
    clear();
    assert_int_equal(cgroup_enable(place, &err), -1);
    assert_non_null(strstr(err.text, "cgroup.subtree_control': No such file"));
    put("cgroup.subtree_control", "");
    assert_int_equal(cgroup_enable(place, &err), 0);
    assert_file("cgroup.subtree_control", "+io");
}

static void a_partition_is_limited_by_its_disk(void **state)
{
    struct cgroup_device disk;
    (void)state;
    clear();
    mkdir(at("dev"), 0755);
    mkdir(at("dev/block"), 0755);
    mkdir(at("sda"), 0755);
    mkdir(at("sda/sda2"), 0755);
    put("sda/dev", "8:0\n");
    put("sda/sda2/dev", "8:2\n");
    put("sda/sda2/partition", "2\n");
    assert_int_equal(symlink("../../sda", at("dev/block/8:0")), 0);
    assert_int_equal(symlink("../../sda/sda2", at("dev/block/8:2")), 0);
    assert_int_equal(cgroup_find_disk(place, makedev(8, 2), &disk), 0);
    assert_string_equal(disk.text, "8:0");
    assert_int_equal(cgroup_find_disk(place, makedev(8, 0), &disk), 0);
    assert_string_equal(disk.text, "8:0");
    assert_int_equal(cgroup_find_disk(place, makedev(0, 45), &disk), -1); /* not of a device */
}

/* --- applications ----------------------------------------------------------------------------- */

static void a_leader_that_attaches_again_goes_on_in_its_group(void **state)
{
    char expected[32];
    (void)state;
    clear();
    put_group(name_of(4), 2);
    put_group(name_of(5), getpid());
    put_group("no-group", getpid());
    open_stage(place);
    assert_file(file_of(5, "io.max"), "8:0 rbps=max wbps=max\n259:3 rbps=max wbps=max\n");
    assert_file("no-group/io.max", "");
    assert_int_equal(backstop.left_count, 2);
    assert_int_equal(backstop.serial, 6);
    struct seat seat = lead(getpid(), 1);
    assert_int_equal(backstop.left_count, 1);
    assert_file(file_of(5, "io.max"), "8:0 rbps=100 wbps=100\n259:3 rbps=100 wbps=100\n");
    snprintf(expected, sizeof expected, "%d\n", (int)getpid());
    assert_file(file_of(5, "cgroup.procs"), expected);
    assert_int_equal(times_said, 0);
    node_detach(stage.channel.node, stage.now, &seat);
    stage_close(&stage);
}

static void the_limit_follows_the_settings(void **state)
{
    (void)state;
    clear();
    put_group(name_of(0), getpid());
    open_stage(place);
    struct seat seat = lead(getpid(), 1);
    const char *file = file_of(0, "io.max");
    set(WIRE_SET_LIMIT, 30);
    assert_file(file, "8:0 rbps=30 wbps=30\n259:3 rbps=30 wbps=30\n");
    set(WIRE_SET_BANDWIDTH, 20);
    assert_file(file, "8:0 rbps=20 wbps=20\n259:3 rbps=20 wbps=20\n");
    set(WIRE_SET_CONTROL, 0);
    assert_file(file, "8:0 rbps=max wbps=max\n259:3 rbps=max wbps=max\n");
    set(WIRE_SET_CONTROL, 1);
    assert_file(file, "8:0 rbps=20 wbps=20\n259:3 rbps=20 wbps=20\n");
    put(file, "untouched"); /* what has not changed is not written */
    beats(3);
    assert_file(file, "untouched");
    node_detach(stage.channel.node, stage.now, &seat);
    stage_close(&stage);
}

static void a_group_is_let_go_and_removed_once_it_is_empty(void **state)
{
    (void)state;
    clear();
    put_group(name_of(0), getpid());
    open_stage(place);
    struct seat seat = lead(getpid(), 1);
    node_detach(stage.channel.node, stage.now, &seat);
    assert_file(file_of(0, "io.max"), "8:0 rbps=max wbps=max\n259:3 rbps=max wbps=max\n");
    beats(BACKSTOP_BETWEEN);
    assert_true(is_there(name_of(0)));
    empty_group(name_of(0));
    beats(BACKSTOP_BETWEEN);
    assert_false(is_there(name_of(0)));
    assert_int_equal(backstop.left_count, 0);
    stage_close(&stage);
}

static void what_the_kernel_refuses_is_said_once_and_stops_nothing(void **state)
{
    (void)state;
    clear();
    open_stage(place); /* where no file comes with a new group */
    struct seat first = lead(getpid(), 1), second = lead(getpid(), 2);
    assert_int_equal(times_said, 1);
    assert_non_null(strstr(said, "/io.max': No such file"));
    assert_false(is_there(name_of(0)));
    assert_false(is_there(name_of(1)));
    assert_int_equal(stage.channel.controller->count, 2);
    node_detach(stage.channel.node, stage.now, &first);
    node_detach(stage.channel.node, stage.now, &second);
    stage_close(&stage);
}

static void only_processes_of_the_user_are_moved(void **state)
{
    struct err err = {0};
    struct wire_attach who = {.token = {1, 1}, .nodes = 1, .weight = 1, .leader = 1};
    struct seat other = {.uid = geteuid() + 1, .pid = getpid()};
    (void)state;
    clear();
    open_stage(place);
    assert_int_equal(channel_attach(&stage.channel, stage.now, &other, &who, &err), 0);
    assert_non_null(strstr(said, "not seen as its user's"));
    struct seat unknown = lead(0, 2); /* 0 would be the controller itself */
    assert_true(other.app->group_rate == 0 && unknown.app->group_rate == 0);
    node_detach(stage.channel.node, stage.now, &other);
    node_detach(stage.channel.node, stage.now, &unknown);
    stage_close(&stage);
}

static void processes_that_do_not_lead_are_left_where_they_are(void **state)
{
    (void)state;
    clear();
    put_group(name_of(0), getpid());
    open_stage(place);
    struct seat seat = stage_attach(&stage, geteuid(), "plain", 1);
    assert_true(seat.app->group_rate == 0);
    assert_int_equal(backstop.left_count, 1);
    node_detach(stage.channel.node, stage.now, &seat);
    seat = lead_as(WIRE_HOSTS, getpid(), 2); /* it has a group of the batch system */
    assert_true(seat.app->group_rate == 0);
    node_detach(stage.channel.node, stage.now, &seat);
    stage_close(&stage);
}

/* --- a real hierarchy ------------------------------------------------------------------------- */

/* Makes a directory of cgroup v2 for the test; false if that cannot be. */
static bool make_real(char *path, size_t size)
{
    FILE *mounts = setmntent("/proc/self/mounts", "r");
    struct mntent *mount;
    bool made = false;
    while (mounts && !made && (mount = getmntent(mounts)))
        if (strcmp(mount->mnt_type, "cgroup2") == 0) {
            snprintf(path, size, "%s/weir-test-%d", mount->mnt_dir, (int)getpid());
            made = mkdir(path, 0755) == 0;
        }
    if (mounts)
        endmntent(mounts);
    return made;
}

static void a_real_group_holds_the_leader_and_what_it_starts(void **state)
{
    char path[512], group[600];
    (void)state;
    if (!make_real(path, sizeof path)) {
        print_message("no directory of cgroup v2 can be made here\n");
        skip();
    }
    struct err err = {0};
    struct cgroup_name name = {geteuid(), 7};
    assert_int_equal(cgroup_check_type(path, &err), 0);
    assert_int_equal(cgroup_make(path, name, &err), 0);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_int_equal(cgroup_add(path, name, child, &err), 0);
    assert_true(cgroup_has(path, name, child));
    assert_false(cgroup_has(path, name, getpid()));
    open_stage(path); /* it finds the group, which cannot be removed yet */
    struct seat seat = lead(child, 1);
    assert_int_equal(seat.app->group, 7);
    node_detach(stage.channel.node, stage.now, &seat);
    assert_int_equal(backstop.left_count, 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    for (int i = 0; i < 100 && backstop.left_count > 0; i++, usleep(10000))
        beats(BACKSTOP_BETWEEN);
    snprintf(group, sizeof group, "%s/%s", path, name_of(7));
    bool gone = access(group, F_OK) != 0;
    stage_close(&stage);
    assert_int_equal(rmdir(path), 0);
    assert_true(gone);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(place) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    clear();
    return rmdir(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_must_have_the_controller_and_no_processes),
        cmocka_unit_test(an_ordinary_directory_is_not_of_cgroup_v2),
        cmocka_unit_test(io_is_handed_down),
        cmocka_unit_test(a_partition_is_limited_by_its_disk),
        cmocka_unit_test(a_leader_that_attaches_again_goes_on_in_its_group),
        cmocka_unit_test(the_limit_follows_the_settings),
        cmocka_unit_test(a_group_is_let_go_and_removed_once_it_is_empty),
        cmocka_unit_test(what_the_kernel_refuses_is_said_once_and_stops_nothing),
        cmocka_unit_test(only_processes_of_the_user_are_moved),
        cmocka_unit_test(processes_that_do_not_lead_are_left_where_they_are),
        cmocka_unit_test(a_real_group_holds_the_leader_and_what_it_starts),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
