#include "link/fetch.h"
#include "base/mem.h"
#include "link/connection.h"
#include <stdlib.h>
#include <string.h>

struct link_fetch {
    struct link_fetch_setup setup;
    struct http_reader reader;
    uv_getaddrinfo_t search;
    uv_connect_t connect;
    uv_write_t write;
    uv_tcp_t tcp;
    uv_timer_t timer;
    uint32_t uses; /* by the loop */
    bool open;     /* the connection is to be closed */
    bool over;     /* nobody waits for it any more */
    size_t size;
    char request[HTTP_REQUEST];
    char chunk[4096];
};

/* --- ends ------------------------------------------------------------------------------------- */

static void fetch_release(struct link_fetch *fetch)
{
    if (--fetch->uses == 0)
        free(fetch);
}

static void fetch_on_closed(uv_handle_t *handle)
{
    fetch_release(handle->data);
}

void link_fetch_stop(struct link_fetch *fetch)
{
    if (!fetch || fetch->over)
        return;
    fetch->over = true;
    uv_close((uv_handle_t *)&fetch->timer, fetch_on_closed);
    if (fetch->open)
        uv_close((uv_handle_t *)&fetch->tcp, fetch_on_closed);
    else
        uv_cancel((uv_req_t *)&fetch->search);
}

static void fetch_finish(struct link_fetch *fetch, const struct link_response *response)
{
    if (fetch->over)
        return;
    link_fetch_stop(fetch);
    fetch->setup.done(fetch->setup.context, response);
}

static void fetch_fail(struct link_fetch *fetch, const char *why)
{
    fetch_finish(fetch, &(struct link_response){.body = why, .size = strlen(why)});
}

static void fetch_on_limit(uv_timer_t *timer)
{
    fetch_fail(timer->data, "it does not answer");
}

/* --- the response ----------------------------------------------------------------------------- */

static void fetch_lend_chunk(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    struct link_fetch *fetch = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(fetch->chunk, sizeof fetch->chunk);
}

static void fetch_on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct link_fetch *fetch = stream->data;
    const struct http_reader *reader = &fetch->reader;
    int status = size > 0    ? http_take(&fetch->reader, buffer->base, (size_t)size)
                 : size == 0 ? 0
                 : size == UV_EOF && http_end(&fetch->reader) ? 1
                                                              : -1;
    if (status > 0)
        fetch_finish(fetch, &(struct link_response){reader->status, reader->body, reader->size});
    else if (status < 0)
        fetch_fail(fetch,
                   size > 0 || size == UV_EOF ? "its answer is malformed" : uv_strerror((int)size));
}

/* --- the request ------------------------------------------------------------------------------ */

static void fetch_on_written(uv_write_t *write, int status)
{
    struct link_fetch *fetch = write->data;
    if (status != 0)
        fetch_fail(fetch, uv_strerror(status));
    fetch_release(fetch);
}

static void fetch_on_connect(uv_connect_t *connect, int status)
{
    struct link_fetch *fetch = connect->data;
    const uv_buf_t buffer = uv_buf_init(fetch->request, (unsigned)fetch->size);
    uv_stream_t *stream = (uv_stream_t *)&fetch->tcp;
    if (status == 0 && !fetch->over)
        status = uv_read_start(stream, fetch_lend_chunk, fetch_on_read);
    if (status == 0 && !fetch->over) {
        fetch->write.data = fetch;
        status = uv_write(&fetch->write, stream, &buffer, 1, fetch_on_written);
        fetch->uses += status == 0;
    }
    if (status != 0)
        fetch_fail(fetch, connection_fault(status));
    fetch_release(fetch);
}

static const struct sockaddr *fetch_choose(const struct addrinfo *found, uint32_t nth)
{
    const struct addrinfo *one = found;
    for (; nth > 0; nth--)
        one = one->ai_next ? one->ai_next : found;
    return one->ai_addr;
}

static void fetch_on_found(uv_getaddrinfo_t *search, int status, struct addrinfo *found)
{
    struct link_fetch *fetch = search->data;
    if (status == 0 && !fetch->over) {
        uv_tcp_init(search->loop, &fetch->tcp);
        fetch->tcp.data = fetch;
        fetch->open = true;
        fetch->uses++;
        fetch->connect.data = fetch;
        status = uv_tcp_connect(&fetch->connect, &fetch->tcp, fetch_choose(found, fetch->setup.nth),
                                fetch_on_connect);
        fetch->uses += status == 0;
    }
    uv_freeaddrinfo(found);
    if (status != 0)
        fetch_fail(fetch, connection_fault(status));
    fetch_release(fetch);
}

/* --- from the start --------------------------------------------------------------------------- */

static size_t fetch_write(const struct link_fetch_setup *setup, char bytes[HTTP_REQUEST])
{
    char place[LINK_PLACE];
    return http_write(link_address_print(setup->address, place), setup->path, setup->body, bytes);
}

struct link_fetch *link_fetch_start(uv_loop_t *loop, const struct link_fetch_setup *setup)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct link_fetch *fetch = mem_alloc(1, sizeof *fetch);
    if (!fetch || (fetch->size = fetch_write(setup, fetch->request)) == 0) {
        free(fetch);
        return NULL;
    }
    fetch->setup = *setup;
    fetch->search.data = fetch->timer.data = fetch;
    if (uv_getaddrinfo(loop, &fetch->search, fetch_on_found, setup->address->host,
                       setup->address->port, &hints) != 0) {
        free(fetch);
        return NULL;
    }
    fetch->uses = 2;
    uv_timer_init(loop, &fetch->timer);
    uv_timer_start(&fetch->timer, fetch_on_limit, setup->limit, 0);
    return fetch;
}
