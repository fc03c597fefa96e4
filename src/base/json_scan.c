#include "base/json_scan.h"
#include <stdbool.h>
#include <string.h>

struct json_scanner {
    const char *at, *end;
    json_visit *visit;
    void *context;
    char path[JSON_SCAN_PATH];
    size_t length; /* of the path */
    int depth;
};

static void scan_space(struct json_scanner *scan)
{
    while (scan->at < scan->end && *scan->at && strchr(" \t\r\n", *scan->at))
        scan->at++;
}

/* Takes this character, after space. */
static bool scan_takes(struct json_scanner *scan, char character)
{
    scan_space(scan);
    if (scan->at == scan->end || *scan->at != character)
        return false;
    scan->at++;
    return true;
}

/* What is between two quotes. */
static bool scan_string(struct json_scanner *scan, struct json_leaf *leaf)
{
    if (!scan_takes(scan, '"'))
        return false;
    leaf->text = scan->at;
    while (scan->at < scan->end && *scan->at != '"') {
        bool escape = *scan->at == '\\';
        if ((unsigned char)*scan->at < ' ' || scan->end - scan->at <= escape)
            return false;
        scan->at += 1 + escape;
    }
    leaf->length = (size_t)(scan->at - leaf->text);
    return scan_takes(scan, '"');
}

/* A number or a word; which words there are does not matter here. */
static bool scan_word(struct json_scanner *scan, struct json_leaf *leaf)
{
    leaf->text = scan->at;
    while (scan->at < scan->end && *scan->at &&
           strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", *scan->at))
        scan->at++;
    leaf->length = (size_t)(scan->at - leaf->text);
    return leaf->length > 0;
}

/* Appends a key to the path. */
static bool scan_enter(struct json_scanner *scan, const struct json_leaf *key)
{
    size_t dot = scan->length > 0;
    if (key->length + dot >= sizeof scan->path - scan->length || memchr(key->text, 0, key->length))
        return false;
    if (dot)
        scan->path[scan->length++] = '.';
    memcpy(scan->path + scan->length, key->text, key->length);
    scan->length += key->length;
    scan->path[scan->length] = '\0';
    return true;
}

static bool scan_value(struct json_scanner *scan);

static bool scan_member(struct json_scanner *scan)
{
    struct json_leaf key;
    size_t length = scan->length;
    bool fine = scan_string(scan, &key) && scan_takes(scan, ':') && scan_enter(scan, &key) &&
                scan_value(scan);
    scan->length = length;
    scan->path[length] = '\0';
    return fine;
}

static bool scan_members(struct json_scanner *scan, bool (*one)(struct json_scanner *), char close)
{
    bool fine = true;
    if (scan_takes(scan, close))
        return true;
    do
        fine = one(scan);
    while (fine && scan_takes(scan, ','));
    return fine && scan_takes(scan, close);
}

/* Nested at most JSON_SCAN_DEPTH deep. */
static bool scan_value(struct json_scanner *scan)
{
    struct json_leaf leaf = {.path = scan->path};
    bool fine = ++scan->depth <= JSON_SCAN_DEPTH;
    if (fine && scan_takes(scan, '{')) {
        fine = scan_members(scan, scan_member, '}');
    } else if (fine && scan_takes(scan, '[')) {
        fine = scan_members(scan, scan_value, ']');
    } else if (fine) {
        bool quoted = scan->at < scan->end && *scan->at == '"';
        fine = quoted ? scan_string(scan, &leaf) : scan_word(scan, &leaf);
        if (fine)
            scan->visit(scan->context, &leaf);
    }
    scan->depth--;
    return fine;
}

int json_scan(const char *text, size_t size, json_visit *visit, void *context)
{
    struct json_scanner scan = {.at = text, .end = text + size, .visit = visit, .context = context};
    if (!scan_value(&scan))
        return -1;
    scan_space(&scan);
    return scan.at == scan.end ? 0 : -1;
}
