#include "terminal/notes.h"
#include <stdio.h>
#include <string.h>

void notes_tell(const char *program, const char *notes)
{
    for (const char *at = notes; *at;) {
        size_t length = strcspn(at, "\n");
        fprintf(stderr, "%s: %.*s\n", program, (int)length, at);
        at += length + (at[length] == '\n');
    }
}
