#include "link/http.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t http_write(const char *host, const char *path, const char *body, char bytes[HTTP_REQUEST])
{
    int size = snprintf(bytes, HTTP_REQUEST,
                        "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        path, host, strlen(body), body);
    return size > 0 && size < HTTP_REQUEST ? (size_t)size : 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The digits at the start of a text, and nothing but space after them; -1 if it is anything else,
 * or more than HTTP_MOST. */
static long http_number(const char *text, int base)
{
    char *end;
    if (!*text || !strchr("0123456789abcdefABCDEF", *text))
        return -1;
    long number = strtol(text, &end, base);
    while (*end == ' ' || *end == '\t')
        end++;
    bool ended = *end == '\0' || (base == 16 && *end == ';');
    return ended && number >= 0 && number <= HTTP_MOST ? number : -1;
}

/* "HTTP/1.1 200 OK" */
static int http_take_status(struct http_reader *reader)
{
    const char *line = reader->line;
    if (strncmp(line, "HTTP/1.", 7) != 0 || strlen(line) < 12 || line[8] != ' ')
        return -1;
    for (int i = 9; i < 12; i++) {
        if (line[i] < '0' || line[i] > '9')
            return -1;
        reader->status = reader->status * 10 + line[i] - '0';
    }
    reader->part = HTTP_HEADERS;
    return 0;
}

/* The value of a header of this name, or NULL. */
static const char *http_value(const char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    line += length + 1;
    return line + strspn(line, " \t");
}

/* After the last header the body begins. */
static int http_begin_body(struct http_reader *reader)
{
    if (reader->status < 200) { /* news before the response */
        reader->part = HTTP_START;
        reader->status = 0;
        return reader->chunked || reader->sized ? -1 : 0;
    }
    reader->part = reader->chunked ? HTTP_CHUNK : reader->sized ? HTTP_LENGTH : HTTP_REST;
    if (reader->part == HTTP_LENGTH && reader->left == 0)
        reader->part = HTTP_DONE;
    return 0;
}

static int http_take_header(struct http_reader *reader)
{
    const char *length = http_value(reader->line, "Content-Length");
    const char *coding = http_value(reader->line, "Transfer-Encoding");
    if (!reader->line[0])
        return http_begin_body(reader);
    if (coding && strcasecmp(coding, "chunked") != 0)
        return -1;
    reader->chunked |= coding != NULL;
    if (length) {
        long number = http_number(length, 10);
        if (number < 0 || reader->sized)
            return -1;
        reader->sized = true;
        reader->left = (size_t)number;
    }
    return reader->chunked && reader->sized ? -1 : 0;
}

static int http_take_chunk(struct http_reader *reader)
{
    long number = http_number(reader->line, 16);
    if (number < 0)
        return -1;
    reader->left = (size_t)number;
    reader->part = number > 0 ? HTTP_DATA : HTTP_TRAILER;
    return 0;
}

/* A line has ended. */
static int http_take_line(struct http_reader *reader)
{
    size_t length = reader->line_length < HTTP_LINE - 1 ? reader->line_length : HTTP_LINE - 1;
    if (length > 0 && length == reader->line_length && reader->line[length - 1] == '\r')
        length--;
    reader->line[length] = '\0';
    reader->line_length = 0;
    switch (reader->part) {
    case HTTP_START:
        return http_take_status(reader);
    case HTTP_HEADERS:
        return http_take_header(reader);
    case HTTP_CHUNK:
        return http_take_chunk(reader);
    case HTTP_BREAK:
        reader->part = HTTP_CHUNK;
        return length == 0 ? 0 : -1;
    default:
        reader->part = length == 0 ? HTTP_DONE : HTTP_TRAILER;
        return 0;
    }
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* As much of the body as there is; how much, or 0 if it is too long. */
static size_t http_take_body(struct http_reader *reader, const char *bytes, size_t size)
{
    bool open = reader->part == HTTP_REST;
    size_t take = open || size < reader->left ? size : reader->left;
    if (take > sizeof reader->body - reader->size)
        return 0;
    memcpy(reader->body + reader->size, bytes, take);
    reader->size += take;
    reader->left -= open ? 0 : take;
    if (!open && reader->left == 0)
        reader->part = reader->part == HTTP_DATA ? HTTP_BREAK : HTTP_DONE;
    return take;
}

/* One byte of a line. */
static int http_take_byte(struct http_reader *reader, char byte)
{
    if (++reader->overhead > HTTP_MOST)
        return -1;
    if (byte == '\n')
        return http_take_line(reader);
    if (reader->line_length < HTTP_LINE - 1)
        reader->line[reader->line_length] = byte;
    reader->line_length++;
    return 0;
}

int http_take(struct http_reader *reader, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size && reader->part != HTTP_DONE;) {
        bool body =
            reader->part == HTTP_LENGTH || reader->part == HTTP_REST || reader->part == HTTP_DATA;
        size_t taken = body ? http_take_body(reader, bytes + at, size - at) : 1;
        if (taken == 0 || (!body && http_take_byte(reader, bytes[at]) != 0))
            return -1;
        at += taken;
    }
    return reader->part == HTTP_DONE;
}

bool http_end(struct http_reader *reader)
{
    if (reader->part == HTTP_REST)
        reader->part = HTTP_DONE;
    return reader->part == HTTP_DONE;
}
