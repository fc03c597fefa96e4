#include "format/word.h"
#include "base/suggest.h"
#include "base/text.h"
#include <string.h>

const char *prose_fault(const char *text, size_t length)
{
    for (const char *at = text, *end = text + length; at < end;) {
        uint32_t code;
        int bytes = text_character(at, end, &code);
        if (bytes == 0)
            return "is not UTF-8";
        if (!text_is_printable(code))
            return "contains a control character";
        at += bytes;
    }
    return NULL;
}

const char *word_fault(const char *text, size_t length)
{
    return length > 255 ? "is longer than 255 bytes" : prose_fault(text, length);
}

struct quote quote_text(const char *text, size_t length)
{
    struct quote quote;
    size_t kept = text_cut(text, length, sizeof quote.text - sizeof "...");
    memcpy(quote.text, text, kept);
    text_clean(quote.text, kept);
    text_append(quote.text, sizeof quote.text, kept < length ? "..." : "");
    return quote;
}

int word_unknown(const char *what, const char *name, const char *const *names, struct err *err)
{
    return err_set(err, "unknown %s '%s'%s", what, name, suggest(name, names, NULL).text);
}
