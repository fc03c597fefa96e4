#include "base/json.h"
#include "base/text.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 character at `s`, or 0. */
static int measure(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    int length = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : 4;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

static void quote(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = measure(s);
        if (length == 0) {
            fputs("\\ufffd", out);
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", out);
        else if (*s == '\t')
            fputs("\\t", out);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length;
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
        quote(json->out, key);
        fputs(json->pretty ? ": " : ":", json->out);
    }
}

static void begin(struct json *json, const char *key, char bracket)
{
    lead_in(json, key);
    putc(bracket, json->out);
    json->depth++;
    assert(json->depth < 64);
    json->begun &= ~(UINT64_C(1) << json->depth);
}

static void end(struct json *json, char bracket)
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
    begin(json, key, '{');
}

void json_end_object(struct json *json)
{
    end(json, '}');
}

void json_begin_array(struct json *json, const char *key)
{
    begin(json, key, '[');
}

void json_end_array(struct json *json)
{
    end(json, ']');
}

void json_string(struct json *json, const char *key, const char *value)
{
    lead_in(json, key);
    if (value)
        quote(json->out, value);
    else
        fputs("null", json->out);
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

void json_bool(struct json *json, const char *key, bool value)
{
    lead_in(json, key);
    fputs(value ? "true" : "false", json->out);
}
