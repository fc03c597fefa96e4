/* UTF-8, character by character. Inline, so that the wire's messages can be checked by libraries
 * that link nothing but libc. */
#ifndef WEIR_BASE_CHARACTER_H
#define WEIR_BASE_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the well-formed UTF-8 character at `at`, which lies before `end`, and its code; 0 if
 * there is none. */
static inline int text_character(const char *at, const char *end, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)at;
    *code = *byte;
    if (*byte < 0x80)
        return 1;
    int length = *byte >= 0xF0 ? 4 : *byte >= 0xE0 ? 3 : 2;
    if (*byte < 0xC2 || *byte > 0xF4 || end - at < length)
        return 0;
    *code = *byte & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (byte[i] & 0x3Fu);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < least[length] || *code > 0x10FFFF || surrogate ? 0 : length;
}

/* Whether a character may stand in one line on a terminal: not a control character, a line
 * separator, a byte order mark or a noncharacter. */
static inline bool text_is_printable(uint32_t code)
{
    return code >= ' ' && !(code >= 0x7F && code < 0xA0) && code != 0x2028 && code != 0x2029 &&
           code != 0xFEFF && (code & 0xFFFE) != 0xFFFE;
}

#endif
