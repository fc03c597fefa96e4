#include "serve/web.h"
#include "base/mem.h"
#include "link/address.h"
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define X(name, code) [WEB_##name] = code,
const unsigned web_codes[WEB_CODE_COUNT] = {WEB_CODES(X)};
#undef X

struct web {
    struct MHD_Daemon *daemon;
    web_answer_call *call;
    void *context;
    uint64_t counts[WEB_CODE_COUNT];
    uv_poll_t poll;   /* of the daemon's own epoll */
    uv_timer_t timer; /* when a connection has been silent for too long */
    int handles;      /* that are not closed yet */
    int port;
};

/* --- answers ---------------------------------------------------------------------------------- */

const char *web_query(const struct web_request *request, const char *key)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, key);
}

static const char *web_words(enum web_code code)
{
    static const char *const words[WEB_CODE_COUNT] = {
        [WEB_OK] = "\n",
        [WEB_SEE_OTHER] = "see the leader\n",
        [WEB_BAD] = "bad request\n",
        [WEB_FORBIDDEN] = "forbidden\n",
        [WEB_NOT_FOUND] = "not found: try /, /metrics, /metrics/users or /metrics/jobs\n",
        [WEB_BAD_METHOD] = "only GET and HEAD\n",
        [WEB_TOO_MANY] = "too many requests: try again in a second\n",
        [WEB_FAILED] = "failed\n",
        [WEB_STANDS_BY] = "this controller stands by: it is not the leader\n"};
    return words[code];
}

/* No page may be framed, guessed at, or run what is not ours. */
static void web_add_headers(struct MHD_Response *response, const struct web_answer *answer)
{
    const char *type = answer->body || answer->lasting ? answer->type : "text/plain";
    const char *const pairs[][2] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, type},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'"},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {MHD_HTTP_HEADER_LOCATION, answer->location},
        {MHD_HTTP_HEADER_CONTENT_ENCODING, answer->encoding},
        {MHD_HTTP_HEADER_ALLOW, answer->code == WEB_BAD_METHOD ? "GET, HEAD" : NULL},
        {MHD_HTTP_HEADER_RETRY_AFTER, answer->code == WEB_TOO_MANY ? "1" : NULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][1])
            MHD_add_response_header(response, pairs[i][0], pairs[i][1]);
}

static enum MHD_Result web_reply(struct web *web, struct MHD_Connection *connection,
                                 struct web_answer *answer)
{
    const char *text = answer->lasting ? answer->lasting : web_words(answer->code);
    size_t length = answer->lasting ? answer->length : strlen(text);
    struct MHD_Response *response =
        answer->body
            ? MHD_create_response_from_buffer(answer->length, answer->body, MHD_RESPMEM_MUST_FREE)
            : MHD_create_response_from_buffer(length, (void *)text, MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(answer->body);
        return MHD_NO;
    }
    web_add_headers(response, answer);
    enum MHD_Result queued = MHD_queue_response(connection, web_codes[answer->code], response);
    MHD_destroy_response(response);
    web->counts[answer->code] += queued == MHD_YES;
    return queued;
}

/* Called when the headers are there, and again after the body: nobody needs to send one. */
static enum MHD_Result web_handle(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *upload_size, void **state)
{
    struct web *web = context;
    struct web_answer answer = {.code = WEB_BAD_METHOD};
    (void)version;
    (void)upload;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return web_reply(web, connection, &answer);
    if (!*state) {
        *state = web;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    const struct web_request request = {
        .path = path,
        .accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT),
        .connection = connection};
    answer.code = WEB_NOT_FOUND;
    web->call(web->context, &request, &answer);
    return web_reply(web, connection, &answer);
}

/* --- on the loop ------------------------------------------------------------------------------ */

static void web_run(struct web *web);

static void web_on_timer(uv_timer_t *timer)
{
    web_run(timer->data);
}

static void web_on_poll(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    web_run(poll->data);
}

static void web_run(struct web *web)
{
    MHD_UNSIGNED_LONG_LONG wait;
    MHD_run(web->daemon);
    if (MHD_get_timeout(web->daemon, &wait) == MHD_YES)
        uv_timer_start(&web->timer, web_on_timer, wait, 0);
    else
        uv_timer_stop(&web->timer);
}

/* --- from start to end ------------------------------------------------------------------------ */

static int web_bind(const struct addrinfo *place)
{
    int on = 1, fd = socket(place->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, place->ai_addr, place->ai_addrlen) == 0 && listen(fd, 64) == 0)
        return fd;
    int fault = errno;
    close(fd);
    errno = fault;
    return -1;
}

static int web_listen(const char *text, struct err *err)
{
    const struct addrinfo how = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct link_address address;
    struct addrinfo *list = NULL;
    int fd = -1;
    if (link_address_read(text, WEB_PORT, &address, err) != 0)
        return -1;
    int fault = getaddrinfo(address.host, address.port, &how, &list);
    if (fault != 0)
        return err_set(err, "cannot listen at '%s': %s", text, gai_strerror(fault));
    for (const struct addrinfo *place = list; place && fd < 0; place = place->ai_next)
        fd = web_bind(place);
    if (fd < 0)
        err_set(err, "cannot listen at '%s': %s", text, strerror(errno));
    freeaddrinfo(list);
    return fd;
}

static int web_find_port(int fd)
{
    struct sockaddr_storage place;
    socklen_t size = sizeof place;
    if (getsockname(fd, (struct sockaddr *)&place, &size) != 0)
        return 0;
    return ntohs(place.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&place)->sin6_port
                                             : ((struct sockaddr_in *)&place)->sin_port);
}

static void web_start_handles(struct web *web, uv_loop_t *loop)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    uv_timer_init(loop, &web->timer);
    uv_poll_init(loop, &web->poll, info->epoll_fd);
    web->timer.data = web->poll.data = web;
    web->handles = 2;
    uv_poll_start(&web->poll, UV_READABLE, web_on_poll);
}

struct web *web_new(uv_loop_t *loop, const char *address, web_answer_call *call, void *context,
                    struct err *err)
{
    int fd = web_listen(address, err);
    if (fd < 0)
        return NULL;
    struct web *web = mem_alloc(1, sizeof *web);
    if (!web) {
        close(fd);
        err_memory(err);
        return NULL;
    }
    *web = (struct web){.call = call, .context = context, .port = web_find_port(fd)};
    web->daemon = MHD_start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, web_handle, web, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)WEB_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)WEB_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_PATIENCE, MHD_OPTION_END);
    if (!web->daemon) {
        err_set(err, "cannot serve HTTP at '%s'", address);
        close(fd);
        free(web);
        return NULL;
    }
    web_start_handles(web, loop);
    return web;
}

static void web_on_close(uv_handle_t *handle)
{
    struct web *web = handle->data;
    if (--web->handles == 0)
        free(web);
}

void web_free(struct web *web)
{
    if (!web)
        return;
    uv_poll_stop(&web->poll);
    MHD_stop_daemon(web->daemon);
    uv_close((uv_handle_t *)&web->poll, web_on_close);
    uv_close((uv_handle_t *)&web->timer, web_on_close);
}

int web_port(const struct web *web)
{
    return web->port;
}

uint64_t web_count(const struct web *web, enum web_code code)
{
    return web->counts[code];
}
