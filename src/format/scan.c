#include "format/scan.h"
#include "base/text.h"
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void scan_skip_space(struct scan *scan)
{
    while (scan->at < scan->end && is_space(*scan->at))
        scan->at++;
}

bool scan_take(struct scan *scan, char bracket)
{
    scan_skip_space(scan);
    if (scan->at == scan->end || *scan->at != bracket)
        return false;
    scan->at++;
    return true;
}

bool scan_ended(struct scan *scan)
{
    scan_skip_space(scan);
    return scan->at == scan->end;
}

/* Moves past a string whose opening quote was taken. 0 or -1. */
static int skip_string(struct scan *scan)
{
    for (; scan->at < scan->end; scan->at++) {
        if (*scan->at == '"') {
            scan->at++;
            return 0;
        }
        if (*scan->at == '\\' && scan->at + 1 < scan->end)
            scan->at++;
    }
    return -1;
}

/* What comes next in a list that ends with this bracket: 1, 0 after it, or -1. */
static int scan_advance(struct scan *scan, bool *first, char closing)
{
    if (scan_take(scan, closing))
        return 0;
    if (!*first && !scan_take(scan, ','))
        return -1;
    *first = false;
    scan_skip_space(scan);
    return scan->at < scan->end ? 1 : -1;
}

int scan_element(struct scan *scan, bool *first)
{
    return scan_advance(scan, first, ']');
}

int scan_member(struct scan *scan, bool *first, const char **key, size_t *length)
{
    int more = scan_advance(scan, first, '}');
    if (more <= 0)
        return more;
    if (!scan_take(scan, '"'))
        return -1;
    *key = scan->at;
    if (skip_string(scan) != 0)
        return -1;
    *length = (size_t)(scan->at - 1 - *key);
    return scan_take(scan, ':') ? 1 : -1;
}

int scan_text(struct scan *scan, char *buffer, size_t size)
{
    size_t length = 0;
    if (!scan_take(scan, '"'))
        return -1;
    for (; scan->at < scan->end && *scan->at != '"'; scan->at++) {
        if (*scan->at == '\\' && ++scan->at < scan->end && *scan->at != '"' && *scan->at != '\\')
            return -1;
        if (scan->at == scan->end || !*scan->at || length + 1 >= size)
            return -1;
        buffer[length++] = *scan->at;
    }
    buffer[length] = '\0';
    return scan_take(scan, '"') ? 0 : -1;
}

int scan_number(struct scan *scan, double *value)
{
    scan_skip_space(scan);
    return text_number(&scan->at, scan->end, value);
}

int scan_skip(struct scan *scan)
{
    size_t depth = 0;
    scan_skip_space(scan);
    const char *start = scan->at;
    while (scan->at < scan->end) {
        char c = *scan->at;
        bool closing = c == '}' || c == ']';
        if (depth == 0 && (closing || c == ',' || is_space(c)))
            break;
        scan->at++;
        if (c == '"' && skip_string(scan) != 0)
            return -1;
        depth += c == '{' || c == '[';
        depth -= closing;
        if (depth == 0 && (closing || c == '"'))
            return 0;
    }
    return depth == 0 && scan->at > start ? 0 : -1;
}
