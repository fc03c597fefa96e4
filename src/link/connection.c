#include "link/connection.h"
#include "base/little.h"
#include "base/mem.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Bytes in the kernel of an end that does not read; its answers must not grow old there. */
enum { SEND_BUFFER = 32 << 10 };

/* Seconds after which the kernel asks a silent end whether it is there. */
enum { KEEP_ALIVE = 15 };

struct connection_rest {
    uv_write_t write;
    unsigned char bytes[];
};

int connection_init(struct connection *connection, struct connection_host *host, void *owner)
{
    *connection = (struct connection){.host = host, .owner = owner};
    connection->reader.most = HELLO_CREDENTIAL;
    int status = uv_tcp_init(host->loop, &connection->tcp);
    connection->tcp.data = connection;
    return status;
}

const char *connection_fault(int status)
{
    switch (status) {
    case UV_EAI_NONAME:
    case UV_EAI_NODATA:
        return "unknown host name";
    case UV_EAI_AGAIN:
    case UV_EAI_FAIL:
        return "the host name cannot be looked up";
    case UV_EINVAL:
        return "invalid host name or address";
    default:
        return uv_strerror(status);
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

static void connection_lend_chunk(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    struct connection *connection = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(connection->host->chunk, CONNECTION_CHUNK);
}

/* NULL, or why to break the connection. */
static const char *connection_take(struct connection *connection, const unsigned char *at,
                                   const unsigned char *end)
{
    struct packet packet;
    const char *fault = NULL;
    int status = 0;
    while (!connection->closing && !fault &&
           (status = packet_next(&connection->reader, &at, end, &packet, &fault)) > 0) {
        if (connection->sealed && !seal_open(&connection->seal, &packet))
            return connection->host->calls->untagged(connection->owner, &packet);
        fault = connection->host->calls->packet(connection->owner, &packet);
    }
    return status == 0 ? NULL : fault;
}

static void connection_on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct connection *connection = stream->data;
    const char *fault = NULL;
    if (size > 0) {
        const unsigned char *bytes = (const unsigned char *)buffer->base;
        fault = connection_take(connection, bytes, bytes + size);
    } else if (size < 0) {
        connection->left = true;
        fault = size == UV_EOF ? "it has closed the connection" : uv_strerror((int)size);
    }
    if (fault && !connection->closing)
        connection->host->calls->broken(connection->owner, fault);
}

int connection_start(struct connection *connection)
{
    return uv_read_start((uv_stream_t *)&connection->tcp, connection_lend_chunk,
                         connection_on_read);
}

void connection_seal(struct connection *connection, const unsigned char key[SEAL_KEY],
                     bool controller)
{
    int size = SEND_BUFFER;
    connection->seal = (struct seal){.controller = controller};
    memcpy(connection->seal.key, key, SEAL_KEY);
    connection->sealed = true;
    connection->reader.most = LINK_MOST + SEAL_TAG;
    uv_tcp_nodelay(&connection->tcp, 1);
    uv_tcp_keepalive(&connection->tcp, 1, KEEP_ALIVE);
    uv_send_buffer_size((uv_handle_t *)&connection->tcp, &size);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void connection_on_written(uv_write_t *write, int status)
{
    struct connection *connection = write->data;
    free(connection->rest);
    connection->rest = NULL;
    if (status == 0 && !connection->closing)
        connection->host->calls->writable(connection->owner);
}

/* Sends what is left of a packet of two parts once there is room. */
static int connection_queue(struct connection *connection, const uv_buf_t parts[2], size_t done)
{
    size_t all = parts[0].len + parts[1].len, size = 0;
    struct connection_rest *rest = mem_alloc(1, sizeof *rest + all - done);
    if (!rest)
        return -1;
    for (int i = 0; i < 2; i++) {
        size_t skip = done < parts[i].len ? done : parts[i].len;
        if (parts[i].len > skip)
            memcpy(rest->bytes + size, parts[i].base + skip, parts[i].len - skip);
        size += parts[i].len - skip;
        done -= skip;
    }
    const uv_buf_t buffer = uv_buf_init((char *)rest->bytes, (unsigned)size);
    rest->write.data = connection;
    connection->blocked = uv_now(connection->tcp.loop);
    connection->rest = rest;
    if (uv_write(&rest->write, (uv_stream_t *)&connection->tcp, &buffer, 1,
                 connection_on_written) == 0)
        return 0;
    connection->rest = NULL;
    free(rest);
    return -1;
}

/* A torn packet cannot be repeated. The owner learns it from the loop, not in the middle of
 * sending. */
static void connection_cut(const struct connection *connection)
{
    uv_os_fd_t fd;
    if (uv_fileno((const uv_handle_t *)&connection->tcp, &fd) == 0)
        shutdown(fd, SHUT_RDWR);
}

int connection_send(struct connection *connection, const void *bytes, size_t size)
{
    unsigned char head[PACKET_HEAD + SEAL_TAG];
    size_t tag = connection->sealed ? SEAL_TAG : 0;
    assert(size <= LINK_MOST);
    if (connection->rest || connection->closing)
        return 1;
    little_put(head, size + tag, PACKET_HEAD);
    if (connection->sealed)
        seal_tag(&connection->seal, bytes, size, head + PACKET_HEAD);
    const uv_buf_t parts[2] = {uv_buf_init((char *)head, (unsigned)(PACKET_HEAD + tag)),
                               uv_buf_init((char *)bytes, (unsigned)size)};
    int done = uv_try_write((uv_stream_t *)&connection->tcp, parts, 2);
    if (done == UV_EAGAIN)
        done = 0;
    if (done >= 0 && (size_t)done == parts[0].len + parts[1].len)
        return 0;
    if (done >= 0 && connection_queue(connection, parts, (size_t)done) == 0)
        return 0;
    connection_cut(connection);
    return 1;
}

/* --- closing ---------------------------------------------------------------------------------- */

static void connection_on_closed(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    packet_reader_fini(&connection->reader);
    connection->host->calls->closed(connection->owner);
}

void connection_close(struct connection *connection)
{
    if (connection->closing)
        return;
    connection->closing = true;
    if (uv_tcp_close_reset(&connection->tcp, connection_on_closed) != 0)
        uv_close((uv_handle_t *)&connection->tcp, connection_on_closed);
}
