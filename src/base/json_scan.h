/* A JSON reader for small answers of other programs: it visits every scalar with its path, keeps
 * nothing, and takes no memory. The text may be anything. */
#ifndef WEIR_BASE_JSON_SCAN_H
#define WEIR_BASE_JSON_SCAN_H

#include <stddef.h>

enum { JSON_SCAN_DEPTH = 16, JSON_SCAN_PATH = 128 };

/* A scalar: a string without its quotes, escapes as they are written; a number, true, false or
 * null. Its path has the keys from the outermost in, with dots between them; elements of an array
 * have the path of the array. Not ended by a 0 byte, except the path. */
struct json_leaf {
    const char *path;
    const char *text;
    size_t length;
};
typedef void json_visit(void *context, const struct json_leaf *leaf);

/* 0, or -1 after some visits: the text is not one JSON value, is nested deeper than
 * JSON_SCAN_DEPTH, or has a path that is too long. */
int json_scan(const char *text, size_t size, json_visit *visit, void *context);

#endif
