#include "base/suggest.h"
#include "base/text.h"
#include <stdio.h>

struct suggestion suggest(const char *word, const char *const *names, const char *lister)
{
    struct suggestion suggestion = {""};
    char *text = suggestion.text;
    const char *nearest = text_nearest(word, names);
    if (nearest) {
        snprintf(text, sizeof suggestion.text, ", did you mean '%s'?", nearest);
    } else if (lister) {
        snprintf(text, sizeof suggestion.text, "; '%s' lists them", lister);
    } else {
        for (size_t i = 0; names[i]; i++) {
            const char *joint = i == 0 ? ", expected " : names[i + 1] ? ", " : " or ";
            text_append(text, sizeof suggestion.text, joint);
            text_append(text, sizeof suggestion.text, names[i]);
        }
    }
    return suggestion;
}
