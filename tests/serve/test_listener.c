/* One controller at a path, whatever dead ones left. */
#include "serve/listener.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/weir-listener-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/socket", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void a_path_is_taken_while_a_process_listens(void **state)
{
    (void)state;
    struct listener first, second;
    struct err err = {0};
    char expected[128];
    assert_int_equal(listener_open(&first, path, &err), 0);
    assert_int_equal(listener_open(&second, path, &err), -1);
    snprintf(expected, sizeof expected, "another process already listens at '%s'", path);
    assert_string_equal(err.text, expected);
    listener_close(&second); /* was never open */
    assert_int_equal(access(path, F_OK), 0);
    listener_close(&first);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_dead_socket_is_replaced_and_not_removed_by_its_old_owner(void **state)
{
    (void)state;
    struct listener dead, alive;
    struct err err = {0};
    struct stat file;
    assert_int_equal(listener_open(&dead, path, &err), 0);
    int fd = dup(dead.fd);
    close(dead.fd); /* as if it had been killed */
    close(fd);
    assert_int_equal(listener_open(&alive, path, &err), 0);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0666);
    dead.fd = dup(0);
    listener_close(&dead);
    assert_int_equal(access(path, F_OK), 0);
    listener_close(&alive);
}

static void what_is_no_socket_is_left_alone(void **state)
{
    (void)state;
    struct listener listener;
    struct err err = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(listener_open(&listener, path, &err), -1);
    assert_non_null(strstr(err.text, "exists and is not a socket"));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
}

static void a_socket_of_another_service_is_left_alone(void **state)
{
    (void)state;
    struct listener listener;
    struct err err = {0};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(listener_open(&listener, path, &err), -1);
    assert_non_null(strstr(err.text, "another process already listens at"));
    assert_int_equal(access(path, F_OK), 0);
    close(fd);
    unlink(path);
}

static void who_locks_the_directory_does_not_keep_it_from_starting(void **state)
{
    (void)state;
    struct listener listener;
    struct err err = {0};
    int lock = open(directory, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    assert_int_equal(listener_open(&listener, path, &err), 0);
    listener_close(&listener);
    close(lock);
}

static void impossible_paths_are_explained(void **state)
{
    (void)state;
    struct listener listener;
    struct err err = {0};
    char large[200];
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    assert_int_equal(listener_open(&listener, large, &err), -1);
    assert_non_null(strstr(err.text, "too long for a socket"));
    assert_int_equal(listener_open(&listener, "/nowhere/at/all", &err), -1);
    assert_string_equal(err.text, "cannot listen at '/nowhere/at/all': No such file or directory");
}

static void a_socket_that_was_removed_is_made_again(void **state)
{
    (void)state;
    struct listener listener, other;
    struct err err = {0};
    assert_int_equal(listener_open(&listener, path, &err), 0);
    assert_true(listener_is_there(&listener));
    assert_int_equal(chmod(path, 0600), 0); /* as an administrator may */
    assert_true(listener_is_there(&listener));
    unlink(path);
    assert_false(listener_is_there(&listener));
    assert_int_equal(listener_renew(&listener, &err), 0);
    assert_true(listener_is_there(&listener));
    /* Another one has taken the place: it is left there. */
    unlink(path);
    assert_int_equal(listener_open(&other, path, &err), 0);
    assert_false(listener_is_there(&listener));
    assert_int_equal(listener_renew(&listener, &err), -1);
    assert_non_null(strstr(err.text, "another process already listens at"));
    assert_int_equal(access(path, F_OK), 0);
    /* It is free again. */
    listener_close(&other);
    assert_int_equal(listener_renew(&listener, &err), 0);
    listener_close(&listener);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_taken_while_a_process_listens),
        cmocka_unit_test(a_dead_socket_is_replaced_and_not_removed_by_its_old_owner),
        cmocka_unit_test(what_is_no_socket_is_left_alone),
        cmocka_unit_test(a_socket_of_another_service_is_left_alone),
        cmocka_unit_test(who_locks_the_directory_does_not_keep_it_from_starting),
        cmocka_unit_test(impossible_paths_are_explained),
        cmocka_unit_test(a_socket_that_was_removed_is_made_again),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
