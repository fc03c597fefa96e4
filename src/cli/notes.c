#include "cli/notes.h"
#include <stdio.h>
#include <string.h>

void notes_tell(const char *notes)
{
    for (const char *at = notes; *at;) {
        size_t length = strcspn(at, "\n");
        fprintf(stderr, "weir: %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}
