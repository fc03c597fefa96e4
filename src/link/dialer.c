#include "link/dialer.h"
#include "base/mem.h"
#include "base/text.h"
#include "link/connection.h"
#include "link/credential.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds: for a controller to greet, which one that hangs does not; for munged to make a
 * credential, less than a controller waits for it; for the controller to answer; and before
 * the first attempt of a round, which is random: at least that, at most the first of these after a
 * loss, twice as much for every further round. */
enum {
    GREETING_LIMIT = 2000,
    MUNGED_LIMIT = 1500,
    ANSWER_LIMIT = 5000,
    SHORTEST_PAUSE = 10,
    FIRST_PAUSE = 500,
    LONGEST_PAUSE = 2000
};

/* A connection that is lost before this time counts as a failed attempt. */
enum { STEADY = 5000 };

/* One attempt to connect, and the connection if it succeeds. It outlives its dialer's interest
 * until the loop and the threads have released it. */
struct link_call {
    struct link_dialer *dialer;
    struct connection connection;
    uv_getaddrinfo_t search;
    uv_connect_t connect;
    struct credential credential;
    unsigned char key[SEAL_KEY];
    uint32_t version;
    uint32_t uses;  /* by the loop and by threads */
    bool more;      /* its controller has further addresses */
    bool open;      /* the connection is to be closed */
    bool answered;  /* the controller has taken it, */
    uint64_t since; /* at this time */
    char reason[sizeof((struct err *)0)->text];
};

struct link_dialer {
    struct connection_host host;
    struct link_dialer_setup setup;
    struct link_address controllers[LINK_CONTROLLERS];
    char munge[CREDENTIAL_PATH];
    uint32_t current; /* the controller that is tried or connected, */
    uint32_t nth;     /* and which of its addresses */
    struct link_call *call;
    uv_timer_t timer;                 /* the end of an attempt, or of the pause before it */
    uint32_t pause;                   /* milliseconds before the next round */
    bool late;                        /* in this round a controller did not answer in time */
    uint32_t uses;                    /* calls and the timer */
    char said[LINK_CONTROLLERS][160]; /* the latest news of each */
};

/* --- news ------------------------------------------------------------------------------------- */

/* The same line twice is no news. */
static void dialer_say(struct link_dialer *dialer, const char *what, const char *why)
{
    char place[LINK_PLACE], text[640], *said = dialer->said[dialer->current];
    link_address_print(&dialer->controllers[dialer->current], place);
    snprintf(text, sizeof text, "controller %s: %s%s%s", place, what, why ? ": " : "",
             why ? why : "");
    text_clean(text, strlen(text));
    if (strncmp(text, said, sizeof *dialer->said - 1) == 0)
        return;
    said[0] = '\0';
    text_append(said, sizeof *dialer->said, text);
    dialer->setup.calls->say(dialer->setup.context, text);
}

/* --- the end of an attempt or a connection ---------------------------------------------------- */

static void dialer_release(struct link_dialer *dialer)
{
    if (--dialer->uses == 0)
        free(dialer);
}

static void dialer_release_call(struct link_call *call)
{
    struct link_dialer *dialer = call->dialer;
    if (--call->uses > 0)
        return;
    sodium_memzero(call, sizeof *call);
    free(call);
    dialer_release(dialer);
}

static void dialer_on_closed(void *owner)
{
    dialer_release_call(owner);
}

/* Nothing of it is heard of any more. */
static void dialer_hang_up(struct link_dialer *dialer)
{
    struct link_call *call = dialer->call;
    dialer->call = NULL;
    if (!call)
        return;
    if (call->open)
        connection_close(&call->connection);
    else
        uv_cancel((uv_req_t *)&call->search);
    call->uses -= credential_abandon(&call->credential);
    dialer_release_call(call);
}

static void dialer_start(uv_timer_t *timer);

/* At random within the pause. */
static void dialer_wait(struct link_dialer *dialer)
{
    uint32_t wait = SHORTEST_PAUSE + randombytes_uniform(dialer->pause);
    uv_timer_start(&dialer->timer, dialer_start, wait, 0);
    dialer->pause = dialer->pause * 2 < LONGEST_PAUSE ? dialer->pause * 2 : LONGEST_PAUSE;
}

/* This controller cannot be had: the next address or controller, at once unless a new round begins.
 */
static void dialer_fail(struct link_dialer *dialer, const char *why)
{
    bool more = dialer->call && dialer->call->more;
    if (!more)
        dialer_say(dialer, "cannot connect", why);
    dialer_hang_up(dialer);
    dialer->nth = more ? dialer->nth + 1 : 0;
    dialer->current = (dialer->current + !more) % dialer->setup.controller_count;
    bool round = dialer->current == 0 && !more;
    if (round)
        dialer_wait(dialer);
    else
        uv_timer_start(&dialer->timer, dialer_start, 0, 0);
    bool late = dialer->late;
    dialer->late = late && !round;
    if (round && dialer->setup.calls->failed)
        dialer->setup.calls->failed(dialer->setup.context, late);
}

static void dialer_lose(struct link_dialer *dialer, const char *why)
{
    bool steady = uv_now(dialer->host.loop) - dialer->call->since >= STEADY;
    dialer_say(dialer, "connection lost", why);
    dialer_hang_up(dialer);
    dialer->current = dialer->nth = 0;
    if (steady)
        dialer->pause = FIRST_PAUSE;
    dialer_wait(dialer);
    dialer->setup.calls->gone(dialer->setup.context);
}

static void dialer_on_broken(void *owner, const char *why)
{
    struct link_call *call = owner;
    if (call->dialer->call != call)
        return;
    if (call->answered)
        dialer_lose(call->dialer, why);
    else
        dialer_fail(call->dialer, why);
}

static void dialer_on_limit(uv_timer_t *timer)
{
    struct link_dialer *dialer = timer->data;
    bool munged = dialer->call && credential_is_pending(&dialer->call->credential);
    dialer->late |= !munged;
    dialer_fail(dialer, munged ? "MUNGE: munged does not answer" : "it does not answer");
}

/* --- the hello -------------------------------------------------------------------------------- */

static void dialer_on_credential(struct credential *credential)
{
    struct link_call *call = credential->owner;
    struct link_dialer *dialer = call->dialer;
    if (dialer->call == call && credential->fault[0]) {
        dialer_fail(dialer, credential->fault);
    } else if (dialer->call == call) {
        connection_send(&call->connection, credential->text, strlen(credential->text));
        connection_seal(&call->connection, call->key, false);
        uv_timer_start(&dialer->timer, dialer_on_limit, ANSWER_LIMIT, 0);
    }
    dialer_release_call(call);
}

static const char *dialer_take_greeting(struct link_dialer *dialer, struct link_call *call,
                                        const struct packet *packet)
{
    struct link_greeting greeting;
    struct link_hello hello = dialer->setup.hello;
    struct credential *credential = &call->credential;
    if (call->version != 0)
        return "it does not wait for the hello";
    const char *fault = link_greeting_read(packet, &greeting);
    if (fault)
        return fault;
    call->version = link_version(&greeting.speaks, &dialer->setup.speaks);
    if (call->version == 0)
        return "it speaks another version";
    hello.version = call->version;
    memcpy(hello.nonce, greeting.nonce, HELLO_NONCE);
    randombytes_buf(call->key, SEAL_KEY);
    memcpy(hello.key, call->key, SEAL_KEY);
    credential->size = link_hello_write(&hello, credential->bytes);
    memcpy(credential->socket, dialer->munge, sizeof credential->socket);
    credential->reader = dialer->setup.controller_uid;
    credential->done = dialer_on_credential;
    credential->owner = call;
    if (credential_make(credential, dialer->host.loop) != 0)
        return "no thread can make a credential";
    call->uses++;
    uv_timer_start(&dialer->timer, dialer_on_limit, MUNGED_LIMIT, 0);
    return NULL;
}

static const char *dialer_take_answer(struct link_dialer *dialer, struct link_call *call,
                                      const struct packet *packet)
{
    const struct link_dialer_calls *calls = dialer->setup.calls;
    struct err err = {0};
    if (packet->size == 0 || packet->bytes[0] > 1)
        return "its answer is malformed";
    if (packet->bytes[0] == 0) {
        snprintf(call->reason, sizeof call->reason, "it refuses: %.*s", (int)packet->size - 1,
                 (const char *)packet->bytes + 1);
        return call->reason;
    }
    call->answered = true;
    call->since = uv_now(dialer->host.loop);
    uv_timer_stop(&dialer->timer);
    dialer_say(dialer, "connected", NULL);
    if (calls->connected(dialer->setup.context, call->version, packet->bytes + 1, packet->size - 1,
                         &err) == 0)
        return NULL;
    dialer_say(dialer, "its terms cannot be met", err.text);
    return "its terms cannot be met";
}

static const char *dialer_on_packet(void *owner, const struct packet *packet)
{
    struct link_call *call = owner;
    struct link_dialer *dialer = call->dialer;
    struct err err = {0};
    if (dialer->call != call)
        return NULL;
    if (!call->connection.sealed)
        return dialer_take_greeting(dialer, call, packet);
    if (!call->answered)
        return dialer_take_answer(dialer, call, packet);
    if (dialer->setup.calls->frame(dialer->setup.context, packet->bytes, packet->size, &err) == 0)
        return NULL;
    dialer_say(dialer, "a frame is malformed", err.text);
    return "a frame is malformed";
}

/* What a controller says that could not read the credential, and so knows no key. */
static const char *dialer_on_untagged(void *owner, const struct packet *packet)
{
    struct link_call *call = owner;
    char reason[HELLO_REASON];
    if (call->answered || !link_refusal_read(packet, reason))
        return "a frame has the wrong tag";
    snprintf(call->reason, sizeof call->reason, "it refuses: %s", reason);
    return call->reason;
}

static void dialer_on_writable(void *owner)
{
    struct link_call *call = owner;
    if (call->dialer->call == call && call->answered)
        call->dialer->setup.calls->writable(call->dialer->setup.context);
}

/* --- connecting ------------------------------------------------------------------------------- */

static void dialer_on_connect(uv_connect_t *connect, int status)
{
    struct link_call *call = connect->data;
    struct link_dialer *dialer = call->dialer;
    if (dialer->call == call && status == 0)
        status = connection_start(&call->connection);
    if (dialer->call == call && status != 0)
        dialer_fail(dialer, connection_fault(status));
    dialer_release_call(call);
}

static int dialer_connect(struct link_dialer *dialer, struct link_call *call,
                          const struct sockaddr *address)
{
    int status = connection_init(&call->connection, &dialer->host, call);
    if (status != 0)
        return status;
    call->open = true;
    call->uses++;
    call->connect.data = call;
    status = uv_tcp_connect(&call->connect, &call->connection.tcp, address, dialer_on_connect);
    call->uses += status == 0;
    return status;
}

static void dialer_on_found(uv_getaddrinfo_t *search, int status, struct addrinfo *found)
{
    struct link_call *call = search->data;
    struct link_dialer *dialer = call->dialer;
    if (dialer->call == call && status == 0) {
        const struct addrinfo *one = found;
        for (uint32_t i = 0; i < dialer->nth && one->ai_next; i++)
            one = one->ai_next;
        call->more = one->ai_next != NULL;
        status = dialer_connect(dialer, call, one->ai_addr);
    }
    uv_freeaddrinfo(found);
    if (dialer->call == call && status != 0)
        dialer_fail(dialer, connection_fault(status));
    dialer_release_call(call);
}

/* One attempt. */
static void dialer_start(uv_timer_t *timer)
{
    struct link_dialer *dialer = timer->data;
    const struct link_address *address = &dialer->controllers[dialer->current];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct link_call *call = mem_alloc(1, sizeof *call);
    uv_timer_start(timer, dialer_on_limit, GREETING_LIMIT, 0);
    if (!call)
        return; /* the timer tries again */
    call->dialer = dialer;
    call->uses = 1;
    call->search.data = call;
    dialer->uses++;
    dialer->call = call;
    int status = uv_getaddrinfo(dialer->host.loop, &call->search, dialer_on_found, address->host,
                                address->port, &hints);
    if (status == 0)
        call->uses++;
    else
        dialer_fail(dialer, connection_fault(status));
}

/* --- from start to end ------------------------------------------------------------------------ */

static const struct connection_calls dialer_connection_calls = {
    .packet = dialer_on_packet,
    .untagged = dialer_on_untagged,
    .writable = dialer_on_writable,
    .broken = dialer_on_broken,
    .closed = dialer_on_closed,
};

/* Which start of the machine this is, from the kernel; and which start of the process, by chance.
 */
static void dialer_identify(struct link_hello *hello)
{
    char text[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && fgets(text, sizeof text, file))
        crypto_generichash(hello->boot, HELLO_BOOT, (unsigned char *)text, strlen(text), NULL, 0);
    if (file)
        fclose(file);
    randombytes_buf(&hello->incarnation, sizeof hello->incarnation);
}

struct link_dialer *link_dialer_new(uv_loop_t *loop, const struct link_dialer_setup *setup,
                                    struct err *err)
{
    struct link_dialer *dialer = mem_alloc(1, sizeof *dialer);
    if (!dialer || sodium_init() < 0) {
        free(dialer);
        err_memory(err);
        return NULL;
    }
    dialer->host.loop = loop;
    dialer->host.calls = &dialer_connection_calls;
    dialer->setup = *setup;
    dialer_identify(&dialer->setup.hello);
    dialer->pause = FIRST_PAUSE;
    dialer->uses = 1;
    memcpy(dialer->controllers, setup->controllers,
           setup->controller_count * sizeof *setup->controllers);
    text_append(dialer->munge, sizeof dialer->munge, setup->munge ? setup->munge : "");
    uv_timer_init(loop, &dialer->timer);
    dialer->timer.data = dialer;
    uv_timer_start(&dialer->timer, dialer_start, 0, 0);
    return dialer;
}

static void dialer_on_timer_closed(uv_handle_t *handle)
{
    dialer_release(handle->data);
}

void link_dialer_free(struct link_dialer *dialer)
{
    if (!dialer)
        return;
    dialer_hang_up(dialer);
    uv_close((uv_handle_t *)&dialer->timer, dialer_on_timer_closed);
}

void link_dialer_heard(struct link_dialer *dialer, uint64_t epoch)
{
    dialer->setup.hello.epoch = epoch;
}

uint32_t link_dialer_position(const struct link_dialer *dialer)
{
    return dialer->current;
}

bool link_dialer_is_connected(const struct link_dialer *dialer)
{
    return dialer->call && dialer->call->answered;
}

int link_dialer_send(struct link_dialer *dialer, const void *bytes, size_t size)
{
    return link_dialer_is_connected(dialer)
               ? connection_send(&dialer->call->connection, bytes, size)
               : 1;
}

void link_dialer_redial(struct link_dialer *dialer, const char *why)
{
    uint32_t next = (dialer->current + 1) % dialer->setup.controller_count;
    if (!link_dialer_is_connected(dialer))
        return;
    dialer_lose(dialer, why);
    dialer->current = next;
}

const struct link_address *link_dialer_controller(const struct link_dialer *dialer)
{
    return &dialer->controllers[dialer->current];
}
