#include "support/fake.h"
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

uint64_t fake_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* --- the controller's thread ------------------------------------------------------------------ */

static void note(struct fake *fake, const struct wire_message *message)
{
    pthread_mutex_lock(&fake->lock);
    fake->latest[message->type] = *message;
    fake->counts[message->type]++;
    pthread_mutex_unlock(&fake->lock);
}

static void send_to(int peer, const struct wire_message *message, const int *pages)
{
    char bytes[WIRE_MOST];
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec part = {bytes, wire_encode(message, bytes)};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
    if (pages) {
        packet.msg_control = control.space;
        packet.msg_controllen = sizeof control.space;
        struct cmsghdr *head = CMSG_FIRSTHDR(&packet);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(2 * sizeof(int));
        memcpy(CMSG_DATA(head), pages, 2 * sizeof(int));
    }
    sendmsg(peer, &packet, MSG_NOSIGNAL);
}

static void answer(struct fake *fake, uint32_t peer, const struct wire_message *message)
{
    struct wire_message reply = {.type = WIRE_STATUS};
    if (atomic_load(&fake->mute))
        return;
    if (message->type == WIRE_ATTACH) {
        reply = (struct wire_message){
            .type = WIRE_WELCOME, .welcome = {.app = 1, .slot = peer, .stores = "/store:/scratch"}};
        send_to(fake->peers[peer], &reply,
                atomic_load(&fake->careless) ? fake->loose : fake->pages);
    } else if (message->type == WIRE_QUERY) {
        struct wire_message app = {.type = WIRE_APP, .app = {.id = 1, .name = "a"}};
        if (message->query.applications)
            send_to(fake->peers[peer], &app, NULL);
        send_to(fake->peers[peer], &reply, NULL);
    } else if (message->type == WIRE_SET) {
        reply = (struct wire_message){.type = WIRE_REFUSED, .refused = {.reason = "not you"}};
        send_to(fake->peers[peer], &reply, NULL);
    }
}

static void hear(struct fake *fake, uint32_t peer)
{
    char bytes[WIRE_MOST];
    struct wire_message message;
    ssize_t size = recv(fake->peers[peer], bytes, sizeof bytes, MSG_DONTWAIT);
    if (size <= 0) {
        close(fake->peers[peer]);
        fake->peers[peer] = -1;
        atomic_fetch_sub(&fake->peer_count, 1);
    } else if (!wire_decode(bytes, (size_t)size, &message)) {
        note(fake, &message);
        answer(fake, peer, &message);
    }
}

static void welcome_peer(struct fake *fake)
{
    int fd = accept4(fake->listener, NULL, NULL, SOCK_CLOEXEC);
    for (uint32_t i = 0; fd >= 0 && i < FAKE_PEERS; i++)
        if (fake->peers[i] < 0) {
            fake->peers[i] = fd;
            atomic_fetch_add(&fake->peer_count, 1);
            return;
        }
    if (fd >= 0)
        close(fd);
}

static void fake_beat(struct fake *fake)
{
    atomic_store(&fake->grant->beat, fake_now() + (uint64_t)atomic_load(&fake->displaced));
}

static void serve_once(struct fake *fake)
{
    struct pollfd list[FAKE_PEERS + 1];
    for (uint32_t i = 0; i < FAKE_PEERS; i++)
        list[i] = (struct pollfd){.fd = fake->peers[i], .events = POLLIN};
    list[FAKE_PEERS] = (struct pollfd){.fd = fake->listener, .events = POLLIN};
    poll(list, FAKE_PEERS + 1, 5);
    for (uint32_t i = 0; i < FAKE_PEERS; i++)
        if (list[i].fd >= 0 && list[i].revents)
            hear(fake, i);
    if (list[FAKE_PEERS].revents)
        welcome_peer(fake);
    fake_beat(fake);
}

static void *serve(void *argument)
{
    struct fake *fake = argument;
    while (!atomic_load(&fake->stop))
        if (atomic_load(&fake->hung))
            nap();
        else
            serve_once(fake);
    return NULL;
}

/* --- birth and death -------------------------------------------------------------------------- */

static void *make_page(int *fd, size_t size, int seals)
{
    *fd = memfd_create("weir-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(*fd >= 0 && ftruncate(*fd, (off_t)size) == 0);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    assert_ptr_not_equal(page, MAP_FAILED);
    assert_int_equal(fcntl(*fd, F_ADD_SEALS, seals), 0);
    return page;
}

static void listen_at(struct fake *fake)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", fake->path);
    unlink(fake->path);
    fake->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_true(fake->listener >= 0);
    assert_int_equal(bind(fake->listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fake->listener, 128), 0);
}

void fake_start(struct fake *fake, const char *path)
{
    *fake = (struct fake){.listener = -1};
    if (path)
        snprintf(fake->path, sizeof fake->path, "%s", path);
    else {
        snprintf(fake->directory, sizeof fake->directory, "/tmp/weir-fake-XXXXXX");
        assert_non_null(mkdtemp(fake->directory));
        snprintf(fake->path, sizeof fake->path, "%s/weir.sock", fake->directory);
    }
    for (int i = 0; i < FAKE_PEERS; i++)
        fake->peers[i] = -1;
    pthread_mutex_init(&fake->lock, NULL);
    fake->grant = make_page(&fake->pages[0], PAGE_GRANT_BYTES,
                            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
    fake->usage = make_page(&fake->pages[1], PAGE_USAGE_BYTES, F_SEAL_SHRINK | F_SEAL_GROW);
    fake->loose[0] = fake->pages[0];
    munmap(make_page(&fake->loose[1], PAGE_USAGE_BYTES, F_SEAL_GROW), PAGE_USAGE_BYTES);
    fake->grant->magic = PAGE_MAGIC;
    fake->grant->version = PAGE_OLDEST;
    fake_beat(fake);
    listen_at(fake);
    assert_int_equal(pthread_create(&fake->thread, NULL, serve, fake), 0);
}

void fake_kill(struct fake *fake)
{
    if (fake->listener < 0)
        return;
    atomic_store(&fake->stop, 1);
    pthread_join(fake->thread, NULL);
    for (int i = 0; i < FAKE_PEERS; i++)
        if (fake->peers[i] >= 0)
            close(fake->peers[i]);
    close(fake->listener);
    fake->listener = -1;
    atomic_store(&fake->peer_count, 0);
}

void fake_stop(struct fake *fake)
{
    fake_kill(fake);
    close(fake->pages[0]);
    close(fake->pages[1]);
    close(fake->loose[1]);
    munmap(fake->grant, PAGE_GRANT_BYTES);
    munmap(fake->usage, PAGE_USAGE_BYTES);
    pthread_mutex_destroy(&fake->lock);
    unlink(fake->path);
    if (fake->directory[0])
        rmdir(fake->directory);
}

/* --- what the test does with it --------------------------------------------------------------- */

static void publish(struct fake *fake)
{
    page_write(fake->grant, &fake->last);
    syscall(SYS_futex, &fake->grant->change, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

void fake_grant(struct fake *fake, enum page_mode mode, double rate)
{
    uint64_t now = fake_now();
    struct page_grant *last = &fake->last;
    uint64_t used = atomic_load(&fake->usage->used), allowed = line_at(&last->bytes, now);
    bool paced = last->mode == PAGE_PACED || (int64_t)(allowed - used) < 0;
    last->bytes = (struct line){.since = now,
                                .allowed = paced ? allowed : used,
                                .rate = line_rate(mode == PAGE_PACED ? rate * LINE_BYTE : 0),
                                .burst = (uint64_t)(0.004 * rate * LINE_BYTE)};
    last->mode = mode;
    last->speed = (uint64_t)rate; /* as if it were alone */
    last->chunk = (uint64_t)(0.0025 * rate);
    if (last->chunk < 65536)
        last->chunk = 65536;
    if (last->chunk > 4 << 20)
        last->chunk = 4 << 20;
    publish(fake);
}

void fake_limit_operations(struct fake *fake, double rate)
{
    struct page_grant *last = &fake->last;
    last->ops = (struct line){.since = fake_now(),
                              .allowed = atomic_load(&fake->usage->ops_used),
                              .rate = line_rate(rate * LINE_OPERATION),
                              .burst = (uint64_t)((0.004 * rate + 1) * LINE_OPERATION)};
    publish(fake);
}

void fake_set_patience(struct fake *fake, uint64_t nanoseconds)
{
    fake->last.patience = nanoseconds;
    publish(fake);
}

double fake_used(const struct fake *fake)
{
    return (double)atomic_load(&fake->usage->used) / LINE_BYTE;
}

double fake_allowed(const struct fake *fake, uint64_t now)
{
    return (double)line_at(&fake->last.bytes, now) / LINE_BYTE;
}

uint32_t fake_heard(struct fake *fake, enum wire_type type, struct wire_message *message)
{
    pthread_mutex_lock(&fake->lock);
    uint32_t count = fake->counts[type];
    if (message)
        *message = fake->latest[type];
    pthread_mutex_unlock(&fake->lock);
    return count;
}

void fake_wait_heard(struct fake *fake, enum wire_type type, uint32_t count)
{
    for (int i = 0; i < 2000 && fake_heard(fake, type, NULL) < count; i++)
        nap();
    assert_int_equal(fake_heard(fake, type, NULL), count);
}

void fake_wait_peers(struct fake *fake, uint32_t count)
{
    for (int i = 0; i < 2000 && atomic_load(&fake->peer_count) != count; i++)
        nap();
    assert_int_equal(atomic_load(&fake->peer_count), count);
}

uint64_t fake_moved(const struct fake *fake)
{
    uint64_t moved = 0;
    for (size_t slot = 0; slot < PAGE_SLOTS; slot++)
        moved += atomic_load(&fake->usage->slots[slot].moved);
    return moved;
}
