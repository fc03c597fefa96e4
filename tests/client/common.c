#include "common.h"
#include "client/tie.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/weir-session-XXXXXX";
char fake_path[64];
struct fake fake;

void join_as_tester(void)
{
    if (!mkdtemp(directory))
        abort();
    snprintf(fake_path, sizeof fake_path, "%s/s", directory);
    assert_true(tie_watch_forks());
    session_init(session_get(),
                 &(struct weir_join){.socket = fake_path, .name = "tester", .nodes = 3});
}

void remove_path(void)
{
    rmdir(directory);
}

void nap(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

uint64_t call(size_t bytes)
{
    struct session *session = session_get();
    uint64_t start = fake_now();
    session_enter(session);
    assert_int_equal(session_acquire(session, bytes, true), bytes);
    session_exit(session, bytes);
    return fake_now() - start;
}

void call_until_controlled(void)
{
    for (int i = 0; i < 2000 && !session_controlled(session_get()); i++) {
        call(1);
        nap(1);
    }
    assert_true(session_controlled(session_get()));
}

int start(void **state)
{
    (void)state;
    fake_start(&fake, fake_path);
    call_until_controlled();
    fake_wait_peers(&fake, 1);
    return 0;
}

int leave(void **state)
{
    (void)state;
    session_detach(session_get());
    fake_stop(&fake);
    return 0;
}

uint32_t busy(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < PAGE_SLOTS; i++)
        sum += atomic_load(&fake.usage->slots[i].busy);
    return sum;
}
