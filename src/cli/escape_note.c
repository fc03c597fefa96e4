#include "cli/escape_note.h"
#include "base/units.h"
#include "cli/cli.h"
#include "client/request.h"
#include <stdio.h>

/* Below, it is not worth a word; and the program's end does not wait longer for the answer. */
#define NOTE_LEAST    (1 << 20)
#define NOTE_PATIENCE 1.0

struct note {
    uint32_t app;
    double escaped;
    enum wire_escape why;
};

static void note_take(const struct wire_message *message, void *context)
{
    struct note *note = context;
    if (message->type != WIRE_APP || message->app.id != note->app || message->app.channel != 0)
        return;
    note->escaped = message->app.escaped;
    note->why = message->app.escaped_why;
}

void escape_note(const char *socket, uint32_t app)
{
    const struct wire_message question = {.type = WIRE_QUERY, .query = {.applications = 1}};
    struct note note = {.app = app};
    char text[32];
    if (request_ask(socket, &question, NOTE_PATIENCE, note_take, &note) ||
        note.escaped < NOTE_LEAST)
        return;
    units_print(note.escaped, UNIT_BYTES, text, sizeof text);
    fprintf(stderr, "weir: exec: %s escaped control (%s)\n", text, wire_escape_text(note.why));
}
