/* HTTP responses, whole and in pieces; and requests over loopback to servers that misbehave. */
#include "common.h"
#include "link/fetch.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct http_reader reader;

/* Feeds a response in pieces of this size, then ends the connection. */
static int feed(const char *text, size_t step)
{
    int status = 0;
    size_t size = strlen(text);
    memset(&reader, 0, sizeof reader);
    for (size_t at = 0; at < size && status == 0; at += step)
        status = http_take(&reader, text + at, size - at < step ? size - at : step);
    return status == 0 ? http_end(&reader) ? 1 : 0 : status;
}

static void check(const char *text, int code, const char *body)
{
    for (size_t step = 1; step <= strlen(text); step++) {
        assert_int_equal(feed(text, step), 1);
        assert_int_equal(reader.status, code);
        assert_int_equal(reader.size, strlen(body));
        assert_memory_equal(reader.body, body, strlen(body));
    }
}

static void responses_are_read_in_any_pieces(void **state)
{
    (void)state;
    check("HTTP/1.1 200 OK\r\nContent-Type: x\r\ncontent-length:  3 \r\n\r\nabc", 200, "abc");
    check("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"
          "4;x=y\r\nabcd\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
          404, "abcd0123456789");
    check("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end");
    check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", 204,
          "");
    check("HTTP/1.1 200 OK\nContent-Length: 1\n\nx", 200, "x");
}

static void malformed_responses_are_refused(void **state)
{
    static const char *const bad[] = {
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 2x0 OK\r\n",
        "HTTP/2 200\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t step = 1; step <= 64; step *= 4)
            if (feed(bad[i], step) != -1)
                fail_msg("'%s' is not refused", bad[i]);
    /* cut off */
    assert_int_equal(feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", 1), 0);
    assert_int_equal(feed("HTTP/1.1 200 OK\r\n", 1), 0);
}

static void sizes_are_bounded(void **state)
{
    static char text[4 * HTTP_MOST];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "HTTP/1.0 200 OK\r\n\r\n", 19);
    assert_int_equal(feed(text, 1000), -1); /* the body */
    text[19 + HTTP_MOST] = '\0';
    assert_int_equal(feed(text, 1000), 1);
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "HTTP/1.0 200 OK\r\nHeader: ", 25);
    assert_int_equal(feed(text, 1000), -1); /* a line */
    for (size_t i = 17; i + 8 < sizeof text; i += 8)
        memcpy(text + i, "A: b  \r\n", 8);
    assert_int_equal(feed(text, 1000), -1); /* headers */
}

static void requests_that_do_not_fit_are_not_written(void **state)
{
    static char body[HTTP_REQUEST], bytes[HTTP_REQUEST];
    (void)state;
    assert_true(http_write("head1:2379", "/v3/kv/txn", "{}", bytes) > 0);
    assert_string_equal(bytes, "POST /v3/kv/txn HTTP/1.1\r\nHost: head1:2379\r\nConnection: close"
                               "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
    memset(body, 'x', sizeof body - 1);
    assert_int_equal(http_write("h", "/", body, bytes), 0);
}

/* --- over loopback ---------------------------------------------------------------------------- */

struct visit {
    uint32_t done;
    int status;
    char body[256];
};

static void visit_done(void *context, const struct link_response *response)
{
    struct visit *visit = context;
    visit->done++;
    visit->status = response->status;
    snprintf(visit->body, sizeof visit->body, "%.*s", (int)response->size, response->body);
}

static int serve(struct link_address *address)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof place;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&place, sizeof place), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&place, &size), 0);
    snprintf(address->host, sizeof address->host, "localhost");
    snprintf(address->port, sizeof address->port, "%u", ntohs(place.sin_port));
    return fd;
}

/* One visit to a server that answers with this text, NULL = nothing; and closes, if it is to. */
static struct visit visit(const char *text, bool closes)
{
    uv_loop_t loop;
    struct visit visit = {0};
    struct link_address address;
    int listener = serve(&address), fd = -1;
    assert_int_equal(uv_loop_init(&loop), 0);
    const struct link_fetch_setup setup = {.address = &address,
                                           .path = "/",
                                           .body = "{}",
                                           .limit = 300,
                                           .done = visit_done,
                                           .context = &visit};
    for (uint32_t nth = 0; nth < 2 && fd < 0; nth++) { /* one of the two may be ::1 */
        struct link_fetch_setup one = setup;
        one.nth = nth;
        visit = (struct visit){0};
        assert_non_null(link_fetch_start(&loop, &one));
        while (visit.done == 0) {
            uv_run(&loop, UV_RUN_NOWAIT);
            if (fd < 0 && (fd = accept(listener, NULL, NULL)) >= 0 && text)
                assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
            if (fd >= 0 && closes)
                shutdown(fd, SHUT_RDWR);
            usleep(500);
        }
    }
    assert_int_equal(visit.done, 1);
    if (fd >= 0)
        close(fd);
    close(listener);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
    return visit;
}

static void a_request_gets_its_response(void **state)
{
    (void)state;
    struct visit got = visit("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false);
    assert_int_equal(got.status, 200);
    assert_string_equal(got.body, "hello");
}

static void servers_that_misbehave_are_given_up(void **state)
{
    (void)state;
    struct visit got = visit(NULL, false);
    assert_int_equal(got.status, 0);
    assert_string_equal(got.body, "it does not answer");
    assert_int_equal(visit("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", false).status, 0);
    assert_int_equal(visit("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", true).status, 0);
    got = visit("220 mail ESMTP\r\n", false);
    assert_int_equal(got.status, 0);
    assert_string_equal(got.body, "its answer is malformed");
}

static void a_port_where_nobody_listens_is_told(void **state)
{
    uv_loop_t loop;
    struct visit got = {0};
    struct link_address address;
    (void)state;
    close(serve(&address));
    assert_int_equal(uv_loop_init(&loop), 0);
    const struct link_fetch_setup setup = {.address = &address,
                                           .path = "/",
                                           .body = "",
                                           .limit = 5000,
                                           .done = visit_done,
                                           .context = &got};
    assert_non_null(link_fetch_start(&loop, &setup));
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(got.done, 1);
    assert_string_equal(got.body, "connection refused");
    struct link_fetch *fetch = link_fetch_start(&loop, &setup); /* given up at once, */
    link_fetch_stop(fetch);
    fetch = link_fetch_start(&loop, &setup); /* and while it connects */
    uv_run(&loop, UV_RUN_ONCE);
    link_fetch_stop(fetch);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_read_in_any_pieces),
        cmocka_unit_test(malformed_responses_are_refused),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(requests_that_do_not_fit_are_not_written),
        cmocka_unit_test(a_request_gets_its_response),
        cmocka_unit_test(servers_that_misbehave_are_given_up),
        cmocka_unit_test(a_port_where_nobody_listens_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
