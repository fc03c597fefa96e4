#include "base/json.h"
#include "base/text.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void json_quote(FILE *out, const char *text, size_t size)
{
    putc('"', out);
    for (const char *s = text, *end = text + size; s < end;) {
        uint32_t code;
        int length = text_character(s, end, &code);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", out);
        else if (*s == '\t')
            fputs("\\t", out);
        else if (code < 0x20 || code == 0x7F)
            fprintf(out, "\\u%04x", (unsigned)code);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length ? length : 1;
    }
    putc('"', out);
}

static void break_line(const struct json *json)
{
    if (json->pretty)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

/* Comma, line and key in front of a value. */
static void lead_in(struct json *json, const char *key)
{
    uint64_t bit = UINT64_C(1) << json->depth;
    if (json->depth > 0) {
        if (json->begun & bit)
            putc(',', json->out);
        break_line(json);
    }
    json->begun |= bit;
    if (key) {
        json_quote(json->out, key, strlen(key));
        fputs(json->pretty ? ": " : ":", json->out);
    }
}

static void json_begin(struct json *json, const char *key, char bracket)
{
    lead_in(json, key);
    putc(bracket, json->out);
    json->depth++;
    assert(json->depth < 64);
    json->begun &= ~(UINT64_C(1) << json->depth);
}

static void json_end(struct json *json, char bracket)
{
    assert(json->depth > 0);
    bool empty = !(json->begun >> json->depth & 1);
    json->depth--;
    if (!empty)
        break_line(json);
    putc(bracket, json->out);
    if (json->depth == 0)
        putc('\n', json->out);
}

void json_begin_object(struct json *json, const char *key)
{
    json_begin(json, key, '{');
}

void json_end_object(struct json *json)
{
    json_end(json, '}');
}

void json_begin_array(struct json *json, const char *key)
{
    json_begin(json, key, '[');
}

void json_end_array(struct json *json)
{
    json_end(json, ']');
}

void json_string(struct json *json, const char *key, const char *value)
{
    lead_in(json, key);
    if (value)
        json_quote(json->out, value, strlen(value));
    else
        fputs("null", json->out);
}

void json_text(struct json *json, const char *key, const char *value, size_t length)
{
    lead_in(json, key);
    json_quote(json->out, value, length);
}

void json_number(struct json *json, const char *key, double value)
{
    char buffer[TEXT_NUMBER_SIZE];
    lead_in(json, key);
    fputs(isfinite(value) ? text_print_number(value, buffer) : "null", json->out);
}

void json_integer(struct json *json, const char *key, uint64_t value)
{
    lead_in(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_signed(struct json *json, const char *key, int64_t value)
{
    lead_in(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    lead_in(json, key);
    fputs(value ? "true" : "false", json->out);
}
