#include "format/word.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Decodes a character of more than one byte at *at and moves behind it; 0 if there is none. */
static uint32_t decode(const unsigned char **at, const unsigned char *end)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = *at;
    int bytes = *byte >= 0xf0 ? 4 : *byte >= 0xe0 ? 3 : 2;
    if (*byte < 0xc0 || *byte > 0xf4 || end - byte < bytes)
        return 0;
    uint32_t code = *byte & (0x7fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3fu);
    }
    *at = byte + bytes;
    return code >= least[bytes] && code <= 0x10ffff ? code : 0;
}

/* C1 controls, line separators, surrogates, byte order marks and what is not a character. */
static bool is_printable(uint32_t code)
{
    return code >= 0xa0 && code != 0x2028 && code != 0x2029 && code != 0xfeff &&
           (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) != 0xfffe;
}

const char *word_fault(const char *text, size_t length)
{
    if (length > 255)
        return "is longer than 255 bytes";
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        if (*at < ' ' || *at == 0x7f)
            return "contains a control character";
        if (*at < 0x80) {
            at++;
            continue;
        }
        uint32_t code = decode(&at, end);
        if (code == 0)
            return "is not UTF-8";
        if (!is_printable(code))
            return "contains a control character";
    }
    return NULL;
}

struct quote quote_text(const char *text, size_t length)
{
    struct quote quote;
    const size_t room = sizeof quote.text - sizeof "...";
    size_t kept = length < room ? length : room;
    while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80)
        kept--; /* do not cut a character in two */
    for (size_t i = 0; i < kept; i++)
        quote.text[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
    snprintf(quote.text + kept, sizeof quote.text - kept, "%s", kept < length ? "..." : "");
    return quote;
}
